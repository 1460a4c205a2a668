// Other ways: timelines that part from the present one at a turn, and other tellings of the last turn, one swipe apart.

import { state } from "./state.js";

const retold = (line) => /retry|swipe/.test(line.reason);

/** The timelines on the way here, the active one first, each with the last turn of it that lies on the way. */
function wayHere() {
  const way = new Map();
  let line = state.timelines.find((one) => one.active);
  let until = Infinity;
  while (line) {
    way.set(line.id, until);
    until = line.fork_turn;
    line = state.timelines.find((one) => one.id === line.parent);
  }
  return way;
}

/** Timelines that go on otherwise after a turn; other tellings that led nowhere are left out. */
export function otherWays(turn) {
  const way = wayHere();
  return state.timelines.filter((line) => {
    if (way.has(line.id)) return way.get(line.id) === turn && line.turns > turn + (leftByTelling(line, turn) ? 1 : 0);
    return line.fork_turn === turn && way.get(line.parent) >= turn && !(retold(line) && line.turns === turn + 1);
  });
}

const leftByTelling = (parent, turn) => state.timelines.some((line) => line.parent === parent.id && line.fork_turn === turn && retold(line));

/** Timelines that end in another telling of the last turn, the active one among them, oldest first. */
export function siblings() {
  const active = state.timelines.find((line) => line.active);
  const last = state.lastTurn;
  if (!active || !last) return [];
  const own = active.parent && active.fork_turn === last.number - 1 && retold(active);
  const stem = own ? active.parent : active.id;
  return state.timelines.filter((line) =>
    line.turns === last.number &&
    (line.id === stem || (line.parent === stem && line.fork_turn === last.number - 1 && retold(line))));
}

/** The telling `step` further, or null past either end. */
export function sibling(step) {
  const all = siblings();
  return all[all.findIndex((line) => line.active) + step] ?? null;
}

/** "telling 2 of 3", or nothing where there is one. */
export function waysOfLast() {
  const all = siblings();
  return all.length < 2 ? "" : `telling ${all.findIndex((line) => line.active) + 1} of ${all.length}`;
}
