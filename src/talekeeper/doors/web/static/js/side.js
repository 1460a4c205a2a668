// The right aside: three tabs. Only the open one asks the house for what it shows.

import { find, h } from "./dom.js";
import { drawerClose } from "./drawers.js";
import { canon, openProposals } from "./canon.js";
import { people } from "./people.js";
import { state } from "./state.js";
import { living } from "./living.js";

const TABS = { people: ["People", people], world: ["World", living], canon: ["Canon", canon] };

let chosen = "people";
let waiting = 0;

export function setUpSide() {
  state.on("world people", () => { clearTimeout(waiting); waiting = setTimeout(draw, 0); });
}

export function showTab(name, focus = false) {
  chosen = name;
  draw();
  if (focus) find(`tab-${name}`)?.focus();
}

export async function draw() {
  if (!state.world) return;
  const aside = find("right");
  const held = aside.contains(document.activeElement) ? document.activeElement : null;
  if (held?.matches("input") && held.value) return held.addEventListener("blur", draw, { once: true }); // words are not taken away
  const tab = chosen;
  const count = openProposals().length;
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "People and world", onkeydown: turnTabs },
    Object.entries(TABS).map(([name, [title]]) =>
      h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === tab), "aria-controls": "tab-panel", tabindex: name === tab ? "0" : "-1", onclick: () => showTab(name, true) },
        title, name === "canon" && count ? h("span", { class: "count", "aria-label": `${count} to decide` }, count) : null)));
  const scroll = aside.dataset.tab === tab ? aside.scrollTop : 0;
  const parts = await TABS[tab][1](draw);
  if (tab !== chosen || !state.world) return;
  aside.dataset.tab = tab;
  aside.replaceChildren(drawerClose("right"), tabs, h("div", { id: "tab-panel", role: "tabpanel", "aria-labelledby": `tab-${tab}` }, parts));
  aside.scrollTop = scroll;
  if (held?.id) find(held.id)?.focus();
}

function turnTabs(event) {
  const names = Object.keys(TABS);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  showTab(names[(names.indexOf(chosen) + step + names.length) % names.length], true);
}
