// Coming in where there are accounts: log in, or make an account.

import { post } from "../api.js";
import { find, h, put } from "../dom.js";
import { icon } from "../icons.js";
import { forgetMe, me } from "../session.js";

const WELCOME = { first: "Nobody lives here yet. The first account owns the house.", invited: "Accounts are made by invitation here.", open: "" };

/** `then()` once somebody is known; `invite` is the code that lets a new account in. */
export async function open({ then, invite = null }) {
  const { registration } = await me();
  let making = registration === "first";
  const trouble = h("p", { class: "bad-news", role: "alert" });
  const name = h("input", { class: "input", name: "username", autocomplete: "username", required: true, maxlength: "40" });
  const password = h("input", { class: "input", name: "password", type: "password", required: true, maxlength: "200" });
  const box = h("div", { class: "trouble entry" });
  const form = h("form", { class: "field" }, h("label", { class: "field" }, h("span", {}, "Name"), name), h("label", { class: "field" }, h("span", {}, "Password"), password), trouble);
  const draw = () => {
    password.autocomplete = making ? "new-password" : "current-password";
    const may = invite || registration !== "invited";
    put(box, icon("book"), h("h2", {}, making ? "Make an account" : "Come in"), h("p", {}, WELCOME[registration]), form,
      may ? h("button", { class: "link", type: "button", onclick: () => { making = !making; draw(); } }, making ? "I have an account" : "I am new here") : null);
    form.querySelector("button")?.remove();
    form.append(h("button", { class: "button main", type: "submit" }, making ? "Make it" : "Log in"));
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    trouble.textContent = "";
    try {
      await post(making ? "/auth/register" : "/auth/login", { name: name.value.trim(), password: password.value, ...(making && invite ? { invite } : {}) });
      forgetMe();
      await then();
    } catch (problem) {
      trouble.textContent = `${problem.message} ${problem.hint}`;
    }
  });
  draw();
  put(find("scroll"), box);
  name.focus();
}
