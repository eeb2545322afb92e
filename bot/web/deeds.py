"""What can be done in the web chat: each deed a function of one transaction.

Each changes the rows, writes the line of the log, and says whether the bot is due to be told.
Who may do what is decided in the same transaction.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from adapters.web.errors import Conflict, Denied, Invalid, Missing
from adapters.web.rooms import (
    BOT,
    Access,
    Happening,
    Person,
    PersonSeed,
    Post,
    Room,
    RoomSeed,
)
from bot.web import rows as webrows
from memory.db import Reader, Tx, queries
from memory.erasing import MARK, mark_of

SQL = queries(__file__)

NAME_LIMIT = 60  # signs of a person's name or a room's title
_UNFIT = re.compile(r"[^\w]+")


def seed(tx: Tx, now: int, people: tuple[PersonSeed, ...], rooms: tuple[RoomSeed, ...]) -> None:
    """Make what is not there yet."""
    # The order given is the order shown, so each comes a microsecond after the one before.
    for at, person in enumerate(people, now):
        there = tx.one(SQL["person_named"], name=person.name)
        namesake = there is not None and there["id"] != person.id
        name = f"{person.name} ({person.id})" if namesake else person.name
        _insert_person(tx, at, person.id, name, person.about)
    for at, room in enumerate(rooms, now):
        _insert_room(tx, at, room.id, room.title, room.access, room.members)


def add_person(tx: Tx, now: int, name: str, about: str) -> Person:
    """Somebody joins the team, with a DM of their own."""
    name = _title_of(name)
    if tx.one(SQL["person_named"], name=name):
        raise Conflict(f"somebody is called {name!r} already; choose another name")
    id = _free_id(name, "person", lambda id: webrows.person_exists(tx, id))
    _insert_person(tx, now, id, name, about.strip()[:NAME_LIMIT])
    return webrows.person(tx, id)


def _insert_person(tx: Tx, now: int, id: str, name: str, about: str) -> None:
    if id == BOT:
        raise Invalid(f"{BOT!r} is the bot's own id; give the person another one")
    if tx.run(SQL["add_person"], id=id, name=name, about=about, now=now):
        _log(tx, now, Happening.PERSON, person=id)
        direct(tx, now, id)


def create_room(
    tx: Tx, now: int, person: str, title: str, access: Access, members: tuple[str, ...]
) -> Room:
    """Somebody makes a room."""
    title = _title_of(title)
    if tx.one(SQL["room_titled"], title=title):
        raise Conflict(f"there is a room #{title} already; choose another title")
    id = _free_id(title, "room", lambda id: webrows.room_exists(tx, id))
    everybody = tuple(dict.fromkeys((person, *members)))
    for member in everybody:
        webrows.person(tx, member)
    _insert_room(tx, now, id, title, access, everybody)
    return webrows.room(tx, id)


def _insert_room(
    tx: Tx, now: int, id: str, title: str, access: Access, members: Sequence[str]
) -> None:
    if not tx.run(SQL["add_room"], id=id, title=title, access=access.value, now=now):
        return
    for member in members:
        tx.run(SQL["add_member"], room=id, person=member, now=now)
    _log(tx, now, Happening.MEMBERS, room=id, person=members[0] if members else None, due=True)


def direct(tx: Tx, now: int, person: str) -> Room:
    """The person's DM with the bot, made when it is missing."""
    name = webrows.person(tx, person).name
    _insert_room(tx, now, f"dm-{person}", name, Access.DIRECT, (person,))
    return webrows.room(tx, f"dm-{person}")


def join(tx: Tx, now: int, person: str, room: str) -> Room:
    """Somebody walks into an open room."""
    found = webrows.room_for(tx, person, room)
    if not found.has(person):
        tx.run(SQL["add_member"], room=room, person=person, now=now)
        _log(tx, now, Happening.MEMBERS, room=room, person=person, due=True)
    return webrows.room(tx, room)


def leave(tx: Tx, now: int, person: str, room: str) -> None:
    """Somebody walks out."""
    if webrows.room_for(tx, person, room).access is Access.DIRECT:
        raise Denied("a direct conversation cannot be left")
    if tx.run(SQL["drop_member"], room=room, person=person):
        _log(tx, now, Happening.MEMBERS, room=room, person=person, due=True)


def invite(tx: Tx, now: int, person: str, room: str, guest: str) -> Room:
    """A member brings somebody in."""
    if _joined_room(tx, person, room).access is Access.DIRECT:
        raise Denied("a direct conversation is for one person and the bot")
    webrows.person(tx, guest)
    if tx.run(SQL["add_member"], room=room, person=guest, now=now):
        _log(tx, now, Happening.MEMBERS, room=room, person=guest, due=True)
    return webrows.room(tx, room)


def say(
    tx: Tx,
    now: int,
    person: str,
    room: str,
    text: str,
    thread: str | None,
    reply_to: str | None,
    key: str | None,
) -> Post:
    """A member posts, once for each key."""
    _joined_room(tx, person, room)
    # No letter of the bot is called so, and nothing of the key is left when its author is erased.
    letter = f"page:{mark_of('page', key)}" if key else None
    there = webrows.post_of_letter(tx, letter) if letter else None
    if there:
        if (there.author, there.room) != (person, room):
            raise Conflict("another message was sent with this 'key'; choose a new one for each")
        return there
    id = _insert_post(tx, now, room, text, person, thread, reply_to, letter=letter)
    mark_read(tx, now, person, room)
    _log(tx, now, Happening.NEW, room=room, post=id, person=person, body=text, due=True)
    return webrows.post(tx, str(id))


def post_as_bot(
    tx: Tx,
    now: int,
    key: str,
    room: str,
    text: str,
    thread: str | None,
    reply_to: str | None,
    choices: str,
) -> Post:
    """The bot posts, once for each key."""
    there = webrows.post_of_letter(tx, key)
    if there:
        return there
    webrows.room(tx, room)
    id = _insert_post(tx, now, room, text, None, thread, reply_to, choices, key)
    _log(tx, now, Happening.NEW, room=room, post=id)
    return webrows.post(tx, str(id))


def _insert_post(
    tx: Tx,
    now: int,
    room: str,
    text: str,
    author: str | None,
    thread: str | None,
    reply_to: str | None,
    choices: str = "[]",
    letter: str | None = None,
) -> int:
    root = _beside(tx, room, thread)
    answered = _beside(tx, room, reply_to)
    return tx.insert(
        SQL["add_post"],
        room=room,
        # A thread has one level: an answer inside a thread goes under the same root.
        thread=webrows.number(root.thread or root.id) if root else None,
        author=author,
        body=text,
        now=now,
        reply_to=webrows.number(answered.id) if answered else None,
        buttons=choices,
        letter=letter,
    )


def _beside(tx: Tx, room: str, post: str | None) -> Post | None:
    if post is None:
        return None
    found = webrows.post(tx, post)
    if found.room != room:
        raise Missing(f"there is no message {post!r} in this room")
    return found


def edit(tx: Tx, now: int, person: str, post: str, text: str) -> Post:
    """The author changes a post."""
    old = _own_post(tx, person, post)
    if old.text == text:
        return old
    tx.run(SQL["edit_post"], id=webrows.number(post), body=text, now=now)
    return _changed(tx, now, Happening.EDIT, person, post, body=text)


def delete(tx: Tx, now: int, person: str, post: str) -> Post:
    """The author takes a post back."""
    _own_post(tx, person, post)
    tx.run(SQL["delete_post"], id=webrows.number(post), now=now)
    return _changed(tx, now, Happening.RECALL, person, post)


def react(tx: Tx, now: int, person: str, post: str, emoji: str, on: bool) -> Post:
    """A member reacts, or takes it back."""
    _live_post(tx, person, post)
    values = {"post": webrows.number(post), "person": person, "emoji": emoji}
    if on:
        moved = tx.run(SQL["add_reaction"], **values, now=now)
    else:
        moved = tx.run(SQL["drop_reaction"], **values)
    if not moved:
        return webrows.post(tx, post)
    return _changed(tx, now, Happening.REACTION, person, post, body=emoji if on else "")


def press(tx: Tx, now: int, person: str, post: str, value: str) -> Post:
    """A member presses a button; the first press settles the row."""
    found = _live_post(tx, person, post)
    if found.chosen is not None:
        raise Conflict(f"{found.chosen_by} already chose {found.chosen!r}")
    label = next((button.label for button in found.buttons if button.value == value), None)
    if label is None:
        raise Invalid(f"this message has no button with the value {value!r}")
    tx.run(SQL["press"], id=webrows.number(post), label=label, person=person)
    return _changed(tx, now, Happening.ACTION, person, post, body=value)


def _changed(tx: Tx, now: int, kind: Happening, person: str, post: str, *, body: str = "") -> Post:
    changed = webrows.post(tx, post)
    _log(
        tx,
        now,
        kind,
        room=changed.room,
        post=webrows.number(post),
        person=person,
        body=body,
        version=changed.version,
        due=True,
    )
    return changed


def _log(
    tx: Tx,
    now: int,
    kind: Happening,
    *,
    room: str | None = None,
    post: int | None = None,
    person: str | None = None,
    body: str = "",
    version: int = 1,
    due: bool = False,
) -> None:
    tx.insert(
        SQL["add_event"],
        kind=kind.value,
        room=room,
        post=post,
        person=person,
        body=body,
        version=version,
        now=now,
        due=int(due),
    )


def _joined_room(tx: Reader, person: str, room: str) -> Room:
    found = webrows.room_for(tx, person, room)
    if not found.has(person):
        raise Denied("join this room first")
    return found


def _live_post(tx: Reader, person: str, post: str) -> Post:
    found = webrows.post_for(tx, person, post)
    _joined_room(tx, person, found.room)
    if found.deleted:
        raise Conflict("this message was deleted")
    return found


def _own_post(tx: Reader, person: str, post: str) -> Post:
    found = _live_post(tx, person, post)
    if found.author != person:
        raise Denied("only its author can change a message")
    return found


def _title_of(text: str) -> str:
    title = " ".join(text.split()).lstrip("#@ ")
    if not title or len(title) > NAME_LIMIT:
        raise Invalid(f"a name has 1 to {NAME_LIMIT} signs, this one has {len(title)}")
    return title


def _free_id(title: str, otherwise: str, taken: Callable[[str], bool]) -> str:
    stem = _UNFIT.sub("-", title.lower()).strip("-_") or otherwise
    count, id = 1, stem
    while taken(id) or id == BOT or id.startswith("dm-"):
        count += 1
        id = f"{otherwise if id.startswith('dm-') else stem}-{count}"
    return id


def mark_read(tx: Tx, now: int, person: str, room: str) -> None:
    """Everything in the room was seen."""
    tx.run(SQL["mark_read"], room=room, person=person)


def told(tx: Tx, now: int, events: Sequence[int]) -> None:
    """The bot committed these events."""
    for event in events:
        tx.run(SQL["told"], id=event)


def erase_person(tx: Tx, now: int, person: str) -> None:
    """Leave nothing of somebody but empty posts of nobody; their DM with the bot goes along."""
    if not webrows.person_exists(tx, person):
        return
    count = 1
    while webrows.person_exists(tx, f"erased-{count}"):
        count += 1
    new, dm = f"erased-{count}", f"dm-{person}"
    name = f"{MARK} {count}"
    tx.run(SQL["anonymous"], new=new, name=name, old=person)
    tx.run(SQL["leave_all"], person=person)
    tx.run(SQL["drop_reactions"], person=person)
    tx.run(SQL["blank_of_author"], new=new, old=person, now=now)
    tx.run(SQL["press_as"], new=new, old=person)
    tx.run(SQL["blank_events"], new=new, old=person)
    if webrows.room_exists(tx, dm):
        erase_room(tx, now, dm, until=now)
        tx.run(SQL["anonymous_room"], new=f"dm-{new}", title=name, old=dm)
        tx.run(SQL["leave_room"], room=dm)
        tx.run(SQL["move_posts"], new=f"dm-{new}", old=dm)
        tx.run(SQL["move_events"], new=f"dm-{new}", old=dm)
        tx.run(SQL["drop_room"], room=dm)
    tx.run(SQL["drop_person"], person=person)


def erase_room(tx: Tx, now: int, room: str, *, until: int) -> None:
    """Empty what was posted in a room by a moment; the room itself stays open to its people."""
    # Ids of posts are never given out again: by them a message is known for ever.
    tx.run(SQL["drop_reactions_in"], room=room, until=until)
    tx.run(SQL["blank_of_room"], room=room, until=until, now=now)
    tx.run(SQL["blank_events_in"], room=room, until=until)


def erase_letters(tx: Tx, now: int, keys: Iterable[str]) -> None:
    """Take the words out of what the bot posted, by the keys of its letters."""
    for key in keys:
        tx.run(SQL["blank_letters"], letter=key, mark=MARK, now=now)


def clear_events(tx: Tx, *, until: int, limit: int) -> int:
    """Drop the oldest lines of the log that everybody was told long ago; how many."""
    return tx.run(SQL["clear_events"], until=until, limit=limit)
