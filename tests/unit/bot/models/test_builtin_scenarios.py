"""The shipped scenarios, wake by wake through the built-in model alone: quick, and near the app."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import routing_play as rp

from bot.plays import scenario
from bot.plays.chronicle import Voice
from bot.plays.scenario import LANGUAGES, Message, Scenario
from bot.plays.scoring import Delivery, Played, Score, score

CORPUS = Path(__file__).parents[3] / "corpus"
FAR = timedelta(hours=3)  # a gap in which the agency's heart beats


@dataclass(slots=True)
class Run:
    """One scenario on its way."""

    scenario: Scenario
    language: str
    now: datetime
    done: rp.Play = field(default_factory=rp.Play)
    fires: list[dict[str, Any]] = field(default_factory=list)
    roots: dict[str, str] = field(default_factory=dict)
    said_at: dict[str, datetime] = field(default_factory=dict)
    heard: list[Delivery] = field(default_factory=list)

    async def play(self) -> Played:
        wake = 1
        for message in sorted(self.scenario.messages, key=lambda m: m.wake):
            if message.wake > wake or message.after > FAR:
                await self.rest()
                self.now += timedelta(minutes=10 * (message.wake - wake))
                wake = message.wake
            self.now += message.after
            self.say(message)
        await self.rest()
        self.now += timedelta(minutes=70)
        await self.rest(beat=True)
        return Played(
            scenario=self.scenario, language=self.language, deliveries=tuple(self.heard),
            said_at=self.said_at, wakes=(),
        )  # fmt: skip

    def say(self, message: Message) -> None:
        room = self.sessions()[message.chat]
        root = self.roots.setdefault(
            message.id, self.roots.get(message.recalls or message.edits, message.id)
        )
        self.fires = [fire for fire in self.fires if fire["original"] != root]
        self.fires.append({
            "fire": f"f{message.id}", "kind": "message_observed", "session": room["session"],
            "room": room["title"], "open": room["open"], "direct": room["kind"] == "direct",
            "original": root, "from": self.name(message.sender), "person": message.sender,
            "me": False, "at": self.now.isoformat(), "text": message.text.get(self.language, "-"),
            "recalled": bool(message.recalls),
        })  # fmt: skip
        self.said_at[message.id] = self.now

    async def rest(self, *, beat: bool = False) -> None:
        heartbeat = {"fire": "f0", "kind": "heartbeat", "text": "", "at": self.now.isoformat()}
        fires = [heartbeat] if beat else self.fires
        if not fires:
            return
        known = len(self.done.spoken)
        await rp.awake(self.done, self.sessions(), fires, self.now)
        rp.remember(self.done, [fire for fire in fires if fire.get("original")])
        self.fires = []
        self.heard += [
            Delivery(chat=one.room, text=one.text, at=self.now, voice=Voice.UNASKED,
                     rests_on=frozenset(one.handoff["sources"]))
            for one in self.done.spoken[known:]
        ]  # fmt: skip

    def name(self, person: str) -> str:
        return self.scenario.people[person][self.language]

    def sessions(self) -> dict[str, dict[str, Any]]:
        return {
            chat.id: {
                "session": f"s{number}", "kind": "direct" if chat.direct else "group",
                "title": self.name(chat.members[0]) if chat.direct else f"#{chat.id}",
                "open": not chat.closed, "members": [self.name(one) for one in chat.members],
            }
            for number, chat in enumerate(self.scenario.chats.values(), 1)
        }  # fmt: skip


async def total(found: list[Scenario]) -> Score:
    """All of them, in every language they are written in."""
    score_of_all = Score()
    for one, language in scenario.playable(found, LANGUAGES):
        run = Run(one, language, one.start.replace(tzinfo=UTC))
        score_of_all.add(score(await run.play()))
    return score_of_all


async def test_nearly_all_is_told_where_it_should_be_and_nearly_nothing_elsewhere() -> None:
    found = await total(scenario.shipped())

    told = "\n".join(found.faults)
    assert found.leaks == found.duplicates == 0, told
    assert found.met >= 0.95 * found.expected, told
    assert found.right >= 0.97 * found.unasked, told
    assert found.kept >= 0.97 * found.silent, told


@pytest.mark.parametrize(
    ("file", "recall", "precision", "quiet"),
    [
        ("en.toml", 0.95, 0.95, 0.95), ("zh.toml", 0.95, 0.95, 0.95),
        ("en-2.toml", 0.6, 0.75, 0.9), ("zh-2.toml", 0.8, 0.75, 0.8),
    ],
)  # fmt: skip
async def test_the_corpus_keeps_what_it_has_come_to(
    file: str, recall: float, precision: float, quiet: float
) -> None:
    found = await total(list(scenario.load(CORPUS / file)))

    told = "\n".join(found.faults)
    assert found.leaks == found.duplicates == 0, told
    assert found.met >= recall * found.expected, f"{found.met}/{found.expected}\n{told}"
    assert found.right >= precision * found.unasked, f"{found.right}/{found.unasked}\n{told}"
    assert found.kept >= quiet * found.silent, f"{found.kept}/{found.silent}\n{told}"
