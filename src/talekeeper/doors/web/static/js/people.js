// People: those in the scene with what they feel and remember, the others below, and the ties between them.

import { h, s } from "./dom.js";
import { face } from "./face.js";
import { picture } from "./picture.js";
import { busy, empty, sheetOf } from "./sheet.js";
import { state } from "./state.js";

export function people() {
  if (!state.people) return busy();
  const here = state.people.filter((person) => person.present);
  const away = state.people.filter((person) => !person.present);
  return [
    h("section", {}, h("h2", { class: "label" }, "In the scene"),
      here.length ? h("ul", {}, here.map((person) => h("li", {}, card(person)))) : empty("Nobody else is here.")),
    h("section", {}, h("h2", { class: "label" }, "Ties"), picture("relations", "Who feels what for whom", (who) => sheetOf("person", who))),
    away.length ? h("section", {}, h("h2", { class: "label" }, "Elsewhere"), h("ul", { class: "elsewhere" }, away.map((person) => h("li", {}, line(person))))) : null,
  ];
}

const card = (person) =>
  h("button", { class: "person", type: "button", onclick: () => sheetOf("person", person.id) },
    face(person), h("span", { class: "name" }, person.name),
    h("span", { class: "mood" }, [person.mood, person.status && person.status !== "alive" ? person.status : ""].filter(Boolean).join(", ") || person.role),
    person.remembers ? h("span", { class: "last" }, `Saw you: ${person.remembers}`) : h("span", { class: "last" }, person.role),
    regard(person));

export function regard(person) {
  const trust = person.regard.trust ?? 0;
  const width = Math.abs(trust) / 2;
  return h("span", { class: "regard" }, h("span", {}, person.attitude),
    h("span", { class: "meter" }, s("svg", { viewBox: "0 0 100 5", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: trust < 0 ? "bad" : "good", x: trust < 0 ? 50 - width : 50, width, height: 5 }))),
    h("span", {}, `trust ${trust > 0 ? "+" : ""}${trust}`));
}

const line = (person) =>
  h("button", { type: "button", onclick: () => sheetOf("person", person.id) }, face(person, true),
    h("span", {}, h("b", {}, person.name), h("small", {}, [person.role, person.status && person.status !== "alive" ? person.status : ""].filter(Boolean).join(", "))));
