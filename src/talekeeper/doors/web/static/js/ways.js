// Other tellings of the last turn: siblings among the timelines, one swipe apart.

import { h } from "./dom.js";
import { state } from "./state.js";

/** Timelines that end in another telling of the last turn, the active one among them, oldest first. */
export function siblings() {
  const active = state.timelines.find((line) => line.active);
  const last = state.lastTurn;
  if (!active || !last) return [];
  const own = active.parent && active.fork_turn === last.number - 1 && /retry|swipe/.test(active.reason);
  const stem = own ? active.parent : active.id;
  return state.timelines.filter((line) =>
    line.turns === last.number &&
    (line.id === stem || (line.parent === stem && line.fork_turn === last.number - 1 && /retry|swipe/.test(line.reason))));
}

/** The telling `step` further, or null past either end. */
export function sibling(step) {
  const all = siblings();
  return all[all.findIndex((line) => line.active) + step] ?? null;
}

export function waysOfLast() {
  const all = siblings();
  if (all.length < 2) return [];
  return [h("span", { class: "ways" }, `telling ${all.findIndex((line) => line.active) + 1} of ${all.length}`)];
}
