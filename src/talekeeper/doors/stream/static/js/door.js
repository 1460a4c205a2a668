// Before the console: the admin key, or a session to open.

import { find, h, put } from "../house/js/dom.js";
import { icon } from "../house/js/icons.js";
import { tellProblem } from "../house/js/toast.js";
import { post, postForm } from "./wire.js";

export function askKey(done) {
  const bad = h("p", { class: "bad-news", role: "alert" });
  const key = h("input", { class: "input", type: "password", name: "key", autocomplete: "current-password", required: true });
  show("The operator's console", "It opens with the admin key of this Talekeeper.", h("form", { class: "board", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await post("/companion/login", { key: key.value });
      await done();
    } catch (problem) {
      put(bad, [problem.message, problem.hint].join(" "));
      key.select();
    }
  } }, h("label", { class: "field" }, h("span", {}, "Admin key"), key), bad, h("button", { class: "button main", type: "submit" }, "Come in")));
  key.focus();
}

export function askChannel(done) {
  const name = h("input", { class: "input", name: "channel_name", required: true, autocomplete: "off" });
  show("No session is open", "A session begins by itself when the channel goes live. It can also be opened by hand.", h("form", { class: "board", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await postForm("/session/start", { channel_name: name.value });
      await done();
    } catch (problem) {
      tellProblem(problem);
    }
  } }, h("label", { class: "field" }, h("span", {}, "Channel"), name), h("button", { class: "button main", type: "submit" }, "Open a session")));
  name.focus();
}

export function sayTrouble(problem, again) {
  show(problem.message, problem.hint, h("button", { class: "button main", type: "button", onclick: again }, "Try again"));
}

function show(title, about, ...parts) {
  document.body.dataset.view = "start";
  put(find("bar-tools"));
  put(find("scroll"), h("section", { class: "trouble entry" }, icon("feather"), h("h2", {}, title), h("p", {}, about), parts));
}
