// A picture the house has drawn (SVG), put into the page so that it takes the page's colours and can be clicked.

import { at, root } from "./api.js";
import { h } from "./dom.js";
import { state } from "./state.js";

export function picture(name, label, choose) {
  const frame = h("figure", { class: "picture", "aria-label": label });
  // Read as a document, not as markup in a string: nothing in it is ever run.
  const request = new XMLHttpRequest();
  request.open("GET", `${root}${at(state.world.slug, "pictures", `${name}.svg`)}`);
  request.responseType = "document";
  request.overrideMimeType("image/svg+xml");
  request.onload = () => {
    const drawn = request.status === 200 && request.responseXML?.documentElement;
    if (!drawn) return;
    frame.replaceChildren(document.importNode(drawn, true));
    frame.firstChild.setAttribute("role", "group");
    for (const part of frame.querySelectorAll("[data-id]")) {
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
      part.addEventListener("click", () => choose(part.dataset.id));
      part.addEventListener("keydown", (event) => event.key === "Enter" && choose(part.dataset.id));
    }
  };
  request.send();
  return frame;
}
