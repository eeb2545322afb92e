"""Whom a name means: a person or a chat, and never one of several."""

import re

from bot.engine import sessions
from bot.errors import LimenError
from bot.privacy.erasing import Subject
from memory import audiences, people
from memory.db import Reader
from memory.erasing import Kind

EVERYBODY = 1_000_000  # people among whom a name is looked for


def named(reader: Reader, text: str) -> Subject:
    """The person or chat that is meant: by id (p4, s3), or by what it is called.

    LimenError names the candidates where several are, and says so where nobody is.
    """
    if match := re.fullmatch(r"\s*([ps])(\d{1,18})\s*", text):
        return _numbered(reader, match[1], int(match[2]), text)
    found = [*_people(reader, text), *_chats(reader, text)]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(f"{code(one)} ({one.name})" for one in found)
        raise LimenError(f"{text!r} can mean several: name one of {several}")
    raise LimenError(
        f"nobody and no chat is called {text!r}; give a name as it is written, or an id like p4 "
        "(a person) or s3 (a chat); 'limen status' names chats, and people by their DMs"
    )


def described(subject: Subject) -> str:
    """A subject as an operator reads of it."""
    return f"{subject.name} ({code(subject)})"


def code(subject: Subject) -> str:
    """The id of a subject as commands take it: p4, s3."""
    return f"{'p' if subject.kind is Kind.PERSON else 's'}{subject.id}"


def _numbered(reader: Reader, letter: str, id: int, text: str) -> Subject:
    if letter == "p":
        person = people.find(reader, id)
        if person is None:
            raise LimenError(f"there is no person {text.strip()!r}")
        return Subject(kind=Kind.PERSON, id=_kept(reader, id), name=person.name)
    session = sessions.find(reader, id)
    if session is None or session.kind is not sessions.Kind.CONVERSATION:
        raise LimenError(f"there is no chat {text.strip()!r}; 'limen status' names some")
    root = session.parent_id or session.id
    return Subject(kind=Kind.CHAT, id=root, name=_title(reader, root))


def _kept(reader: Reader, id: int) -> int:
    """Whoever turned out to be another person is that one."""
    row = people.whole(reader, id)
    while row is not None and row["joined_into"] is not None:
        id = row["joined_into"]
        row = people.whole(reader, id)
    return id


def _people(reader: Reader, text: str) -> list[Subject]:
    wanted = text.strip().lstrip("@").casefold()
    return [
        Subject(kind=Kind.PERSON, id=one.id, name=one.name)
        for one in people.everyone(reader, limit=EVERYBODY)
        if one.name.casefold() == wanted
    ]


def _chats(reader: Reader, text: str) -> list[Subject]:
    found = []
    for id in audiences.titled(reader, text.strip()):
        session, audience = sessions.find(reader, id), audiences.find(reader, id)
        # A thread is called like its room, and a DM like its person.
        if session is None or session.parent_id is not None or audience is None:
            continue
        if not audience.direct:
            found.append(Subject(kind=Kind.CHAT, id=id, name=_title(reader, id)))
    return found


def _title(reader: Reader, id: int) -> str:
    audience = audiences.find(reader, id)
    if audience is None:
        return "a chat"
    return f"the DM of {audience.title}" if audience.direct else f"#{audience.title.lstrip('#')}"
