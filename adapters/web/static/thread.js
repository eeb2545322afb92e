// A thread in the panel: its root, the answers, and a composer of its own.

import { attempt } from "./api.js";
import { Composer } from "./composer.js";
import { $, h } from "./dom.js";
import { joinBar } from "./header.js";
import { Messages } from "./messages.js";
import { fill } from "./panel.js";
import { load, pageOf } from "./posts.js";
import { roomOf, state } from "./state.js";
import { t } from "./texts.js";

export let threadList = null;
export let threadComposer = null;

export async function openThread() {
  const room = roomOf(state.room);
  const body = fill("thread", t("thread"));
  const list = h("div", { class: "posts", tabindex: "0" });
  const foot = h("div", { class: "composer" });
  const thinking = h("div", { class: "thinking", id: "thinking-thread", role: "status", "aria-live": "polite" });
  body.append(list, thinking, foot);
  threadList = new Messages(list, true);
  threadComposer = room.joined ? new Composer(foot, true) : null;
  threadComposer?.render(room);
  if (!room.joined) foot.append(joinBar(room));
  if (!pageOf(state.room, state.thread)) await attempt(() => load(state.room, state.thread));
  threadList.render(true);
  threadComposer?.input.focus({ preventScroll: true });
  drawThinking(thinking, true);
}

export function closeThread() {
  threadList = threadComposer = null;
  state.thread = null;
}

/** "Limen is thinking…" where an answer is being prepared. */
export function drawThinking(node = $("thinking"), inThread = false) {
  if (!node) return;
  const wanted = inThread ? state.thread : null;
  const on = state.thinking.some((place) => place.room === state.room && place.thread === wanted);
  if (on === (node.childElementCount > 0)) return;
  node.replaceChildren(...(on ? [h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), t("thinking", { name: state.bot.name })] : []));
}
