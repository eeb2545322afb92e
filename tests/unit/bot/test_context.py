"""What a run is told: its own room, and of the others only what its people may hear."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agency import consents, fires, handoffs
from agency.attention import Attention
from agency.handoffs import State
from bot.context import Contexts, Settings
from bot.engine import inputs, runs, sessions
from bot.engine.inputs import Entry, Trigger
from bot.models import sections
from memory import facts
from memory.facts import Lesson
from tests.fakes.town import Town

Rows = dict[str, list[dict[str, Any]]]
SECRET = "zebrafish"


class Scene:
    """Ana's DM, two closed rooms, two open ones; each holds the word that is asked for."""

    def __init__(self, town: Town, home: Path) -> None:
        self.town = town
        self.ana, self.bo = town.person("Ana"), town.person("Bo")
        self.rooms = {
            "open": town.room("open", self.ana, self.bo),
            "other": town.room("other", self.bo),
            "ours": town.room("ours", self.ana, self.bo, open=False),
            "theirs": town.room("theirs", self.bo, open=False),
            "dm": town.dm(self.ana),
            "bos dm": town.dm(self.bo),
        }
        self.said = {
            name: town.say(room, self.bo if "bo" in name else self.ana, f"{SECRET} in {name}")
            for name, room in self.rooms.items()
        }
        for name, room in self.rooms.items():
            lesson = Lesson(
                kind="fact", body=f"{SECRET} {name}", subject="s", sources=(self.said[name],)
            )
            facts.learn(town.tx, room, [lesson], run=None, now_us=1)
            facts.cover(town.tx, room, body=f"summary of {name}", covered=0, now_us=1)
        settings = Settings(name="Limen", language="auto", timezone="UTC", model="m", history=1)
        rules = town.speaking().rules
        self.contexts = Contexts(Attention(home), town.clock, rules=rules, settings=settings)

    def enter(self, room: str, trigger: Trigger = Trigger.MESSAGE, **more: object) -> None:
        entry = Entry(
            session_id=self.rooms[room], trigger=trigger, parts=({"type": "text", "text": SECRET},),
            key=f"{trigger}:{room}:{more}", **more,  # type: ignore[arg-type]
        )  # fmt: skip
        inputs.add(self.town.tx, entry, now_us=self.town.us)

    def told(self, room: str) -> Rows:
        session = self.rooms[room]
        current = runs.open_of(self.town.tx, session)
        run = runs.get(self.town.tx, current.id if current else self.town.run(session))
        inputs.take(self.town.tx, session, run=run.id, step=0)
        given = inputs.of_run(self.town.tx, run.id)
        blocks = self.contexts.build(self.town.tx, run, given)
        found: Rows = {}
        for block in blocks:
            found |= sections.parse(block["text"])
        return found


@pytest.fixture
def scene(town: Town, tmp_path: Path) -> Scene:
    return Scene(town, tmp_path)


HEARD = {
    "open": {"open", "other"},
    "other": {"open", "other"},
    "ours": {"open", "other", "ours"},
    "theirs": {"open", "other", "ours", "theirs", "bos dm"},
    "dm": {"open", "other", "ours", "dm"},
    "bos dm": {"open", "other", "ours", "theirs", "bos dm"},
}
"""What the people of each room were there for, or could walk into."""


@pytest.mark.parametrize("room", HEARD)
def test_recall_facts_and_summary_stay_with_those_who_may_hear_them(
    scene: Scene, room: str
) -> None:
    scene.town.say(scene.rooms[room], None, "the last message here, so that history is short")
    scene.enter(room)
    told = scene.told(room)
    assert {row["text"].removeprefix(f"{SECRET} in ") for row in told["recalled"]} == HEARD[room]
    assert {row["text"].removeprefix(f"{SECRET} ") for row in told["facts"]} == HEARD[room]
    assert [row["text"] for row in told["summary"]] == [f"summary of {room}"]
    assert told["room"][0]["session"] == f"s{scene.rooms[room]}"


def test_nothing_of_a_chat_that_is_off_is_found_from_another(scene: Scene) -> None:
    sessions.set_attention(scene.town.tx, scene.rooms["other"], sessions.Attention.OFF)
    scene.enter("ours")
    told = str(scene.told("ours"))
    assert f"{SECRET} in open" in told
    assert "other" not in told


def test_nothing_of_a_dm_is_anywhere_in_a_groups_context(scene: Scene) -> None:
    scene.enter("open")
    assert "dm" not in str(scene.told("open")["recalled"] + scene.told("open")["facts"])


def test_a_handoff_shows_the_sources_this_room_may_hear_and_names(scene: Scene) -> None:
    sources = [scene.said["other"], scene.said["dm"]]
    made, _ = handoffs.propose(
        scene.town.tx, scene.town.proposal(scene.rooms["open"], "nudge", sources),
        dict.fromkeys(sources, 1), now_us=1,
    )  # fmt: skip
    handoffs.move(scene.town.tx, made, State.ADMITTED, reason="", now_us=1)
    scene.enter("open", Trigger.HANDOFF, metadata={"handoff": made.id})
    (row,) = scene.told("open")["inputs"]
    assert [one["id"] for one in row["sources"]] == [f"o{scene.said['other']}"]
    assert row["handoff"] == f"h{made.id}"


def test_what_no_longer_stands_is_not_told(scene: Scene) -> None:
    made, _ = handoffs.propose(
        scene.town.tx, scene.town.proposal(scene.rooms["open"], "nudge", [scene.said["other"]]),
        {scene.said["other"]: 1}, now_us=1,
    )  # fmt: skip
    handoffs.move(scene.town.tx, made, State.ADMITTED, reason="", now_us=1)
    scene.enter("open", Trigger.HANDOFF, metadata={"handoff": made.id})
    fell = handoffs.get(scene.town.tx, made.id)
    handoffs.move(scene.town.tx, fell, State.DROPPED, reason="", now_us=1)
    scene.enter("open", original_id=scene.said["open"])
    scene.town.take_back(scene.said["open"])
    assert scene.told("open")["inputs"] == []


def test_a_consent_question_shows_its_words_in_its_dm_alone(scene: Scene) -> None:
    scene.town.now = scene.town.now
    speaking = scene.town.speaking()
    proposal = scene.town.proposal(
        scene.rooms["open"], "Ana looks into the fish.", [scene.said["dm"]]
    )
    made, verdict = speaking.propose(scene.town.tx, proposal, live=True)
    assert verdict.state is State.ASKING
    told = scene.told("dm")
    (row,) = told["inputs"]
    assert (row["trigger"], row["target"]) == ("consent_request", "open")
    assert row["about_text"] == f"{SECRET} in dm"
    assert [one["state"] for one in told["consents"]] == ["asked"]
    scene.enter("open")
    assert scene.told("open")["consents"] == []
    (question,) = consents.of_handoff(scene.town.tx, made.id)
    speaking.answer(scene.town.tx, question.id, person=scene.ana, granted=True, note="")
    assert [one["state"] for one in scene.told("dm")["consents"]] == ["granted"]
    assert scene.told("dm")["inputs"] == [], "an answered question is not asked"


def test_the_agency_hears_all_and_its_own_fires_apart(scene: Scene) -> None:
    event = fires.Event(
        kind=fires.Kind.MESSAGE, key="x", session_id=scene.rooms["dm"], original_id=scene.said["dm"]
    )
    fire = fires.observe(scene.town.tx, event, now_us=1)
    session = sessions.inner(scene.town.tx, sessions.Kind.AGENCY, "agency", now_us=1)
    entry = Entry(
        session_id=session.id, trigger=Trigger.AGENCY_FIRE, parts=(), key="f",
        metadata={"fires": [fire]},
    )  # fmt: skip
    inputs.add(scene.town.tx, entry, now_us=1)
    scene.rooms["agency"] = session.id
    run = runs.get(scene.town.tx, scene.town.agency_run())
    inputs.take(scene.town.tx, session.id, run=run.id, step=0)
    given = inputs.of_run(scene.town.tx, run.id)
    told: Rows = {}
    for block in scene.contexts.build(scene.town.tx, run, given):
        told |= sections.parse(block["text"])
    assert [row["original"] for row in told["fires"]] == [f"o{scene.said['dm']}"]
    assert scene.said["dm"] not in [row["id"] for row in told["background"]]
    assert {row["session"] for row in told["background"]} >= {f"s{scene.rooms['theirs']}"}


def test_a_message_that_was_long_on_its_way_says_when_it_was_said(scene: Scene) -> None:
    """FS-IN-14: a platform delivers after an outage, and clocks differ by some minutes."""
    for minutes in (240, 4):
        ago = scene.town.clock() - timedelta(minutes=minutes)
        said = scene.town.say(scene.rooms["dm"], scene.ana, f"{minutes} min", at=ago)
        scene.enter("dm", original_id=said)
    old, fresh = scene.told("dm")["inputs"]
    ago = scene.town.clock() - timedelta(hours=4)
    assert (old["minutes_late"], old["at"]) == (240, ago.isoformat(timespec="seconds"))
    assert "minutes_late" not in fresh
