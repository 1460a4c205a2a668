// What happens on the stream, as it happens. The browser takes the line up again by itself; we only say when it is lost.

import { find, h } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";

const KINDS = ["line", "removed", "spoke", "decision", "status"];
const AGAIN = 5000;
let source = null;

/** `opened` is called whenever the line stands, before anything is heard; `refused` when it will not come back by itself. */
export function follow(heard, opened, refused) {
  source?.close();
  source = new EventSource("/admin/companion/feed");
  for (const kind of KINDS) source.addEventListener(kind, (event) => heard(kind, JSON.parse(event.data)));
  source.onopen = () => {
    showLost(false);
    opened();
  };
  source.onerror = () => {
    showLost(true);
    if (source.readyState === EventSource.CLOSED) setTimeout(refused, AGAIN);
  };
}

export function unfollow() {
  source?.close();
  source = null;
  showLost(false);
}

function showLost(lost) {
  if (lost === Boolean(find("line-state"))) return;
  if (lost) find("main").append(h("p", { class: "line-state", id: "line-state", role: "status" }, icon("warning"), "The line to the house is lost. It is being taken up again."));
  else find("line-state").remove();
}
