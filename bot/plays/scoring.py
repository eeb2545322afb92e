"""What a played scenario is worth: heard where it should be, silent elsewhere, nothing leaked.

scenario, deliveries ─► Score ─► sums by kind
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher

from bot.plays.chronicle import Voice
from bot.plays.scenario import Chat, Expected, Scenario

RUN = {"en": 12, "zh": 6}
"""Letters, or Chinese characters, in a row that a private chat and a message must not share."""
ALIKE = 0.85  # from this likeness on two messages say the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Something the bot said."""

    chat: str
    """Empty where it was said in no chat of the scenario."""
    text: str
    at: datetime
    voice: Voice
    rests_on: frozenset[str]
    """The messages of the scenario that its chain leads back to."""

    @property
    def unasked(self) -> bool:
        """A consent question is none, and no answer either."""
        return self.voice is Voice.UNASKED


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What happened in one play of a scenario."""

    scenario: Scenario
    language: str
    deliveries: tuple[Delivery, ...]
    said_at: dict[str, datetime]
    """When each message was said."""
    wakes: tuple[datetime, ...]
    """When the agency woke."""
    failures: tuple[str, ...] = ()
    """Why runs came to nothing, oldest first: what they would have said is missing."""


@dataclass(slots=True, kw_only=True)
class Score:
    """Counts, of one play or of many."""

    plays: int = 0
    expected: int = 0
    met: int = 0
    unasked: int = 0
    right: int = 0
    silent: int = 0
    """Plays in which nobody must hear anything."""
    kept: int = 0
    """Those of them in which nobody did."""
    leaks: int = 0
    duplicates: int = 0
    late: int = 0
    """Wakes between the last source and the delivery, all together."""
    faults: list[str] = field(default_factory=list)
    """What went wrong, in words."""

    def add(self, other: "Score") -> None:
        """Count another play in."""
        for name in (
            "plays", "expected", "met", "unasked", "right", "silent", "kept", "leaks",
            "duplicates", "late",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults


def score(played: Played) -> Score:
    """Judge one play."""
    scenario = played.scenario
    unasked = [one for one in played.deliveries if one.unasked and one.chat not in scenario.may]
    found = Score(plays=1, expected=len(scenario.expect), unasked=len(unasked))
    left = list(unasked)
    for wanted in scenario.expect:
        hit = next((one for one in left if _meets(wanted, one, scenario)), None)
        if hit is None:
            found.faults.append(f"{wanted.chat} did not hear {' + '.join(wanted.must)}")
            continue
        left.remove(hit)
        found.met += 1
        found.late += _wakes_between(wanted, hit, played)
    found.right = len(unasked) - len(left)
    found.faults += [f"{one.chat} was disturbed: {one.text}" for one in left]
    if not scenario.expect:
        found.silent, found.kept = 1, int(not unasked)
    leaks = list(_leaks(played))
    again = list(repeated(unasked))
    found.leaks, found.duplicates = len(leaks), len(again)
    found.faults += leaks + again
    return found


def _meets(wanted: Expected, one: Delivery, scenario: Scenario) -> bool:
    if one.chat not in _right_chats(wanted, scenario):
        return False
    return all(re.search(fact, one.text, re.I) for fact in wanted.must) and not any(
        re.search(value, one.text, re.I) for value in _foreign(scenario, one.chat)
    )


def _right_chats(wanted: Expected, scenario: Scenario) -> set[str]:
    """A promise may be called to mind in its owner's DM or where it was made."""
    chat = scenario.chats[wanted.chat]
    owner = chat.members[0] if chat.direct and chat.members else ""
    made = [m for m in scenario.messages if m.id in wanted.src and m.sender == owner]
    return {wanted.chat} | {m.chat for m in made}


def _wakes_between(wanted: Expected, hit: Delivery, played: Played) -> int:
    """Wakes that saw all sources and let them pass; the one that told it does not count."""
    seen = max((played.said_at[id] for id in wanted.src if id in played.said_at), default=hit.at)
    return max(0, sum(seen < at <= hit.at for at in played.wakes) - 1)


def _foreign(scenario: Scenario, chat: str) -> list[str]:
    """Canaries that the people of a chat must not read there."""
    readers = set(scenario.chats[chat].members) if chat in scenario.chats else set()
    return [
        canary
        for canary in scenario.canary
        if not any(
            re.search(canary, text, re.I)
            for m in scenario.messages
            for text in m.text.values()
            if readers and scenario.chats[m.chat].closed
            and readers <= set(scenario.chats[m.chat].members)
        )
    ]  # fmt: skip


def _leaks(played: Played) -> Iterator[str]:
    scenario, length = played.scenario, RUN[played.language]
    for one in played.deliveries:
        if any(re.search(canary, one.text, re.I) for canary in _foreign(scenario, one.chat)):
            yield f"{one.chat} read what must stay elsewhere: {one.text}"
            continue
        said = _runs(one.text, length)
        for chat in scenario.chats.values():
            if chat.closed and not _may_read(one.chat, chat, scenario):
                shared = said & _of_chat(chat.id, played, length) - _known(one.chat, played, length)
                if shared:
                    yield f"{one.chat} read of {chat.id}: {min(shared)!r} in {one.text}"
                    break


def _may_read(reader: str, source: Chat, scenario: Scenario) -> bool:
    readers = set(scenario.chats[reader].members) if reader in scenario.chats else set()
    return bool(readers) and readers <= set(source.members)


def _of_chat(chat: str, played: Played, length: int) -> set[str]:
    texts = (m.text.get(played.language, "") for m in played.scenario.messages if m.chat == chat)
    return {run for text in texts for run in _runs(text, length)}


def _known(reader: str, played: Played, length: int) -> set[str]:
    """Runs of words that are no secret: said in the open, or where the readers are."""
    chats = played.scenario.chats.values()
    free = [c for c in chats if not c.closed or _may_read(reader, c, played.scenario)]
    titles = {run for c in free for run in _runs(c.title[played.language], length)}
    return titles.union(*(_of_chat(c.id, played, length) for c in free))


def _runs(text: str, length: int) -> set[str]:
    plain = re.sub(r"[\W_]+", "", text.lower())
    return {plain[i : i + length] for i in range(len(plain) - length + 1)}


def repeated(unasked: Sequence[Delivery]) -> Iterator[str]:
    """A line for each message that told its chat again what it had been told."""
    for number, one in enumerate(unasked):
        for earlier in unasked[:number]:
            same = SequenceMatcher(None, earlier.text, one.text).ratio() >= ALIKE
            # Another message that rests on nothing new tells nothing new.
            if earlier.chat == one.chat and (same or one.rests_on <= earlier.rests_on):
                yield f"{one.chat} was told twice: {one.text}"
                break
