// Behind the scenes: the operator's look at what the bot hears, thinks and decides.

import { attempt, get, part } from "./api.js";
import { $, h, later } from "./dom.js";
import { icon } from "./icons.js";
import { inbox, report } from "./inbox.js";
import { fill } from "./panel.js";
import * as rows from "./rows.js";
import { on, state } from "./state.js";
import { language, t } from "./texts.js";

const TABS = ["now", "fires", "runs", "handoffs", "letters", "files", "sessions", "approvals", "inbox", "report", "budget"];
const PAGE = 40;
const DRAWN = { ...rows, inbox: (row) => inbox(row), report };

let tab = "now";
let run = null; // the run whose trace is shown in the tab of runs
let body = null;
let had = []; // the rows shown, for "show more"
let asked = 0; // an answer to an older question is dropped

export function openInside() {
  const side = h("div", { class: "segments", role: "group" },
    segment(false, t("asPerson", { name: state.me?.name ?? "" })), segment(true, t("operatorView")));
  const notice = h("p", { class: `notice ${state.everything ? "loud" : ""}` }, icon(state.everything ? "scenes" : "lock", 15),
    state.everything ? t("operatorNotice") : t("asNotice", { name: state.me?.name ?? "" }));
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("scenes") }, TABS.map((name) =>
    h("button", { role: "tab", id: `tab-${name}`, "data-tab": name, "aria-selected": String(name === tab), "aria-controls": "inside-body", tabindex: name === tab ? "0" : "-1", onclick: () => choose(name) }, t(name))));
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    choose(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]);
    $(`tab-${tab}`).focus();
  });
  body = fill("inside", t("scenes"), side, notice, tabs);
  body.id = "inside-body";
  body.setAttribute("role", "tabpanel");
  had = [];
  refresh();
}

function segment(everything, label) {
  return h("button", { "aria-pressed": String(state.everything === everything), "data-view": everything ? "all" : "person", onclick: () => {
    state.everything = everything;
    openInside();
  } }, label);
}

function choose(name) {
  tab = name;
  run = null;
  had = [];
  for (const button of document.querySelectorAll("[data-tab]")) {
    button.setAttribute("aria-selected", String(button.dataset.tab === tab));
    button.tabIndex = button.dataset.tab === tab ? 0 : -1;
  }
  body.scrollTop = 0;
  refresh();
}

const view = () => ({ view: state.everything ? "all" : null });

async function refresh() {
  const question = ++asked;
  if (["files", "budget"].includes(tab) && !state.everything) {
    draw([h("p", { class: "nothing" }, t(`${tab}Private`))]);
    return;
  }
  if (tab === "runs" && run) {
    const row = await attempt(() => get(`/inside/run/${part(run)}`, view()));
    if (row && question === asked) draw([rows.trace(row)]);
    return;
  }
  const limit = Math.max(PAGE, Math.min(had.length, 200));
  const answer = await attempt(() => get(`/inside/${tab}`, { ...view(), limit, language: language() }));
  if (!answer || question !== asked) return;
  had = answer.rows;
  list(answer.rows.length === limit);
}

async function more() {
  const answer = await attempt(() => get(`/inside/${tab}`, { ...view(), limit: PAGE, before: had.at(-1).id }));
  if (!answer) return;
  had = [...had, ...answer.rows];
  list(answer.rows.length === PAGE);
}

function list(rest) {
  const nodes = had.map((row) => DRAWN[tab](row));
  if (nodes.length === 0) nodes.push(h("p", { class: "nothing" }, t("empty")));
  if (rest && had.at(-1)?.id) nodes.push(h("button", { class: "soft", onclick: more }, t("moreRows")));
  draw(nodes);
}

/** Replace what is shown; what was unfolded stays unfolded. */
function draw(nodes) {
  const idOf = (details) => (details.closest("[data-id]") ?? details).dataset.id;
  const open = new Set([...body.querySelectorAll("details[open]")].map(idOf));
  const top = body.scrollTop;
  body.replaceChildren(...nodes);
  for (const details of body.querySelectorAll("details")) details.open = open.has(idOf(details));
  body.scrollTop = top;
}

const soon = later(300, () => state.panel === "inside" && refresh());
on("live-inside", soon);

on("run", (id) => {
  if (state.panel !== "inside") return;
  choose("runs");
  run = id;
  refresh();
});
