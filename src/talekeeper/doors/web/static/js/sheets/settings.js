// How this house is set up, the theme, and whether the teller answers.

import { get, post } from "../api.js";
import { h, put } from "../dom.js";
import { busy, sheet } from "../sheet.js";
import { setTheme, theme, THEMES } from "../theme.js";
import { tellProblem } from "../toast.js";

const NAMES = { dark: "Dark", light: "Light", system: "As my system" };

export async function open() {
  const found = await get("/settings");
  const result = h("div", { role: "status" });
  const test = h("button", { class: "button", type: "button", onclick: async () => {
    test.disabled = true;
    put(result, busy());
    try {
      const answer = await post("/settings/model-test");
      put(result, h("span", { class: answer.ok ? "mark good" : "mark bad" }, answer.ok ? "It answers" : "No answer"), ` ${answer.message} ${answer.ok ? `First word after ${answer.ms} ms.` : ""}`);
    } catch (problem) {
      put(result);
      tellProblem(problem);
    }
    test.disabled = false;
  } }, "Test it");
  const themes = h("div", { class: "segment", role: "group", "aria-label": "Theme" }, THEMES.map((name) =>
    h("button", { type: "button", "aria-pressed": String(name === theme()), onclick: (event) => {
      setTheme(name);
      for (const button of themes.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
    } }, NAMES[name])));
  sheet("Settings", [
    h("section", {}, h("h3", {}, "Theme"), themes),
    h("section", {}, h("h3", {}, "Who tells"), h("p", { class: "lead" }, found.teller === "storyteller" ? "The built-in storyteller: no model, no network." : found.teller), h("div", { class: "row" }, test, result)),
    found.settings?.length ? h("section", {}, h("h3", {}, "This house"), h("p", { class: "quiet" }, "Set in the environment or talekeeper.toml; secrets are never shown."),
      h("ul", { class: "list" }, found.settings.map((setting) => h("li", {}, h("div", { class: "bars" }, h("b", {}, setting.name.replaceAll("_", " ")), h("span", {}, shown(setting.value)), h("span", {}, setting.source)), h("small", {}, setting.about))))) : null,
    h("p", { class: "quiet" }, `Talekeeper ${found.version}`),
  ]);
}

const shown = (value) => (value === null || value === "" ? "not set" : String(value));
