// The X-card: no reason needed. The story leaves this alone, at once.

import { at, post } from "../api.js";
import { h } from "../dom.js";
import { closeSheet, sheet } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem } from "../toast.js";

export function open() {
  const note = h("input", { class: "input", "aria-label": "What to leave alone (optional)", placeholder: "What to leave alone (optional)", maxlength: "500" });
  const play = (rewind) => async () => {
    try {
      await post(at(state.world.slug, "x-card"), { rewind, note: note.value.trim() });
      closeSheet();
    } catch (problem) {
      tellProblem(problem);
    }
  };
  sheet("X-card", [
    h("p", { class: "lead" }, "Nobody asks why. The story leaves this subject, and will not come back to it."),
    note,
    h("div", { class: "row" },
      h("button", { class: "button main", type: "button", autofocus: true, onclick: play(false) }, "Leave this alone"),
      state.may("run") ? h("button", { class: "button", type: "button", onclick: play(true) }, "And take the last turn back") : null),
  ]);
}
