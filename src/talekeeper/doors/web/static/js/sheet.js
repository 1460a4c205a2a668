// A sheet laid over the table. What is on it lives in sheets/ and is fetched when it is first wanted.

import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { tellProblem } from "./toast.js";

let open = null;

export function sheet(title, body, { wide = false } = {}) {
  open?.close();
  const before = document.activeElement;
  const dialog = h("dialog", { class: wide ? "sheet wide" : "sheet", "aria-labelledby": "sheet-title" },
    h("header", {}, h("h2", { id: "sheet-title", tabindex: "-1" }, title), iconButton("close", "Close", () => dialog.close())),
    h("div", { class: "sheet-body", tabindex: "0", role: "group", "aria-labelledby": "sheet-title" }, body));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (open === dialog) open = null;
    if (before?.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  (dialog.querySelector("[autofocus]") ?? dialog.querySelector("h2")).focus();
  open = dialog;
  return dialog;
}

export const closeSheet = () => open?.close();

/** Opens sheets/<name>.js with what it needs. */
export async function sheetOf(name, ...given) {
  try {
    await (await import(`./sheets/${name}.js`)).open(...given);
  } catch (problem) {
    tellProblem(problem);
  }
}

export const busy = () => h("span", { class: "busy", role: "status" }, h("i"), h("i"), h("i"), h("span", { class: "unseen" }, "One moment"));

export const empty = (text) => h("p", { class: "empty" }, text);
