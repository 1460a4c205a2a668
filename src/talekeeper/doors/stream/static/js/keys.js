// The keys. Those without a modifier work while nothing is being typed.

import { find, h } from "../house/js/dom.js";
import { closeDrawers, openDrawer } from "../house/js/drawers.js";
import { sheet } from "../house/js/sheet.js";
import { showTab } from "./aside.js";
import { hush, isHushed } from "./mind.js";
import { ask, forget } from "./voice.js";

const KEYS = [
  ["/", "speak as the companion"], ["p", "what would it say?"], ["h", "hush for 15 minutes, or let it speak again"], ["l", "the ledger"],
  ["Esc", "forget the preview; close what is open"], ["Enter", "send"], ["Shift+Enter", "a new line"], ["?", "this list"],
];

const ACTS = {
  "/": () => find("words").focus(), p: ask, h: () => hush(isHushed() ? 0 : 15), l: () => { openDrawer("right"); showTab("ledger", true); }, "?": showKeys,
};

export function setUpKeys() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.body.dataset.view !== "table" || document.querySelector("dialog[open], :popover-open")) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = event.key === "Escape" ? () => closeDrawers() || forget() : event.target.matches("input, textarea, select") ? null : ACTS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

export function showKeys() {
  sheet("Keys", h("dl", { class: "pairs keys" }, KEYS.map(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])));
}
