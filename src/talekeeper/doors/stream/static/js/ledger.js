// The ledger so far, as it would be written now.

import { h } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";
import { sheet } from "../house/js/sheet.js";
import { theme } from "../house/js/theme.js";
import { current } from "./current.js";
import { leaf } from "./leaf.js";
import { get } from "./wire.js";

const light = () => theme() === "light" || (theme() === "system" && matchMedia("(prefers-color-scheme: light)").matches);

const pulse = (narrow) => `/admin/companion/pulse?session_id=${encodeURIComponent(current.session)}&colours=${light() ? "light" : "dark"}&narrow=${narrow}`;

export async function ledger(again) {
  const { ledger: text } = await get(`/ledger?session_id=${encodeURIComponent(current.session)}`);
  const name = `ledger_${/\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? "today"}_${current.session.slice(0, 8)}.md`;
  const file = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  return [
    h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: () => sheet("Ledger", h("div", { class: "leaf large" }, h("img", { class: "pulse", src: pulse(false), alt: "The chat's pulse" }), leaf(text)), { wide: true }) }, icon("book"), "Read large"),
      h("a", { class: "button", href: file, download: name }, icon("out"), "Save"),
      h("button", { class: "icon", type: "button", "aria-label": "Read again", title: "Read again", onclick: again }, icon("retry"))),
    h("img", { class: "pulse", src: pulse(true), alt: "The chat's pulse: bars are lines, shaded parts long silences, diamonds the companion's words, flags clip candidates" }),
    h("div", { class: "leaf" }, leaf(text)),
  ];
}
