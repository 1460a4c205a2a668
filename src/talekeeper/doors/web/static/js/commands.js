// A slash at the beginning offers the commands, with what they do; the house says which there are.

import { at, post } from "./api.js";
import { h } from "./dom.js";
import { state } from "./state.js";

let known = null;

export function commandList(area, form) {
  let list = null;
  let rows = [];
  let chosen = 0;

  area.setAttribute("aria-autocomplete", "list");
  area.addEventListener("input", offer);
  area.addEventListener("blur", () => setTimeout(close, 150));
  area.addEventListener("keydown", (event) => {
    if (!list) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) mark((chosen + step + rows.length) % rows.length);
    else if (event.key === "Tab" || (event.key === "Enter" && !complete())) take(rows[chosen]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  const complete = () => rows.some(([command]) => command.split(" ")[0] === area.value.trim().split(" ")[0]);

  async function offer() {
    if (!/^\/[a-z]*$/i.test(area.value)) return close();
    known ??= (await post(at(state.world.slug, "line"), { text: "/help" }).catch(() => ({ rows: [] }))).rows;
    if (!/^\/[a-z]*$/i.test(area.value)) return close();
    rows = known.filter(([command]) => command.startsWith(area.value.toLowerCase()));
    close();
    if (!rows.length) return;
    list = h("ul", { class: "commands", id: "commands", role: "listbox", tabindex: "0", "aria-label": "Commands" },
      rows.map((row, i) => h("li", { id: `command-${i}`, role: "option", onmousedown: (event) => { event.preventDefault(); take(row); } }, h("b", {}, row[0]), h("span", {}, row[1]))));
    form.append(list);
    area.setAttribute("aria-controls", "commands");
    mark(0);
  }

  function mark(i) {
    chosen = i;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === i)));
    list.children[i].scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-activedescendant", `command-${i}`);
  }

  function take([command]) {
    const [word, ...rest] = command.split(" ");
    area.value = rest.length && word !== "/scene" ? `${word} ` : command;
    close();
    area.focus();
    area.dispatchEvent(new Event("input"));
  }

  function close() {
    list?.remove();
    list = null;
    area.removeAttribute("aria-activedescendant");
    area.removeAttribute("aria-controls");
  }
}
