// How each row of the console looks.

import { h } from "./dom.js";
import { nameOf } from "./faces.js";
import { icon } from "./icons.js";
import { emit, state } from "./state.js";
import { t, word } from "./texts.js";
import { brief, full, precise } from "./time.js";

const TONES = {
  good: ["admitted", "spoken", "sent", "succeeded", "consumed", "delivered", "spoke", "granted"],
  calm: ["idle", "silent", "declined", "digest", "duplicate", "merged", "steered", "cancelled", "dropped", "expired"],
  warm: ["held", "asking", "pending", "queued", "waiting", "running", "sending", "submitted", "proposed", "suspended", "asked"],
  bad: ["refused", "failed", "dead", "unknown", "denied"],
};

export function pill(value) {
  if (!value) return null;
  const tone = Object.keys(TONES).find((name) => TONES[name].includes(value)) ?? "calm";
  return h("span", { class: `pill ${tone}` }, word(value));
}

export const at = (iso) => iso && h("time", { datetime: iso, title: full(iso) }, precise(iso));

/** What was said, or a lock where this viewer may not know. */
export function words(row, key = "text", cls = "words") {
  if (row.private) return locked();
  return row[key] ? h("p", { class: cls }, row[key]) : null;
}

export function locked(instead = "") {
  return h("p", { class: "locked" }, icon("lock", 14), instead || t("hidden", { name: state.me ? nameOf(state.me.id) : "" }));
}

const meta = (...parts) => {
  const shown = parts.filter(Boolean);
  return shown.length ? h("p", { class: "meta" }, shown.map((each, index) => [index > 0 && " · ", each])) : null;
};

const room = (row) => row.room && h("b", { class: "place" }, row.room);

function card(row, head, ...rest) {
  return h("article", { class: `row-card ${row.private ? "private" : ""}`, "data-id": row.id },
    h("header", {}, head, h("span", { class: "space" }), h("small", { class: "id" }, row.id), at(row.at)), rest);
}

const runLink = (id) => id && h("button", { class: "link", onclick: () => emit("run", id) }, id);

export function now(row) {
  const counts = row.counts ?? {};
  const mood = row.state ?? "idle";
  return h("div", { class: `now ${mood}` },
    h("div", { class: "pulse" }, h("span", { class: "orb" }), h("div", {}, h("h3", {}, t(`state.${mood}`)),
      h("p", {}, row.text || t(`about.${mood}`)),
      meta(row.since && t("since", { at: brief(row.since) }), row.wakes_at && t("wakesAt", { at: precise(row.wakes_at) })))),
    row.playing && h("p", { class: "playing" }, icon("play", 15), t("playing", { title: row.playing })),
    h("dl", { class: "counts" }, ["fires", "runs", "handoffs", "letters", "sessions", "originals"].filter((key) => key in counts)
      .map((key) => h("div", {}, h("dd", {}, String(counts[key])), h("dt", {}, t(`count.${key}`))))),
    h("dl", { class: "facts" }, [["model", row.model], ["tokensToday", row.tokens_today], ["costToday", row.cost_today],
      ...(row.platforms ?? []).map(({ name, up, note }) => [name, [t(up ? "up" : "down"), note].filter(Boolean).join(": ")])]
      .filter(([, value]) => value !== undefined && value !== null && value !== "").map(([key, value]) => [h("dt", {}, t(key)), h("dd", {}, String(value))])));
}

export function fires(row) {
  return card(row, [room(row), pill(row.state)], words(row),
    meta(!row.private && row.from, word(row.kind), row.score !== undefined && row.score !== null && t("score", { n: row.score }), runLink(row.run)));
}

export function runs(row) {
  return card(row, [row.room ? room(row) : h("b", {}, word(row.role ?? "agency")), pill(row.state)], words(row, "summary"),
    meta(row.trigger && word(row.trigger), row.fires && t("fireCount", { n: row.fires }), row.steps && t("steps", { n: row.steps }),
      row.tokens_in && t("tokens", { in: row.tokens_in, out: row.tokens_out ?? 0 })),
    h("button", { class: "link", "data-do": "trace", onclick: () => emit("run", row.id) }, t("trace"), icon("right", 14)));
}

export function gates(list) {
  if (!list?.length) return null;
  return h("ol", { class: "gates", "aria-label": t("gates") }, list.map((gate) =>
    h("li", { class: gate.passed ? "passed" : "stopped" }, icon(gate.passed ? "check" : "close", 14), h("b", {}, word(gate.gate)), gate.reason && h("span", {}, gate.reason))));
}

export function handoffs(row) {
  const sources = (row.sources ?? []).map((source) => h("li", {}, h("b", { class: "place" }, source.room), source.private ? locked() : [h("i", {}, source.from), h("span", {}, source.text)]));
  return card(row, [icon("gate", 15), room(row), pill(row.verdict), row.outcome && pill(row.outcome)],
    !row.private && row.subject && h("h4", {}, row.subject), words(row),
    !row.private && row.reason && h("p", { class: "reason" }, row.reason),
    !row.private && row.outcome_text && h("p", { class: "reason" }, `${t("outcome")}: ${row.outcome_text}`),
    gates(row.gates),
    sources.length > 0 && h("details", {}, h("summary", {}, `${t("sources")} (${sources.length})`), h("ul", { class: "sources" }, sources)),
    meta(row.kind && word(row.kind), row.grade && word(row.grade), typeof row.confidence === "number" && t("confidence", { n: Math.round(row.confidence * 100) }),
      row.deliver_at && `${t("delivery")} ${brief(row.deliver_at)}`, row.expires_at && `${t("expires")} ${brief(row.expires_at)}`, runLink(row.run)));
}

export function letters(row) {
  return card(row, [icon("letter", 15), room(row), pill(row.state)], words(row),
    !row.private && row.error && h("p", { class: "reason bad" }, row.error),
    meta(row.sent_at && t("sentAt", { at: precise(row.sent_at) }), row.tries > 1 && t("tries", { n: row.tries }), row.not_before && t("notBefore", { at: brief(row.not_before) }), runLink(row.run)));
}

export function approvals(row) {
  return card(row, [icon("lock", 15), h("b", {}, word(row.kind)), room(row), pill(row.state)], words(row),
    meta(!row.private && row.from && t("wishOf", { name: row.from }), !row.private && row.names?.length > 0 && t("mayAnswer", { names: row.names.join(", ") }),
      !row.private && row.by && t("answeredBy", { name: row.by }), row.reach && word(row.reach),
      row.expires_at && `${t("expires")} ${brief(row.expires_at)}`, runLink(row.run)));
}

export function sessions(row) {
  return card({ ...row, at: row.last_at }, [icon(row.kind === "agency" ? "mind" : row.open ? "hash" : "lock", 15), h("b", {}, row.title), row.state !== "idle" && pill(row.state)],
    row.members?.length > 0 && h("p", { class: "words" }, row.members.join(", ")),
    meta(row.platform, row.kind && word(row.kind), row.originals !== undefined && t("originals", { n: row.originals }), row.runs !== undefined && t("runCount", { n: row.runs })));
}

export function files(row) {
  return h("details", { class: "file", "data-id": row.file },
    h("summary", {}, icon("file", 16), h("b", {}, row.file), h("span", { class: "space" }), row.changed_at && h("time", { title: full(row.changed_at) }, brief(row.changed_at))),
    h("pre", {}, row.text));
}

export function budget(row) {
  const part = row.used === undefined ? null : Math.round(row.used * 100);
  const of = (spent, limit) => (limit ? `${spent} / ${limit}` : spent);
  return card({ ...row, id: "" }, [h("b", {}, row.id), part !== null && h("span", { class: `pill ${part >= 80 ? "bad" : part >= 50 ? "warm" : "good"}` }, `${part}%`)],
    part !== null && h("progress", { max: "100", value: String(Math.min(part, 100)), "aria-label": t("budget") }),
    meta(t("tokensOf", { n: of(count(row.tokens), row.tokens_limit && count(row.tokens_limit)) }), of(row.cost, row.cost_limit)),
    row.levels && h("ul", { class: "levels" }, row.levels.map(({ purpose, level }) => h("li", {}, h("span", {}, t(`purpose.${purpose}`)),
      h("span", { class: `pill ${{ ok: "good", paused: "bad" }[level] ?? "warm"}` }, t(`level.${level}`))))),
    row.levels?.some(({ level }) => level !== "ok") && h("p", { class: "reason" }, t("budgetUntil", { at: brief(row.until) })),
    row.spent.length > 0 && h("ul", { class: "spent" }, row.spent.map((one) => h("li", {}, h("b", {}, t(`purpose.${one.purpose}`)), h("span", {}, one.cost),
      h("small", {}, `${one.model} · ${t("calls", { n: one.calls })} · ${t("tokensOf", { n: count(one.tokens) })}`)))));
}

const count = (n) => n.toLocaleString("en");

export function trace(row) {
  return h("div", {},
    h("button", { class: "link back", onclick: () => emit("run", null) }, icon("back", 14), t("backToRuns")),
    h("header", { class: "trace-head" }, h("h3", {}, row.id), pill(row.state), at(row.at)),
    words(row, "summary"),
    h("ol", { class: "trace" }, (row.trace ?? []).map((step) => h("li", { class: `${step.step} ${step.ok === false ? "bad" : ""}` },
      h("header", {}, h("b", {}, t(`trace.${step.step}`)), step.title && h("code", {}, step.title), h("span", { class: "space" }), at(step.at)),
      step.private ? locked() : step.text && h("pre", {}, step.text)))));
}
