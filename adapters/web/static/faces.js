// Avatars and names.

import { h } from "./dom.js";
import { personOf, state } from "./state.js";

const HUES = 8;

// Colours go round by the order people came, so that a small team has no two alike.
const hueOf = (id) => Math.max(0, state.people.findIndex((person) => person.id === id)) % HUES;

function initials(name) {
  const words = name.trim().split(/\s+/);
  if (/[\u2e80-\u9fff]/.test(name)) return [...words[0]].slice(-2).join("");
  return (words.length > 1 ? words[0][0] + words.at(-1)[0] : words[0].slice(0, 2)).toUpperCase();
}

export function avatar(id, name, size = "") {
  if (id === state.bot.id) {
    return h("span", { class: `avatar bot ${size}`, "aria-hidden": "true" }, h("img", { src: "/static/icon.svg", alt: "" }));
  }
  return h("span", { class: `avatar hue-${hueOf(id)} ${size}`, "aria-hidden": "true" }, initials(name));
}

export function nameOf(id) {
  return id === state.bot.id ? state.bot.name : (personOf(id)?.name ?? id);
}
