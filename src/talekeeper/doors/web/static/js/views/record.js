// A world nobody plays in: a channel, or a record of deeds told to it. It is read, not acted in.

import { at, root } from "../api.js";
import { find, h, put } from "../dom.js";
import { icon } from "../icons.js";
import { go } from "../router.js";
import { sheetOf } from "../sheet.js";

const WORDS = {
  channel: "This world is a live channel. What is said there becomes its memory, its ledger and its chronicle.",
  record: "This world keeps what is told to it from outside. Nobody acts in it; it is there to be read.",
};

export function open(world) {
  document.body.dataset.view = "shelf";
  put(find("scroll"), h("div", { class: "trouble entry" }, icon("book"), h("h2", {}, world.title), h("p", {}, WORDS[world.kind]),
    h("div", { class: "row" },
      world.kind === "channel" ? h("a", { class: "button main", href: "/stream" }, "Open the console") : null,
      h("button", { class: world.kind === "channel" ? "button" : "button main", type: "button", onclick: () => sheetOf("chronicle", world.slug) }, icon("book"), "Read the chronicle"),
      h("a", { class: "button", href: `${root}${at(world.slug, "export")}`, download: "" }, icon("out"), "Export"),
      h("a", { class: "button", href: "/", onclick: (event) => go(event, "/") }, "All worlds"))));
}
