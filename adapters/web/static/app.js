// Puts the page together and keeps it in step with what happens.

import { attempt, get } from "./api.js";
import { Composer } from "./composer.js";
import { $, h } from "./dom.js";
import { follow } from "./events.js";
import { joinBar, renderHeader } from "./header.js";
import { openInbox } from "./inbox.js";
import { openInside } from "./inside.js";
import { Messages, markRead } from "./messages.js";
import { showPanel } from "./panel.js";
import { forgetNodes } from "./post.js";
import { countUnread, forget, load, pageOf, take } from "./posts.js";
import { renderRooms, sideways } from "./rooms.js";
import { emit, on, roomOf, state } from "./state.js";
import { language, setLanguage, t } from "./texts.js";
import { closeThread, drawThinking, openThread, threadComposer, threadList } from "./thread.js";
import { openWhy } from "./why.js";

const list = new Messages($("posts"), false);
let composer = null;
let bar = null;
let whyPost = null;

function renderFoot() {
  const room = roomOf(state.room);
  const foot = $("composer");
  composer ??= new Composer(h("div"), false);
  const root = composer.form.parentNode;
  bar = room && !room.joined ? joinBar(room) : null;
  foot.replaceChildren(...(bar ? [bar] : room ? [root] : []));
  if (room?.joined) composer.render(room);
}

function render() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  renderRooms();
  renderHeader();
  renderFoot();
  list.render();
  drawThinking();
}

/** Ask who we are and what we may see; `show` is the room to go to. */
async function refresh({ show } = {}) {
  const answer = await attempt(() => get("/state", { as: state.me?.id ?? localStorage.getItem("limen.as") }));
  if (!answer) return;
  const first = state.me?.id !== answer.me?.id;
  Object.assign(state, { bot: answer.bot, operator: answer.operator, stories: answer.stories, me: answer.me, people: answer.people, rooms: answer.rooms });
  if (first) {
    state.seq = answer.seq;
    forget();
    forgetNodes();
    follow();
  }
  const wanted = show ?? (roomOf(state.room) ? state.room : decodeURIComponent(location.hash.slice(2)));
  const room = roomOf(wanted) ?? roomOf(state.room) ?? state.rooms.find((each) => each.joined && each.access !== "direct") ?? state.rooms[0];
  if (room && (room.id !== state.room || first)) await showRoom(room.id);
  else render();
}

async function showRoom(id) {
  const room = roomOf(id);
  if (!room) return;
  const changed = state.room !== id;
  state.room = id;
  const hash = `#/${encodeURIComponent(id)}`;
  if (location.hash !== hash) history.pushState(null, "", hash);
  if (changed && (state.panel === "thread" || state.panel === "why")) panel(null);
  const unread = room.unread;
  list.newFrom = null;
  render();
  if (!pageOf(id)) await attempt(() => load(id));
  if (state.room !== id) return;
  const posts = pageOf(id)?.posts ?? [];
  if (unread > 0 && unread < posts.length) list.newFrom = posts[posts.length - unread].id;
  list.render(true);
  markRead();
  if (matchMedia("(hover: hover)").matches) composer.focus();
}

function panel(kind) {
  if (state.panel === "thread" && kind !== "thread") closeThread();
  state.panel = kind;
  showPanel(kind !== null);
  if (kind === "inside") openInside();
  if (kind === "inbox") openInbox();
  if (kind === "thread") openThread();
  if (kind === "why") openWhy(whyPost);
  renderHeader();
}

on("show", showRoom);
on("refresh", refresh);
on("panel", panel);
on("rooms", renderRooms);
on("thread", (id) => {
  state.thread = id;
  panel("thread");
});
on("why", (id) => {
  whyPost = id;
  panel("why");
});
on("speak-as", async (id) => {
  localStorage.setItem("limen.as", id);
  state.me = null; // so that the page starts afresh as this person
  state.thinking = [];
  if (state.panel === "thread" || state.panel === "why") panel(null);
  await refresh({});
  if (state.panel === "inside") openInside();
  if (state.panel === "inbox") openInbox();
});
on("language", () => {
  setLanguage(language() === "zh" ? "en" : "zh");
  list.days.clear();
  render();
  if (state.panel) panel(state.panel);
});

on("posts", ({ room, thread }) => {
  if (room !== state.room) return;
  if (!thread) {
    list.render();
    markRead();
  } else if (thread === state.thread) threadList?.render();
});
on("have", (post) => take(post, null, true));
on("sent", ({ inThread }) => {
  const shown = inThread ? threadList : list;
  if (shown) shown.root.scrollTop = shown.root.scrollHeight;
});
const composerOf = (inThread) => (inThread ? threadComposer : composer);
on("reply", ({ post, inThread }) => composerOf(inThread)?.answer(post));
on("edit", ({ post, inThread }) => composerOf(inThread)?.edit(post));
on("edit-last", ({ inThread }) => {
  const posts = pageOf(state.room, inThread ? state.thread : null)?.posts ?? [];
  const last = posts.findLast((post) => post.author.id === state.me.id && !post.deleted);
  if (last) composerOf(inThread)?.edit(last);
});
on("jump", (id) => list.jump(id) || threadList?.jump(id));

on("live-post", ({ kind, post, root }) => {
  take(post, root, kind === "new");
  if (kind === "new") countUnread(post);
  if (kind === "new" && post.room === state.room) markRead();
});
on("live-rooms", () => refresh({}));
on("live-people", () => refresh({}));
on("live-thinking", (places) => {
  state.thinking = places;
  drawThinking();
  drawThinking($("thinking-thread"), true);
  renderRooms();
});
on("trouble", (lost) => {
  $("trouble").hidden = !lost;
  $("trouble").textContent = lost ? t("reconnecting") : "";
});

document.addEventListener("visibilitychange", markRead);
window.addEventListener("popstate", () => emit("show", decodeURIComponent(location.hash.slice(2))));
$("shade").addEventListener("click", () => sideways(false));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if ($("app").classList.contains("side-open")) sideways(false);
  else if (state.panel && !event.target.closest(".composer")) panel(null);
});

refresh();
