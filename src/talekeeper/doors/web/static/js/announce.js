// For those who listen: finished turns and notices, never single words.

import { find, h } from "./dom.js";

export function announce(text) {
  const log = find("announcer");
  log.append(h("p", {}, text));
  while (log.children.length > 5) log.firstChild.remove();
}
