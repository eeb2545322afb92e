// One message, with everything that hangs on it.

import { attempt, call, part, post as send } from "./api.js";
import { h } from "./dom.js";
import { avatar, nameOf } from "./faces.js";
import { icon } from "./icons.js";
import { emit, state } from "./state.js";
import { language, t } from "./texts.js";
import { brief, clock, full } from "./time.js";

const EMOJI = ["👍", "❤️", "😄", "🎉", "👀", "✅"];
const kept = new Map(); // key → [signature, element], so that an unchanged post keeps its element

export function postNode(post, { follows, inThread, active }) {
  const key = `${inThread ? "t" : "r"}${post.id}`;
  const signature = JSON.stringify([post, follows, active, state.me?.id, language()]);
  const old = kept.get(key);
  if (old?.[0] === signature) return old[1];
  const node = build(post, { follows, inThread, active });
  kept.set(key, [signature, node]);
  return node;
}

export function forgetNodes() {
  kept.clear();
}

function build(post, { follows, inThread, active }) {
  const bot = post.author.id === state.bot.id;
  const about = state.people.find((person) => person.id === post.author.id)?.about;
  const node = h("article", {
    class: `post ${follows ? "follows" : ""} ${bot ? "of-bot" : ""} ${post.deleted ? "gone" : ""}`,
    "data-post": post.id, "data-author": post.author.id, "aria-label": `${post.author.name}, ${brief(post.at)}`,
  },
  h("div", { class: "gutter" }, follows ? h("time", { datetime: post.at, title: full(post.at) }, clock(post.at)) : avatar(post.author.id, post.author.name)),
  h("div", { class: "body" },
    !follows && h("header", {}, h("b", {}, post.author.name), about && h("i", {}, about), h("time", { datetime: post.at, title: full(post.at) }, clock(post.at))),
    post.quote && quote(post),
    post.deleted ? h("p", { class: "tombstone" }, t("deleted")) : text(post),
    post.buttons.length > 0 && h("div", { class: "buttons" }, post.buttons.map((button, at) => press(post, button, at, active))),
    post.chosen && h("p", { class: "chosen" }, icon("check", 16), t("chose", { by: post.chosen.by, label: post.chosen.label })),
    extras(post, bot, inThread, active)),
  !post.deleted && menu(post, bot, inThread, active));
  node.addEventListener("click", (event) => {
    // Fingers cannot hover: a tap on the words shows what can be done.
    if (!matchMedia("(hover: none)").matches || event.target.closest("a, button")) return;
    const open = node.classList.contains("open");
    document.querySelectorAll(".post.open").forEach((other) => other.classList.remove("open"));
    node.classList.toggle("open", !open);
  });
  return node;
}

function text(post) {
  const node = h("div", { class: "text", html: post.html });
  for (const mention of node.querySelectorAll(".mention")) {
    if (mention.dataset.person === state.me?.id) mention.classList.add("me");
    if (mention.dataset.person === state.bot.id) mention.classList.add("bot");
  }
  if (post.edited) (node.querySelector(":scope > p:last-child") ?? node).append(h("small", { class: "edited" }, ` (${t("edited")})`));
  return node;
}

function quote(post) {
  return h("button", { class: "quote", onclick: () => emit("jump", post.quote.id) },
    h("b", {}, post.quote.author.name), h("span", {}, post.quote.text || t("deleted")));
}

function press(post, button, at, active) {
  return h("button", {
    class: at === 0 ? "primary" : "plain", disabled: !active, "data-value": button.value,
    onclick: (event) => {
      event.target.parentNode.querySelectorAll("button").forEach((each) => { each.disabled = true; });
      attempt(() => send(`/posts/${part(post.id)}/press`, { value: button.value })).then((done) => {
        if (done) emit("have", done);
        else event.target.parentNode?.querySelectorAll("button").forEach((each) => { each.disabled = false; });
      });
    },
  }, button.label);
}

function extras(post, bot, inThread, active) {
  const reactions = post.reactions.map((reaction) => h("button", {
    class: `reaction ${reaction.people.includes(state.me?.id) ? "mine" : ""}`, disabled: !active, title: reaction.people.map(nameOf).join(", "),
    "aria-label": `${reaction.emoji} ${reaction.people.map(nameOf).join(", ")}`, onclick: () => react(post, reaction.emoji),
  }, reaction.emoji, h("span", {}, String(reaction.people.length))));
  const replies = !inThread && post.replies > 0 && h("button", { class: "replies", "data-do": "thread", onclick: () => emit("thread", post.id) },
    icon("thread", 15), t("replies", { n: post.replies }), h("time", {}, brief(post.replied_at)));
  const why = bot && !post.deleted && h("button", { class: "why", "data-do": "why", onclick: () => emit("why", post.id) }, icon("why", 15), t("why"));
  if (!reactions.length && !replies && !why) return null;
  return h("div", { class: "extras" }, reactions, replies, why);
}

function menu(post, bot, inThread, active) {
  const own = post.author.id === state.me?.id;
  const tool = (name, label, act) => h("button", { class: "icon", title: t(label), "aria-label": t(label), "data-do": label, onclick: act }, icon(name, 17));
  const bar = h("div", { class: "tools", role: "toolbar", "aria-label": t("more") },
    active && tool("smile", "react", (event) => picker(post, event.currentTarget.parentNode)),
    active && tool("reply", "reply", () => emit("reply", { post, inThread })),
    !inThread && tool("thread", "thread", () => emit("thread", post.id)),
    active && own && tool("edit", "edit", () => emit("edit", { post, inThread })),
    active && own && tool("trash", "remove", () => remove(post)));
  return bar;
}

function picker(post, bar) {
  const old = bar.querySelector(".emoji");
  if (old) {
    old.remove();
    return;
  }
  const choices = h("span", { class: "emoji", role: "group", "aria-label": t("react") }, EMOJI.map((emoji) =>
    h("button", { class: "icon", "aria-label": emoji, onclick: () => { choices.remove(); react(post, emoji); } }, emoji)));
  bar.prepend(choices);
  choices.firstChild.focus();
}

async function react(post, emoji) {
  const mine = post.reactions.find((reaction) => reaction.emoji === emoji)?.people.includes(state.me.id);
  const done = await attempt(() => send(`/posts/${part(post.id)}/reactions`, { emoji, on: !mine }));
  if (done) emit("have", done);
}

async function remove(post) {
  if (!window.confirm(t("sure"))) return;
  const done = await attempt(() => call("DELETE", `/posts/${part(post.id)}`));
  if (done) emit("have", done);
}
