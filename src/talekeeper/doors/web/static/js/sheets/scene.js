// Ending the scene: its claims are judged, and the next one opens.

import { at, post } from "../api.js";
import { h } from "../dom.js";
import { closeSheet, sheet } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem, toast } from "../toast.js";

export function open() {
  const reason = h("input", { class: "input", "aria-label": "How it ends (optional)", placeholder: "How it ends (optional)", maxlength: "500", autofocus: true });
  const end = async () => {
    try {
      const done = await post(at(state.world.slug, "scene", "end"), { reason: reason.value.trim() });
      closeSheet();
      toast(done.message);
    } catch (problem) {
      tellProblem(problem);
    }
  };
  sheet("End the scene", [
    h("p", { class: "lead" }, "What was claimed in it is weighed and becomes canon or not; then a new chapter opens where you are."),
    reason,
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", onclick: end }, "End the scene")),
  ]);
}
