// What the Warden flagged. It never bans: the operator looks and decides elsewhere.

import { h } from "../house/js/dom.js";
import { empty } from "../house/js/sheet.js";
import { current } from "./current.js";
import { clockOf } from "./times.js";

export const flags = () => [
  h("p", { class: "quiet" }, "Only flagged, never banned. What is flagged counts as nobody's words and reaches no prompt."),
  current.flags.length ? h("ul", { class: "list" }, [...current.flags].reverse().map((one) => h("li", {},
    h("small", {}, `${clockOf(one.at)} · ${one.name} · `, h("b", { class: `severity ${one.severity}` }, one.severity)), h("p", {}, one.text), h("small", {}, one.reason)))) : empty("Nobody tried to sell anything."),
];
