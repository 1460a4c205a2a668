// A drafted dashboard from a few words about the evening.

import { h } from "../house/js/dom.js";
import { closeSheet, sheet } from "../house/js/sheet.js";
import { tellProblem } from "../house/js/toast.js";
import { post } from "./wire.js";

const ASKED = [
  ["game", "What is played", "Dredge"], ["mood", "Mood", "slow, curious"], ["familiarity", "How well you know it", "first time"],
  ["recent_experience", "What happened last time", "We found the second lighthouse."], ["start_time", "When it begins", "20:00"],
];

export function generator(done) {
  const form = h("form", { class: "board", onsubmit: async (event) => {
    event.preventDefault();
    try {
      done((await post("/companion/dashboard/generate", Object.fromEntries(new FormData(form)))).dashboard);
      closeSheet();
    } catch (problem) {
      tellProblem(problem);
    }
  } }, ASKED.map(([name, label, example], at) => h("label", { class: "field" }, h("span", {}, label), h("input", { class: "input", name, placeholder: example, required: name === "game", autofocus: at === 0 }))),
  h("div", { class: "row" }, h("button", { class: "button main", type: "submit" }, "Draft it")), h("p", { class: "quiet" }, "Nothing is saved until you save it."));
  sheet("Draft a dashboard", form);
}
