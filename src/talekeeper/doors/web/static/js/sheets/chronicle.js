// The world so far as a book: chapters, who was in it, what is still open; each sentence can say which events it tells.

import { at, get, root } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { empty, sheet } from "../sheet.js";
import { state } from "../state.js";

const FORMS = { md: "Markdown", html: "Web page", epub: "E-book", atom: "Feed", json: "JSON" };

export async function open(slug = state.world.slug) {
  const book = await get(at(slug, "chronicle"));
  sheet(book.title, [
    book.subtitle ? h("p", { class: "quiet" }, book.subtitle) : null,
    book.chapters.length ? book.chapters.map(chapter) : empty("Nothing has been written yet."),
    book.open.length ? h("section", {}, h("h3", {}, "Still open"), h("ul", { class: "list" }, book.open.map((line) => h("li", {}, h("p", {}, sentence(line)))))) : null,
    book.people.length ? h("section", {}, h("h3", {}, "Who was in it"), h("ul", { class: "list" }, book.people.map((person) => h("li", {}, h("p", {}, person.text))))) : null,
    h("section", {}, h("h3", {}, "Take it along"), h("div", { class: "row" }, Object.entries(FORMS).map(([form, name]) =>
      h("a", { class: "button", href: `${root}${at(slug, `chronicle.${form}`)}`, download: "" }, icon("out"), name)))),
  ], { wide: true });
}

const chapter = (part) =>
  h("section", { class: "column book" }, h("h3", {}, part.title), part.opening.text ? h("p", {}, h("em", {}, sentence(part.opening))) : null,
    part.paragraphs.map((lines) => h("p", {}, lines.map((line) => [sentence(line), " "]))),
    part.arcs.map((arc) => h("p", {}, h("strong", {}, `${arc.title}. `), sentence(arc))));

const sentence = (line) => h("span", { title: line.ids.join(", ") }, line.text);
