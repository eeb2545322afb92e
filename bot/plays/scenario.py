"""Scenarios: who said what where, which room should hear of it, and what must stay where it is.

scenarios/*.toml, or a JSON list ──► Sheet (checks what it needs) ──► Scenario
"""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.errors import LimenError
from bot.plays.sheet import Sheet

FOLDER = Path(__file__).parent / "scenarios"
LANGUAGES = ("en", "zh")
START = "2025-03-03T09:00:00"  # a Monday; a scenario may name another start
GAP = timedelta(seconds=0.2)  # between two messages of one wake, which are seen together
GROUP, DIRECT, RECORD = "group", "dm", "memory"
KEEPER = "memory"
"""Who writes into a room that keeps the record."""

Words = dict[str, str]
"""A text by language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A room, a direct chat with the bot, or a room that keeps the record of meetings."""

    id: str
    type: str
    members: tuple[str, ...]
    private: bool
    title: Words

    @property
    def direct(self) -> bool:
        """One person and the bot."""
        return self.type == DIRECT

    @property
    def closed(self) -> bool:
        """Whether what is said here is for its members alone."""
        return self.private or self.direct


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something somebody says, changes or takes back."""

    id: str
    wake: int
    chat: str
    sender: str
    text: Words
    after: timedelta
    edits: str = ""
    recalls: str = ""
    reply_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A room that must hear something."""

    chat: str
    must: tuple[str, ...]
    """Patterns of the facts; all must be found in one message."""
    src: tuple[str, ...]
    """The messages it comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One little history of a team, and what a good teammate makes of it."""

    id: str
    kind: str
    start: datetime
    people: dict[str, Words]
    chats: dict[str, Chat]
    messages: tuple[Message, ...]
    expect: tuple[Expected, ...]
    may: tuple[str, ...]
    """Chats where a message is neither asked for nor wrong."""
    canary: tuple[str, ...]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which every message is written."""
        said = [m.text for m in self.messages if not m.recalls]
        return tuple(one for one in LANGUAGES if all(one in text for text in said))


def shipped() -> list[Scenario]:
    """The scenarios that come with Limen."""
    return load(FOLDER)


def load(path: Path) -> list[Scenario]:
    """What a TOML file (`[[scenarios]]`), a JSON list or the TOML files of a folder hold."""
    if path.is_dir():
        return [one for inner in sorted(path.glob("*.toml")) for one in load(inner)]
    try:
        raw = path.read_text(encoding="utf-8")
        found: Any = (
            tomllib.loads(raw) if path.suffix == ".toml" else {"scenarios": json.loads(raw)}
        )
    except (OSError, ValueError) as error:
        raise LimenError(f"cannot read scenarios from {str(path)!r}: {error}") from error
    return [_scenario(sheet) for sheet in Sheet(path.name, found).tables("scenarios")]


def _scenario(sheet: Sheet) -> Scenario:
    chats = {id: _chat(id, sheet.table("chats").table(id)) for id in sheet.table("chats").ids()}
    messages = tuple(_message(one, chats) for one in sheet.tables("messages"))
    named = {who for chat in chats.values() for who in chat.members} | {m.sender for m in messages}
    names = sheet.table("people")
    people = {who: _words(names, who, default=who.capitalize()) for who in sorted(named)}
    return Scenario(
        id=sheet.text("id"),
        kind=sheet.text("kind"),
        start=sheet.checked("start", _instant, default=_instant(START)),
        people=people,
        chats=chats,
        messages=messages,
        expect=tuple(_expected(one, chats) for one in sheet.tables("expect")),
        may=sheet.texts("may", default=()),
        canary=sheet.patterns("canary", default=()),
    )


def _chat(id: str, sheet: Sheet) -> Chat:
    type = sheet.choice("type", (GROUP, DIRECT, RECORD))
    return Chat(
        id=id,
        type=type,
        members=sheet.texts("members", default=()) or ((KEEPER,) if type == RECORD else ()),
        # Nobody from outside can be in a room that the whole workspace may read.
        private=sheet.flag("private") or bool(sheet.texts("outsiders", default=())),
        title=_words(sheet, "title", default="meeting-notes" if type == RECORD else id),
    )


def _message(sheet: Sheet, chats: dict[str, Chat]) -> Message:
    return Message(
        id=sheet.text("id"),
        wake=sheet.number("wake", default=1),
        chat=sheet.known("chat", sheet.text("chat"), list(chats), "chat"),
        sender=sheet.text("sender"),
        text={one: sheet.text(one) for one in LANGUAGES if sheet.has(one)},
        after=sheet.duration("after", default=GAP),
        edits=sheet.text("edits", default=""),
        recalls=sheet.text("recalls", default=""),
        reply_to=sheet.text("reply_to", default=""),
    )


def _expected(sheet: Sheet, chats: dict[str, Chat]) -> Expected:
    return Expected(
        chat=sheet.known("chat", sheet.text("chat"), list(chats), "chat"),
        must=sheet.patterns("must"),
        src=sheet.texts("src", default=()),
    )


def _words(sheet: Sheet, key: str, *, default: str) -> Words:
    """One text for all languages, or a table with one for each."""

    def check(value: object) -> Words:
        if isinstance(value, str):
            return dict.fromkeys(LANGUAGES, value)
        if isinstance(value, dict) and all(isinstance(value.get(one), str) for one in LANGUAGES):
            return {one: value[one] for one in LANGUAGES}
        raise ValueError("write a text, or a table with en and zh")

    return sheet.checked(key, check, default=check(default))


def _instant(value: object) -> datetime:
    found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    if found.tzinfo is not None:
        raise ValueError("write a local time, such as 2025-03-03T09:00:00")
    return found


def playable(scenarios: Sequence[Scenario], languages: Sequence[str]) -> list[tuple[Scenario, str]]:
    """Each scenario in each of the languages it is written in."""
    return [(one, lang) for one in scenarios for lang in languages if lang in one.languages]
