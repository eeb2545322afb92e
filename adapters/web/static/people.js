// Who is speaking, and the operator's switch.

import { attempt, get, part } from "./api.js";
import { addPerson } from "./dialogs.js";
import { h, toast } from "./dom.js";
import { avatar } from "./faces.js";
import { icon } from "./icons.js";
import { emit, state } from "./state.js";
import { t } from "./texts.js";

/** The card at the top of the list: who I am, and for the operator the switch. */
export function identity() {
  const me = state.me;
  if (!me) return h("div", { class: "identity" }, h("button", { class: "primary", onclick: addPerson }, t("addPerson")));
  const label = [
    avatar(me.id, me.name),
    h("span", { class: "who" }, h("small", {}, t(state.operator ? "speakAs" : "youAre")), h("b", {}, me.name), me.about && h("i", {}, me.about)),
  ];
  if (!state.operator) return h("div", { class: "identity" }, h("div", { class: "card" }, label));
  const list = h("div", { class: "popover", role: "menu", hidden: true }, state.people.map(choice), h("hr"), h("button", { role: "menuitem", class: "row add", onclick: addPerson }, icon("plus"), t("addPerson")));
  const button = h("button", {
    id: "speak-as", class: "card", "aria-haspopup": "menu", "aria-expanded": "false",
    "aria-label": `${t("speakAs")}: ${me.name}`, onclick: () => show(list.hidden),
  }, label, icon("down", 16));
  const show = (open) => {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) list.querySelector("button")?.focus();
  };
  const root = h("div", { class: "identity" }, button, list);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    show(false);
    button.focus();
  });
  root.addEventListener("focusout", (event) => {
    if (!root.contains(event.relatedTarget)) show(false);
  });
  return root;
}

function choice(person) {
  return h("div", { class: "row" },
    h("button", {
      role: "menuitemradio", "aria-checked": String(person.id === state.me.id), "data-person": person.id,
      class: "pick", onclick: () => emit("speak-as", person.id),
    }, avatar(person.id, person.name, "small"), h("span", { class: "who" }, h("b", {}, person.name), person.about && h("i", {}, person.about)), person.id === state.me.id && icon("check", 16)),
    h("button", { class: "icon", title: t("personLink"), "aria-label": `${t("personLink")}: ${person.name}`, onclick: () => copyLink(person) }, icon("link", 16)));
}

async function copyLink(person) {
  const answer = await attempt(() => get(`/people/${part(person.id)}/link`));
  if (!answer) return;
  try {
    await navigator.clipboard.writeText(answer.link);
    toast(t("copied", { name: person.name }), "good");
  } catch {
    window.prompt(t("personLink"), answer.link);
  }
}
