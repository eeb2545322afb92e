"""Reading the web chat's rows as the values of its adapter."""

import json
from collections.abc import Collection, Sequence
from itertools import groupby

from adapters.chat import Button
from adapters.web.errors import Missing
from adapters.web.rooms import (
    BOT,
    Access,
    Event,
    Happening,
    Listed,
    Person,
    Post,
    Quote,
    Reaction,
    Room,
)
from memory.db import Reader, Row, queries
from memory.moments import from_us

SQL = queries(__file__)

QUOTE_LIMIT = 140  # signs of the post that is answered
_LAST = 2**62  # an id above every id


def number(id: str) -> int:
    """The row number a post's id stands for; Missing when it cannot be one."""
    if not id.isascii() or not id.isdecimal() or len(id) > 18:
        raise Missing(f"there is no message {id[:40]!r}")
    return int(id)


def people(tx: Reader) -> list[Person]:
    """Everybody, in the order they came."""
    return [_person(row) for row in tx.all(SQL["people"])]


def person_exists(tx: Reader, id: str) -> bool:
    """Whether an id is in use."""
    return tx.one(SQL["person"], id=id) is not None


def person(tx: Reader, id: str) -> Person:
    """One person; Missing when there is none."""
    row = tx.one(SQL["person"], id=id)
    if row is None:
        raise Missing(f"there is no person {id[:40]!r}")
    return _person(row)


def room_exists(tx: Reader, id: str) -> bool:
    """Whether an id is in use."""
    return tx.one(SQL["room"], id=id) is not None


def room(tx: Reader, id: str) -> Room:
    """One room with its people, whoever asks; Missing when there is none."""
    row = tx.one(SQL["room"], id=id)
    if row is None:
        raise Missing(f"there is no room {id[:40]!r}")
    return _room(row, tuple(_person(member) for member in tx.all(SQL["members"], room=id)))


def room_for(tx: Reader, person: str, id: str) -> Room:
    """One room as far as this person may know of it; the same Missing either way."""
    found = room(tx, id)
    if found.access is not Access.OPEN and not found.has(person):
        raise Missing(f"there is no room {id[:40]!r}")
    return found


def listed(tx: Reader, person: str) -> list[Listed]:
    """A person's list of rooms."""
    members: dict[str, list[Person]] = {}
    for row in tx.all(SQL["visible_members"], person=person):
        members.setdefault(row["room_id"], []).append(_person(row))
    return [
        Listed(
            room=_room(row, tuple(members.get(row["id"], ()))),
            joined=bool(row["joined"]),
            unread=row["unread"],
            last_at=from_us(row["last_at"]) if row["last_at"] is not None else None,
        )
        for row in tx.all(SQL["visible_rooms"], person=person)
    ]


def posts(tx: Reader, room: str, thread: str | None, before: str | None, limit: int) -> list[Post]:
    """The latest posts of a room, or of a thread with its root, oldest first."""
    last = number(before) if before else _LAST
    if thread is None:
        rows = tx.all(SQL["in_room"], room=room, before=last, limit=limit)
        return _posts(tx, rows[::-1])
    root = post(tx, thread)
    if root.room != room:
        raise Missing(f"there is no message {thread!r} in this room")
    rows = tx.all(SQL["in_thread"], thread=number(thread), before=last, limit=limit)
    return [root, *_posts(tx, rows[::-1])]


def post(tx: Reader, id: str) -> Post:
    """One post, whoever asks; Missing when there is none."""
    row = tx.one(SQL["post"], id=number(id))
    if row is None:
        raise Missing(f"there is no message {id!r}")
    return _posts(tx, [row])[0]


def post_for(tx: Reader, person: str, id: str) -> Post:
    """One post as far as this person may read it; the same Missing either way."""
    found = post(tx, id)
    try:
        room_for(tx, person, found.room)
    except Missing:
        raise Missing(f"there is no message {id!r}") from None
    return found


def post_of_letter(tx: Reader, letter: str) -> Post | None:
    """The post of a key; None when there is none."""
    row = tx.one(SQL["post_of_letter"], letter=letter)
    return post(tx, str(row["id"])) if row else None


def events(tx: Reader, person: str, after: int, limit: int) -> list[Event]:
    """The log as one person may see it."""
    rows = tx.all(SQL["visible_events"], person=person, after=after, limit=limit)
    return [_event(row) for row in rows]


def due(tx: Reader, but: Collection[str], share: int, limit: int) -> list[Event]:
    """What the bot was not told, oldest first: of every room but some, so many at most."""
    rows = tx.all(SQL["due"], but=json.dumps(sorted(but)), share=share, limit=limit)
    return [_event(row) for row in rows]


def newest(tx: Reader) -> int:
    """The newest sequence number; 0 in an empty log."""
    row = tx.one(SQL["last_event"])
    return int(row["id"]) if row else 0


def _person(row: Row) -> Person:
    return Person(id=row["id"], name=row["name"], about=row["about"])


def _room(row: Row, members: tuple[Person, ...]) -> Room:
    return Room(id=row["id"], title=row["title"], access=Access(row["access"]), members=members)


def _event(row: Row) -> Event:
    return Event(
        id=row["id"],
        kind=Happening(row["kind"]),
        room=row["room_id"],
        post=str(row["post_id"]) if row["post_id"] is not None else None,
        person=row["person_id"],
        text=row["body"],
        version=row["version"],
        at=from_us(row["at"]),
    )


def _posts(tx: Reader, rows: Sequence[Row]) -> list[Post]:
    if not rows:
        return []
    stretch = {"room": rows[0]["room_id"], "low": rows[0]["id"], "high": rows[-1]["id"]}
    reactions = {
        post: _reactions(list(group))
        for post, group in groupby(tx.all(SQL["reactions"], **stretch), lambda row: row["post_id"])
    }
    replies = {row["thread_id"]: row for row in tx.all(SQL["replies"], **stretch)}
    return [_post(row, reactions.get(row["id"], ()), replies.get(row["id"])) for row in rows]


def _post(row: Row, reactions: tuple[Reaction, ...], replies: Row | None) -> Post:
    return Post(
        id=str(row["id"]),
        room=row["room_id"],
        author=row["author_id"] or BOT,
        author_name=row["author_name"] or "",
        text=row["body"],
        at=from_us(row["at"]),
        version=row["version"],
        thread=str(row["thread_id"]) if row["thread_id"] is not None else None,
        edited=row["edited_at"] is not None,
        deleted=row["deleted_at"] is not None,
        quote=_quote(row),
        buttons=tuple(Button(label=pair[0], value=pair[1]) for pair in json.loads(row["buttons"]))
        if row["chosen"] is None
        else (),
        chosen=row["chosen"],
        chosen_by=row["chosen_name"],
        reactions=reactions,
        replies=replies["replies"] if replies else 0,
        replied_at=from_us(replies["replied_at"]) if replies else None,
    )


def _quote(row: Row) -> Quote | None:
    if row["reply_to"] is None:
        return None
    body = " ".join(row["quote_body"].split())
    return Quote(
        id=str(row["reply_to"]),
        author=row["quote_author"] or BOT,
        author_name=row["quote_name"] or "",
        text=body if len(body) <= QUOTE_LIMIT else body[: QUOTE_LIMIT - 1] + "…",
    )


def _reactions(rows: list[Row]) -> tuple[Reaction, ...]:
    people: dict[str, list[str]] = {}
    for row in rows:
        people.setdefault(row["emoji"], []).append(row["person_id"])
    return tuple(Reaction(emoji=emoji, people=tuple(ids)) for emoji, ids in people.items())
