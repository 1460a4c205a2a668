// The dashboard of the stream: what it is about, so that the companion can keep to it.

import { find, h } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";
import { tellProblem, toast } from "../house/js/toast.js";
import { current } from "./current.js";
import { generator } from "./generator.js";
import { clockOf } from "./times.js";
import { get, post, reasonsIn } from "./wire.js";

const FIELDS = [
  ["stream_title", "Title", "input"], ["game", "Game", "input"], ["mood", "Mood", "input"], ["content_angle", "Content angle", "textarea", "The one thought of the evening"],
  ["session_goals", "Goals", "textarea", "One a line"], ["go_live_notification", "Go-live note", "textarea"], ["social_post", "Announcement", "textarea"],
];

export async function dashboard(again) {
  const [{ dashboard: saved }, { themes }] = await Promise.all([
    current.status.dashboard?.present ? get(`/session/dashboard?session_id=${encodeURIComponent(current.session)}`) : { dashboard: null }, get("/companion/themes"),
  ]);
  const form = h("form", { class: "board", onsubmit: (event) => { event.preventDefault(); save(form, saved, again); } },
    h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: () => generator((made) => fillIn(form, made)) }, icon("feather"), "Draft one for me")),
    FIELDS.map(([name, label, kind, placeholder]) => h("label", { class: "field" }, h("span", {}, label), h(kind, { class: "input", name, placeholder, rows: name === "session_goals" ? "3" : "2", value: shown(saved?.[name]) }))),
    h("details", {}, h("summary", {}, "Notes as Markdown"), h("textarea", { class: "input", name: "raw_markdown", rows: "8", "aria-label": "Notes as Markdown", value: saved?.raw_markdown ?? "" })),
    h("ul", { class: "faults", id: "faults", role: "status" }),
    h("div", { class: "row" }, h("button", { class: "button main", id: "save-board", type: "submit" }, "Save"), h("button", { class: "button", type: "button", onclick: () => validate(form, saved) }, "Check"),
      h("small", { class: "quiet", id: "saved-at" }, saved?.updated_at ? `saved ${clockOf(saved.updated_at)}` : "not saved yet")));
  return [form, themes.length > 0 && h("section", {}, h("h2", { class: "label" }, "Earlier themes"),
    h("ul", { class: "list" }, themes.slice(0, 12).map((one) => h("li", {}, h("p", {}, one.theme), h("small", {}, `${one.sessions} ${one.sessions === 1 ? "stream" : "streams"}`)))))];
}

const shown = (value) => (Array.isArray(value) ? value.join("\n") : (value ?? ""));

function fillIn(form, made) {
  for (const [name] of FIELDS) if (made[name]) form.elements[name].value = shown(made[name]);
  if (made.raw_markdown) form.elements.raw_markdown.value = made.raw_markdown;
}

/** Only what was changed: what the markdown says is taken from it, unless the operator wrote otherwise beside it. */
function written(form, saved) {
  const body = { session_id: current.session };
  for (const [name] of FIELDS) {
    const value = form.elements[name].value.trim();
    if (value !== shown(saved?.[name])) body[name] = name === "session_goals" ? goalsIn(value) : value || null;
  }
  const notes = form.elements.raw_markdown.value.trim();
  if (notes !== (saved?.raw_markdown ?? "").trim()) body.raw_markdown = notes || asMarkdown(form);
  else if (!notes) body.raw_markdown = asMarkdown(form);
  return body;
}

const goalsIn = (value) => value.split("\n").map((goal) => goal.replace(/^[-*]\s+/, "").trim()).filter(Boolean);

function asMarkdown(form) {
  const parts = FIELDS.map(([name, label]) => [name, label, form.elements[name].value.trim()]).filter(([, , value]) => value);
  return parts.map(([name, label, value]) => `## ${label}\n${name === "session_goals" ? goalsIn(value).map((goal) => `- ${goal}`).join("\n") : value}`).join("\n\n") || "# Stream dashboard";
}

async function save(form, before, again) {
  form.inert = true;
  try {
    await post("/session/dashboard", written(form, before));
    toast("The dashboard is saved. The companion keeps to it from now on.");
    current.set("status", await get("/stream/status"));
    await again();
    find("save-board").focus();
  } catch (problem) {
    form.inert = false;
    tell(reasonsIn(problem.detail));
    tellProblem(problem);
  }
}

async function validate(form, saved) {
  try {
    const answer = await post("/companion/dashboard/validate", { ...saved, ...written(form, saved) });
    tell(answer.faults);
    if (answer.valid) toast("Nothing to mend.");
  } catch (problem) {
    tell(reasonsIn(problem.detail));
    tellProblem(problem);
  }
}

const tell = (faults) => find("faults").replaceChildren(...faults.map((one) => h("li", {}, one)));
