// The list of keys.

import { h } from "../dom.js";
import { KEYS } from "../keys.js";
import { sheet } from "../sheet.js";

export const open = () => sheet("Keys", h("dl", { class: "pairs keys" }, KEYS.map(([keys, does]) => [h("dt", {}, keys.split("  ").map((key) => [h("kbd", {}, key), " "])), h("dd", {}, does)])));
