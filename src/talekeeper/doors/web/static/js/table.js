// The play table: opens a world, follows it live, and carries words to the house.

import { announce } from "./announce.js";
import { at, get, post } from "./api.js";
import { loadProposals } from "./canon.js";
import { focusComposer, openComposer, takeUpDraft } from "./composer.js";
import { find, h } from "./dom.js";
import { toEnd } from "./follow.js";
import { Live } from "./live.js";
import { previously } from "./previously.js";
import { adopt, openProse, showRunning } from "./prose.js";
import { sheetOf } from "./sheet.js";
import { draw } from "./side.js";
import { state } from "./state.js";
import { Telling } from "./telling.js";
import { tellProblem, toast } from "./toast.js";

const PAGE = 20;

let live = null;
let refreshing = null;
let again = false;

export async function openTable(slug) {
  openProse();
  const aside = Promise.all([get(at(slug, "timelines")), get(at(slug, "people"))]);
  aside.catch(() => null);
  const [world, turns] = await Promise.all([get(at(slug)), get(`${at(slug, "turns")}?limit=${PAGE}`)]);
  if (world.kind !== "story") return (await import("./views/record.js")).open(world);
  openComposer({ sends: send, stops: stop });
  state.set("world", world);
  state.set("turns", turns);
  takeUpDraft();
  if (world.turn_number) toEnd();
  else find("scroll").scrollTop = 0;
  previously();
  live = new Live(slug, { message: hear, line: (line) => state.set("line", line) });
  const [timelines, people] = await aside;
  if (state.world?.slug !== slug) return;
  state.set("people", people);
  state.set("timelines", timelines);
  loadProposals().then(draw);
  get(at(slug, "order")).then((order) => state.set("order", order), () => null);
}

export function closeTable() {
  live?.close();
  live = null;
  refreshing = null;
  state.clear();
}

export const tryNow = () => live?.now();

// --- words to the house

async function send(text, { key, instead }) {
  const world = state.world.slug;
  const acts = !text.trimStart().startsWith("/") || text.trimStart().startsWith("//");
  state.running?.hurry();
  let pending = null;
  try {
    if (instead) await post(at(world, "backtrack"), { to: instead - 1 });
    if (acts) {
      pending = new Telling({ number: instead || (state.lastTurn?.number ?? 0) + 1, action: text.trim() }, ended);
      begin(pending);
    }
    const answer = await post(at(world, "line"), { text, idem: key });
    answered(answer, pending);
    return true;
  } catch (problem) {
    if (pending && state.running === pending && !pending.attempt) drop(pending);
    tellProblem(problem);
    return false;
  }
}

function answered(answer, pending) {
  if (answer.kind === "turn") {
    if (pending) pending.id ||= answer.turn;
    live?.expect(answer.turn);
  } else if (answer.kind === "answer") sheetOf("answer", answer);
  else if (answer.kind === "done") toast(answer.message);
  else if (answer.kind === "arrived") toast(`On ${answer.timeline}, at turn ${answer.turn_number}.`);
  else if (answer.kind === "decided") toast(answer.decision === "accepted" ? "It is canon now." : "Refused.");
}

export async function stop() {
  const running = state.running;
  if (!running) return;
  if (running.over) return running.hurry();
  try {
    await post(at(state.world.slug, "stop"));
  } catch (problem) {
    tellProblem(problem);
  }
}

// --- what the house tells

function hear(message) {
  if (message.seq !== undefined) return heardFrame(message);
  switch (message.type) {
    case "hello":
      if (message.timeline !== state.world.active || message.head !== state.world.head) refresh();
      return;
    case "presence":
      state.set("seats", message.seats);
      return message.seats.some((seat) => seat.actor && !state.knows(seat.actor)) && refresh();
    case "missed":
      state.running?.forget();
      return refresh();
    case "moved":
      return refresh().then(() => {
        toEnd();
        if (document.activeElement === document.body) focusComposer();
      });
    case "x_card":
      return toast("The X-card is on the table.", { hint: "The story leaves this alone." });
    case "rolled":
      if (message.secret) toast(`${message.detail.replaceAll("**", "")} = ${message.total}`, { hint: "Only you have seen it." });
      return refresh();
    case "changed":
      return refresh();
    case "order":
      return state.set("order", { mode: message.mode, current: message.current });
    case "whisper":
      return message.by === state.world.seat.id || whispered(message);
  }
}

function whispered({ name, by, text }) {
  announce(`${name} whispers: ${text}`);
  toast(`${name} whispers: ${text}`, { act: "Answer", onact: () => sheetOf("seats", by), stays: true });
}

function heardFrame(frame) {
  let telling = state.running;
  if (frame.type === "notice") return toast(frame.message);
  const other = !telling || telling.done || (telling.id && telling.id !== frame.turn);
  if (other || (!telling.id && frame.type === "turn_started" && frame.action.trim() !== telling.view.text)) {
    if (state.turns.some((turn) => turn.turn === frame.turn)) return;
    if (telling && !telling.done && !telling.id) drop(telling);
    telling = new Telling({ turn: frame.turn, number: frame.number ?? Number(frame.turn.split("#")[1]), action: frame.action ?? "", actor: frame.actor }, ended);
    begin(telling);
  }
  telling.take(frame);
  if (frame.type === "turn_ended") state.set("running", telling);
}

function begin(telling) {
  state.running?.hurry();
  state.set("running", telling);
  showRunning(telling);
}

function drop(telling) {
  telling.view.element.remove();
  if (state.running === telling) state.set("running", null);
}

async function ended(telling) {
  const { state: how, error } = telling.over;
  announce(how === "failed" ? "The turn could not be told." : `Turn ${telling.view.number}. ${telling.words}`);
  if (how === "failed") telling.view.element.append(failure(error));
  else adopt(telling.view);
  await refresh();
  if (state.running === telling && how !== "failed") state.set("running", null);
  if (how === "interrupted") telling.view.prose.append(h("p", { class: "quiet" }, "Stopped here."));
  await loadProposals();
  draw();
}

const failure = (error) =>
  h("div", { class: "ended bad", role: "alert" }, h("span", {}, h("strong", {}, error?.message ?? "The turn could not be told."), " ", error?.hint ?? "Nothing of it has happened."),
    h("button", { class: "button main", type: "button", onclick: () => tryAgain() }, "Try again"));

async function tryAgain() {
  const failed = state.running;
  if (failed) drop(failed);
  await post(at(state.world.slug, "retry")).catch((problem) => {
    tellProblem(problem);
    if (failed) begin(failed);
  });
}

/** Everything shown, as the timeline has it now. Many wishes at once are one. */
function refresh() {
  if (refreshing) {
    again = true;
    return refreshing;
  }
  refreshing = (async () => {
    do {
      again = false;
      await look().catch(later);
    } while (again);
    refreshing = null;
  })();
  return refreshing;
}

/** The socket says when a lost house is back; a house that is asked too often says when to ask again. */
function later(problem) {
  if (problem.status === 429) setTimeout(() => state.world && refresh(), 1000 * Math.max(1, problem.wait));
  else if (problem.code !== "offline") tellProblem(problem);
}

async function look() {
  const slug = state.world.slug;
  const loaded = state.turns.filter((turn) => turn.turn).length + 1;
  const [world, turns, timelines, people] = await Promise.all([get(at(slug)), get(`${at(slug, "turns")}?limit=${Math.min(200, Math.max(PAGE, loaded))}`), get(at(slug, "timelines")), get(at(slug, "people"))]);
  if (state.world?.slug !== slug) return;
  const running = state.running;
  if (running?.lost && turns.some((turn) => turn.turn === running.id)) drop(running);
  for (const [part, value] of Object.entries({ people, world, timelines, turns })) state.set(part, value);
}

export function showWhere(world) {
  find("title").textContent = world?.title ?? "Talekeeper";
  document.title = world ? `${world.title} · Talekeeper` : "Talekeeper";
  find("where").textContent = world ? [world.place_name, world.time_name, world.weather].filter(Boolean).join(" · ") : "";
}
