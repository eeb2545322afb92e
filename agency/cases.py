"""The case of a handoff: everything the decision asks for, looked up once."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from agency import engagement, handoffs, hours, mutes, policy, repeats, salience
from agency.handoffs import Handoff
from agency.policy import Case, Concerned, Grade
from agency.salience import Kind
from memory import audiences
from memory.db import Reader
from memory.moments import from_us, to_us
from memory.originals import Original

_IDLE = frozenset({Kind.BANTER, Kind.SMALLTALK, Kind.INJECTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The chat a handoff goes to, as those know it who keep sessions."""

    chat: int
    """The session of the whole chat, of which the target may be a thread."""
    sessions: tuple[int, ...]
    """That one and all its threads."""
    busy_until: datetime | None = None
    """When a person's conversation with the bot in the target may be over; None without one."""

    @classmethod
    def alone(cls, session: int) -> "Place":
        """A chat without threads, in which nobody is talking with the bot."""
        return cls(chat=session, sessions=(session,))


def of(
    reader: Reader,
    handoff: Handoff,
    sources: list[Original],
    *,
    place: Place,
    consent: bool,
    now: datetime,
    settings: policy.Settings,
) -> Case:
    """Look up what bears on telling a handoff now."""
    here = hours.in_chat(reader, handoff.target_id, now=now, settings=settings)
    since = to_us(policy.day_start(now, here))
    today, last = handoffs.told_since(reader, place.sessions, since_us=since)
    who = concerned(reader, handoff)
    text = f"{handoff.subject_state}\n{handoff.body}"
    mute = mutes.matches(reader, place.chat, who, handoff.subject, text, now)
    taken = (
        engagement.of(reader, place.chat, who, handoff.subject, now=now)
        if settings.learning
        else engagement.Engagement()
    )
    return Case(
        now=now,
        settings=here,
        grade=handoff.grade,
        worth=worth(sources),
        confidence=handoff.confidence,
        expires_at=handoff.expires_at,
        today=today,
        last=from_us(last) if last is not None else None,
        concerned=tuple(_stands(reader, person, now, here) for person in who),
        repeat=_repeat(reader, handoff, place) if handoff.lasting else None,
        muted=mute.subject if mute else "",
        ignored=taken.ignored,
        unwanted=taken.unwanted,
        busy_until=place.busy_until,
        consent=consent,
        requested=handoffs.REQUEST in handoff.metadata,
    )


def concerned(reader: Reader, handoff: Handoff) -> tuple[int, ...]:
    """Whom it is for: in a DM its person, in a room those it names who are there."""
    room = audiences.find(reader, handoff.target_id)
    if room is None:
        return ()
    if room.direct:
        return tuple(sorted(room.members))
    return tuple(person for person in handoff.people if person in room.members)


def worth(sources: Collection[Original]) -> Grade:
    """The most it can be: what rests on nothing but idle talk changes nobody's work."""
    read = [{one.kind for one in salience.read(o.body, subject=False)} for o in sources]
    idle = bool(read) and all(kinds and kinds <= _IDLE for kinds in read)
    return Grade.MINOR if idle else Grade.MAJOR


def told_before(reader: Reader, handoff: Handoff, place: Place) -> str:
    """Why it is no news to those it goes to; empty when it is.

    The same is looked for in the whole chat, and wherever else those it is for were told.
    """
    standing = next(handoffs.on_subject(reader, handoff, place.sessions), None)
    if standing is not None and handoffs.same_state(standing, handoff):
        return "the same was handed over before"
    if handoffs.relayed(reader, handoff, place.sessions) is not None:
        return "all of it was handed over before"
    if _reached(reader, handoff, place):
        return "those it is for were told the same elsewhere"
    return ""


def _reached(reader: Reader, handoff: Handoff, place: Place) -> bool:
    who = set(concerned(reader, handoff))
    if not who:
        return False
    rooms = {session for person in who for session in audiences.heard_by(reader, person)}
    others = handoffs.on_subject(reader, handoff, rooms - set(place.sessions))
    last: dict[int, Handoff] = {}
    for other in others:
        for person in who & set(concerned(reader, other)):
            last.setdefault(person, other)
    return len(last) == len(who) and all(handoffs.same_state(one, handoff) for one in last.values())


def _repeat(reader: Reader, handoff: Handoff, place: Place) -> policy.Repeat | None:
    return repeats.of(reader, place.chat, handoff.subject, handoff.subject_state)


def _stands(reader: Reader, person: int, now: datetime, settings: policy.Settings) -> Concerned:
    # Whoever said nothing of their own sleeps when the chat does, by their own clock.
    own = hours.of_person(reader, person, now=now, settings=settings)
    since = to_us(policy.day_start(now, own))
    direct = audiences.direct_with(reader, person)
    wake = policy.after_quiet(now, own)
    return Concerned(
        today=handoffs.told_to(reader, person, direct, since_us=since),
        quota=own.person_quota,
        paused_until=own.paused_until,
        awake_at=wake if wake > now else None,
    )
