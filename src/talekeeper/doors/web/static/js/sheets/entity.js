// What canon says of something, as of any turn, and for each fact why it is believed.

import { at, get } from "../api.js";
import { h, put } from "../dom.js";
import { empty, sheet, sheetOf } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem } from "../toast.js";

export async function open(entity) {
  const newest = state.world.turn_number;
  const body = h("div");
  const load = async (turn) => {
    const page = await get(`${at(state.world.slug, "entities", entity)}${turn < newest ? `?as_of=${turn}` : ""}`);
    put(body, h("section", {}, h("h3", {}, "Facts"), facts(page.facts.filter((fact) => fact.pred !== "name" && fact.pred !== "alias"), entity)),
      page.relations.length ? h("section", {}, h("h3", {}, "Ties"), facts(page.relations, entity)) : null,
      page.held.length ? h("section", {}, h("h3", {}, "Here or held"), h("ul", { class: "list" }, page.held.map((thing) => h("li", {}, h("button", { class: "link", type: "button", onclick: () => sheetOf("entity", thing.id) }, thing.name))))) : null);
    return page;
  };
  const page = await load(newest);
  const label = h("output", {}, "now");
  const slide = newest ? h("label", { class: "field" }, h("span", {}, "As of ", label),
    h("input", { type: "range", min: "0", max: newest, value: newest, oninput: (event) => { label.textContent = Number(event.target.value) === newest ? "now" : event.target.value === "0" ? "the opening" : `turn ${event.target.value}`; }, onchange: (event) => load(Number(event.target.value)).catch(tellProblem) })) : null;
  sheet(page.name, [page.aliases.length ? h("p", { class: "quiet" }, `Also called ${page.aliases.join(", ")}.`) : null, slide, body]);
}

const facts = (lines, entity) => (lines.length ? h("ul", { class: "list" }, lines.map((line) => fact(line, entity))) : empty("Nothing is said."));

function fact(line, entity) {
  const reasons = h("div");
  const why = h("button", { class: "link", type: "button", "aria-expanded": "false", onclick: async () => {
    const shut = why.getAttribute("aria-expanded") === "true";
    why.setAttribute("aria-expanded", String(!shut));
    if (shut) return put(reasons);
    const found = await get(`${at(state.world.slug, "entities", entity, "why")}?pred=${encodeURIComponent(line.pred)}&slot=${encodeURIComponent(line.slot)}`).catch((problem) => tellProblem(problem));
    put(reasons, (found ?? []).map((one) => h("p", {}, h("small", {}, `${one.asserted ? "Said" : "Taken back"} by the ${one.role.replaceAll("_", " ")} at ${one.event}${one.reason ? `: ${one.reason}` : ""}${one.evidence.length ? `; proof: ${one.evidence.join(", ")}` : ""}${one.note ? `; ${one.note}` : ""}`))));
  } }, "why?");
  return h("li", {}, h("p", {}, line.says), h("div", { class: "bars" }, h("span", {}, line.pred.replaceAll("_", " ")), h("span", {}, line.since), why), reasons);
}
