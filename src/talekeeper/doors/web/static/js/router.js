// Addresses: / is the shelf, /w/<world> a table, /join/<code> an invitation.

import { find, h } from "./dom.js";
import { closeDrawers } from "./drawers.js";
import { openShelf } from "./shelf.js";
import { closeTable, openTable } from "./table.js";

export function setUpRouter() {
  addEventListener("popstate", show);
}

/** Follow a link within the page, unless it was meant for another tab. */
export function go(event, path) {
  if (event && (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0)) return;
  event?.preventDefault();
  history.pushState(null, "", path);
  return show();
}

export async function show() {
  const [, kind, name] = location.pathname.match(/^\/(w|join)\/([^/]+)/) ?? [];
  closeDrawers();
  closeTable();
  document.body.dataset.view = kind === "w" ? "table" : "shelf";
  try {
    if (kind === "w") await openTable(decodeURIComponent(name));
    else if (kind === "join") await (await import("./views/join.js")).open(decodeURIComponent(name));
    else await openShelf();
  } catch (problem) {
    if (!problem.code) throw problem;
    if (problem.status === 401) await (await import("./views/entry.js")).open({ then: show });
    else trouble(problem);
  }
}

function trouble(problem) {
  closeTable();
  document.body.dataset.view = "shelf";
  find("scroll").replaceChildren(h("div", { class: "trouble", role: "alert" }, h("h2", {}, problem.message), h("p", {}, problem.hint || "Nothing is lost."),
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", onclick: show }, "Try again"), h("a", { class: "button", href: "/", onclick: (event) => go(event, "/") }, "All worlds"))));
}
