// The line above the messages: which room this is and who is in it.

import { attempt, part, post } from "./api.js";
import { members } from "./dialogs.js";
import { $, h, reconcile } from "./dom.js";
import { avatar, nameOf } from "./faces.js";
import { icon } from "./icons.js";
import { sideways } from "./rooms.js";
import { emit, roomOf, state, titleOf } from "./state.js";
import { t } from "./texts.js";

const FACES = 4;

export function renderHeader() {
  const room = roomOf(state.room);
  const menu = h("button", { class: "icon phone", id: "menu", "aria-label": t("menu"), onclick: () => sideways(true) }, icon("menu", 22));
  if (!room) {
    reconcile($("head"), [menu, h("h1", {}, state.bot.name), h("span", { class: "space" }), mail(), scenes()]);
    return;
  }
  const direct = room.access === "direct";
  reconcile($("head"), [
    menu,
    direct ? avatar(state.bot.id, state.bot.name, "small") : icon(room.access === "private" ? "lock" : "hash", 20),
    h("div", { class: "title" }, h("h1", {}, titleOf(room)), h("p", {}, direct ? t("dm", { name: state.bot.name }) : t(room.access))),
    h("span", { class: "space" }),
    !direct && h("button", { class: "faces", id: "members", "aria-label": t("members", { n: room.members.length }), title: room.members.map(nameOf).join(", "), onclick: () => members(room.id) },
      room.members.slice(0, FACES).map((id) => avatar(id, nameOf(id), "tiny")), h("span", {}, String(room.members.length))),
    mail(),
    scenes(),
  ].filter(Boolean));
}

function mail() {
  if (!state.me) return h("span", { hidden: true });
  const open = state.panel === "inbox";
  return h("button", { class: `soft scenes ${open ? "on" : ""}`, id: "mail", "aria-pressed": String(open), "aria-label": t("inbox"), onclick: () => emit("panel", open ? null : "inbox") }, icon("letter"), h("span", {}, t("inbox")));
}

function scenes() {
  if (!state.operator) return h("span", { hidden: true });
  const open = state.panel === "inside";
  return h("button", { class: `soft scenes ${open ? "on" : ""}`, id: "scenes", "aria-pressed": String(open), "aria-label": t("scenes"), onclick: () => emit("panel", open ? null : "inside") }, icon("scenes"), h("span", {}, t("scenes")));
}

/** In place of the composer, for somebody who reads an open room from outside. */
export function joinBar(room) {
  return h("div", { class: "join" }, h("span", {}, t("notJoined", { title: room.title })),
    h("button", { class: "primary", onclick: async () => {
      if (await attempt(() => post(`/rooms/${part(room.id)}/join`)) !== undefined) emit("refresh", {});
    } }, t("join")));
}
