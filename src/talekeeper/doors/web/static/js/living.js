// The living world: day and hour, clocks that fill, threads that are open, and what the table has asked of the narrator.

import { at, get } from "./api.js";
import { h, s } from "./dom.js";
import { empty, sheetOf } from "./sheet.js";
import { state } from "./state.js";

export async function living() {
  const [calendar, clocks, threads] = await Promise.all(["calendar", "clocks", "threads"].map((part) => get(at(state.world.slug, part)).catch(() => null)));
  const open = (threads ?? []).filter((thread) => thread.status === "open");
  const closed = (threads ?? []).filter((thread) => thread.status !== "open");
  return [
    h("section", {}, h("h2", { class: "label" }, "The hour"), calendar ? day(calendar) : empty("Nobody has looked at the clock.")),
    clocks?.length ? h("section", {}, h("h2", { class: "label" }, "Drawing nearer"), clocks.map(clock)) : null,
    h("section", {}, h("h2", { class: "label" }, "Open matters"), open.length ? open.map(thread) : empty("Nothing is left open.")),
    closed.length ? h("section", {}, h("h2", { class: "label" }, "Settled"), closed.map(thread)) : null,
    h("section", {}, h("div", { class: "row" },
      h("button", { class: "button", type: "button", onclick: () => sheetOf("recap") }, "So far"),
      state.may("run") ? h("button", { class: "button", type: "button", onclick: () => sheetOf("directive") }, "Tell the narrator") : null)),
  ];
}

function day(calendar) {
  const x = (minute) => 6 + (minute / 1440) * 288;
  return h("div", { class: "day" }, h("b", {}, calendar.time_name), h("span", { class: "quiet" }, [clockTime(calendar.minute), calendar.weather].filter(Boolean).join(" · ")),
    s("svg", { class: "hours", viewBox: "0 0 300 34", "aria-hidden": "true" },
      s("line", { class: "track", x1: 6, x2: 294, y1: 14, y2: 14 }),
      calendar.dayparts.map((part) => s("line", { class: "part", x1: x(part.starts * 60), x2: x(part.starts * 60), y1: 8, y2: 20 })),
      s("circle", { class: "now", cx: x(calendar.minute), cy: 14, r: 6 })));
}

const clockTime = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

export function clock({ name, filled, size }) {
  const slices = Array.from({ length: size }, (_, i) => s("path", { class: i < filled ? "slice on" : "slice", d: slice(i, size) }));
  return h("div", { class: "clock" }, s("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, slices), h("div", {}, h("b", {}, name), h("span", { class: "quiet" }, `${filled} of ${size}`)));
}

function slice(i, size) {
  const point = (turn) => `${(Math.sin(turn * 2 * Math.PI) * 24).toFixed(2)} ${(-Math.cos(turn * 2 * Math.PI) * 24).toFixed(2)}`;
  return `M0 0L${point(i / size)}A24 24 0 ${size === 1 ? 1 : 0} 1 ${point((i + 1) / size)}Z`;
}

const thread = ({ name, about, status }) => h("div", { class: "thread" }, h("b", {}, name), status === "open" ? null : [" ", h("span", { class: "mark" }, status)], h("p", {}, about));
