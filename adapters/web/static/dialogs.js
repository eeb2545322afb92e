// Small windows: a new room, a new person, the people of a room, the stories.

import { attempt, get, part, post } from "./api.js";
import { h } from "./dom.js";
import { avatar, nameOf } from "./faces.js";
import { icon } from "./icons.js";
import { emit, roomOf, state } from "./state.js";
import { language, t } from "./texts.js";

function open(title, ...content) {
  const dialog = h("dialog", { "aria-label": title },
    h("header", {}, h("h2", {}, title), h("button", { class: "icon", type: "button", "aria-label": t("close"), onclick: () => dialog.close() }, icon("close"))),
    ...content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function form(submitLabel, deed, ...fields) {
  return h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const button = event.target.querySelector("[type=submit]");
      button.disabled = true;
      const done = await attempt(() => deed(new FormData(event.target)));
      button.disabled = false;
      if (done !== undefined) event.target.closest("dialog").close();
    },
  }, ...fields, h("footer", {}, h("button", { type: "submit", class: "primary" }, submitLabel)));
}

const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);

export function newRoom() {
  const access = (value, label, about) => h("label", { class: "choice" },
    h("input", { type: "radio", name: "access", value, checked: value === "open" }),
    h("span", {}, h("b", {}, label), h("i", {}, about)));
  const people = state.people.filter((person) => person.id !== state.me?.id).map((person) =>
    h("label", { class: "tick" }, h("input", { type: "checkbox", name: "member", value: person.id }), avatar(person.id, person.name, "small"), person.name));
  open(t("newRoom"), form(t("create"), async (data) => {
    const room = await post("/rooms", { title: data.get("title"), access: data.get("access"), members: data.getAll("member") });
    emit("refresh", { show: room.id });
    return room;
  },
  field(t("title"), h("input", { name: "title", required: true, maxlength: "60", autocomplete: "off", autofocus: true })),
  h("div", { class: "choices" }, access("open", t("open"), t("openAbout")), access("private", t("private"), t("privateAbout"))),
  people.length > 0 && h("fieldset", {}, h("legend", {}, t("whoIn")), h("div", { class: "ticks" }, people))));
}

export function addPerson() {
  open(t("addPerson"), form(t("add"), async (data) => {
    const person = await post("/people", { name: data.get("name"), about: data.get("about") });
    emit("speak-as", person.id);
    return person;
  },
  field(t("name"), h("input", { name: "name", required: true, maxlength: "60", autocomplete: "off", autofocus: true })),
  field(t("about"), h("input", { name: "about", maxlength: "60", autocomplete: "off" }))));
}

export function members(roomId) {
  const room = roomOf(roomId);
  const rows = room.members.map((id) => h("li", {}, avatar(id, nameOf(id), "small"), h("b", {}, nameOf(id)), h("i", {}, state.people.find((person) => person.id === id)?.about ?? "")));
  const others = state.people.filter((person) => !room.members.includes(person.id));
  const dialog = open(t("membersTitle", { title: room.title }), h("ul", { class: "people" }, rows));
  if (!room.joined) return;
  if (others.length > 0) {
    dialog.append(form(t("invite"), async (data) => {
      const answer = await post(`/rooms/${part(roomId)}/members`, { person: data.get("person") });
      emit("refresh", {});
      return answer;
    }, h("select", { name: "person", "aria-label": t("invite") }, others.map((person) => h("option", { value: person.id }, person.name)))));
  }
  dialog.append(h("button", {
    class: "quiet danger", onclick: async () => {
      if (await attempt(() => post(`/rooms/${part(roomId)}/leave`)) === undefined) return;
      dialog.close();
      emit("refresh", {});
    },
  }, icon("leave", 16), t("leave")));
}

export async function stories() {
  const answer = await attempt(() => get("/stories"));
  if (!answer) return;
  const mine = (row) => (row.language === language() ? 0 : 1);
  const rows = [...answer.rows].sort((a, b) => mine(a) - mine(b)).map((row) =>
    h("li", { lang: row.language ?? "en" },
      h("span", {}, h("b", {}, row.title), h("i", {}, row.about ?? "")),
      h("button", {
        class: "primary", "data-story": row.id, onclick: async (event) => {
          const begun = await attempt(() => post("/stories/play", { story: row.id }));
          if (!begun) return;
          event.target.closest("dialog").close();
          emit("refresh", { show: begun.room });
        },
      }, icon("play", 16), t("play"))));
  open(t("stories"), h("p", { class: "lead" }, t("storiesAbout")), h("ul", { class: "stories" }, rows));
}
