// Times as people read them.

import { language, t } from "./texts.js";

const locale = () => (language() === "zh" ? "zh-CN" : "en-GB");

export function clock(iso) {
  return new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(new Date(iso));
}

export function precise(iso) {
  return new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(new Date(iso));
}

export function full(iso) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "medium" }).format(new Date(iso));
}

export function dayKey(iso) {
  const at = new Date(iso);
  return `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;
}

export function day(iso) {
  const at = new Date(iso);
  const now = new Date();
  if (dayKey(iso) === dayKey(now)) return t("today");
  const before = new Date(now);
  before.setDate(now.getDate() - 1);
  if (dayKey(iso) === dayKey(before)) return t("yesterday");
  const options = { weekday: "long", day: "numeric", month: "long" };
  if (at.getFullYear() !== now.getFullYear()) options.year = "numeric";
  return new Intl.DateTimeFormat(locale(), options).format(at);
}

/** The clock today, day and clock otherwise. */
export function brief(iso) {
  if (dayKey(iso) === dayKey(new Date())) return clock(iso);
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(locale(), options).format(new Date(iso));
}
