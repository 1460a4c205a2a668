// One passage of a turn, shown so far. Paragraphs that are complete are left alone while the last one grows.

import { h } from "./dom.js";
import { inline, paragraphs } from "./markup.js";

export class Passage {
  constructor(kind, name = "") {
    this.kind = kind;
    this.element = h("div", { class: `passage ${kind}` });
    this.name = name;
    this.settled = 0;
  }

  show(text, open = false) {
    const parts = paragraphs(this.kind === "say" ? quoted(text, open) : text);
    while (this.element.children.length < parts.length) this.element.append(h("p"));
    for (let i = Math.min(this.settled, parts.length - 1); i >= 0 && i < parts.length; i++) {
      const last = i === parts.length - 1;
      const speaker = this.kind === "say" && i === 0 && this.name ? [h("span", { class: "speaker" }, this.name)] : [];
      this.element.children[i].replaceChildren(...speaker, ...inline(parts[i], { open: open && last }));
      this.element.children[i].className = this.kind === "say" ? "said" : "";
    }
    this.settled = Math.max(0, parts.length - 1);
    return this;
  }
}

const quoted = (text, open) => (/^["“]/.test(text) ? text : `“${text}${open ? "" : "”"}`);
