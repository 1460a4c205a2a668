// Where the player writes. It grows with the words, keeps the draft, and knows what is being told.

import { commandList } from "./commands.js";
import { find, h } from "./dom.js";
import { keepDraft, keptDraft, newKey } from "./draft.js";
import { icon } from "./icons.js";
import { state } from "./state.js";

const IDEAS = 4;

let area, sendButton, stopButton, chips, banner;
let key = "";
let instead = 0; // the number of the turn that is being done anew
let send = null;

/** `sends(text, {key, instead})` answers whether the house has it. */
export function openComposer({ sends, stops }) {
  send = sends;
  area = h("textarea", { id: "words", rows: "1", placeholder: "What do you do?", "aria-label": "What do you do?", autocomplete: "off", maxlength: "4000", enterkeyhint: "send" });
  sendButton = h("button", { class: "icon send", type: "submit", "aria-label": "Send", title: "Send (Enter)" }, icon("send"));
  stopButton = h("button", { class: "icon stop", type: "button", "aria-label": "Stop", title: "Stop (Esc)", hidden: true, onclick: stops }, icon("stop"));
  chips = h("div", { class: "chips", role: "group", "aria-label": "You could" });
  banner = h("div", { class: "editing", hidden: true });
  const form = h("form", { class: "composer" }, area, stopButton, sendButton);
  find("foot").replaceChildren(chips, banner, form,
    h("p", { class: "hint" }, h("span", {}, "In your own words. ", h("kbd", {}, "/"), " for commands"), h("span", {}, h("kbd", {}, "?"), " for keys")));
  commandList(area, form);
  area.addEventListener("input", () => {
    key = "";
    keepDraft(state.world.slug, area.value);
    fit();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing) {
      event.preventDefault();
      submit();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  cancelInstead();
}

export function setUpComposer() {
  state.on("world running turns order seats", show);
}

/** After the world is known: its draft comes back. */
export function takeUpDraft() {
  const draft = keptDraft(state.world.slug);
  area.value = draft.text;
  key = draft.key;
  fit();
  show();
  focusComposer();
}

function show() {
  if (!area || !state.world) return;
  const telling = Boolean(state.running && !state.running.over);
  const watching = !state.may("play");
  stopButton.hidden = !telling || watching;
  sendButton.disabled = watching;
  area.disabled = watching;
  area.placeholder = watching ? "You are watching." : othersTurn() || "What do you do?";
  const ideas = state.running || state.lastTurn || watching ? [] : state.world.suggestions.slice(0, IDEAS);
  chips.hidden = !ideas.length;
  chips.replaceChildren(...ideas.map((idea) => h("button", { class: "button", type: "button", onclick: () => submit(idea) }, idea)));
}

function othersTurn() {
  const { mode, current } = state.order;
  if (mode === "free" || current === state.world.seat.id || state.may("run")) return "";
  const name = state.seats.find((seat) => seat.seat === current)?.name;
  return name ? `It is ${name}’s turn.` : "Wait until it is your turn.";
}

async function submit(given) {
  const text = given ?? area.value;
  if (!text.trim() || area.disabled) return;
  if (state.running && !state.running.over) return;
  const replaces = instead;
  const sent = given ? newKey() : (key ||= newKey());
  if (!given) {
    keepDraft(state.world.slug, text, sent);
    area.value = "";
    fit();
  }
  cancelInstead();
  const world = state.world.slug;
  if (await send(text, { key: sent, instead: replaces })) {
    if (keptDraft(world).key === sent) keepDraft(world, "");
    key = "";
  } else if (!area.value) {
    area.value = text;
    key = sent;
    keepDraft(world, text, sent);
    fit();
  }
}

export const sendWords = (text) => submit(text);

export const composerEmpty = () => area && !area.value;

/** Not by itself on a touch screen, where the keyboard would cover the story. */
export const focusComposer = () => matchMedia("(hover: hover)").matches && area?.focus();

/** The last action comes back to be done otherwise: the world goes back to before it when it is sent. */
export function redoLast() {
  const last = state.lastTurn;
  const action = last?.passages.find((part) => part.kind === "action.taken");
  if (!action || !state.may("run")) return;
  instead = last.number;
  area.value = action.text;
  key = "";
  banner.replaceChildren(h("span", {}, `Instead of turn ${last.number}. The old one is kept on its own timeline.`), h("button", { class: "button", type: "button", onclick: () => { area.value = ""; keepDraft(state.world.slug, ""); fit(); cancelInstead(); } }, "Cancel"));
  banner.hidden = false;
  fit();
  area.focus();
  area.setSelectionRange(area.value.length, area.value.length);
}

function cancelInstead() {
  instead = 0;
  banner.hidden = true;
  banner.replaceChildren();
}

function fit() {
  area.style.height = "40px";
  if (area.scrollHeight > 42) area.style.height = `${area.scrollHeight}px`;
}
