// The posts we have, by room and by thread, kept right by the event stream.

import { get, part } from "./api.js";
import { emit, roomOf, state } from "./state.js";

const PAGE = 50;
const pages = new Map();

const keyOf = (room, thread) => (thread ? `${room}/${thread}` : room);

export function pageOf(room, thread = null) {
  const page = pages.get(keyOf(room, thread));
  return page?.loading ? undefined : page;
}

let reader = 0; // rises with everybody who speaks here: answers meant for the last one are dropped

export function forget() {
  pages.clear();
  reader += 1;
}

/** Fetch the latest posts of a room or thread, or those before the ones we have. */
export async function load(room, thread = null, older = false) {
  const key = keyOf(room, thread);
  const have = pageOf(room, thread);
  // What is posted while we wait for the answer is taken in here, for the answer may not hold it.
  if (!have) pages.set(key, { posts: [], more: false, loading: true });
  const first = have?.posts.find((post) => post.id !== thread);
  const query = { thread, limit: PAGE, before: older ? first?.id : null };
  const asked = reader;
  let answer = null;
  try {
    answer = await get(`/rooms/${part(room)}/posts`, query);
  } finally {
    if (!answer && asked === reader && pages.get(key)?.loading) pages.delete(key);
  }
  if (asked !== reader) return;
  const page = pages.get(key) ?? { posts: [], more: false };
  const newer = new Set(page.loading ? page.posts.map((post) => post.id) : []);
  for (const post of answer.posts) if (!newer.has(post.id)) place(page.posts, post, true);
  page.more = older || !have ? answer.more : page.more;
  page.loading = false;
  pages.set(key, page);
  emit("posts", { room, thread });
}

/** Take in a post as the server has it now. */
export function take(post, root, isNew) {
  for (const [item, thread] of [[post, post.thread], [root, null], [root, root?.id]]) {
    if (!item) continue;
    const page = pages.get(keyOf(item.room, thread));
    if (page && place(page.posts, item, isNew && item === post)) emit("posts", { room: item.room, thread });
  }
  if (!isNew) requote(post);
  const own = pages.get(keyOf(post.room, post.id));
  if (own && place(own.posts, post, false)) emit("posts", { room: post.room, thread: post.id });
}

/** Words that were changed or taken back must not live on where they were quoted. */
function requote(post) {
  const text = post.deleted ? "" : post.text.replace(/\s+/g, " ").slice(0, 140);
  for (const [key, page] of pages) {
    let touched = false;
    page.posts.forEach((other, at) => {
      if (other.quote?.id !== post.id || other.quote.text === text) return;
      page.posts[at] = { ...other, quote: { ...other.quote, text } };
      touched = true;
    });
    if (touched) emit("posts", { room: post.room, thread: key === post.room ? null : key.slice(post.room.length + 1) });
  }
}

/** Put a post where it belongs; false when there is no place for it here. */
function place(posts, post, insert) {
  const at = posts.findIndex((other) => other.id === post.id);
  if (at >= 0) {
    posts[at] = post;
    return true;
  }
  if (!insert) return false;
  let index = posts.length;
  while (index > 0 && Number(posts[index - 1].id) > Number(post.id)) index -= 1;
  posts.splice(index, 0, post);
  return true;
}

/** Count a post that the reader does not see now. */
export function countUnread(post) {
  const room = roomOf(post.room);
  const seen = post.room === state.room && document.visibilityState === "visible";
  if (!room || !room.joined || seen || post.author.id === state.me?.id) return;
  room.unread += 1;
  emit("rooms");
}
