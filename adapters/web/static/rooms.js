// The list on the left: who I am, my rooms, and what else there is to do.

import { newRoom, stories } from "./dialogs.js";
import { $, h, reconcile } from "./dom.js";
import { avatar } from "./faces.js";
import { icon } from "./icons.js";
import { identity } from "./people.js";
import { emit, state, titleOf } from "./state.js";
import { language, t } from "./texts.js";

const kept = new Map(); // name → [signature, element]

/** The element made before, as long as what it shows is the same: what is open stays open. */
function keep(name, facts, build) {
  const signature = JSON.stringify([language(), facts]);
  const old = kept.get(name);
  if (old?.[0] === signature) return old[1];
  const node = build();
  kept.set(name, [signature, node]);
  return node;
}

export function renderRooms() {
  const groups = state.rooms.filter((room) => room.access !== "direct");
  const direct = state.rooms.filter((room) => room.access === "direct");
  reconcile($("side"), [
    keep("brand", state.bot, () => h("div", { class: "brand" },
      h("img", { src: "/static/icon.svg", alt: "", width: "30", height: "30" }), h("b", {}, state.bot.name),
      h("button", { class: "icon phone", "aria-label": t("close"), onclick: () => sideways(false) }, icon("close")))),
    keep("identity", [state.me, state.people, state.operator], identity),
    keep("lists", [state.me, state.room, state.rooms, state.thinking], () => h("div", { class: "lists" },
      h("h2", {}, t("rooms"), state.me && h("button", { class: "icon", id: "new-room", title: t("newRoom"), "aria-label": t("newRoom"), onclick: newRoom }, icon("plus", 16))),
      h("ul", {}, groups.map(line)),
      direct.length > 0 && h("h2", {}, t("direct")),
      h("ul", {}, direct.map(line)))),
    keep("foot", Boolean(state.stories), () => h("div", { class: "foot" },
      state.stories && h("button", { class: "soft", id: "play", onclick: stories }, icon("play", 16), t("stories")),
      h("button", { class: "soft", id: "language", "aria-label": "English / 中文", onclick: () => emit("language") }, icon("globe", 16), language() === "zh" ? "English" : "中文"))),
  ]);
  const unread = state.rooms.reduce((sum, room) => sum + (room.unread ?? 0), 0);
  document.title = (unread ? `(${unread}) ` : "") + state.bot.name;
}

function line(room) {
  const here = room.id === state.room;
  const thinking = state.thinking.some((place) => place.room === room.id);
  const title = titleOf(room);
  const kind = room.access === "direct" ? t("dm", { name: title }) : t(room.access);
  return h("li", {}, h("button", {
    class: `room ${here ? "here" : ""} ${room.unread && !here ? "unread" : ""} ${room.joined ? "" : "outside"}`,
    "data-room": room.id, "aria-current": here ? "page" : null, "aria-label": `${title}, ${kind}${room.unread ? `, ${room.unread}` : ""}`,
    onclick: () => {
      emit("show", room.id);
      sideways(false);
    },
  },
  room.access === "direct" ? avatar(state.bot.id, title, "tiny") : icon(room.access === "private" ? "lock" : "hash", 16),
  h("span", {}, title),
  thinking && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
  room.unread > 0 && !here && h("em", {}, room.unread > 99 ? "99+" : String(room.unread))));
}

/** On a phone the list slides in and out. */
export function sideways(open) {
  $("app").classList.toggle("side-open", open);
  if (open) $("side").querySelector(".room")?.focus();
}
