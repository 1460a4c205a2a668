// The line to the house: said plainly when it is down, quiet when it is up.

import { find, h } from "./dom.js";
import { icon } from "./icons.js";
import { state } from "./state.js";
import { tryNow } from "./table.js";

let banner = null;
let timer = 0;

export function setUpConnection() {
  state.on("line", show);
}

function show(line) {
  clearTimeout(timer);
  if (line.is === "waiting" && !banner) timer = setTimeout(() => draw(line), 500);
  else draw(line);
}

function draw(line) {
  const text = { waiting: navigator.onLine ? "The house does not answer. Trying again; your words are kept." : "You are offline. Your words are kept.", refused: "You have no seat at this table any more." }[line.is];
  const lost = banner;
  banner?.remove();
  banner = text ? h("div", { class: "line-state", role: "status" }, icon("warning"), h("span", {}, text), line.is === "waiting" ? h("button", { class: "button", type: "button", onclick: tryNow }, "Try now") : null) : null;
  if (banner) find("main").append(banner);
  document.body.classList.toggle("offline", Boolean(banner));
  return lost;
}
