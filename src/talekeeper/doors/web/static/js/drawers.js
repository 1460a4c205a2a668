// The asides as drawers where the page is narrow: one at a time, closed by Escape, the veil, or their own button.

import { find, h } from "./dom.js";
import { icon, iconButton } from "./icons.js";

const narrow = matchMedia("(max-width: 1099px)");
let veil = null;

export function setUpDrawers() {
  for (const [side, name] of [["left", "branch"], ["right", "people"]]) {
    const toggle = find(`open-${side}`);
    toggle.append(icon(name));
    toggle.addEventListener("click", () => (find(side).classList.contains("open") ? closeDrawers() : openDrawer(side)));
  }
  narrow.addEventListener("change", closeDrawers);
}

export function drawerClose(side) {
  return iconButton("close", "Close", closeDrawers, { class: "icon drawer-close", id: `close-${side}` });
}

export function openDrawer(side) {
  if (!narrow.matches) return;
  closeDrawers();
  find(side).classList.add("open");
  find(`open-${side}`).setAttribute("aria-expanded", "true");
  veil = h("button", { class: "veil", type: "button", "aria-label": "Close", tabindex: "-1", onclick: closeDrawers });
  document.body.append(veil);
  for (const other of ["main", side === "left" ? "right" : "left"]) find(other).inert = true;
  find(`close-${side}`)?.focus();
}

/** True if one was open. */
export function closeDrawers() {
  const side = ["left", "right"].find((one) => find(one).classList.contains("open"));
  if (!side) return false;
  veil?.remove();
  for (const other of ["main", "left", "right"]) find(other).inert = false;
  find(side).classList.remove("open");
  find(`open-${side}`).setAttribute("aria-expanded", "false");
  find(`open-${side}`).focus();
  return true;
}
