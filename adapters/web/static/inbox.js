// What waits for somebody, what comes in their digest, and the report of the day.

import { attempt, get } from "./api.js";
import { h, later } from "./dom.js";
import { icon } from "./icons.js";
import { fill } from "./panel.js";
import { pill } from "./rows.js";
import { on, state } from "./state.js";
import { language, t } from "./texts.js";
import { brief } from "./time.js";

let body = null;
let asked = 0; // an answer to an older question is dropped

/** The own inbox of whoever acts, and what today came to in their rooms. */
export function openInbox() {
  body = fill("inside mail", t("inbox"));
  refresh();
}

async function refresh() {
  const question = ++asked;
  const answers = await attempt(() => Promise.all([get("/inbox"), get("/report", { language: language() })]));
  if (!answers || question !== asked) return;
  const [mine, counts] = answers.map((answer) => answer.rows);
  body.replaceChildren(...(mine.length ? mine.map((row) => inbox(row, true)) : [h("p", { class: "nothing" }, t("inboxEmpty"))]), ...counts.map(report));
}

const soon = later(300, () => state.panel === "inbox" && refresh());
on("live-inside", soon);
on("live-post", soon);

/** Everything of one person; `own` leaves out whose it is. */
export function inbox(row, own = false) {
  const empty = !row.waits.length && !row.coming.length && !row.told.length && !row.left?.length;
  return h("article", { class: "row-card", "data-id": row.id },
    !own && h("header", {}, icon("people", 15), h("b", {}, row.person), h("span", { class: "space" }), h("small", { class: "id" }, row.id)),
    section("waits", t("inboxWaits"), row.waits.map((text) => h("li", {}, text))),
    section("coming", when(row), row.coming.map(line)),
    section("told", t("inboxTold"), row.told.map(line)),
    section("left", t("inboxLeft"), (row.left ?? []).map(line)),
    empty && h("p", { class: "words" }, t("inboxEmpty")));
}

function when(row) {
  if (!row.reachable) return t("inboxNoDm");
  return row.next_at ? t("inboxComing", { at: brief(row.next_at) }) : t("inboxOff");
}

function section(name, title, lines) {
  return lines.length > 0 && h("section", { class: `mail-${name}` }, h("h4", {}, title), h("ul", { class: "mail-lines" }, lines));
}

function line(one) {
  return h("li", { "data-id": one.id }, one.room && h("b", { class: "place" }, one.room), h("span", {}, one.text), one.kind !== "digest" && pill(one.kind));
}

export function report(row) {
  const [title, ...counts] = row.text.split("\n");
  return h("article", { class: "row-card", "data-id": row.id }, h("header", { class: "mail-title" }, icon("file", 15), h("b", {}, title)),
    h("ul", { class: "mail-lines" }, counts.map((text) => h("li", { class: text.startsWith("  ") ? "deeper" : "" }, text.replace(/^\s*- /, "")))));
}
