"""Erasing somebody's words, or a chat's: piece by piece, or all at once on an older database.

follow (what goes) ─► blank (pieces) ─► finish (the person, their DMs, the record)
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from agency import approvals, feedback, inbox, lessons, mutes, personal, preferences, schedules
from agency.attention import Attention
from bot import access
from bot.engine import inputs, letters, runs, sessions
from bot.engine.sessions import Session
from bot.privacy.own_words import OwnWords, Whose
from bot.privacy.scope import Scope, follow
from bot.privacy.shelves import SAID, SHELVES
from bot.standing import stands
from bot.web import deeds as webdeeds
from memory import audiences, erasing, links, originals, people
from memory.db import Reader, Tx
from memory.erasing import Kind, Record
from memory.moments import from_us, to_us

Strikes = Callable[[str], bool]
"""Whether a line of the notebook goes."""

WEB = "web"  # the platform whose own posts lie in this database


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose words go."""

    kind: Kind
    id: int
    name: str
    """What they are called."""


def whose(reader: Reader, subject: Subject) -> Whose:
    """A person with all who turned out to be them and their DMs; a chat with its threads."""
    if subject.kind is Kind.CHAT:
        return Whose(sessions=_with_threads(reader, [subject.id]))
    everybody = people.with_joined(reader, subject.id)
    direct = (id for one in everybody for id in audiences.direct_with(reader, one))
    return Whose(people=tuple(everybody), sessions=_with_threads(reader, direct))


def _with_threads(reader: Reader, roots: Iterable[int]) -> tuple[int, ...]:
    found = set()
    for id in roots:
        session = sessions.find(reader, id)
        if session is not None:
            found |= {id, *sessions.kin(reader, session)}
    return tuple(sorted(found))


def blank(tx: Tx, scope: Scope, whose: Whose, now_us: int) -> None:
    """Take the words out of some rows."""
    for kind, ids in scope.rows.items():
        if kind == SAID:
            originals.erase(tx, ids, sessions=whose.sessions, now_us=now_us)
        else:
            SHELVES[kind].blank(tx, ids, now_us=now_us)
    webdeeds.erase_letters(tx, now_us, sorted(scope.posts))


def finish(
    tx: Tx, subject: Subject, whose: Whose, counts: dict[str, int], at: datetime, now: datetime
) -> Record:
    """Leave a number where the person was, or nobody where the chat was, and note that.

    `at` is when it was erased first, which nothing that came later goes with.
    """
    now_us = to_us(now)
    marks = _marks(tx, subject)
    before = sessions.find(tx, subject.id) if subject.kind is Kind.CHAT else None
    for session in whose.sessions:
        _close(tx, session, until_us=to_us(at), now_us=now_us)
    if subject.kind is Kind.CHAT and before is not None:
        _go_on(tx, before, now_us)
    if whose.sessions:
        mutes.erase(tx, people=(), sessions=whose.sessions)
        preferences.erase(tx, whose.sessions)
        access.forget_chats(tx, whose.sessions)
        audiences.erase(tx, whose.sessions)
    for person in whose.people:
        _forget(tx, person, now_us)
    record = Record(
        kind=subject.kind, subject_id=subject.id, marks=tuple(marks), counts=counts, at=at
    )
    erasing.record(tx, record)
    return record


def _marks(reader: Reader, subject: Subject) -> list[str]:
    if subject.kind is Kind.PERSON:
        return [people.mark(one) for one in people.accounts(reader, subject.id)]
    session = sessions.find(reader, subject.id)
    return [sessions.mark(session)] if session else []


def _close(tx: Tx, id: int, *, until_us: int, now_us: int) -> None:
    """Nothing leads from a session to its chat any more; what waits there is not done."""
    run = runs.open_of(tx, id)
    if run is not None:
        runs.give_up(tx, run.id, now_us=now_us)
    for waiting in runs.suspended(tx, id):
        runs.give_up(tx, waiting.id, now_us=now_us)
    session = sessions.find(tx, id)
    address = session.address if session else None
    if address is not None and address.platform == WEB and address.thread is None:
        webdeeds.erase_room(tx, now_us, address.chat, until=until_us)
    letters.unlink(tx, id, sessions.erased(id))
    sessions.erase(tx, id)


def _go_on(tx: Tx, before: Session, now_us: int) -> None:
    """A chat begins anew, and is listened to and spoken to as its people had set it."""
    if before.address is None or before.key == sessions.erased(before.id):
        return
    fresh = sessions.of_room(tx, before.address, now_us=now_us)
    sessions.set_attention(tx, fresh.id, before.attention)
    preferences.rehome(tx, before.id, fresh.id)


def _forget(tx: Tx, person: int, now_us: int) -> None:
    """All that is theirs and that nothing has to point at."""
    for account in people.accounts(tx, person):
        access.erase(tx, account)
        if account.platform == WEB:
            webdeeds.erase_person(tx, now_us, account.native_id)
    for given in schedules.given_to(tx, person):
        schedules.cancel(tx, given, reason=erasing.MARK, now=from_us(now_us))
    approvals.forget_person(tx, person)
    inbox.forget_person(tx, person)
    feedback.forget_person(tx, person)
    lessons.erase(tx, person)
    mutes.erase(tx, people=[person], sessions=())
    personal.forget(tx, person)
    links.erase(tx, person)
    audiences.leave(tx, person)
    people.erase(tx, person, now_us=now_us)


def give_up(tx: Tx, scope: Scope, now_us: int) -> None:
    """Let no run start or go on that was for erased words alone."""
    taken = inputs.SHELF.rows(tx, scope.rows.get("inputs", ()))
    for session in {row["session_id"] for row in taken}:
        run = runs.open_of(tx, session)
        if run is not None and not inputs.waiting(tx, session):
            _give_up(tx, run.id, now_us)
    for id in {row["run_id"] for row in taken if row["run_id"] is not None}:
        _give_up(tx, id, now_us)


def _give_up(tx: Tx, run: int, now_us: int) -> None:
    if not any(stands(tx, one) for one in inputs.of_run(tx, run)):
        runs.give_up(tx, run, now_us=now_us)


def strikes(reader: Reader, own: OwnWords, whose: Whose, subject: Subject) -> Strikes:
    """Which lines of the agency's notebook go: those with their words, their name or their id."""
    names = {subject.name}
    for person in whose.people:
        names |= {one.name for one in people.accounts(reader, person)}
        found = people.find(reader, person)
        names |= {found.name} if found else set()
    letter = "p" if subject.kind is Kind.PERSON else "s"
    named = [people.as_word(one) for one in names - {"", erasing.MARK}]
    wanted = re.compile("|".join([*named, rf"\b{letter}{subject.id}\b"]), re.IGNORECASE)
    return lambda line: bool(wanted.search(line)) or own.told_in(line)


def at_once(
    tx: Tx, subject: Subject, notebook: Attention, *, at: datetime, now: datetime
) -> Record:
    """Erase in one transaction what was there at a moment, while nothing else is done."""
    theirs = whose(tx, subject)
    scope, own = follow(tx, theirs, until_us=to_us(at))
    notebook.strike(strikes(tx, own, theirs, subject))
    counts = scope.counts()
    for part in scope.parts():
        blank(tx, part, theirs, to_us(now))
    give_up(tx, scope, to_us(now))
    return finish(tx, subject, theirs, counts, at, now)


def again(tx: Tx, done: Iterable[Record], notebook: Attention, *, now: datetime) -> list[Record]:
    """Erase anew, on a database that is older than some erasures; those that found something.

    People and chats are known again by the marks in the records; what came after an erasure
    stays. `limen restore` calls it with what `notes.known` told before, and sweeps the file then.
    """
    found = []
    for record in sorted(done, key=lambda one: one.at):
        marks, until_us = frozenset(record.marks), to_us(record.at)
        known = people.marked if record.kind is Kind.PERSON else sessions.marked
        for id in known(tx, marks, until_us=until_us):
            subject = Subject(kind=record.kind, id=id, name="")
            found.append(at_once(tx, subject, notebook, at=record.at, now=now))
        erasing.record(tx, record)
    return found
