// The right aside: four tabs. Only the open one asks for what it shows; what was being written in another is not taken away.

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
const WRITTEN_IN = "stream";
let chosen = WRITTEN_IN;

export function setUpAside() {
  const panels = Object.keys(TABS).map((name) => h("div", { class: "panel", id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, hidden: true }));
  find("right").replaceChildren(drawerClose("right"), tabs(), ...panels);
  current.on("flags", () => (chosen === "flags" ? fillPanel("flags") : count()));
  return showTab(chosen);
}

export async function showTab(name, focus = false) {
  chosen = name;
  for (const one of Object.keys(TABS)) {
    find(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    find(`tab-${one}`).tabIndex = one === name ? 0 : -1;
    find(`panel-${one}`).hidden = one !== name;
  }
  if (focus) find(`tab-${name}`).focus();
  if (name !== WRITTEN_IN || !find(`panel-${name}`).firstChild) await fillPanel(name);
}

async function fillPanel(name) {
  count();
  const panel = find(`panel-${name}`);
  if (!panel.firstChild) panel.append(busy());
  try {
    const parts = await TABS[name][1](() => fillPanel(name));
    panel.replaceChildren(...[parts].flat(3).filter(Boolean));
  } catch (problem) {
    panel.replaceChildren();
    tellProblem(problem);
  }
}

const tabs = () => h("div", { class: "tabs", role: "tablist", "aria-label": "The stream", onkeydown: turn },
  Object.entries(TABS).map(([name, [title]]) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => showTab(name, true) }, title)));

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
