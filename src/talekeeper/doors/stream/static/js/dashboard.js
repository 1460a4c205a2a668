// The dashboard of the stream: what it is about, so that the companion can keep to it.

import { find, h } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";
import { tellProblem, toast } from "../house/js/toast.js";
import { current } from "./current.js";
import { generator } from "./generator.js";
import { clockOf } from "./times.js";
import { get, post, reasonsIn } from "./wire.js";

const FIELDS = [
  ["stream_title", "Title", "input"], ["game", "Game", "input"], ["mood", "Mood", "input"], ["content_angle", "Content angle: the one thought of the evening", "textarea"],
  ["session_goals", "Goals, one a line", "textarea"], ["go_live_notification", "Go-live note", "textarea"], ["social_post", "Announcement", "textarea"],
];

export async function dashboard() {
  const [{ dashboard: saved }, { themes }] = await Promise.all([
    get(`/session/dashboard?session_id=${encodeURIComponent(current.session)}`).catch(nothing), get("/companion/themes").catch(() => ({ themes: [] })),
  ]);
  const form = h("form", { class: "board", onsubmit: (event) => { event.preventDefault(); save(form, event.submitter); } },
    h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: () => generator((made) => fillIn(form, made)) }, icon("feather"), "Draft one for me")),
    FIELDS.map(([name, label, kind]) => h("label", { class: "field" }, h("span", {}, label), h(kind, { class: "input", name, value: shown(saved?.[name]) }))),
    h("details", {}, h("summary", {}, "Notes as Markdown"), h("textarea", { class: "input", name: "raw_markdown", rows: "8", "aria-label": "Notes as Markdown", value: saved?.raw_markdown ?? "" })),
    h("ul", { class: "faults", id: "faults", role: "status" }),
    h("div", { class: "row" }, h("button", { class: "button main", id: "save-board", type: "submit" }, "Save"), h("button", { class: "button", type: "button", onclick: () => validate(form) }, "Check"),
      h("small", { class: "quiet", id: "saved-at" }, saved?.updated_at ? `saved ${clockOf(saved.updated_at)}` : "not saved yet")));
  return [form, themes.length > 0 && h("section", {}, h("h2", { class: "label" }, "Earlier themes"),
    h("ul", { class: "list" }, themes.slice(0, 12).map((one) => h("li", {}, h("p", {}, one.theme), h("small", {}, `${one.sessions} ${one.sessions === 1 ? "stream" : "streams"}`)))))];
}

const nothing = (problem) => {
  if (problem.status !== 404) throw problem;
  return { dashboard: null };
};

const shown = (value) => (Array.isArray(value) ? value.join("\n") : (value ?? ""));

function fillIn(form, made) {
  for (const [name] of FIELDS) if (made[name]) form.elements[name].value = shown(made[name]);
  if (made.raw_markdown) form.elements.raw_markdown.value = made.raw_markdown;
}

/** Empty means cleared, as the operator sees it. */
function written(form) {
  const body = { session_id: current.session };
  for (const [name] of FIELDS) body[name] = form.elements[name].value.trim() || null;
  body.session_goals = (body.session_goals ?? "").split("\n").map((goal) => goal.replace(/^[-*]\s+/, "").trim()).filter(Boolean);
  body.raw_markdown = form.elements.raw_markdown.value.trim() || asMarkdown(body);
  return body;
}

function asMarkdown(body) {
  const parts = FIELDS.filter(([name]) => shown(body[name])).map(([name, label]) => `## ${label.split(/[:,]/)[0]}\n\n${name === "session_goals" ? body[name].map((goal) => `- ${goal}`).join("\n") : body[name]}`);
  return parts.join("\n\n") || "(nothing yet)";
}

async function save(form, button) {
  button.disabled = true;
  try {
    const { dashboard: saved } = await post("/session/dashboard", written(form));
    tell([]);
    find("saved-at").textContent = `saved ${clockOf(saved.updated_at)}`;
    toast("The dashboard is saved. The companion keeps to it from now on.");
    current.set("status", await get("/stream/status"));
  } catch (problem) {
    tell(reasonsIn(problem.detail));
    tellProblem(problem);
  }
  button.disabled = false;
}

async function validate(form) {
  try {
    const answer = await post("/companion/dashboard/validate", written(form));
    const faults = answer.faults ?? answer.problems ?? answer.reasons ?? [];
    tell(faults);
    if (!faults.length) toast("Nothing to mend.");
  } catch (problem) {
    tell(reasonsIn(problem.detail));
    tellProblem(problem);
  }
}

const tell = (faults) => find("faults").replaceChildren(...faults.map((one) => h("li", {}, one)));
