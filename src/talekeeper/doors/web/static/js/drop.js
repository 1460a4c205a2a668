// World files: dropped on the page or chosen, and taken in.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { go } from "./router.js";
import { tellProblem, toast } from "./toast.js";

let over = null;

export function setUpDrop() {
  const files = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    if (!over) document.body.append((over = h("div", { class: "drop" }, h("p", {}, "Drop a world file to take it in"))));
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && away());
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    away();
    if (event.dataTransfer.files[0]) takeIn(event.dataTransfer.files[0]);
  });
}

function away() {
  over?.remove();
  over = null;
}

export function chooseFile() {
  const input = h("input", { type: "file", accept: ".jsonl,.json,.gz" });
  input.addEventListener("change", () => input.files[0] && takeIn(input.files[0]));
  input.click();
}

async function takeIn(file) {
  toast(`Taking in ${file.name}…`);
  try {
    const world = await ask("POST", "/worlds/import", file, { "Content-Type": "application/jsonl" });
    await go(null, `/w/${world.slug}`);
    toast(`${world.title} is here, at turn ${world.turn_number}.`);
  } catch (problem) {
    tellProblem(problem);
  }
}
