// The first page: worlds to go on with, stories to begin.

import { at, get, post, root } from "./api.js";
import { find, h, put } from "./dom.js";
import { chooseFile } from "./drop.js";
import { icon, iconButton } from "./icons.js";
import { go } from "./router.js";
import { busy, empty, sheetOf } from "./sheet.js";
import { tellProblem } from "./toast.js";

export async function openShelf() {
  const shelf = h("div", { class: "shelf" }, busy());
  find("scroll").replaceChildren(shelf);
  const [presets, worlds] = await Promise.all([get("/presets"), get("/worlds")]);
  const stories = worlds.filter((world) => world.kind === "story");
  const kept = worlds.filter((world) => world.kind !== "story");
  const listed = (title, some, shown) => some.length ? h("section", {}, h("h3", { class: "label" }, title), h("ul", {}, some.map((world) => h("li", {}, row(world, shown(world)))))) : null;
  put(shelf,
    h("div", { class: "hero" }, icon("book"), h("h2", {}, stories.length ? "Where were we?" : "Every world remembers"),
      h("p", {}, "Say what you do, in your own words. The dice are honest, the people remember, and you can walk back to any turn.")),
    listed("Go on", stories, (world) => `${world.turn_number ? `Turn ${world.turn_number}` : "Not begun"} · ${ago(world.played_at)}`),
    h("section", {}, h("h3", { class: stories.length ? "label" : "unseen" }, "Begin a story"),
      presets.length ? h("div", { class: presets.length === 1 ? "cards one" : "cards" }, presets.map(story)) : empty("There is no story template in this house.")),
    listed("Also kept here", kept, (world) => world.kind === "channel" ? "A live channel" : "A record of what is told to it"),
    h("p", { class: "foot-note" }, "Have a world file? Drop it anywhere, or ", h("button", { class: "link", type: "button", onclick: chooseFile }, "choose it"), "."));
}

function row(world, shown) {
  return h("div", { class: "world-row" },
    h("a", { href: `/w/${world.slug}`, onclick: (event) => go(event, `/w/${world.slug}`) }, h("b", {}, world.title), h("small", {}, shown)),
    h("a", { class: "icon", href: `${root}${at(world.slug, "export")}`, download: "", "aria-label": `Export ${world.title}`, title: "Export" }, icon("out")),
    iconButton("close", `Delete ${world.title}`, () => sheetOf("delete", world)));
}

const story = (preset) =>
  h("article", { class: "story" }, h("h4", {}, preset.title), h("p", { class: "tagline" }, preset.tagline), h("p", { class: "tone" }, preset.tone),
    preset.player_name ? h("p", { class: "as" }, `You are ${preset.player_name}.`) : null,
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", onclick: (event) => begin(event.currentTarget, preset) }, icon("feather"), "Begin")));

async function begin(button, preset) {
  button.disabled = true;
  try {
    const world = await post("/worlds", { preset: preset.id });
    go(null, `/w/${world.slug}`);
  } catch (problem) {
    button.disabled = false;
    tellProblem(problem);
  }
}

const STEPS = [[31536000, "year"], [2592000, "month"], [86400, "day"], [3600, "hour"], [60, "minute"]];

function ago(seconds) {
  const since = Date.now() / 1000 - seconds;
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [size, unit] of STEPS) if (since >= size) return `played ${words.format(-Math.floor(since / size), unit)}`;
  return "played just now";
}
