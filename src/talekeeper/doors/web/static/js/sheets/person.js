// One character: what is known of them, what they feel for you, and what they remember.

import { at, get } from "../api.js";
import { h, put } from "../dom.js";
import { face } from "../face.js";
import { regard } from "../people.js";
import { busy, empty, sheet, sheetOf } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem } from "../toast.js";

export async function open(who) {
  const person = state.people?.find((one) => one.id === who);
  if (!person) return sheetOf("entity", who);
  const mind = state.may("run") || who === state.world.player;
  const found = h("div", {}, busy());
  const known = h("div");
  const about = h("input", { class: "input", type: "search", placeholder: "About…", "aria-label": "Memories about", onchange: () => recall(who, about.value, found) });
  sheet(person.name, [
    h("div", { class: "row" }, face(person), h("div", {}, h("p", { class: "lead" }, person.role), h("p", { class: "quiet" }, [person.mood, person.status].filter(Boolean).join(", ")))),
    person.look ? h("p", { class: "lead" }, person.look) : null,
    h("section", {}, h("h3", {}, `Towards ${state.world.seat.actor_name || state.world.player_name}`), regard(person),
      h("div", { class: "bars" }, Object.entries(person.regard).map(([name, value]) => h("span", {}, `${name} `, h("b", {}, value > 0 ? `+${value}` : value))))),
    mind ? h("section", {}, h("h3", {}, "Remembers"), about, found) : null,
    mind ? h("details", { ontoggle: () => knows(who, known) }, h("summary", {}, "Knows, here and now"), known) : null,
    h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: () => sheetOf("entity", who) }, "Everything canon says")),
  ]);
  if (mind) await recall(who, "", found);
}

async function recall(who, about, found) {
  const memories = await get(`${at(state.world.slug, "memories", who)}?limit=12&about=${encodeURIComponent(about)}`);
  put(found, memories.length ? h("ul", { class: "list" }, memories.map(memory)) : empty("Nothing comes to mind."));
}

async function knows(who, known) {
  if (known.childElementCount) return;
  const facts = await get(at(state.world.slug, "knowledge", who)).catch(tellProblem);
  put(known, facts?.length ? h("ul", { class: "list" }, facts.map((fact) => h("li", {}, h("p", {}, fact.replace(/^- /, ""))))) : empty("Nothing in particular."));
}

const memory = (item) =>
  h("li", {}, h("p", {}, item.name ? `${item.name}: ${item.text}` : item.text),
    h("div", { class: "bars" }, h("span", {}, item.turn ? `turn ${item.turn.split("#")[1]}` : item.event), h("span", {}, "weight ", h("b", {}, item.score.toFixed(2))),
      Object.entries(item.parts).map(([part, value]) => h("span", {}, `${part} `, h("b", {}, value.toFixed(2))))));
