// A picture the house has drawn (SVG), put into the page so that it takes the page's colours and can be clicked.

import { at, root } from "./api.js";
import { h } from "./dom.js";
import { state } from "./state.js";

const kept = new Map(); // the last of each name, good as long as the world has not gone on

export function picture(name, label, choose) {
  const frame = h("figure", { class: "picture", "aria-label": label });
  const { slug, active, head } = state.world;
  const version = `${slug} ${active} ${head} ${state.timelines.length}`;
  if (kept.get(name)?.version !== version) kept.set(name, { version, drawn: drawing(`${root}${at(slug, "pictures", `${name}.svg`)}`) });
  kept.get(name).drawn.then((drawn) => drawn && frame.replaceChildren(clickable(document.importNode(drawn, true), choose)));
  return frame;
}

/** Read as a document, not as markup in a string: nothing in it is ever run. */
const drawing = (address) => new Promise((done) => {
  const request = new XMLHttpRequest();
  request.open("GET", address);
  request.responseType = "document";
  request.overrideMimeType("image/svg+xml");
  request.onload = () => done(request.status === 200 ? request.responseXML?.documentElement : null);
  request.onerror = () => done(null);
  request.send();
});

function clickable(drawn, choose) {
  drawn.setAttribute("role", "group");
  for (const part of drawn.querySelectorAll("[data-id]")) {
    part.setAttribute("tabindex", "0");
    part.setAttribute("role", "button");
    part.addEventListener("click", () => choose(part.dataset.id));
    part.addEventListener("keydown", (event) => event.key === "Enter" && choose(part.dataset.id));
  }
  return drawn;
}
