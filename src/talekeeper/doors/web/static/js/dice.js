// A roll as a card: the difficulty, which stood before the dice fell; the roll; what came of it. Never by colour alone.

import { h } from "./dom.js";
import { icon } from "./icons.js";

const TIERS = {
  triumph: ["good", "Triumph"], success: ["good", "Success"], cost: ["", "Success, at a cost"],
  failure: ["bad", "Failure"], disaster: ["bad", "Disaster"],
};

export function diceCard() {
  const shown = h("b");
  const sum = h("span", { class: "sum" });
  const tier = h("span", { class: "tier" });
  const element = h("div", { class: "dice", role: "group", "aria-label": "Dice" }, h("span", { class: "die" }, icon("facets"), icon("die"), shown), tier, sum);
  return { element, show: (roll, live) => show(element, shown, sum, tier, roll, live) };
}

function show(element, shown, sum, tier, roll, live) {
  const against = roll.difficulty === null || roll.difficulty === undefined ? "" : `against ${roll.difficulty}${roll.ladder ? ` (${roll.ladder})` : ""}`;
  const thrown = roll.total !== null && roll.total !== undefined;
  element.classList.toggle("rolling", !thrown);
  element.classList.toggle("landed", thrown && live);
  shown.textContent = thrown ? roll.total : "";
  const [mood, word] = TIERS[roll.tier] ?? ["", (roll.tier ?? "").replaceAll("_", " ")];
  tier.className = `tier ${mood}`;
  tier.textContent = thrown ? word || "Rolled" : "The dice fall";
  const what = roll.stat ? `${roll.stat}: ` : "";
  sum.replaceChildren(what, thrown ? h("b", {}, pretty(roll.detail || roll.notation)) : roll.notation, against ? ` ${against}` : "");
  if (roll.why) element.title = roll.why;
}

const pretty = (detail) => detail.replaceAll("**", "").replaceAll("`", "");
