// What the table wants more or less of, told to the narrator; and what the narrator has been told.

import { ask, at, get, post } from "../api.js";
import { h, put } from "../dom.js";
import { closeSheet, sheet } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem, toast } from "../toast.js";

export async function open() {
  const given = h("ul", { class: "list" });
  await list(given);
  const text = h("textarea", { class: "input", "aria-label": "What should the narrator do?", placeholder: "Slower, more weather. Let Nan tease me.", maxlength: "2000", autofocus: true });
  const scene = h("input", { type: "checkbox" });
  const form = h("form", { class: "field" }, text, h("label", { class: "tick" }, scene, "For this scene only"),
    h("div", { class: "row" }, h("button", { class: "button main", type: "submit" }, "Tell the narrator")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return text.focus();
    try {
      const done = await post(at(state.world.slug, "directives"), { text: text.value.trim(), scene_only: scene.checked });
      closeSheet();
      toast(done.message);
    } catch (problem) {
      tellProblem(problem);
    }
  });
  sheet("Tell the narrator", [h("p", { class: "lead" }, "A word aside, outside the story: what you want more of, or less."), form, given]);
}

async function list(given) {
  const found = await get(at(state.world.slug, "directives"));
  put(given, found.map((one) => h("li", {}, h("div", { class: "row" }, h("p", {}, one.text), h("span", { class: "mark" }, one.source.replaceAll("_", " ")),
    one.source === "safety" ? null : h("button", { class: "button", type: "button", onclick: () => ask("DELETE", at(state.world.slug, "directives", one.event)).then(() => list(given)).catch(tellProblem) }, "Take back")))));
}
