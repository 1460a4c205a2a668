// On return: what happened before, above the last turn, until it is put away.

import { at, get } from "./api.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { placeBeforeLast } from "./prose.js";
import { state } from "./state.js";

const AWAY = 30 * 60; // seconds after which one has been away
const SHOWN = 5;

export async function previously() {
  const { slug, turn_number: turn, played_at: played } = state.world;
  if (turn < 2 || Date.now() / 1000 - played < AWAY) return;
  const recaps = await get(at(slug, "recap")).catch(() => []);
  if (!recaps.length || state.world?.slug !== slug || state.running) return;
  const card = h("section", { class: "previously", "aria-label": "Previously" },
    h("header", {}, h("h2", { class: "label" }, "Previously"), iconButton("close", "Put away", () => card.remove())),
    h("ul", {}, recaps.slice(-SHOWN - 1, -1).map((recap) => h("li", {}, recap.text))));
  placeBeforeLast(card);
}
