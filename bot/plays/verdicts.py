"""Whether a played story came out as it should: each expectation, and what was seen instead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.plays.chronicle import Spoken, Told, Voice
from bot.plays.perform import Performance
from bot.plays.story import DIRECT, Heard, Secret, Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What happened in a story."""

    performance: Performance
    times: Mapping[str, datetime]
    """When a named beat was."""
    spoken: Sequence[Spoken]
    told: Sequence[Told]
    wakes: int
    unread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One expectation, judged."""

    met: bool
    text: str
    seen: str = ""
    """What was there instead, when it is not met."""


def judge(story: Story, record: Record) -> list[Verdict]:
    """Every expectation of a story, in the order to be read."""
    return list(_Judge(story, record).all())


class _Judge:
    def __init__(self, story: Story, record: Record) -> None:
        self._story = story
        self._record = record
        self._order = {beat.name: n for n, beat in enumerate(story.beats) if beat.name}
        self._rooms = {id: room for room, id in record.performance.rooms.items()} | {
            f"dm-{id}": DIRECT + person for person, id in record.performance.people.items()
        }

    def all(self) -> Iterator[Verdict]:
        for told in self._story.told:
            yield self._heard(told, self._story.told, Voice.UNASKED, "is told")
            yield from self._why(told)
        for asked in self._story.asked:
            yield self._heard(asked, self._story.asked, Voice.QUESTION, "is asked for consent")
        for answered in self._story.answered:
            yield self._heard(answered, self._story.answered, Voice.ANSWER, "is answered")
        yield from self._pressed()
        yield self._undisturbed()
        for secret in self._story.secrets:
            yield self._kept(secret)
        yield self._awake()

    def _heard(self, heard: Heard, others: Sequence[Heard], voice: Voice, verb: str) -> Verdict:
        said = self._window(heard, others, voice)
        text = "\n".join(one.text for one in said)
        faults = [f"nothing of {p!r}" for p in heard.says if not re.search(p, text, re.I)]
        faults += [f"still {p!r}" for p in heard.without if re.search(p, text, re.I)]
        if len(said) != heard.messages:
            faults.append(f"{len(said)} messages instead of {heard.messages}")
        if late := self._late(heard, said):
            faults.append(late)
        what = ", ".join(pattern.split("|")[0] for pattern in heard.says)
        when = f" after “{heard.after}”" if heard.after else ""
        soon = f" within {heard.within.total_seconds():g} s" if heard.within else ""
        seen = "; ".join(faults) + (f". It said: {text}" if text else "")
        name = self._story.title_of(heard.room)
        return Verdict(met=not faults, text=f"{name} {verb}{when}{soon}: {what}", seen=seen)

    def _late(self, heard: Heard, said: Sequence[Spoken]) -> str:
        if heard.within is None or not said:
            return ""
        taken = said[0].at - self._since(heard)
        if taken <= heard.within:
            return ""
        return f"it took {taken.total_seconds():g} s"

    def _why(self, heard: Heard) -> Iterator[Verdict]:
        if not heard.why:
            return
        said = self._window(heard, self._story.told, Voice.UNASKED)
        roots = frozenset[str]().union(*(one.rests_on for one in said))
        posts = self._record.performance.posts
        missing = [name for name in heard.why if posts[name].id not in roots]
        yield Verdict(
            met=not missing,
            text=f"and its why-chain leads back to {', '.join(heard.why)}",
            seen=f"it does not reach {', '.join(missing)}",
        )

    def _window(self, heard: Heard, others: Sequence[Heard], voice: Voice) -> list[Spoken]:
        """What was said in the room from its beat until the next expectation of that room."""
        start = self._since(heard)
        nexts = [self._since(o) for o in others if o.room == heard.room and o is not heard]
        end = min((at for at in nexts if at > start), default=None)
        return [
            one
            for one in self._record.spoken
            if one.voice is voice
            and self._rooms.get(one.room) == heard.room
            and one.at >= start
            and (end is None or one.at < end)
        ]

    def _since(self, heard: Heard) -> datetime:
        return self._record.times.get(heard.after, self._story.start)

    def _pressed(self) -> Iterator[Verdict]:
        for beat in self._record.performance.unpressed:
            name = self._story.name_of(beat.who)
            yield Verdict(
                met=False, text=f"{name} can answer by a button", seen="nothing was asked"
            )

    def _undisturbed(self) -> Verdict:
        told = {heard.room for heard in self._story.told}
        asked = {heard.room for heard in self._story.asked}
        loud: list[str] = []
        for one in self._record.spoken:
            room = self._rooms.get(one.room, one.room)
            wanted = {Voice.UNASKED: told, Voice.QUESTION: asked, Voice.ANSWER: {room}}[one.voice]
            if room not in wanted or self._too_early(one, room):
                loud.append(f"{self._story.title_of(room)}: {one.text}")
        rooms = [seed.id for seed in self._story.rooms if seed.id not in told]
        quiet = ", ".join(self._story.title_of(room) for room in rooms)
        nobody = "nobody is disturbed" if not (told or asked) else "nobody else is disturbed"
        return Verdict(
            met=not loud,
            text=f"{nobody}: {quiet or 'no other room'}"
            + (", no other DM" if asked else ", no DM"),
            seen="; ".join(loud),
        )

    def _too_early(self, one: Spoken, room: str) -> bool:
        groups = {Voice.UNASKED: self._story.told, Voice.QUESTION: self._story.asked}
        starts = [self._since(h) for h in groups.get(one.voice, ()) if h.room == room]
        return bool(starts) and one.at < min(starts)

    def _kept(self, secret: Secret) -> Verdict:
        free = self._record.times.get(secret.until)
        insiders = self._story.hearers(secret.room)
        everything: list[Spoken | Told] = [*self._record.spoken, *self._record.told]
        outside = [
            (self._rooms[one.room], one.text)
            for one in everything
            if one.room in self._rooms and (free is None or one.at <= free)
        ]
        leaks = [
            f"{self._story.title_of(room)}: {words}"
            for room, words in outside
            if re.search(secret.text, words, re.I) and not self._story.hearers(room) <= insiders
        ]
        until = f" before “{secret.until}”" if secret.until else ""
        text = f"“{secret.text.split('|')[0]}” stays in {self._story.title_of(secret.room)}{until}"
        return Verdict(met=not leaks, text=text, seen="; ".join(leaks))

    def _awake(self) -> Verdict:
        wakes = f"{self._record.wakes} wakes"
        return Verdict(
            met=self._record.wakes > 0 and self._record.unread == 0,
            text=f"the agency has read everything ({wakes})",
            seen=f"{self._record.unread} fires are left",
        )
