// Taking the world out of the house.

import { at, root } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { sheet } from "../sheet.js";
import { state } from "../state.js";

const BOOKS = { html: ["Web page", "the chronicle, to read anywhere"], epub: ["E-book", "the chronicle (EPUB)"], md: ["Markdown", "the chronicle, to work with"] };

export function open() {
  const link = (label, hint, address) => h("li", {}, h("div", { class: "row" }, h("a", { class: "button", href: address, download: "" }, icon("out"), label), h("span", { class: "quiet" }, hint)));
  const here = (...parts) => `${root}${at(state.world.slug, ...parts)}`;
  sheet("Export", h("ul", { class: "list" },
    link("World file", "everything, with all timelines; drop it on any Talekeeper page", here("export")),
    link("Tree of timelines", "a picture (SVG)", here("pictures", "timelines.svg")),
    link("Ties between people", "a picture (SVG)", here("pictures", "relations.svg")),
    Object.entries(BOOKS).map(([form, [label, hint]]) => link(label, hint, here(`chronicle.${form}`)))));
}
