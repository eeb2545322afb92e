// The space on the right: a thread, a why-chain, or behind the scenes. One at a time.

import { $, h } from "./dom.js";
import { icon } from "./icons.js";
import { emit } from "./state.js";
import { t } from "./texts.js";

/** Fill the panel with a head and a body; gives the body. */
export function fill(kind, title, ...more) {
  const body = h("div", { class: `panel-body ${kind}` });
  const close = h("button", { class: "icon", id: "close-panel", "aria-label": t("close"), onclick: () => emit("panel", null) }, icon("close"));
  $("panel").replaceChildren(h("header", { class: "panel-head" }, h("h2", {}, title), close), ...more.filter(Boolean), body);
  $("panel").setAttribute("aria-label", title);
  return body;
}

export function showPanel(open) {
  $("panel").hidden = !open;
  $("app").classList.toggle("panel-open", open);
  if (!open) $("panel").replaceChildren();
}
