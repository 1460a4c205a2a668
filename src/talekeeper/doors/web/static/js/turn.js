// One turn on the page: a heading for those who listen, the action, the dice, what was told, and its tools.

import { diceCard } from "./dice.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { Passage } from "./passage.js";
import { state } from "./state.js";

const KINDS = { "narration.told": "narration", "line.spoken": "say", "deed.done": "do" };

let made = 0;

export class Turn {
  constructor({ turn = "", number = 0 } = {}) {
    const id = `turn-${++made}`;
    this.turn = turn;
    this.number = number;
    this.told = null;
    this.prose = h("div", { class: "told" });
    this.head = h("div");
    this.heading = turn || number ? h("h2", { class: "unseen", id }, `Turn ${number}`) : null;
    this.element = h("article", { class: turn ? "turn" : number ? "turn between" : "turn opening", "data-number": number, "aria-labelledby": this.heading && id }, this.heading, this.head, this.prose);
    this.dice = null;
  }

  action(text, who) {
    const own = !who || who === (state.world?.seat.actor || state.world?.player);
    this.head.prepend(h("p", { class: "action" }, own ? null : h("span", { class: "by" }, state.nameOf(who)), text));
    this.text = text;
  }

  roll(roll, live = false) {
    if (!this.dice) {
      this.dice = diceCard();
      this.head.append(this.dice.element);
    }
    this.dice.show(roll, live);
  }

  passage(kind, who, name = "") {
    const passage = new Passage(kind, name || state.nameOf(who));
    this.prose.append(passage.element);
    return passage;
  }

  /** Shown prose is withdrawn; action and dice stay. */
  withdraw() {
    this.prose.replaceChildren();
  }

  /** As the timeline has it. */
  fill(told) {
    this.told = told;
    this.turn = told.turn;
    this.number = told.number;
    this.head.replaceChildren();
    this.withdraw();
    this.dice = null;
    let opens = false;
    for (const part of told.passages) {
      if (part.kind === "action.taken") this.action(part.text, part.who);
      else if (part.kind === "roll.made") this.head.append(tableRoll(part));
      else if (part.kind === "scene.opened") opens = this.chapter(part.text || part.name);
      else {
        const passage = this.passage(KINDS[part.kind] ?? "narration", part.who, part.name).show(part.text);
        passage.element.dataset.event = part.event;
        if (opens && passage.kind === "narration") passage.element.classList.add("opens");
        opens = opens && passage.kind !== "narration";
      }
    }
    if (told.roll) this.roll(told.roll);
    return this;
  }

  chapter(title) {
    this.head.append(h("header", { class: "chapter" }, h("h2", {}, title)));
    this.heading?.remove();
    return true;
  }
}

const tableRoll = (part) => h("p", { class: "table-roll" }, icon("die"), h("span", {}, `${part.name === "owner" ? "You" : part.name} rolled ${part.text.replaceAll("**", "")}`));
