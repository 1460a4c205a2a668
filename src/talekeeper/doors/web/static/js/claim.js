// A claim as a sentence.

import { state } from "./state.js";

export function claimText({ name, pred, obj, retract }) {
  const value = typeof obj === "string" && /^\w+\/[\w-]+$/.test(obj) ? state.nameOf(obj) : String(obj);
  const said = pred === "note" || pred === "about" ? value : `${name} — ${pred.replaceAll("_", " ")}: ${value}`;
  return retract ? `No longer: ${said}` : said;
}
