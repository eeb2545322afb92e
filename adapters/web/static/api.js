// Calls to the server, always as the acting person.

import { toast } from "./dom.js";
import { state } from "./state.js";
import { language, t } from "./texts.js";

const TRIES = 20; // of what was refused since too much came at one time: about half a minute

export async function call(method, path, { query = {}, body } = {}) {
  const url = new URL(`/api${path}`, location.origin);
  if (state.me) url.searchParams.set("as", state.me.id);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, value);
  }
  const options = { method, headers: { "accept-language": language() } };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await ask(url, options);
  } catch {
    throw new Error(t("offline"));
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error ?? `${t("failed")} (${answer.status})`);
  return data;
}

/** Ask again what was refused since too much came at one time: nothing of it was stored. */
async function ask(url, options) {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, options);
    if (answer.status !== 429 || tries === TRIES) return answer;
    if (tries === 1) toast(t("busy"));
    // Not all at the same moment, for they were too many at the same moment.
    const seconds = Number(answer.headers.get("retry-after")) || 1;
    await new Promise((done) => setTimeout(done, 1000 * seconds * (0.75 + Math.random() / 2)));
  }
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
