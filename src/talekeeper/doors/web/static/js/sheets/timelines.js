// All timelines, or those that part from one turn: go there, or lay one beside the present one.

import { h } from "../dom.js";
import { picture } from "../picture.js";
import { closeSheet, sheet, sheetOf } from "../sheet.js";
import { state } from "../state.js";
import { switchTo } from "../travel.js";
import { otherWays } from "../ways.js";

export function open(turn = null) {
  const shown = turn === null ? state.timelines : otherWays(turn);
  sheet(turn === null ? "Timelines" : `Other ways from ${turn ? `turn ${turn}` : "the opening"}`, [
    turn === null && state.timelines.length > 1 ? picture("timelines", "The tree of timelines", go) : null,
    h("ul", { class: "list" }, shown.map((line) => h("li", {}, h("div", { class: "row" },
      h("div", {}, h("p", {}, line.name ? `${line.name} (${line.id})` : line.id), h("small", {}, describe(line))),
      line.active ? h("span", { class: "mark good" }, "you are here") : [
        state.may("run") ? h("button", { class: "button", type: "button", onclick: () => go(line.id) }, "Go there") : null,
        h("button", { class: "button", type: "button", onclick: () => sheetOf("compare", state.world.active, line.id) }, "Compare"),
      ])))),
  ]);
}

const REASONS = { fork: "a fork", backtrack: "begun by going back", undo: "begun by taking a turn back", retry: "told again", swipe: "another telling" };

const describe = (line) => `${line.parent ? `${REASONS[line.reason] ?? line.reason}, from ${line.fork_turn ? `turn ${line.fork_turn}` : "the opening"} of ${line.parent}` : "the first"} · now at turn ${line.turns}`;

function go(line) {
  if (line === state.world.active) return;
  closeSheet();
  switchTo(line);
}
