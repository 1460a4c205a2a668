// An answer to a command, in two columns.

import { h } from "../dom.js";
import { sheet } from "../sheet.js";

const TITLES = { recap: "The story so far", why: "Why", canon: "Canon", memories: "Memories", timelines: "Timelines", proposals: "To decide", help: "Commands" };

export const open = ({ what, rows }) =>
  sheet(TITLES[what] ?? what, rows.some(([left]) => left)
    ? h("dl", { class: "pairs" }, rows.map(([left, right]) => [h("dt", {}, left), h("dd", {}, right)]))
    : h("ul", { class: "list" }, rows.map(([, right]) => h("li", {}, h("p", {}, right)))));
