// The foot: what it would say, lines that wait for approval, and words of the operator's own.

import { announce } from "../house/js/announce.js";
import { find, h, put } from "../house/js/dom.js";
import { icon, iconButton } from "../house/js/icons.js";
import { busy } from "../house/js/sheet.js";
import { tellProblem, toast } from "../house/js/toast.js";
import { current } from "./current.js";
import { inShort } from "./mind.js";
import { reasonOf } from "./reasons.js";
import { get, post, postForm } from "./wire.js";

let preview = null;
const waiting = {};

export function setUpVoice() {
  put(find("foot"), h("div", { id: "offers" }), composer(), h("p", { class: "hint" }, h("span", { id: "in-short" }), h("span", { class: "key-hint" }, h("kbd", {}, "p"), " preview ", h("kbd", {}, "h"), " hush ", h("kbd", {}, "?"), " keys")));
  current.on("held", offers);
  current.on("decisions status hushedUntil", () => put(find("in-short"), inShort()));
}

function composer() {
  const words = h("textarea", { id: "words", rows: "1", maxlength: "1000", placeholder: "Speak as the companion", "aria-label": "Speak as the companion", oninput: grow, onkeydown: (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    sayOwn();
  } });
  return h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); sayOwn(); } },
    iconButton("feather", "What would it say?", ask, { id: "preview" }), words,
    h("button", { class: "icon send", type: "submit", "aria-label": "Send", title: "Send" }, icon("send")));
}

function grow({ target }) {
  target.style.height = "";
  target.style.height = `${Math.max(40, target.scrollHeight)}px`;
}

async function sayOwn() {
  const words = find("words");
  const text = words.value.trim();
  if (!text || words.disabled) return;
  words.disabled = true;
  if (await say(text, "admin")) {
    words.value = "";
    grow({ target: words });
  }
  words.disabled = false;
  words.focus();
}

/** What it would say, without saying it. */
export async function ask() {
  const before = preview?.text;
  preview = { busy: true };
  offers();
  try {
    const answer = await postForm("/hearthkeeper/preview", { session_id: current.session });
    preview = { text: answer.preview.agent_response ?? "", now: answer.would_post_now };
    offers();
    if (preview.text && preview.text === before) toast("It comes to the same words.", { hint: "Mend them, write your own, or wait until the chat has moved on." });
    announce(preview.text ? `It would say: ${preview.text}` : "It would say nothing.");
    find("approve-preview")?.focus();
  } catch (problem) {
    forget();
    tellProblem(problem);
  }
}

/** True if there was something to forget. */
export function forget() {
  const there = Boolean(preview);
  preview = null;
  if (there) offers();
  return there;
}

async function say(text, mode) {
  try {
    await postForm("/test-agent-response", { session_id: current.session, message: text, mode });
    toast("Said.");
    return true;
  } catch (problem) {
    tellProblem(problem);
    return false;
  }
}

async function approveHeld(one, element) {
  const text = element.querySelector("textarea").value.trim();
  try {
    await post("/companion/approve", text === one.text ? { id: one.id } : { id: one.id, text });
    toast("Approved and said.");
    current.set("held", current.held.filter((other) => other.id !== one.id));
  } catch (problem) {
    tellProblem(problem);
    if (problem.status === 404) current.set("held", (await get("/companion/held")).held);
  }
}

async function refuseHeld(one) {
  try {
    await post("/companion/refuse", { id: one.id });
    current.set("held", current.held.filter((other) => other.id !== one.id));
  } catch (problem) {
    tellProblem(problem);
    if (problem.status === 404) current.set("held", (await get("/companion/held")).held);
  }
}

/** What lies before the operator stays as it is, words and focus, until it is something else. */
function offers() {
  const wanted = [...current.held.slice(0, 3).map((one) => (waiting[one.id] ??= held(one))), ...(preview ? [(preview.element ??= offered())] : [])];
  const shown = [...find("offers").children];
  if (wanted.length !== shown.length || wanted.some((one, at) => one !== shown[at])) put(find("offers"), wanted);
}

function held(one) {
  const element = h("section", { class: "offer", "aria-label": "Waits for approval" }, h("p", { class: "label" }, "Waits for you"),
    editable(one.text), h("small", {}, reasonOf(one)),
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", onclick: () => approveHeld(one, element) }, icon("check"), "Approve"),
      h("button", { class: "button", type: "button", onclick: () => refuseHeld(one) }, icon("close"), "Leave it unsaid")));
  announce(`A line waits for you: ${one.text}`);
  return element;
}

function offered() {
  if (preview.busy) return h("section", { class: "offer" }, busy());
  const text = editable(preview.text);
  const send = async () => {
    if (await say(text.value.trim(), "hearthkeeper")) forget();
  };
  return h("section", { class: "offer", id: "previewed", "aria-label": "Preview" },
    h("div", { class: "head-row" }, h("p", { class: "label" }, preview.text ? "It would say" : "It would say nothing"), iconButton("close", "Forget it", forget)),
    preview.text && text, preview.text && h("small", {}, preview.now ? "By its own judgement it would say this now." : "By its own judgement it would not speak now."),
    h("div", { class: "row" }, preview.text && h("button", { class: "button main", id: "approve-preview", type: "button", onclick: send }, icon("check"), "Approve and send"),
      h("button", { class: "button", type: "button", onclick: ask }, icon("retry"), "Something else")));
}

const editable = (text) => h("textarea", { class: "offer-words", rows: "2", "aria-label": "The words", value: text });
