// The keys. Those without a modifier work while nothing is being typed.

import { composerEmpty, focusComposer, redoLast, sendWords } from "./composer.js";
import { closeDrawers } from "./drawers.js";
import { sheetOf } from "./sheet.js";
import { state } from "./state.js";
import { stop } from "./table.js";
import { regenerate, swipe } from "./travel.js";

export const KEYS = [
  ["Enter", "send"], ["Shift+Enter", "a new line"], ["Esc", "stop the telling; close what is open"],
  ["Ctrl+Enter", "tell the last turn again"], ["Alt+Enter", "go on without acting"],
  ["←  →", "other tellings of the last turn, while nothing is written"], ["↑", "do the last action otherwise, while nothing is written"],
  ["/", "commands"], ["?", "this list"],
];

export const GO_ON = "Wait and see.";

export function setUpKeys() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open], :popover-open")) return;
    const act = bound(event);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function bound(event) {
  const { key, target } = event;
  const composer = target.id === "words";
  const typing = target.matches("input, textarea, select") && !(composer && composerEmpty());
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
  if (key === "?" && plain && !typing) return () => sheetOf("keys");
  if (!state.world) return null;
  if (key === "Escape") return () => closeDrawers() || stop();
  if (key === "Enter" && event.ctrlKey && (composer || !typing)) return () => regenerate(true);
  if (key === "Enter" && event.altKey && (composer || !typing)) return () => sendWords(GO_ON);
  if (!plain || typing || event.shiftKey) return null;
  if (key === "/" && !composer) return focusComposer;
  if (!composer && target !== document.body) return null;
  return { ArrowLeft: () => swipe(-1), ArrowRight: () => swipe(1), ArrowUp: redoLast }[key] ?? null;
}
