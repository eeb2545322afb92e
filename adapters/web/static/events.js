// The live stream. The browser reconnects by itself; when it gives up, we do.

import { emit, state } from "./state.js";

let source = null;
let retry = 0;
let timer = 0;

export function follow() {
  clearTimeout(timer);
  source?.close();
  if (!state.me) return;
  const url = new URL("/api/events", location.origin);
  url.searchParams.set("as", state.me.id);
  url.searchParams.set("after", String(state.seq));
  const mine = new EventSource(url);
  source = mine;
  mine.onopen = () => {
    retry = 0;
    emit("trouble", false);
  };
  mine.onerror = () => {
    if (mine !== source) return;
    emit("trouble", true);
    if (mine.readyState !== EventSource.CLOSED) return;
    retry += 1;
    timer = setTimeout(follow, Math.min(1000 * 2 ** retry, 15000));
  };
  for (const name of ["post", "rooms", "people", "thinking", "inside"]) {
    mine.addEventListener(name, (event) => {
      if (mine !== source) return;
      if (event.lastEventId) state.seq = Number(event.lastEventId);
      emit(`live-${name}`, JSON.parse(event.data));
    });
  }
}
