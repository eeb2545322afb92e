"""The web chat's values as the page reads them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from adapters.web.markdown import Markdown
from adapters.web.rooms import BOT, Listed, Person, Post, Room

Json = dict[str, Any]


class Shown:
    """Turns values into JSON, with the text rendered."""

    def __init__(self, bot_name: str) -> None:
        self.bot = Person(id=BOT, name=bot_name)
        self._markdown = Markdown()

    def person(self, person: Person) -> Json:
        """Somebody."""
        return {"id": person.id, "name": person.name, "about": person.about}

    def room(self, room: Room) -> Json:
        """A room without what depends on the reader; a DM is called after the bot."""
        return {
            "id": room.id,
            "title": room.title,
            "access": room.access.value,
            "members": [member.id for member in room.members],
        }

    def listed(self, listed: Listed) -> Json:
        """A room in somebody's list."""
        return {
            **self.room(listed.room),
            "joined": listed.joined,
            "unread": listed.unread,
            "last_at": _time(listed.last_at),
        }

    def post(self, post: Post, people: Sequence[Person]) -> Json:
        """A post; `people` are those whose mention is marked."""
        quote = post.quote
        return {
            "id": post.id,
            "room": post.room,
            "thread": post.thread,
            "author": self._author(post.author, post.author_name),
            "text": post.text,
            "html": self._markdown.html(post.text, (*people, self.bot)),
            "at": _time(post.at),
            "edited": post.edited,
            "deleted": post.deleted,
            "quote": quote
            and {
                "id": quote.id,
                "author": self._author(quote.author, quote.author_name),
                "text": quote.text,
            },
            "buttons": [{"label": b.label, "value": b.value} for b in post.buttons],
            "chosen": post.chosen and {"label": post.chosen, "by": post.chosen_by},
            "reactions": [{"emoji": r.emoji, "people": list(r.people)} for r in post.reactions],
            "replies": post.replies,
            "replied_at": _time(post.replied_at),
        }

    def _author(self, id: str, name: str) -> Json:
        return {"id": id, "name": name or self.bot.name}


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
