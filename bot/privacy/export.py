"""`limen export`: everything kept about a person, or a chat, as JSON that people can read.

Of a person: what they said and sent, what the bot told them alone, and what it keeps because of
them. Nothing of what others said is in it, except what the bot itself told them in private.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from agency import (
    approvals,
    consents,
    feedback,
    inbox,
    intentions,
    lessons,
    mutes,
    personal,
    preferences,
    schedules,
    waits,
)
from bot import access, inspection, rows
from bot.engine import inputs
from bot.errors import LimenError
from bot.privacy import erasing, subjects
from bot.privacy.erasing import Subject
from bot.privacy.own_words import Whose
from bot.setup.config import Config
from memory import audiences, facts, files, originals, people
from memory.db import Reader, Row
from memory.erasing import Kind
from memory.moments import from_us, to_us

FORMAT = 1
_LETTERS = {
    "id": "",
    "session_id": "s",
    "source_id": "s",
    "target_id": "s",
    "room_id": "s",
    "said_in": "s",
    "person_id": "p",
    "owner_id": "p",
    "answered_by": "p",
    "said_by": "p",
    "kept_id": "p",
    "gone_id": "p",
    "by_person": "p",
    "joined_into": "p",
    "original_id": "o",
    "settled_by": "o",
    "handoff_id": "h",
    "run_id": "r",
    "telling_id": "t",
}
"""The letter that ids of each column carry, so that they read as everywhere else."""
_MOMENTS = frozenset(
    "until until_at at expires_at due_at next_at held_until last_slot remind_at paused_until "
    "answers_until".split()
)
_NOT_TOLD = frozenset({"key", "cause", "run_id", "settled", "terms", "told_in", "digest"})
"""Columns that say nothing to a person."""

Document = dict[str, Any]


def export(config: Config, who: str, *, now: datetime) -> Document:
    """All there is about a person or a chat."""
    with inspection.opened(config) as reader:
        subject = subjects.named(reader, who)
        whose = erasing.whose(reader, subject)
        about = _of_person if subject.kind is Kind.PERSON else _of_chat
        return {
            "format": FORMAT,
            "of": subjects.described(subject),
            "made_at": now.isoformat(timespec="seconds"),
            **about(reader, subject, whose, to_us(now)),
        }


def shown(found: Document) -> str:
    """As text."""
    return json.dumps(found, ensure_ascii=False, indent=2)


def write(found: Document, to: Path) -> str:
    """Into a file for its owner only; where it is."""
    try:
        to.touch(mode=0o600)
        to.write_text(shown(found) + "\n", encoding="utf-8")
    except OSError as error:
        raise LimenError(
            f"{to} cannot be written ({error.strerror}); name another file with --to"
        ) from error
    return f"wrote {to}"


def _of_person(reader: Reader, subject: Subject, whose: Whose, now_us: int) -> Document:
    said = originals.of_people(reader, whose.people, until_us=now_us)
    told = [
        row["id"]
        for row in originals.whole(
            reader, originals.of_sessions(reader, whose.sessions, until_us=now_us)
        )
        if row["kind"] == originals.Kind.OUTPUT
    ]
    taught = set(facts.resting_on(reader, said))
    return {
        "person": [_told(row, "p") for row in _each(people.whole, reader, whose.people)],
        "accounts": [
            {
                "platform": one.platform,
                "workspace": one.tenant,
                "id": one.native_id,
                "name": one.name,
            }
            for person in whose.people
            for one in people.accounts(reader, person)
        ],
        "joined": _all(people.joins(reader, subject.id), ""),
        "chats": [_chat(reader, id) for id in sorted(_heard(reader, whose))],
        "messages": _messages(reader, said),
        "said_by_the_bot_in_their_dm": _messages(reader, told),
        "facts": _all(facts.whole(reader, taught), "m"),
        "reactions": _reactions(reader, whose),
        **_kept(reader, whose, said),
    }


def _kept(reader: Reader, whose: Whose, said: list[int]) -> Document:
    """What people want, asked for, agreed to and wait for."""
    theirs = {"people": whose.people, "sessions": ()}
    agreed = consents.touched(reader, handoffs=(), **theirs)
    answered = [id for one in whose.people for id in approvals.answered(reader, one)]
    return {
        "wishes": [_told(row, "") for row in _each(personal.row_of, reader, whose.people)],
        "mutes": _all(mutes.every_of(reader, people=whose.people), ""),
        "reminders": _all(
            schedules.SHELF.rows(reader, schedules.touched(reader, originals=said, **theirs)),
            "r",
        ),
        "promises_and_questions": _all(
            waits.SHELF.rows(reader, waits.touched(reader, originals=said, **theirs)), "w"
        ),
        "waited_for": _all(
            intentions.SHELF.rows(reader, intentions.touched(reader, originals=(), **theirs)),
            "n",
        ),
        "consents": _all(consents.SHELF.rows(reader, agreed), "c"),
        "approvals": _all(approvals.SHELF.rows(reader, answered), "a"),
        "inbox": _all(
            inbox.SHELF.rows(reader, inbox.touched(reader, people=whose.people, originals=())),
            "e",
        ),
        "digests": _every(inbox.digests_of, reader, whose.people),
        "taken": _every(feedback.of_person, reader, whose.people),
        "not_useful": _every(lessons.every_of, reader, whose.people),
        "admission": [
            _told(row, "")
            for person in whose.people
            for account in people.accounts(reader, person)
            for row in access.grants_of(reader, account)
        ],
    }


def _of_chat(reader: Reader, subject: Subject, whose: Whose, now_us: int) -> Document:
    said = originals.of_sessions(reader, whose.sessions, until_us=now_us)
    taught = facts.resting_on(reader, said, whose.sessions)
    summaries = (facts.summary(reader, id).body for id in whose.sessions)
    return {
        "chats": [_chat(reader, id) for id in whose.sessions],
        "messages": _messages(reader, said),
        "facts": _all(facts.whole(reader, taught), "m"),
        "summaries": [one for one in summaries if one],
        "wishes": [_told(row, "") for row in _each(preferences.row_of, reader, whose.sessions)],
        "mutes": _all(mutes.every_of(reader, sessions=whose.sessions), ""),
        "reminders": _all(
            schedules.SHELF.rows(
                reader,
                schedules.touched(reader, people=(), originals=said, sessions=whose.sessions),
            ),
            "r",
        ),
        "promises_and_questions": _all(
            waits.SHELF.rows(
                reader, waits.touched(reader, people=(), originals=said, sessions=whose.sessions)
            ),
            "w",
        ),
    }


def _heard(reader: Reader, whose: Whose) -> set[int]:
    return {id for one in whose.people for id in audiences.heard_by(reader, one)}


def _chat(reader: Reader, id: int) -> Document:
    audience = audiences.find(reader, id)
    kind = "dm" if audience and audience.direct else "group"
    return {"session": f"s{id}", "title": audience.title if audience else "", "kind": kind}


def _messages(reader: Reader, ids: Iterable[int]) -> list[Document]:
    """What was said, with its older versions and what was sent along."""
    wanted = list(ids)
    sent = files.of_originals(reader, wanted)
    older: dict[int, list[Document]] = {}
    for row in originals.older(reader, wanted):
        version = {"version": row["version"], "text": row["body"], "until": _moment(row["until"])}
        older.setdefault(row["original_id"], []).append(version)
    found = []
    for row in originals.whole(reader, wanted):
        told = _told(row, "o")
        told["text"] = told.pop("body")
        told["versions"] = older.get(row["id"], [])
        told["files"] = [
            {"name": one.name, "type": one.mime, "size": one.size, "text": one.text}
            for one in sent.get(row["id"], [])
        ]
        found.append(told)
    return found


def _reactions(reader: Reader, whose: Whose) -> list[Document]:
    ids = inputs.touched(reader, originals=(), people=whose.people, sessions=())
    return [
        {
            "sign": "".join(part.get("text", "") for part in json.loads(row["parts"])),
            "to": f"o{row['original_id']}" if row["original_id"] else None,
            "session": f"s{row['session_id']}",
            "at": _moment(row["created_at"]),
        }
        for row in inputs.SHELF.rows(reader, ids)
        if row["trigger_type"] == inputs.Trigger.REACTION
    ]


def _each(
    find: Callable[[Reader, int], Row | None], reader: Reader, ids: Iterable[int]
) -> list[Row]:
    return [row for id in ids if (row := find(reader, id)) is not None]


def _every(
    find: Callable[[Reader, int], list[Row]], reader: Reader, ids: Iterable[int]
) -> list[Document]:
    return [_told(row, "") for id in ids for row in find(reader, id)]


def _all(found: Iterable[Row], letter: str) -> list[Document]:
    return [_told(row, letter) for row in found]


def _told(row: Row, letter: str) -> Document:
    """A row as people read it: moments in ISO, ids with their letter, truth as truth."""
    letters: Mapping[str, str] = _LETTERS | {"id": letter}
    told: Document = {}
    for name in row.keys():  # noqa: SIM118
        value = row[name]
        if value is None or name in _NOT_TOLD:
            continue
        if name.endswith("_at") or name in _MOMENTS:
            value = _moment(value)
        elif name in letters and isinstance(value, int):
            value = f"{letters[name]}{value}"
        told[name.removesuffix("_id") if name != "id" else name] = value
    return told


def _moment(us: Any) -> str:
    return rows.at(from_us(us)) if isinstance(us, int) else str(us)
