// The story so far.

import { at, get } from "../api.js";
import { h } from "../dom.js";
import { empty, sheet } from "../sheet.js";
import { state } from "../state.js";

export async function open() {
  const recaps = await get(at(state.world.slug, "recap"));
  sheet("The story so far", recaps.length ? h("ul", { class: "list" }, recaps.map((recap) => h("li", {}, h("p", {}, recap.text)))) : empty("Nothing has happened yet."));
}
