// The chat as it comes, with what the Warden thinks of it. Words of strangers are text and nothing else.

import { announce } from "../house/js/announce.js";
import { find, h, put } from "../house/js/dom.js";
import { painted, toEnd } from "../house/js/follow.js";
import { icon } from "../house/js/icons.js";
import { reasonOf } from "./reasons.js";
import { clockOf } from "./times.js";

const MOST = 400;
const RANKS = { broadcaster: "streamer", moderator: "mod", vip: "vip" };
const SENT = { sent: "said", dropped: "not sent", unknown: "perhaps said", queued: "waiting", sending: "being said", held: "held" };

let waiting = [];
let list = null;
const known = new Map();

export function setUpChat() {
  list = h("ol", { class: "chat", id: "chat" });
  known.clear();
  put(find("scroll"), h("h2", { class: "unseen" }, "Chat"), h("p", { class: "empty", id: "quiet-chat" }, "Nobody has said anything yet. That is no failure."), list);
  toEnd();
}

export function addLine(line) {
  if (line.id && known.has(line.id)) return line.flag && flagLine(line.id, line.flag);
  add(lineOf(line), line.id);
  if (line.flag) announce(`Flagged, ${line.flag.severity}: ${line.name}. ${line.flag.reason}`);
}

export function addSpoken(spoke) {
  const state = typeof spoke.delivery === "string" ? spoke.delivery : (spoke.delivery?.state ?? (spoke.delivery?.sent ? "sent" : ""));
  const key = spoke.action_id ?? spoke.id ?? spoke.delivery?.action_id;
  const element = h("li", { class: "line own" }, h("time", {}, clockOf(spoke.at)),
    h("div", {}, h("span", { class: "who" }, "companion"), h("span", { class: "mark" }, spoke.mode),
      SENT[state] && h("span", { class: state === "sent" ? "mark good" : state === "dropped" ? "mark bad" : "mark" }, SENT[state]), h("p", {}, spoke.text), spoke.reason && h("small", {}, reasonOf(spoke))));
  if (key && known.has(`own ${key}`)) return known.get(`own ${key}`).replaceChildren(...element.childNodes);
  add(element, key && `own ${key}`);
  if (state === "sent") announce(`The companion said: ${spoke.text}`);
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

function lineOf({ id, at, name, login, display, text, badges = [], flag }) {
  const ranks = badges.filter((badge) => RANKS[badge]).map((badge) => h("span", { class: "mark" }, RANKS[badge]));
  return h("li", { class: flag ? "line flagged" : "line", "data-id": id, "data-name": (login ?? name).toLowerCase() }, h("time", {}, clockOf(at)),
    h("div", {}, h("span", { class: "who" }, display || name), ranks, h("p", {}, text), flag && flagOf(flag)));
}

const flagOf = ({ severity, reason }) => h("p", { class: `flag ${severity}` }, icon("warning"), h("span", {}, h("b", {}, severity), ` ${reason}`));

function add(element, id) {
  if (id) known.set(id, element);
  if (!waiting.length) requestAnimationFrame(paint);
  waiting.push(element);
}

function paint() {
  find("quiet-chat")?.remove();
  list.append(...waiting);
  waiting = [];
  while (list.children.length > MOST) {
    known.delete(list.firstChild.dataset.id);
    list.firstChild.remove();
  }
  painted();
}
