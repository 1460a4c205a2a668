// The turn that is being told: frames come as fast as they like, words are painted once a frame and at a pace one can read.

import { painted } from "./follow.js";
import { h } from "./dom.js";
import { Turn } from "./turn.js";

const LEAST = 4; // characters a frame
const CATCH_UP = 40; // frames in which a backlog is told

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Telling {
  /** `ended(telling)` is called when the last word has been painted. */
  constructor({ turn = "", number, action, actor }, ended) {
    this.view = new Turn({ turn: turn || "pending", number });
    this.view.element.classList.add("telling");
    this.view.element.setAttribute("aria-busy", "true");
    this.view.action(action, actor);
    this.id = turn;
    this.attempt = 0;
    this.seq = -1;
    this.parts = [];
    this.over = null;
    this.frame = 0;
    this.ended = ended;
    this.caret = h("span", { class: "caret" });
    this.wait();
  }

  wait() {
    this.view.prose.replaceChildren(h("p", { class: "thinking" }, this.caret));
  }

  take(frame) {
    if (frame.attempt < this.attempt || (frame.attempt === this.attempt && frame.seq <= this.seq)) return;
    if (this.attempt && frame.attempt > this.attempt) this.begin();
    this.lost = false;
    this.id = this.view.turn = frame.turn;
    this.attempt = frame.attempt;
    this.seq = frame.seq;
    this[frame.type]?.(frame);
  }

  begin() {
    this.parts = [];
    this.over = null;
    this.view.withdraw();
    this.wait();
  }

  /** The house has lost sight of it: whatever comes next counts, from the first frame. */
  forget() {
    if (this.over) return;
    this.lost = true;
    this.attempt = 0;
    this.seq = -1;
    this.begin();
  }

  turn_restarted() {
    this.begin();
  }

  roll(frame) {
    this.view.roll(frame, true);
    painted();
  }

  tag_open({ tag, tag_id: id, attrs }) {
    if (tag === "narration" || tag === "say" || tag === "do") this.parts.push({ tag, id, who: attrs.who, text: "", shown: 0, closed: false, passage: null });
  }

  tag_chunk({ tag_id: id, text }) {
    const part = this.parts.findLast((one) => one.id === id);
    if (!part) return;
    part.text += text;
    this.soon();
  }

  tag_close({ tag_id: id, text }) {
    const part = this.parts.findLast((one) => one.id === id);
    if (!part) return;
    part.text = text;
    part.closed = true;
    this.soon();
  }

  turn_ended(frame) {
    this.over = frame;
    for (const part of this.parts) part.closed = true;
    this.soon();
  }

  soon() {
    this.frame ||= document.hidden ? setTimeout(() => this.paint(), 50) : requestAnimationFrame(() => this.paint());
  }

  /** All at once, for a reader who cannot wait. */
  hurry() {
    if (!this.over || this.done) return;
    this.hurried = true;
    this.paint();
  }

  paint() {
    this.frame = 0;
    const waiting = this.parts.reduce((sum, part) => sum + part.text.length - part.shown, 0);
    let budget = still.matches || this.hurried || document.hidden ? Infinity : Math.max(LEAST, Math.ceil(waiting / CATCH_UP));
    for (const part of this.parts) {
      if (budget <= 0) break;
      budget -= this.tell(part, budget);
    }
    painted();
    const more = this.parts.some((part) => !part.settled && (part.closed || part.shown < part.text.length));
    if (more) this.soon();
    else if (this.over) this.finish();
  }

  tell(part, budget) {
    if (part.settled) return 0;
    if (!part.text) {
      part.settled = part.closed;
      return 0;
    }
    if (!part.passage) {
      if (!this.parts.some((one) => one.passage)) this.view.withdraw();
      part.passage = this.view.passage(part.tag, part.who);
    }
    const before = part.shown;
    part.shown = wordEnd(part.text, before + budget);
    part.settled = part.closed && part.shown >= part.text.length;
    part.passage.show(part.text.slice(0, part.shown), !part.settled);
    (part.passage.element.lastElementChild ?? part.passage.element).append(this.caret);
    return Math.max(1, part.shown - before);
  }

  finish() {
    this.caret.remove();
    this.view.element.classList.remove("telling");
    this.view.element.removeAttribute("aria-busy");
    if (this.done) return;
    this.done = true;
    this.ended(this);
  }

  get words() {
    return this.parts.map((part) => part.text).join("\n");
  }
}

function wordEnd(text, at) {
  if (at >= text.length) return text.length;
  const space = text.slice(at).search(/\s/);
  return space < 0 ? text.length : at + space + 1;
}
