// The bar: home, who else is at the table, the X-card, and everything else in one menu.

import { post } from "./api.js";
import { find, h } from "./dom.js";
import { chooseFile } from "./drop.js";
import { icon, iconButton } from "./icons.js";
import { go } from "./router.js";
import { forgetMe, me } from "./session.js";
import { sheetOf } from "./sheet.js";
import { state } from "./state.js";
import { showWhere } from "./table.js";
import { setTheme, theme } from "./theme.js";

let account = {};

export function setUpBar() {
  find("home").append(icon("book"));
  find("home").addEventListener("click", (event) => go(event, "/"));
  state.on("world", (world) => {
    showWhere(world);
    draw();
  });
  state.on("seats", draw);
  draw();
}

async function draw() {
  account = await me();
  if (find("menu")?.matches(":popover-open")) return; // not under somebody's finger
  const menu = h("div", { class: "menu", id: "menu", popover: "auto", onclick: (event) => event.target.closest("button, a") && menu.hidePopover() }, entries());
  find("menu")?.remove();
  document.body.append(menu);
  find("bar-tools").replaceChildren(
    ...(state.world ? [presence(), iconButton("hand", "X-card: leave this subject now", () => sheetOf("xcard"))] : []),
    iconButton("dots", "Menu", null, { popovertarget: "menu", "aria-haspopup": "true" }));
}

function entries() {
  const entry = (name, label, onclick) => h("button", { type: "button", onclick }, icon(name), label);
  const world = state.world;
  return [
    world && [
      entry("feather", "The story so far", () => sheetOf("recap")),
      entry("book", "Chronicle", () => sheetOf("chronicle")),
      entry("branch", "Timelines", () => sheetOf("timelines")),
      state.may("run") && entry("edit", "Tell the narrator", () => sheetOf("directive")),
      state.may("run") && entry("check", "End the scene", () => sheetOf("scene")),
      entry("people", "Who is at the table", () => sheetOf("seats")),
      state.may("run") && entry("out", "Export", () => sheetOf("export")),
      entry("back", "All worlds", () => go(null, "/")),
      h("hr"),
    ],
    entry("up", "Take in a world file", chooseFile),
    entry("moon", theme() === "light" ? "Dark theme" : "Light theme", () => { setTheme(theme() === "light" ? "dark" : "light"); draw(); }),
    entry("keys", "Keys", () => sheetOf("keys")),
    entry("gear", "Settings", () => sheetOf("settings")),
    account.signed_in && account.mode === "accounts" && entry("back", `Log out ${account.name}`, logOut),
  ];
}

function presence() {
  if (state.seats.length < 2) return h("span");
  return h("button", { class: "mark seats", type: "button", title: state.seats.map((seat) => seat.name).join(", "), onclick: () => sheetOf("seats") }, `${state.seats.length} at the table`);
}

async function logOut() {
  await post("/auth/logout").catch(() => null);
  forgetMe();
  location.assign("/");
}
