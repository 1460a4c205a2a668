// Prose as a reader expects it: paragraphs, curly quotes, speech in its own colour, *emphasis*. Built from text nodes.

import { h } from "./dom.js";

const SPEECH = /“[^”]*(?:”|$)/g;
const STRESS = /\*\*([^*\s][^*]*)\*\*|\*([^*\s][^*]*)\*/g;

export function typographic(text) {
  return text
    .replace(/(^|[\s([{—–])(\*{0,2})"/g, "$1$2“")
    .replaceAll('"', "”")
    .replace(/(^|[\s([{—–“])(\*{0,2})'/g, "$1$2‘")
    .replaceAll("'", "’")
    .replace(/ ?-- ?/g, " – ");
}

export const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => part.trim()).filter(Boolean);

/** One paragraph's nodes. While it is still being told, an emphasis that has not closed yet already counts. */
export function inline(text, { open = false } = {}) {
  let shown = typographic(text);
  if (open && (shown.match(/\*/g) ?? []).length % 2) shown += "*";
  return split(shown, SPEECH, (found) => h("span", { class: "q" }, stressed(found[0])), stressed);
}

const stressed = (text) =>
  split(text, STRESS, (found) => h(found[1] ? "strong" : "em", {}, found[1] ?? found[2]), (rest) => [rest]);

function split(text, pattern, make, between) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > from) nodes.push(...between(text.slice(from, found.index)));
    nodes.push(make(found));
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.push(...between(text.slice(from)));
  return nodes;
}
