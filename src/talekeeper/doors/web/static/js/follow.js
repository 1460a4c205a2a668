// The reader's place: the page scrolls along only while the reader is at the bottom, and offers the way down otherwise.

import { find, h } from "./dom.js";
import { icon } from "./icons.js";

const NEAR = 90;

const scroller = () => find("scroll");
let following = false;
let pill = null;

export function watchReader() {
  scroller().addEventListener("scroll", () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller();
    following = scrollHeight - scrollTop - clientHeight < NEAR;
    if (following) offer(false);
  }, { passive: true });
}

/** After something was painted; `fresh` if a reader further up has not seen it. */
export function painted(fresh = true) {
  if (following) scroller().scrollTop = scroller().scrollHeight;
  else if (fresh) offer(true);
}

export function toEnd() {
  following = true;
  offer(false);
  scroller().scrollTop = scroller().scrollHeight;
}

function offer(wanted) {
  if (wanted === Boolean(pill)) return;
  pill?.remove();
  pill = wanted ? h("button", { class: "button newer", type: "button", onclick: toEnd }, icon("down"), "New words below") : null;
  if (pill) find("foot").append(pill);
}
