// A list of messages: a room's, or a thread's.

import { attempt, part, post } from "./api.js";
import { stories } from "./dialogs.js";
import { h, later, reconcile } from "./dom.js";
import { avatar } from "./faces.js";
import { icon } from "./icons.js";
import { postNode } from "./post.js";
import { load, pageOf } from "./posts.js";
import { emit, roomOf, state } from "./state.js";
import { t } from "./texts.js";
import { day, dayKey } from "./time.js";

const TOGETHER_MS = 5 * 60 * 1000; // one author's posts within this time share a head
const NEAR_PX = 120; // so near the end, new posts keep scrolling into view

export class Messages {
  /** `root` is the scrolling element; `inThread` says which of the two lists this is. */
  constructor(root, inThread) {
    this.root = root;
    this.inThread = inThread;
    this.newFrom = null; // the first post that was unread when the room was opened
    this.days = new Map();
    this.atEnd = true;
    root.setAttribute("role", "log");
    root.addEventListener("scroll", () => { this.atEnd = root.scrollHeight - root.scrollTop - root.clientHeight < NEAR_PX; });
    // A panel that opens, or a keyboard, makes the list smaller: what was last stays in sight.
    new ResizeObserver(() => { if (this.atEnd) root.scrollTop = root.scrollHeight; }).observe(root);
  }

  /** Draw; `end` scrolls to the newest. */
  render(end = false) {
    const room = roomOf(state.room);
    const page = room && pageOf(room.id, this.inThread ? state.thread : null);
    if (!room) {
      reconcile(this.root, [this.empty(t("noPeople"), t("noPeopleMore"))]);
      return;
    }
    if (!page) {
      reconcile(this.root, []);
      return;
    }
    const near = this.atEnd;
    const height = this.root.scrollHeight;
    const prepended = this.first && page.posts[0] && Number(page.posts[0].id) < Number(this.first);
    reconcile(this.root, this.nodes(room, page));
    if (end || near) this.root.scrollTop = this.root.scrollHeight;
    else if (prepended) this.root.scrollTop += this.root.scrollHeight - height;
    this.first = page.posts[0]?.id;
  }

  nodes(room, page) {
    const nodes = [];
    if (page.more) nodes.push(h("button", { class: "older", onclick: () => attempt(() => load(room.id, this.inThread ? state.thread : null, true)) }, t("older")));
    if (page.posts.length === 0) nodes.push(this.welcome(room));
    else nodes.push(h("div", { class: "push" }));
    let before = null;
    for (const item of page.posts) {
      if (!before || dayKey(before.at) !== dayKey(item.at)) {
        nodes.push(this.separator(item.at));
        before = null;
      }
      if (item.id === this.newFrom) {
        nodes.push(h("div", { class: "new" }, h("span", {}, t("newSince"))));
        before = null;
      }
      const isRoot = this.inThread && item.id === state.thread;
      nodes.push(postNode(item, { follows: follows(before, item), inThread: this.inThread, active: room.joined }));
      before = isRoot ? null : item;
    }
    return nodes;
  }

  separator(at) {
    const key = `${dayKey(at)} ${day(at)}`;
    if (!this.days.has(key)) this.days.set(key, h("div", { class: "day" }, h("span", {}, day(at))));
    return this.days.get(key);
  }

  welcome(room) {
    const name = state.bot.name;
    if (room.access === "direct") return this.empty(t("emptyDm", { name }), t("emptyDmMore", { name }));
    return this.empty(t("emptyRoom"), t("emptyRoomMore", { name }));
  }

  empty(title, more) {
    return h("div", { class: "empty" }, avatar(state.bot.id, state.bot.name, "large"), h("h2", {}, title), h("p", {}, more),
      state.stories && !this.inThread && h("button", { class: "plain", onclick: stories }, icon("play", 16), t("stories")));
  }

  /** Bring a post into view, if it is in the list. */
  jump(id) {
    const node = this.root.querySelector(`[data-post="${CSS.escape(id)}"]`);
    if (!node) return false;
    node.scrollIntoView({ block: "center", behavior: "smooth" });
    node.classList.remove("flash");
    requestAnimationFrame(() => node.classList.add("flash"));
    return true;
  }
}

function follows(before, item) {
  return Boolean(before) && before.author.id === item.author.id && !item.quote && !before.deleted && new Date(item.at) - new Date(before.at) < TOGETHER_MS;
}

/** Tell the server that the room was read to its end. */
export const markRead = later(250, async () => {
  const room = roomOf(state.room);
  const page = room && pageOf(room.id);
  if (!room?.joined || !page?.posts.length || document.visibilityState !== "visible") return;
  room.unread = 0;
  emit("rooms");
  await post(`/rooms/${part(room.id)}/read`).catch(() => {});
});
