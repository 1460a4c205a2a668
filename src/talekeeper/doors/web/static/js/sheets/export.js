// Taking the world out of the house.

import { at, root } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { sheet } from "../sheet.js";
import { state } from "../state.js";

export function open() {
  const link = (label, hint, address) => h("li", {}, h("div", { class: "row" }, h("a", { class: "button", href: address, download: "" }, icon("out"), label), h("span", { class: "quiet" }, hint)));
  const here = (...parts) => `${root}${at(state.world.slug, ...parts)}`;
  sheet("Export", h("ul", { class: "list" },
    link("World file", "everything, with all timelines; drop it on any Talekeeper page", here("export")),
    link("Tree of timelines", "a picture (SVG)", here("pictures", "timelines.svg")),
    link("Ties between people", "a picture (SVG)", here("pictures", "relations.svg")),
    h("li", {}, h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: story }, icon("out"), "The story as text"), h("span", { class: "quiet" }, "what is loaded on this page")))));
}

function story() {
  const text = state.turns.flatMap((turn) => turn.passages.filter((part) => part.text).map((part) => (part.kind === "action.taken" ? `> ${part.text}` : part.kind === "line.spoken" ? `${part.name}: “${part.text}”` : part.text))).join("\n\n");
  const address = URL.createObjectURL(new Blob([`# ${state.world.title}\n\n${text}\n`], { type: "text/markdown" }));
  h("a", { href: address, download: `${state.world.slug}.md` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
