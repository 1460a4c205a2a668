// Two timelines side by side: the turns they do not share, and what is true on one only.

import { at, get } from "../api.js";
import { h } from "../dom.js";
import { empty, sheet } from "../sheet.js";
import { state } from "../state.js";
import { Turn } from "../turn.js";

export async function open(a, b) {
  const found = await get(`${at(state.world.slug, "compare")}?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`);
  const side = (part, label) => h("section", { "aria-label": label }, h("h3", {}, label),
    part.turns.length ? part.turns.map((turn) => new Turn(turn).fill(turn).element) : empty("Nothing of its own yet."));
  sheet(`${a} beside ${b}`, [
    h("p", { class: "lead" }, found.shared_turn ? `They share everything up to turn ${found.shared_turn}.` : "They part at the opening."),
    h("div", { class: "two" }, side(found.a, name(a)), side(found.b, name(b))),
    h("section", {}, h("h3", {}, "What differs"), found.differences.length ? table(found.differences, a, b) : empty("The same is true on both.")),
  ], { wide: true });
}

const name = (id) => `${id}${id === state.world.active ? " (here)" : ""}`;

const table = (rows, a, b) =>
  h("table", { class: "compare-table" }, h("thead", {}, h("tr", {}, ["", a, b].map((head) => (head ? h("th", { scope: "col" }, head) : h("td", {}, h("span", { class: "unseen" }, "Of")))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, `${row.name}: ${row.pred.replaceAll("_", " ")}`), h("td", {}, row.a || "—"), h("td", {}, row.b || "—")))));
