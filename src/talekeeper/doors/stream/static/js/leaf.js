// The ledger's Markdown as elements: headings, lists, quotes, strong and slanted words. Anything else stays text.

import { h } from "../house/js/dom.js";

const MARKED = /\\([\\`*[\]~_])|&(lt|gt|amp);|\*\*((?:\\.|[^\\*])+)\*\*|\*((?:\\.|[^\\*])+)\*/g;
const NAMED = { lt: "<", gt: ">", amp: "&" };

export function leaf(text) {
  const made = [];
  for (const line of text.split("\n")) {
    const [, sign, rest] = /^(#{1,3} |- |> )?(.*)$/.exec(line);
    if (!rest.trim()) continue;
    if (sign === "- ") {
      if (made.at(-1)?.tagName !== "UL") made.push(h("ul", {}));
      made.at(-1).append(h("li", {}, inlineOf(rest)));
    } else made.push(h(sign === "> " ? "blockquote" : sign ? `h${sign.trim().length + 2}` : "p", {}, inlineOf(rest)));
  }
  return made;
}

function inlineOf(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(MARKED)) {
    if (found.index > from) nodes.push(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [, escaped, entity, strong, slanted] = found;
    nodes.push(escaped ?? NAMED[entity] ?? h(strong ? "strong" : "em", {}, inlineOf(strong ?? slanted)));
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}
