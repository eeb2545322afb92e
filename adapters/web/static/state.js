// What the page knows, and who wants to hear of changes.

export const state = {
  bot: { id: "bot", name: "Limen" },
  operator: false,
  stories: false, // there is something to play
  me: null,
  people: [],
  rooms: [],
  room: null, // the id of the room shown
  thread: null, // the id of the root shown in the panel
  panel: null, // "thread", "inside", "inbox" or "why"
  everything: false, // the operator's own view in the console
  thinking: [],
  seq: 0,
};

const listeners = new Map();

export function on(topic, fn) {
  if (!listeners.has(topic)) listeners.set(topic, []);
  listeners.get(topic).push(fn);
}

export function emit(topic, data) {
  for (const fn of listeners.get(topic) ?? []) fn(data);
}

export const roomOf = (id) => state.rooms.find((room) => room.id === id);
export const personOf = (id) => state.people.find((person) => person.id === id);

/** What a room is called here: a DM is called after the bot. */
export const titleOf = (room) => (room.access === "direct" ? state.bot.name : room.title);

/** The same as people write it, with the number sign. */
export const signedTitleOf = (room) => (room.access === "direct" ? state.bot.name : `#${room.title}`);
