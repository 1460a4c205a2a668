// A character's face: the first letter on a colour of their own.

import { h } from "./dom.js";

export function face(person, small = false) {
  const sum = [...person.id].reduce((all, letter) => (all * 31 + letter.codePointAt(0)) % 9973, 7);
  const letter = [...person.name.replace(/^the\s+/i, "")][0] ?? "?";
  return h("span", { class: `face f${sum % 8}${small ? " small" : ""}`, "aria-hidden": "true" }, letter.toUpperCase());
}
