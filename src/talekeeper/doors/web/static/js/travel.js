// Moving along the tree: back to a turn, a fork, another timeline, another telling. The other future is always kept.

import { at, post } from "./api.js";
import { closeDrawers } from "./drawers.js";
import { state } from "./state.js";
import { tellProblem, toast } from "./toast.js";
import { sibling } from "./ways.js";

async function move(path, body, say) {
  if (state.running && !state.running.done) return toast("A turn is being told.", { hint: "Stop it first (Esc), or let it end." });
  const from = state.world.active;
  try {
    const arrived = await post(at(state.world.slug, path), body);
    closeDrawers();
    if (say) toast(say(arrived), { act: arrived.timeline !== from ? "Undo" : "", onact: () => switchTo(from) });
    return arrived;
  } catch (problem) {
    tellProblem(problem);
  }
}

export const backTo = (number) =>
  move("backtrack", { to: number }, () => (number ? `Back at turn ${number}.` : "Back at the opening.") + " The other future is kept.");

export const forkAt = (number, name = "") =>
  move("fork", { at: number, name }, (arrived) => `A new timeline, ${arrived.timeline}, from ${number ? `turn ${number}` : "the opening"}.`);

export const switchTo = (timeline) => move("switch", { timeline }, () => `On ${timeline} now.`);

export const regenerate = (swipe = false) => state.lastTurn && move("retry", { swipe });

/** One telling to the left or right; past the last, a new one. */
export function swipe(step) {
  const other = sibling(step);
  if (other) return move("switch", { timeline: other.id });
  if (step > 0) return regenerate(true);
}
