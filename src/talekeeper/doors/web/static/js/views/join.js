// An invitation: whose table it is, and the name you go by there.

import { get, post } from "../api.js";
import { find, h, put } from "../dom.js";
import { icon } from "../icons.js";
import { go } from "../router.js";
import { forgetMe, me } from "../session.js";
import { tellProblem } from "../toast.js";

const ROLES = { player: "a player", spectator: "a spectator", game_master: "a game master" };

export async function open(code) {
  const [invitation, who] = await Promise.all([get(`/invites/${encodeURIComponent(code)}`), me()]);
  if (who.mode === "accounts" && !who.signed_in) {
    const entry = await import("./entry.js");
    return entry.open({ invite: code, then: () => open(code) });
  }
  const name = h("input", { class: "input", maxlength: "60", required: true, value: who.mode === "accounts" ? who.name : "", autocomplete: "nickname" });
  const character = h("input", { class: "input", maxlength: "80", autocomplete: "off" });
  const form = h("form", { class: "field" },
    h("label", { class: "field" }, h("span", {}, "What shall the others call you?"), name),
    invitation.brings_character ? h("label", { class: "field" }, h("span", {}, "Your character’s name"), character) : null,
    h("button", { class: "button main", type: "submit" }, icon("feather"), "Take the seat"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const world = await post(`/invites/${encodeURIComponent(code)}/accept`, { name: name.value.trim(), character: character.value.trim() });
      forgetMe();
      await go(null, `/w/${world.slug}`);
    } catch (problem) {
      tellProblem(problem);
    }
  });
  put(find("scroll"), h("div", { class: "trouble entry" }, icon("book"), h("h2", {}, invitation.title), h("p", {}, `You are asked to the table as ${ROLES[invitation.role] ?? invitation.role}.`), form));
  name.focus();
}
