// Why a turn was told as it was: what the narrator was given, each item with its score parts, and what was cut.

import { at, get } from "../api.js";
import { h, s } from "../dom.js";
import { sheet } from "../sheet.js";
import { state } from "../state.js";

export async function open(number) {
  const manifest = await get(at(state.world.slug, "turns", String(number), "why"));
  const sections = Map.groupBy(manifest.items, (item) => item.section);
  sheet(`Why: turn ${number}`, [
    h("p", { class: "lead" }, `The narrator was given ${manifest.used} of ${manifest.budget} tokens, read at event ${manifest.base_seq}.`),
    h("div", { class: "gauge" }, s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, s("rect", { width: Math.min(100, (manifest.used / manifest.budget) * 100), height: 8 }))),
    [...sections].map(([name, items]) => h("section", {}, h("h3", {}, name), h("ul", { class: "list" }, items.map(row)))),
  ], { wide: true });
}

const row = (item) =>
  h("li", { class: item.included ? "" : "out" },
    h("p", {}, item.text.replace(/^- /, "")),
    h("small", {}, `${item.included ? "" : "Left out: "}${item.why} · ${item.ref} · ${item.tokens} tokens`),
    item.score === null ? null : h("div", { class: "bars" }, h("span", {}, "score ", h("b", {}, item.score.toFixed(2))),
      Object.entries(item.parts).map(([part, value]) => h("span", {}, `${part} `, h("b", {}, value.toFixed(2))))));
