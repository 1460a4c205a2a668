// Moments worth a clip, and what one might write about afterwards.

import { h } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";
import { empty, sheet } from "../house/js/sheet.js";
import { tellProblem, toast } from "../house/js/toast.js";
import { current } from "./current.js";
import { leaf } from "./leaf.js";
import { clockOf } from "./times.js";
import { get, post } from "./wire.js";

export async function moments(again) {
  const [{ clips }, { seeds }] = await Promise.all([get("/companion/clips"), get("/companion/blog-seeds")]);
  current.set("clips", clips);
  return [
    h("section", {}, h("h2", { class: "label" }, "Clip candidates"),
      clips.length ? h("ul", { class: "list" }, clips.map((clip) => candidate(clip, again))) : empty("No moment has stood out yet.")),
    h("section", {}, h("h2", { class: "label" }, "To write about"),
      seeds.length ? h("ul", { class: "list" }, seeds.map((seed) => h("li", {}, h("p", {}, h("b", {}, seed.topic)), h("small", {}, seed.description), h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: () => draft(seed) }, icon("feather"), "Draft an article"))))) : empty("Nothing yet.")),
  ];
}

const candidate = (clip, again) => h("li", {}, h("small", {}, `${clockOf(clip.start)}–${clockOf(clip.end)}`), h("p", {}, clip.reason),
  clip.approved ? h("span", { class: "mark good" }, "marked on the stream") : h("button", { class: "button", type: "button", onclick: () => approve(clip, again) }, icon("check"), "Set a marker"));

async function draft(seed) {
  try {
    sheet(seed.topic, h("div", { class: "leaf large" }, leaf((await post("/companion/blog-seeds/draft", { id: seed.id })).draft)), { wide: true });
  } catch (problem) {
    tellProblem(problem);
  }
}

async function approve(clip, again) {
  try {
    await post("/companion/markers", { clip_id: clip.id });
    toast("The marker is set.");
    again();
  } catch (problem) {
    tellProblem(problem);
  }
}
