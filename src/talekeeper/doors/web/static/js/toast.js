// Short notices at the foot of the page, with at most one thing to do about them.

import { find, h } from "./dom.js";
import { iconButton } from "./icons.js";

const SECONDS = 7;

export function toast(message, { hint = "", act = "", onact = null, bad = false, stays = false } = {}) {
  const gone = () => element.remove();
  const element = h("div", { class: bad ? "toast bad" : "toast" },
    h("p", {}, message, hint && h("small", {}, hint)),
    act && h("button", { class: "button", type: "button", onclick: () => { gone(); onact(); } }, act),
    iconButton("close", "Dismiss", gone));
  find("toasts").append(element);
  while (find("toasts").children.length > 3) find("toasts").firstChild.remove();
  if (!stays) setTimeout(() => (element.matches(":hover, :focus-within") ? setTimeout(gone, SECONDS * 1000) : gone()), SECONDS * 1000);
}

/** Whatever went wrong, as a person can read it. */
export function tellProblem(problem) {
  if (!(problem?.code)) throw problem;
  toast(problem.message, { hint: problem.hint, bad: true });
}
