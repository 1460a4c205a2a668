// The ledger so far, as it would be written now.

import { h } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";
import { sheet } from "../house/js/sheet.js";
import { current } from "./current.js";
import { leaf } from "./leaf.js";
import { get } from "./wire.js";

export async function ledger(again) {
  const { ledger: text } = await get(`/ledger?session_id=${encodeURIComponent(current.session)}`);
  const name = `ledger_${/\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? "today"}_${current.session.slice(0, 8)}.md`;
  const file = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  return [
    h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: () => sheet("Ledger", h("div", { class: "leaf large" }, leaf(text)), { wide: true }) }, icon("book"), "Read large"),
      h("a", { class: "button", href: file, download: name }, icon("out"), "Save"),
      h("button", { class: "icon", type: "button", "aria-label": "Read again", title: "Read again", onclick: again }, icon("retry"))),
    h("div", { class: "leaf" }, leaf(text)),
  ];
}
