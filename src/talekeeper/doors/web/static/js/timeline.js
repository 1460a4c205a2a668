// The left aside: the way here, turn by turn, with the way back; and the tree of all timelines.

import { find, h, put } from "./dom.js";
import { closeDrawers, drawerClose } from "./drawers.js";
import { picture } from "./picture.js";
import { loadEarlier, toTurn } from "./prose.js";
import { sheetOf } from "./sheet.js";
import { state } from "./state.js";
import { backTo, switchTo } from "./travel.js";
import { otherWays } from "./ways.js";

let tree = false;

export function setUpTimeline() {
  state.on("turns timelines running", draw);
}

function draw() {
  if (!state.world) return;
  const aside = find("left");
  const scroll = aside.scrollTop;
  const held = aside.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  const pinned = aside.scrollHeight - aside.scrollTop - aside.clientHeight < 40 || !aside.childElementCount;
  const choice = (name, on, wanted) => h("button", { type: "button", "aria-pressed": String(on), onclick: () => { tree = wanted; draw(); } }, name);
  put(aside,
    drawerClose("left"),
    h("div", { class: "head-row" }, h("h2", { class: "label" }, "Timeline")),
    state.timelines.length > 1 ? h("div", { class: "segment", role: "group", "aria-label": "Show" }, choice("Turns", !tree, false), choice("Tree", tree, true)) : null,
    h("section", {}, tree && state.timelines.length > 1 ? treePart() : turnList()));
  aside.scrollTop = pinned ? aside.scrollHeight : scroll;
  if (held) [...aside.querySelectorAll("button")].find((button) => nameOf(button) === held)?.focus();
}

const nameOf = (button) => button.ariaLabel ?? button.textContent;

function turnList() {
  const rows = state.turns.filter((turn) => turn.turn || turn.number === 0).filter((turn, i, all) => turn.turn || i === 0 || all[i - 1].number !== turn.number);
  const first = rows[0];
  const last = state.running && !state.running.done ? null : state.lastTurn;
  const moved = state.running && !state.running.done ? [{ number: state.running.view.number, text: state.running.view.text, running: true }] : [];
  return h("ol", { class: "turns" },
    first && first.turn && first.number > 1 ? h("li", {}, h("button", { class: "link", type: "button", onclick: loadEarlier }, "Earlier turns")) : null,
    rows.filter((turn) => !moved.length || !turn.turn || turn.number < moved[0].number).map((turn) => row(turn, turn === last || (!last && !moved.length && turn === rows.at(-1)))),
    moved.map((turn) => h("li", { class: "here" }, h("div", { class: "go" }, h("b", {}, `Turn ${turn.number}`), h("span", {}, turn.text)), h("div", { class: "do" }, h("span", { class: "quiet" }, "being told")))));
}

function row(turn, here) {
  const action = turn.passages.find((part) => part.kind === "action.taken")?.text;
  const told = turn.passages.find((part) => part.kind === "narration.told")?.text ?? "";
  const title = turn.turn ? `Turn ${turn.number}` : "The opening";
  const others = otherWays(turn.number);
  return h("li", { class: `${here ? "here" : ""} ${turn.turn ? "" : "chapter-mark"}`, "aria-current": here ? "step" : null },
    h("button", { class: "go", type: "button", onclick: () => { closeDrawers(); toTurn(turn.number); } }, h("b", {}, title), h("span", {}, action ?? told)),
    h("div", { class: "do" },
      here ? h("span", { class: "quiet" }, "you are here")
        : state.may("run") ? h("button", { class: "link", type: "button", onclick: () => backTo(turn.number), "aria-label": `Back to here: ${title}` }, "back to here") : null,
      others.length ? h("button", { class: "link", type: "button", onclick: () => sheetOf("timelines", turn.number) }, others.length === 1 ? "1 other way" : `${others.length} other ways`) : null));
}

const treePart = () => [
  picture("timelines", "The tree of timelines", (line) => line !== state.world.active && switchTo(line)),
  h("p", {}, h("button", { class: "link", type: "button", onclick: () => sheetOf("timelines") }, "All timelines, and compare")),
];
