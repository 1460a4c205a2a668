// What the table wants more or less of, told to the narrator.

import { at, post } from "../api.js";
import { h } from "../dom.js";
import { closeSheet, sheet } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem, toast } from "../toast.js";

export function open() {
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
  sheet("Tell the narrator", [h("p", { class: "lead" }, "A word aside, outside the story: what you want more of, or less."), form]);
}
