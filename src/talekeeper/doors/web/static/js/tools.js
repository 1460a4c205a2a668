// What can be done with a turn: edit, regenerate, fork, back to here, why, copy. Shown on hover and focus.

import { editTurn } from "./editing.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { sheetOf } from "./sheet.js";
import { state } from "./state.js";
import { toast } from "./toast.js";
import { backTo, forkAt, regenerate, swipe } from "./travel.js";
import { waysOfLast } from "./ways.js";

export function turnTools(view, last) {
  const shown = [last, view.told && view.turn, state.world.seat.role, last && waysOfLast()].join();
  if (shown === view.tools) return;
  view.tools = shown;
  view.element.querySelector(":scope > .tools")?.remove();
  if (!view.told || (!view.turn && view.number !== 0)) return;
  const tools = h("div", { class: "tools", role: "group", "aria-label": view.turn ? `Turn ${view.number}` : "The opening" });
  const add = (name, label, act) => tools.append(iconButton(name, label, act));
  const run = state.may("run");
  if (run && view.told?.passages.some((part) => part.kind === "narration.told")) add("edit", "Edit what was told", () => editTurn(view));
  if (run && last && view.turn) add("retry", "Tell it again", () => regenerate(true));
  if (run) add("branch", "Fork from here", () => forkAt(view.number));
  if (run && !last) add("back", "Back to here", () => backTo(view.number));
  if (view.turn && state.may("play")) add("info", "Why", () => sheetOf("why", view.number));
  add("copy", "Copy", () => copy(view));
  if (last && view.turn && waysOfLast()) {
    add("left", "The telling before", () => swipe(-1));
    tools.append(h("span", { class: "ways" }, waysOfLast()));
    add("right", "The telling after", () => swipe(1));
  }
  view.element.append(tools);
}

async function copy(view) {
  const text = view.told.passages
    .filter((part) => part.text && part.kind !== "scene.opened")
    .map((part) => (part.kind === "action.taken" ? `> ${part.text}` : part.kind === "line.spoken" ? `${part.name}: “${part.text}”` : part.text))
    .join("\n\n");
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    toast("The browser does not allow copying here.", { bad: true });
  }
}
