// The left aside: what the companion thinks and why, when it may speak next, and how to hush it.

import { find, h, put } from "../house/js/dom.js";
import { drawerClose } from "../house/js/drawers.js";
import { tellProblem, toast } from "../house/js/toast.js";
import { current } from "./current.js";
import { reasonOf, verdict } from "./reasons.js";
import { clockOf, length, moment, until } from "./times.js";
import { get, post } from "./wire.js";

const HUSHES = [5, 15, 60];
const SHOWN = 30;

export function setUpMind() {
  current.on("status decisions hushedUntil", draw);
  setInterval(() => find("next-time") && put(find("next-time"), nextTime()), 1000);
  draw();
}

export async function hush(minutes) {
  try {
    const answer = await post("/companion/hush", { minutes });
    current.set("hushedUntil", answer.hushed_until);
    toast(minutes ? `Silent until ${clockOf(answer.hushed_until)}.` : "It may speak again.");
  } catch (problem) {
    tellProblem(problem);
  }
}

export const isHushed = () => moment(current.hushedUntil) > Date.now();

/** One sentence for those who look only for a moment. */
export function inShort() {
  const last = current.decisions.at(-1);
  if (isHushed()) return `Hushed until ${clockOf(current.hushedUntil)}.`;
  return last ? `${verdict(last)}: ${reasonOf(last)}` : "Listening.";
}

function nextTime() {
  const next = current.status?.hearthkeeper?.next_eligible_prompt_at;
  if (!next) return "not known yet";
  return moment(next) <= Date.now() ? "any time now" : `${clockOf(next)}, ${until(next)}`;
}

function draw() {
  if (!current.status) return;
  const keeper = current.status.hearthkeeper ?? {};
  const last = current.decisions.at(-1);
  const held = document.activeElement?.id;
  put(find("left"), drawerClose("left"), now(last, keeper), hushing(), words(keeper), channel(), earlier());
  if (held) find(held)?.focus();
}

function now(last, keeper) {
  return h("section", {}, h("h2", { class: "label" }, "The companion"),
    h("div", { class: "day mind" }, h("b", {}, isHushed() ? "Hushed" : last ? verdict(last) : "Listens"),
      last && h("p", {}, reasonOf(last)), (last?.details ?? []).length > 0 && h("ul", { class: "details" }, last.details.map((one) => h("li", {}, one))),
      h("dl", { class: "pairs" }, h("dt", {}, "May speak"), h("dd", { id: "next-time" }, nextTime()),
        h("dt", {}, "Last line"), h("dd", {}, keeper.last_human_chat_at ? clockOf(keeper.last_human_chat_at) : "nobody yet"))));
}

function hushing() {
  const buttons = isHushed()
    ? h("button", { class: "button", id: "hush-lift", type: "button", onclick: () => hush(0) }, "Let it speak again")
    : HUSHES.map((minutes) => h("button", { class: "button", id: `hush-${minutes}`, type: "button", onclick: () => hush(minutes), title: `Hush for ${minutes} minutes` }, h("span", { class: "unseen" }, "Hush for "), `${minutes} min`));
  return h("section", {}, h("h2", { class: "label" }, isHushed() ? `Hushed until ${clockOf(current.hushedUntil)}` : "Hush"), h("div", { class: "row" }, buttons));
}

const words = (keeper) => keeper.last_posted_message && h("section", {}, h("h2", { class: "label" }, "Last words"),
  h("blockquote", { class: "last-words" }, keeper.last_posted_message, h("small", {}, clockOf(keeper.last_posted_at))));

function channel() {
  const twitch = current.status.twitch ?? {};
  const live = twitch.live_status ?? {};
  const pairs = [
    ["Stream", live.is_live ? "live" : "not live"], ["Chat", twitch.connected ? "connected" : twitch.configured ? "not connected" : "not configured"],
    live.is_live && live.viewer_count != null && ["Watching", live.viewer_count],
    ["Open for", length(current.status.session?.uptime_seconds)], ["Lines", current.status.session?.message_count ?? 0],
  ].filter(Boolean);
  return h("section", {}, h("div", { class: "head-row" }, h("h2", { class: "label" }, "The channel"), h("button", { class: "link", id: "check-live", type: "button", onclick: checkLive }, "check again")),
    h("dl", { class: "pairs" }, pairs.map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])),
    twitch.last_error && h("p", { class: "warned" }, twitch.last_error),
    twitch.offline_chat_test_mode && h("p", { class: "warned" }, "Test mode: it speaks though the stream is not live."));
}

async function checkLive() {
  try {
    await post("/companion/live-status/refresh");
    current.set("status", await get("/stream/status"));
  } catch (problem) {
    tellProblem(problem);
  }
}

function earlier() {
  const shown = current.decisions.slice(-SHOWN).reverse();
  return h("section", {}, h("h2", { class: "label" }, "What it thought"),
    shown.length ? h("ol", { class: "turns" }, shown.map((one, at) => h("li", { class: at ? "" : "here" },
      h("div", { class: "go" }, h("b", {}, `${clockOf(one.at)} · ${one.speak ? "spoke" : "silent"}`), h("span", {}, reasonOf(one)))))) : h("p", { class: "empty" }, "Nothing yet."));
}
