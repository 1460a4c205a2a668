// Canon: claims that wait for a decision, and everybody and everything known.

import { at, get, post } from "./api.js";
import { h } from "./dom.js";
import { empty, sheetOf } from "./sheet.js";
import { state } from "./state.js";
import { tellProblem, toast } from "./toast.js";
import { claimText } from "./claim.js";

const KINDS = { person: "People", place: "Places", item: "Things", faction: "Factions", concept: "Matters" };

let waiting = [];
let kind = "person";
let wanted = "";

export const openProposals = () => waiting;

export async function loadProposals() {
  waiting = state.may("run") ? await get(at(state.world.slug, "proposals")).catch(() => []) : [];
}

export async function canon(redraw) {
  const entities = await get(at(state.world.slug, "entities")).catch(() => []);
  const kinds = Object.keys(KINDS).filter((one) => entities.some((entity) => entity.kind === one));
  const list = h("ul", { class: "entities" });
  const fill = () => {
    const found = entities.filter((entity) => (wanted ? entity.name.toLowerCase().includes(wanted.toLowerCase()) : entity.kind === kind));
    list.replaceChildren(...(found.length ? found.map((entity) =>
      h("li", {}, h("button", { type: "button", onclick: () => sheetOf("entity", entity.id) }, entity.name, wanted ? h("small", {}, entity.kind) : null)))
      : [h("li", {}, empty("Nothing of that name."))]));
  };
  fill();
  return [
    state.may("run") ? h("section", {}, h("h2", { class: "label" }, "To decide"),
      waiting.length ? waiting.map((proposal) => card(proposal, redraw)) : empty("No claim waits. What the story claims beyond the rules comes here first.")) : null,
    h("section", {}, h("h2", { class: "label" }, "What is known"),
      h("input", { class: "input", type: "search", placeholder: "Find a name", "aria-label": "Find a name", value: wanted, oninput: (event) => { wanted = event.target.value.trim(); fill(); } }),
      h("div", { class: "kinds", role: "group", "aria-label": "Kind" }, kinds.map((one) =>
        h("button", { type: "button", "aria-pressed": String(one === kind), onclick: () => { kind = one; wanted = ""; redraw(); } }, KINDS[one]))),
      list),
  ];
}

function card(proposal, redraw) {
  const note = h("input", { class: "input", placeholder: "Reason (optional)", "aria-label": "Reason", maxlength: "2000" });
  const against = proposal.reason || proposal.contradicts;
  const decide = (decision) => async () => {
    try {
      const decided = await post(at(state.world.slug, "proposals", proposal.id, "decide"), { decision, note: note.value.trim(), overrule: Boolean(decision === "accepted" && against && note.value.trim()) });
      toast(decided.decision === "accepted" ? "It is canon now." : "Refused.", { hint: decided.reason });
      await loadProposals();
      redraw();
    } catch (problem) {
      tellProblem(problem);
    }
  };
  return h("article", { class: "proposal" },
    proposal.claims.map((claim) => h("p", { class: "claim" }, claimText(claim))),
    proposal.why ? h("blockquote", {}, proposal.why) : null,
    h("p", { class: "quiet" }, `Claimed by the ${proposal.role.replaceAll("_", " ")}${proposal.turn ? `, turn ${proposal.turn.split("#")[1]}` : ""}. Source: ${proposal.evidence.join(", ") || "none given"}.`),
    against ? h("p", {}, h("span", { class: "mark bad" }, "Against it"), ` ${proposal.reason} ${proposal.contradicts} `, "A reason overrules it.") : null,
    note,
    h("div", { class: "row" },
      h("button", { class: "button main", type: "button", onclick: decide("accepted") }, "Accept"),
      h("button", { class: "button", type: "button", onclick: decide("rejected") }, "Refuse")));
}
