// The right aside: four tabs. Only the open one asks for what it shows.

import { find, h } from "../house/js/dom.js";
import { drawerClose } from "../house/js/drawers.js";
import { busy } from "../house/js/sheet.js";
import { tellProblem } from "../house/js/toast.js";
import { current } from "./current.js";
import { dashboard } from "./dashboard.js";
import { flags } from "./flags.js";
import { ledger } from "./ledger.js";
import { moments } from "./moments.js";

const TABS = { stream: ["Stream", dashboard], flags: ["Flags", flags], moments: ["Moments", moments], ledger: ["Ledger", ledger] };
let chosen = "stream";

export function setUpAside() {
  current.on("flags", () => (chosen === "flags" ? showTab("flags") : count()));
  return showTab(chosen);
}

export async function showTab(name, focus = false) {
  chosen = name;
  const panel = h("div", { id: "tab-panel", role: "tabpanel", "aria-labelledby": `tab-${name}` }, busy());
  find("right").replaceChildren(drawerClose("right"), tabs(), panel);
  count();
  if (focus) find(`tab-${name}`).focus();
  try {
    const parts = await TABS[name][1](() => showTab(name));
    if (chosen === name) panel.replaceChildren(...[parts].flat(3).filter(Boolean));
  } catch (problem) {
    panel.replaceChildren();
    tellProblem(problem);
  }
}

const tabs = () => h("div", { class: "tabs", role: "tablist", "aria-label": "The stream", onkeydown: turn },
  Object.entries(TABS).map(([name, [title]]) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === chosen), "aria-controls": "tab-panel", tabindex: name === chosen ? "0" : "-1", onclick: () => showTab(name, true) }, title)));

function count() {
  const tab = find("tab-flags");
  tab.querySelector(".count")?.remove();
  if (current.flags.length) tab.append(h("span", { class: "count", "aria-label": `${current.flags.length} flagged` }, current.flags.length));
}

function turn(event) {
  const names = Object.keys(TABS);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  showTab(names[(names.indexOf(chosen) + step + names.length) % names.length], true);
}
