// The bar: which channel, whether it is live, and a menu.

import { find, h, put } from "../house/js/dom.js";
import { icon, iconButton } from "../house/js/icons.js";
import { sheet } from "../house/js/sheet.js";
import { setTheme, theme } from "../house/js/theme.js";
import { tellProblem, toast } from "../house/js/toast.js";
import { current } from "./current.js";
import { showKeys } from "./keys.js";
import { get, post, postForm } from "./wire.js";

let drawn = "";

export function setUpBar() {
  put(find("home"), icon("book"));
  put(find("open-left"), icon("feather"));
  put(find("open-right"), icon("edit"));
  current.on("status", draw);
}

export function draw() {
  const session = current.status?.session;
  const live = current.status?.twitch?.live_status?.is_live;
  document.title = `${session?.channel ?? "Stream"} · Talekeeper`;
  put(find("title"), session?.channel ?? "Stream");
  put(find("where"), session?.theme || "No theme yet");
  const key = [live, theme(), testing()].join();
  if (!session || drawn === key || find("menu")?.matches(":popover-open")) return;
  drawn = key;
  const menu = h("div", { class: "menu", id: "menu", popover: "auto", onclick: (event) => event.target.closest("button") && menu.hidePopover() }, entries());
  find("menu")?.remove();
  document.body.append(menu);
  put(find("bar-tools"), h("span", { class: live ? "mark good" : "mark", id: "live" }, live ? "live" : "not live"), iconButton("dots", "Menu", null, { popovertarget: "menu", "aria-haspopup": "true" }));
}

function entries() {
  const entry = (name, label, onclick) => h("button", { type: "button", onclick }, icon(name), label);
  return [
    entry("link", "Overlay for OBS", overlay), entry("feather", testing() ? "End the test mode" : "Try it offline", tryOffline), entry("stop", "End the session", ending), h("hr"),
    entry("moon", theme() === "light" ? "Dark theme" : "Light theme", () => { setTheme(theme() === "light" ? "dark" : "light"); setTimeout(draw); }),
    entry("keys", "Keys", showKeys), entry("back", "Log out", logOut),
  ];
}

const testing = () => Boolean(current.status?.twitch?.offline_chat_test_mode);

async function tryOffline() {
  try {
    const { warning } = await postForm("/twitch/offline-test-mode", { enabled: String(!testing()) });
    toast(warning || "It speaks only while the stream is live.");
    current.set("status", await get("/stream/status"));
  } catch (problem) {
    tellProblem(problem);
  }
}

async function overlay() {
  try {
    const address = new URL((await get("/companion/overlay")).path, location.href).href;
    const field = h("input", { class: "input", readonly: true, value: address, "aria-label": "Address of the overlay", autofocus: true, onfocus: () => field.select() });
    sheet("Overlay for OBS", [h("p", { class: "lead" }, "Add it in OBS as a browser source. It shows the theme and can do nothing else; it holds until the admin key changes."), field,
      h("div", { class: "row" }, h("button", { class: "button main", type: "button", onclick: () => navigator.clipboard.writeText(address).then(() => toast("Copied."), () => field.select()) }, icon("copy"), "Copy"),
        h("a", { class: "button", href: address, target: "_blank", rel: "noreferrer" }, "Look at it"))]);
  } catch (problem) {
    tellProblem(problem);
  }
}

function ending() {
  const end = async () => {
    try {
      await postForm("/session/end", { session_id: current.session });
      location.reload();
    } catch (problem) {
      tellProblem(problem);
    }
  };
  sheet("End the session?", [h("p", { class: "lead" }, "The ledger is written, and the companion stops listening here until the next session."),
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", onclick: end }, "End it and write the ledger"))]);
}

async function logOut() {
  await post("/companion/logout").catch(() => null);
  location.reload();
}
