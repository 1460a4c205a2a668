// Deleting a world: asked once, plainly.

import { ask, at } from "../api.js";
import { h } from "../dom.js";
import { show } from "../router.js";
import { closeSheet, sheet } from "../sheet.js";
import { tellProblem, toast } from "../toast.js";

export function open(world) {
  const away = async () => {
    try {
      await ask("DELETE", at(world.slug));
      closeSheet();
      toast(`${world.title} is gone.`);
      show();
    } catch (problem) {
      tellProblem(problem);
    }
  };
  sheet(`Delete ${world.title}?`, [
    h("p", { class: "lead" }, `All its timelines and ${world.turn_number} turns go with it. This cannot be undone; an export can be taken in again.`),
    h("div", { class: "row" }, h("button", { class: "button bad", type: "button", onclick: away }, "Delete it"), h("button", { class: "button", type: "button", autofocus: true, onclick: closeSheet }, "Keep it")),
  ]);
}
