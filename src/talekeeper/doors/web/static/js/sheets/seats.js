// Who is at the table, whose turn it is, whispers, and links that bring others.

import { ask, at, get, post } from "../api.js";
import { h, put } from "../dom.js";
import { icon } from "../icons.js";
import { sheet } from "../sheet.js";
import { state } from "../state.js";
import { tellProblem, toast } from "../toast.js";

const ROLES = { owner: "owner", game_master: "game master", player: "player", spectator: "spectator" };
const ORDERS = { free: "Anybody, any time", round: "Round the table", gm: "As the game master says" };

export async function open(whisperTo = null) {
  const world = state.world.slug;
  const [seats, whispers] = await Promise.all([get(at(world, "seats")), get(at(world, "whispers"))]);
  const others = seats.filter((seat) => !seat.you);
  const names = new Map(seats.map((seat) => [seat.id, seat.you ? "you" : seat.name]));
  sheet("Who is at the table", [
    h("ul", { class: "list" }, seats.map((seat) => h("li", {}, h("div", { class: "row" },
      h("div", {}, h("p", {}, seat.name, seat.you ? " (you)" : ""), h("small", {}, [ROLES[seat.role], seat.actor_name && `plays ${seat.actor_name}`].filter(Boolean).join(", "))),
      h("span", { class: seat.present ? "mark good" : "mark" }, seat.present ? "here" : "away"),
      state.order.current === seat.id ? h("span", { class: "mark" }, "their turn") : null,
      state.may("run") && state.order.mode === "gm" && seat.role === "player" ? h("button", { class: "button", type: "button", onclick: () => setOrder("gm", seat.id) }, "Give the turn") : null)))),
    state.may("run") ? order() : null,
    others.length && state.may("play") ? whispering(others, whispers, names, whisperTo) : null,
    state.may("own") ? inviting() : null,
  ]);
}

function order() {
  const choice = h("select", { class: "input", "aria-label": "Whose turn", onchange: () => setOrder(choice.value) }, Object.entries(ORDERS).map(([mode, words]) => h("option", { value: mode, selected: mode === state.order.mode }, words)));
  return h("section", {}, h("h3", {}, "Whose turn"), choice);
}

const setOrder = (mode, current = "") => ask("PUT", at(state.world.slug, "order"), { mode, current }).then((found) => state.set("order", found), tellProblem);

function whispering(others, whispers, names, whisperTo) {
  const to = h("select", { class: "input", "aria-label": "To" }, others.map((seat) => h("option", { value: seat.id, selected: seat.id === whisperTo }, seat.name)));
  const text = h("input", { class: "input", maxlength: "2000", placeholder: "Only they will hear it", "aria-label": "Whisper", autofocus: Boolean(whisperTo) });
  const said = h("ul", { class: "list" });
  const line = (one) => h("li", {}, h("p", {}, `${names.get(one.by) ?? one.by} to ${names.get(one.to) ?? one.to}: ${one.text}`));
  put(said, whispers.slice(-8).map(line));
  const form = h("form", { class: "field" }, to, text, h("div", { class: "row" }, h("button", { class: "button", type: "submit" }, "Whisper")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    try {
      said.append(line(await post(at(state.world.slug, "whispers"), { to: to.value, text: text.value.trim() })));
      text.value = "";
    } catch (problem) {
      tellProblem(problem);
    }
  });
  return h("section", {}, h("h3", {}, "Whispers"), said, form);
}

function inviting() {
  const role = h("select", { class: "input", "aria-label": "As" }, ["player", "spectator", "game_master"].map((one) => h("option", { value: one }, `As ${ROLES[one]}`)));
  const made = h("div", { class: "field" });
  const make = async () => {
    try {
      const { link } = await post(at(state.world.slug, "invites"), { role: role.value });
      const shown = h("input", { class: "input", readonly: true, value: link, "aria-label": "Link", onfocus: (event) => event.target.select() });
      put(made, h("p", { class: "quiet" }, "Send this to whoever shall come. It works once, for a week."), shown,
        h("button", { class: "button", type: "button", onclick: () => navigator.clipboard.writeText(link).then(() => toast("Copied."), () => shown.focus()) }, icon("copy"), "Copy"));
    } catch (problem) {
      tellProblem(problem);
    }
  };
  return h("section", {}, h("h3", {}, "Bring somebody"), role, h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: make }, icon("link"), "Make a link")), made);
}
