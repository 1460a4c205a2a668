// The chat as it comes, with what the Warden thinks of it. Words of strangers are text and nothing else.

import { announce } from "../house/js/announce.js";
import { find, h, put } from "../house/js/dom.js";
import { painted, toEnd } from "../house/js/follow.js";
import { icon } from "../house/js/icons.js";
import { reasonOf } from "./reasons.js";
import { clockOf, moment } from "./times.js";

const MOST = 400;
const RANKS = { broadcaster: "streamer", moderator: "mod", vip: "vip" };
const SENT = { sent: "said", dropped: "not sent", unknown: "perhaps said", queued: "waiting", sending: "being said" };

let waiting = [];
let list = null;
const known = new Map();

/** Empty, as at the beginning. */
export function setUpChat() {
  waiting = [];
  list = h("ol", { class: "chat", id: "chat" });
  known.clear();
  put(find("scroll"), h("h2", { class: "unseen" }, "Chat"), h("p", { class: "empty", id: "quiet-chat" }, "Nobody has said anything yet. That is no failure."), list);
  toEnd();
}

export function addLine(line) {
  if (known.has(line.id)) return;
  add(lineOf(line), line.id, line.at);
  if (line.flag) announce(`Flagged, ${line.flag.severity}: ${line.name}. ${line.flag.reason}`);
}

/** Its own words, and what became of them; told again when more is known. */
export function addSpoken({ id, at, text, mode, reason, delivery, why }) {
  const element = h("li", { class: "line own", "data-id": id }, h("time", {}, clockOf(at)),
    h("div", {}, h("span", { class: "who" }, "companion"), h("span", { class: "mark" }, mode),
      SENT[delivery] && h("span", { class: delivery === "sent" ? "mark good" : delivery === "dropped" ? "mark bad" : "mark" }, SENT[delivery]),
      h("p", {}, text), h("small", {}, [reason && reasonOf({ reason }), delivery !== "sent" && why && `Not sent: ${reasonOf({ reason: why })}.`].filter(Boolean).join(" "))));
  if (known.has(id)) return known.get(id).replaceChildren(...element.childNodes);
  add(element, id, at);
}

export function takeBack({ message, name }) {
  for (const element of list.querySelectorAll(".line")) {
    if (message ? element.dataset.id !== message : name && element.dataset.name !== name.toLowerCase()) continue;
    if (element.matches(".own, .gone")) continue;
    element.classList.add("gone");
    put(element.querySelector("p"), "taken back");
  }
}

export function flagLine(id, flag) {
  const element = known.get(id);
  if (!element || element.querySelector(".flag")) return;
  element.classList.add("flagged");
  element.lastElementChild.append(flagOf(flag));
}

function lineOf({ id, at, name, display, text, badges = [], flag }) {
  const ranks = badges.filter((badge) => RANKS[badge]).map((badge) => h("span", { class: "mark" }, RANKS[badge]));
  return h("li", { class: flag ? "line flagged" : "line", "data-id": id, "data-name": name }, h("time", {}, clockOf(at)),
    h("div", {}, h("span", { class: "who" }, display || name), ranks, h("p", {}, text), flag && flagOf(flag)));
}

const flagOf = ({ severity, reason }) => h("p", { class: `flag ${severity}` }, icon("warning"), h("span", {}, h("b", {}, severity), ` ${reason}`));

function add(element, id, at) {
  known.set(id, element);
  element.dataset.at = moment(at);
  if (!waiting.length) requestAnimationFrame(paint);
  waiting.push(element);
}

function paint() {
  find("quiet-chat")?.remove();
  for (const element of waiting) {
    let before = list.lastElementChild;
    while (before && Number(before.dataset.at) > Number(element.dataset.at)) before = before.previousElementSibling;
    if (before) before.after(element);
    else list.prepend(element);
  }
  waiting = [];
  while (list.children.length > MOST) {
    known.delete(list.firstChild.dataset.id);
    list.firstChild.remove();
  }
  painted();
}
