// The X-card: no reason needed. The story leaves this alone, at once. Below it, what it leaves alone for good.

import { at, post } from "../api.js";
import { h } from "../dom.js";
import { closeSheet, sheet } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem, toast } from "../toast.js";

export function open() {
  const note = h("input", { class: "input", "aria-label": "What to leave alone (optional)", placeholder: "What to leave alone (optional)", maxlength: "500" });
  const send = async (where, given) => {
    try {
      const done = await post(at(state.world.slug, where), given);
      closeSheet();
      return done;
    } catch (problem) {
      tellProblem(problem);
    }
  };
  const play = (rewind) => () => send("x-card", { rewind, note: note.value.trim() });
  const draw = (veiled) => async () => {
    if (!note.value.trim()) return note.focus();
    const done = await send("boundaries", { text: note.value.trim(), veiled });
    if (done) toast(done.message);
  };
  sheet("X-card", [
    h("p", { class: "lead" }, "Nobody asks why. The story leaves this subject, and will not come back to it."),
    note,
    h("div", { class: "row" },
      h("button", { class: "button main", type: "button", autofocus: true, onclick: play(false) }, "Leave this alone"),
      state.may("run") ? h("button", { class: "button", type: "button", onclick: play(true) }, "And take the last turn back") : null),
    h("p", { class: "lead" }, "Or say it ahead of time. The words above are then never told, or stay out of sight."),
    h("div", { class: "row" },
      h("button", { class: "button", type: "button", onclick: draw(false) }, "A line: never"),
      h("button", { class: "button", type: "button", onclick: draw(true) }, "A veil: out of sight")),
  ]);
}
