// Where people write: Enter sends, @ completes a name, an edit or an answer shows above.

import { attempt, call, part, post } from "./api.js";
import { h } from "./dom.js";
import { avatar } from "./faces.js";
import { icon } from "./icons.js";
import { emit, personOf, roomOf, signedTitleOf, state } from "./state.js";
import { t } from "./texts.js";

const drafts = new Map(); // what was being written where, while another room is looked at

export class Composer {
  constructor(root, inThread) {
    this.inThread = inThread;
    this.answered = null;
    this.edited = null;
    this.sending = new Set(); // the places from which words are on their way
    this.tried = new Map(); // by place: words whose answer has not come, until somebody types there
    this.options = [];
    this.chosen = 0;
    this.listId = inThread ? "names-thread" : "names";
    this.input = h("textarea", { rows: "1", maxlength: "32000", "aria-autocomplete": "list", "aria-controls": this.listId });
    this.note = h("div", { class: "note", hidden: true });
    this.list = h("ul", { class: "names", id: this.listId, role: "listbox", hidden: true });
    this.button = h("button", { class: "send", type: "submit" }, icon("send", 20));
    this.hint = h("p", { class: "hint" });
    this.form = h("form", {}, this.note, h("div", { class: "box" }, this.input, this.button), this.list);
    root.append(this.form, this.hint);
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.send(); });
    this.input.addEventListener("input", () => { this.tried.delete(this.at); this.grow(); this.complete(); });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.offer([]), 150));
  }

  place() {
    return `${state.me?.id}:${state.room}:${this.inThread ? state.thread : ""}`;
  }

  /** The room, the person or the language changed. */
  render(room) {
    if (this.at !== this.place()) {
      if (this.at) drafts.set(this.at, this.edited ? "" : this.input.value);
      this.at = this.place();
      this.clear();
      this.input.value = drafts.get(this.at) ?? "";
      this.grow();
    }
    const label = this.inThread ? t("writeThread") : t("write", { room: signedTitleOf(room) });
    this.input.placeholder = label;
    this.input.setAttribute("aria-label", label);
    this.button.setAttribute("aria-label", t("send"));
    this.hint.textContent = t("hint");
  }

  /** Be ready to be written in, unless something was opened meanwhile: it would close. */
  focus() {
    if (!document.querySelector(".popover:not([hidden]), dialog[open]")) this.input.focus({ preventScroll: true });
  }

  clear() {
    this.answered = this.edited = null;
    this.note.hidden = true;
    this.offer([]);
  }

  answer(post_) {
    this.clear();
    this.answered = post_;
    this.say(t("replyingTo", { name: post_.author.name }), post_.text);
  }

  edit(post_) {
    this.clear();
    this.edited = post_;
    this.input.value = post_.text;
    this.grow();
    this.say(t("editing"), "");
  }

  say(title, text) {
    this.note.replaceChildren(h("span", {}, h("b", {}, title), " ", text.slice(0, 120)),
      h("button", { type: "button", class: "icon", "aria-label": t("cancel"), onclick: () => this.cancel() }, icon("close", 15)));
    this.note.hidden = false;
    this.input.focus();
  }

  cancel() {
    if (this.edited) this.input.value = "";
    this.clear();
    this.grow();
    this.input.focus();
  }

  async send() {
    const text = this.input.value;
    const at = this.at;
    if (!text.trim() || this.sending.has(at)) return;
    this.sending.add(at);
    const fresh = !this.edited;
    const done = await attempt(() => this.edited
      ? call("PATCH", `/posts/${part(this.edited.id)}`, { body: { text } })
      : post(`/rooms/${part(state.room)}/posts`, { text, thread: this.inThread ? state.thread : "", reply_to: this.answered?.id ?? "", key: this.keyOf(text) }));
    this.sending.delete(at);
    if (!done) return;
    this.tried.delete(at);
    emit("have", done);
    // Somebody may have gone elsewhere, or gone on typing, while the answer was on its way.
    if (this.at !== at) {
      if (drafts.get(at) === text) drafts.delete(at);
      return;
    }
    if (this.input.value === text) this.input.value = "";
    this.clear();
    this.grow();
    this.focus();
    if (fresh) emit("sent", { inThread: this.inThread });
  }

  /** The same for the same words tried again: the server may have them, and its answer was lost. */
  keyOf(text) {
    if (this.tried.get(this.at)?.text !== text) {
      this.tried.set(this.at, { text, key: `${Date.now().toString(36)}${Math.random().toString(36).slice(1)}` });
    }
    return this.tried.get(this.at).key;
  }

  key(event) {
    if (event.isComposing || event.keyCode === 229) return; // Enter belongs to the input method
    if (this.options.length > 0) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        this.mark((this.chosen + step + this.options.length) % this.options.length);
        return;
      }
      if (event.key === "Enter" || event.key === "Tab") {
        event.preventDefault();
        this.take(this.options[this.chosen]);
        return;
      }
      if (event.key === "Escape") {
        event.preventDefault();
        this.offer([]);
        return;
      }
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape" && !this.note.hidden) {
      this.cancel();
    } else if (event.key === "ArrowUp" && this.input.value === "") {
      emit("edit-last", { inThread: this.inThread });
    }
  }

  grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, 220)}px`;
    this.form.classList.toggle("ready", this.input.value.trim() !== "");
  }

  complete() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    const found = /(?:^|[^A-Za-z0-9_])[@＠]([^\s@＠]*)$/.exec(before);
    if (!found) {
      this.offer([]);
      return;
    }
    const typed = found[1].toLowerCase();
    const here = (roomOf(state.room)?.members ?? []).map(personOf).filter((person) => person && person.id !== state.me.id);
    const fitting = [state.bot, ...here].filter((person) => person.name.toLowerCase().startsWith(typed)).slice(0, 8);
    // A name that stands there in full needs no help, and Enter should send.
    this.offer(fitting.length === 1 && fitting[0].name.toLowerCase() === typed ? [] : fitting);
  }

  offer(people) {
    this.options = people;
    this.list.hidden = people.length === 0;
    this.list.replaceChildren(...people.map((person, at) => h("li", {
      role: "option", id: `${this.listId}-${at}`,
      onmousedown: (event) => { event.preventDefault(); this.take(person); },
    }, avatar(person.id, person.name, "tiny"), h("b", {}, person.name), person.about && h("i", {}, person.about))));
    if (people.length > 0) this.mark(0);
    else this.input.removeAttribute("aria-activedescendant");
  }

  mark(at) {
    this.chosen = at;
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    this.input.setAttribute("aria-activedescendant", `${this.listId}-${at}`);
  }

  take(person) {
    const end = this.input.selectionStart;
    const start = this.input.value.slice(0, end).search(/[@＠][^\s@＠]*$/);
    this.input.setRangeText(`@${person.name} `, start, end, "end");
    this.offer([]);
    this.grow();
    this.input.focus();
  }
}
