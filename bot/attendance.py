"""Who is there: people and audiences, as the events of a chat show them."""

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from adapters.chat import Author, EventKind, Incoming, RoomKind
from agency import personal, preferences
from bot.engine import sessions
from bot.engine.sessions import Session
from bot.joining import join
from memory import audiences, originals, people
from memory.audiences import Audience
from memory.db import Reader, Tx
from memory.moments import from_us
from memory.people import Account

logger = logging.getLogger(__name__)

ONE_TEAM = "team"
"""The workspace of every platform that belongs to the same team."""


def team_of(platform: str, workspace: str, one_team: Collection[str]) -> str:
    """The workspace as audiences have it: one for all platforms of the same team."""
    return ONE_TEAM if platform in one_team else workspace


class Attendance:
    """Records people and who hears a room; most events change nothing, and cost nothing."""

    def __init__(
        self, one_team: frozenset[str], admits: Callable[[Reader, frozenset[int]], bool]
    ) -> None:
        self._one_team = one_team
        self._admits = admits
        """Whether a room of these people is one the bot was meant for."""
        self._seen: dict[int, int] = {}
        """A hash of every room as last recorded, by session."""

    def forget(self) -> None:
        """Record every room anew when it is next seen: another process may have since."""
        self._seen.clear()

    def person(self, tx: Tx, incoming: Incoming, *, now_us: int) -> int:
        """The person behind an event."""
        return _resolve(tx, incoming, incoming.author, now_us)

    def record(self, tx: Tx, session: Session, incoming: Incoming, *, now_us: int) -> None:
        """Note who hears a session now, in it and in all that is heard with it."""
        room, heard = incoming.room, _heard(incoming)
        shown = hash((room, heard))
        if self._seen.get(session.id) == shown:
            return
        known = audiences.find(tx, session.id)
        if known is None and session.parent_id is not None:
            preferences.inherit(tx, session.id, session.parent_id)
        members = {_member(tx, incoming, one, now_us) for one in heard if not one.is_bot}
        audience = self._audience(tx, session, incoming, frozenset(members), known)
        ours = audience.direct or self._admits(tx, audience.members)
        if not ours:  # anybody can put the bot into a group: nothing is told there
            audience = replace(audience, open=False, outsiders=True)
        if audiences.record(tx, audience, now_us=now_us):
            _tell_kin(tx, session, audience, now_us)
        if ours:  # the others are looked at again: somebody may be let in meanwhile
            tx.on_commit(partial(self._seen.__setitem__, session.id, shown))

    def _audience(
        self,
        tx: Tx,
        session: Session,
        incoming: Incoming,
        members: frozenset[int],
        known: Audience | None,
    ) -> Audience:
        room = incoming.room
        over = audiences.find(tx, session.parent_id) if session.parent_id else None
        if room.partial and (before := known or over) is not None:
            return replace(
                before,
                session_id=session.id,
                members=before.members | members,
                outsiders=before.outsiders or room.outsiders,
            )
        if not room.complete and known is not None:
            # Nobody lists them: who was heard once is remembered, until they are seen to leave.
            members |= known.members - _gone(tx, incoming)
        return Audience(
            session_id=session.id,
            title=room.title or incoming.address.chat,
            direct=room.kind is RoomKind.DIRECT,
            open=room.open and not room.partial,
            workspace=team_of(incoming.address.platform, room.workspace, self._one_team),
            complete=room.complete and not room.partial,
            # Who came in first may be a guest: until it is told, nothing open is told there.
            outsiders=room.outsiders or room.partial,
            members=members,
        )


def _gone(reader: Reader, incoming: Incoming) -> frozenset[int]:
    place = incoming.address
    found = (
        people.of_account(reader, place.platform, place.account, one.id)
        for one in incoming.room.gone
    )
    return frozenset(person for person in found if person is not None)


def _resolve(tx: Tx, incoming: Incoming, author: Author, now_us: int) -> int:
    """The person behind an account; an address learnt late shows who they are elsewhere."""
    person = people.resolve(tx, _account(incoming, author), now_us=now_us)
    if author.zone:
        _show_zone(tx, person, author.zone, now_us)
    if author.email is None or author.is_bot:
        return person
    other = people.same_address(tx, person, author.email)
    if other is None:
        return person
    join(tx, person, other, reason="same address", now_us=now_us)
    return other


def _show_zone(tx: Tx, person: int, zone: str, now_us: int) -> None:
    try:
        personal.show_zone(tx, person, zone, now=from_us(now_us))
    except ValueError as error:
        logger.warning("person %d: %s", person, error)


def _member(tx: Tx, incoming: Incoming, member: Author, now_us: int) -> int:
    person = _resolve(tx, incoming, member, now_us)
    if member.name:
        originals.name_author(tx, person, old=member.id, new=member.name)
    return person


def _tell_kin(tx: Tx, session: Session, audience: Audience, now_us: int) -> None:
    """A thread is heard by its whole room, whichever of them showed the change."""
    for kin in sessions.kin(tx, session):
        known = audiences.find(tx, kin)
        title = known.title if known else audience.title
        audiences.record(tx, replace(audience, session_id=kin, title=title), now_us=now_us)


def _heard(incoming: Incoming) -> tuple[Author, ...]:
    """The people a room lists; whoever speaks there is there, listed or not."""
    listed = incoming.room.members
    speaks = incoming.kind is EventKind.NEW and not incoming.author.is_bot
    if not speaks or any(one.id == incoming.author.id for one in listed):
        return listed
    return (*listed, incoming.author)


def _account(incoming: Incoming, author: Author) -> Account:
    return Account(
        platform=incoming.address.platform,
        tenant=incoming.address.account,
        native_id=author.id,
        name=author.name,
        is_bot=author.is_bot,
        email=author.email,
    )
