// Correcting what was told, in its place.

import { at, get, post } from "./api.js";
import { h } from "./dom.js";
import { state } from "./state.js";
import { tellProblem, toast } from "./toast.js";

export function editTurn(view) {
  if (view.element.querySelector("form.edit")) return;
  const told = view.told.passages.filter((part) => part.kind === "narration.told");
  const areas = told.map((part, i) =>
    h("textarea", { class: "input", "aria-label": told.length > 1 ? `Passage ${i + 1} of turn ${view.number}` : `What was told in turn ${view.number}`, value: part.text, rows: String(Math.min(12, 2 + Math.ceil(part.text.length / 70))) }));
  const form = h("form", { class: "edit" }, areas, h("div", { class: "row" },
    h("button", { class: "button main", type: "submit" }, "Save"),
    h("button", { class: "button", type: "button", onclick: close }, "Cancel")));
  form.addEventListener("submit", save);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  });
  view.prose.hidden = true;
  view.prose.after(form);
  areas[0]?.focus();

  function close() {
    form.remove();
    view.prose.hidden = false;
  }

  async function save(event) {
    event.preventDefault();
    try {
      for (const [i, part] of told.entries()) {
        const text = areas[i].value.trim();
        if (text && text !== part.text) await post(at(state.world.slug, "edit"), { event: part.event, text });
      }
      close();
      state.set("turns", await get(`${at(state.world.slug, "turns")}?limit=${Math.max(20, Math.min(200, state.turns.length))}`));
      toast("Corrected.");
    } catch (problem) {
      tellProblem(problem);
    }
  }
}
