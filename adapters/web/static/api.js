// Calls to the server, always as the acting person.

import { toast } from "./dom.js";
import { state } from "./state.js";
import { t } from "./texts.js";

export async function call(method, path, { query = {}, body } = {}) {
  const url = new URL(`/api${path}`, location.origin);
  if (state.me) url.searchParams.set("as", state.me.id);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, value);
  }
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Error(t("offline"));
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error ?? `${t("failed")} (${answer.status})`);
  return data;
}

export const get = (path, query) => call("GET", path, { query });
export const post = (path, body = {}) => call("POST", path, { body });

/** Do something and show what went wrong; undefined when it did. */
export async function attempt(deed) {
  try {
    return await deed();
  } catch (error) {
    toast(error.message);
    return undefined;
  }
}

export const part = encodeURIComponent;
