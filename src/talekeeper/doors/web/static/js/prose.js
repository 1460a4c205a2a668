// The story as told: turns one below the other, older ones on request, the one being told at the end.

import { get, at } from "./api.js";
import { find, h } from "./dom.js";
import { painted, toEnd } from "./follow.js";
import { state } from "./state.js";
import { turnTools } from "./tools.js";
import { tellProblem } from "./toast.js";
import { Turn } from "./turn.js";

const PAGE = 20;

let column = null;
let list = null;
let earlier = null;
let views = new Map();

export function openProse() {
  earlier = h("button", { class: "button earlier", type: "button", hidden: true, onclick: loadEarlier }, "Earlier turns");
  list = h("div", { class: "turns-told" }, h("div", { class: "placeholder", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i"), h("i")));
  column = h("div", { class: "column" }, earlier, list);
  views = new Map();
  find("scroll").replaceChildren(column);
}

const keyOf = (told) => told.turn || told.passages[0]?.event || `roll-${told.number}`;

/** What the timeline says now. Turns already shown and unchanged keep their elements. */
export function showTurns(turns) {
  const next = new Map();
  for (const told of turns) {
    const key = keyOf(told);
    const telling = state.running && !state.running.done && state.running.id === told.turn ? state.running.view : null;
    if (telling) {
      next.set(key, telling);
      continue;
    }
    const known = views.get(key);
    const same = known && JSON.stringify(known.told) === JSON.stringify(told);
    next.set(key, same ? known : (known ?? new Turn(told)).fill(told));
  }
  views = next;
  const shown = [...views.values()];
  const last = shown.findLast((view) => view.turn) ?? shown[0];
  for (const view of shown) {
    view.element.classList.toggle("last", view === last);
    turnTools(view, view === last);
  }
  const running = state.running?.view.element;
  list.replaceChildren(...shown.map((view) => view.element), ...(running && !shown.some((view) => view.element === running) ? [running] : []));
  earlier.hidden = !shown.length || shown[0].number <= (shown[0].turn ? 1 : 0);
  painted(false);
}

/** The running turn at the end; turns it tells anew go away. */
export function showRunning(telling) {
  for (const [key, view] of views) {
    if (view.turn && view.number >= telling.view.number) {
      view.element.remove();
      views.delete(key);
    }
  }
  for (const view of views.values()) view.element.classList.remove("last");
  list.append(telling.view.element);
  toEnd();
}

/** The finished turn keeps its element when its stored form comes. */
export function adopt(view) {
  if (view.turn) views.set(view.turn, view);
}

export async function loadEarlier() {
  const first = state.turns.find((turn) => turn.turn);
  if (!first) return;
  earlier.disabled = true;
  try {
    const older = await get(`${at(state.world.slug, "turns")}?before=${first.number}&limit=${PAGE}`);
    const scroll = find("scroll");
    const below = scroll.scrollHeight - scroll.scrollTop;
    const known = new Set(state.turns.map(keyOf));
    state.set("turns", [...older.filter((turn) => !known.has(keyOf(turn))), ...state.turns]);
    scroll.scrollTop = scroll.scrollHeight - below;
    if (!older.some((turn) => turn.number < first.number && turn.turn)) earlier.hidden = true;
  } catch (problem) {
    tellProblem(problem);
  }
  earlier.disabled = false;
}

/** Bring a turn into view, loading what lies before it if need be. */
export function toTurn(number) {
  const view = [...views.values()].find((one) => one.number === number && (one.turn || number === 0));
  view?.element.scrollIntoView({ behavior: "smooth", block: "start" });
  view?.element.querySelector("h2")?.setAttribute("tabindex", "-1");
  view?.element.querySelector("h2")?.focus({ preventScroll: true });
}

export function placeBeforeLast(element) {
  const last = [...views.values()].findLast((view) => view.turn);
  if (last) last.element.before(element);
  else list.prepend(element);
}

export const viewOf = (turn) => views.get(turn);
