// The chain behind one message of the bot, first cause first.

import { attempt, get, part } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { fill } from "./panel.js";
import { at, gates, locked, pill } from "./rows.js";
import { state } from "./state.js";
import { t } from "./texts.js";

const SIGNS = { original: "thread", fire: "fire", "agency run": "mind", handoff: "gate", consent: "lock", inbox: "letter", run: "scenes", delivery: "letter" };

export async function openWhy(post) {
  const all = state.operator && state.everything;
  const notice = all && h("p", { class: "notice loud" }, icon("scenes", 15), t("operatorNotice"));
  const body = fill("whys", t("whyTitle"), notice);
  const answer = await attempt(() => get(`/posts/${part(post)}/why`, { view: all ? "all" : null }));
  if (!answer) return;
  if (answer.rows.length === 0) {
    body.append(h("p", { class: "nothing" }, t("whyEmpty")));
    return;
  }
  body.append(h("ol", { class: "chain" }, answer.rows.map(step)));
}

function step(row) {
  return h("li", { class: row.step.replace(" ", "-"), "data-step": row.step },
    h("span", { class: "knot" }, icon(SIGNS[row.step] ?? "why", 16)),
    h("div", {},
      h("header", {}, h("b", {}, t(`step.${row.step}`)), row.room && h("span", { class: "place" }, row.room), pill(row.state), h("span", { class: "space" }), at(row.at)),
      row.private ? locked(row.text) : h("p", {}, row.from && h("b", {}, `${row.from}: `), row.text),
      gates(row.gates),
      h("small", { class: "id" }, row.id)));
}
