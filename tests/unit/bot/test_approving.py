"""Who may be asked what, and when: by the audience rule, at their hours, once."""

from datetime import time, timedelta

import pytest

from agency import approvals, policy
from agency.approvals import Approval, Holds, State
from agency.audience import Dm
from agency.audience import Settings as Privacy
from bot import questions
from bot.approving import Approving, Wish
from bot.engine import inputs, letters, runs
from bot.engine.controller import SessionController, Settings
from bot.engine.inputs import Entry, Trigger
from bot.engine.letters import Letter
from bot.errors import ToolError
from memory.moments import to_us
from tests.fakes.front_desk import approving
from tests.fakes.town import Town

ASKED = "ask Bo whether we may buy the ocelot"


class Scene:
    """Ana wants Bo asked; both have a chat of their own with the bot."""

    def __init__(self, town: Town, *, privacy: Privacy | None = None, quiet: bool = False) -> None:
        self.town = town
        self.ana, self.bo, self.kai = (town.person(name) for name in ("Ana", "Bo", "Kai"))
        self.dm = {one: town.dm(one) for one in (self.ana, self.bo)}
        self.room = town.room("project", self.ana, self.bo, self.kai)
        hours = (time(9), time(17)) if quiet else None
        speaking = town.speaking(privacy=privacy, speaking=policy.Settings(quiet=hours))
        self.controller = SessionController(town.clock, lambda: None, settings=Settings())
        self.desk: Approving = approving(speaking, self.controller, town.clock)

    def wish(self, session: int, *who: int, question: str = "May we buy the ocelot?") -> Approval:
        """Ask from a run that Ana's words began."""
        said = self.town.say(session, self.ana, ASKED)
        entry = Entry(
            session_id=session, trigger=Trigger.MESSAGE, key=f"o{said}", original_id=said,
            person_id=self.ana, parts=({"type": "text", "text": ASKED},),
        )  # fmt: skip
        self.controller.submit_input(self.town.tx, entry)
        run = runs.open_of(self.town.tx, session)
        assert run is not None
        self.town.now += timedelta(seconds=1)
        runs.claim(
            self.town.tx, owner="t", now_us=self.town.us, lease_us=10**9, priorities=range(100)
        )
        inputs.take(self.town.tx, session, run=run.id, step=0)
        wish = Wish(
            key=f"k{run.id}", run_id=run.id, session_id=session, person_id=self.ana,
            subject="the ocelot", question=question, approvers=who or (self.bo,),
        )  # fmt: skip
        found = self.desk.ask(self.town.tx, wish)
        runs.suspend(self.town.tx, run.id)
        return found

    def put(self) -> list[Letter]:
        """The questions that were put, oldest first."""
        sent = letters.latest(self.town.tx, limit=50)[::-1]
        return [one for one in sent if one.buttons]


def test_who_has_a_chat_is_asked_there_and_told_who_asks_where(town: Town) -> None:
    scene = Scene(town)
    scene.wish(scene.room)
    [letter] = scene.put()
    assert letter.session_id == scene.dm[scene.bo]
    assert "Ana, in project" in letter.body and letter.proactive


def test_who_has_none_is_asked_in_the_room_they_sit_in(town: Town) -> None:
    scene = Scene(town)
    scene.wish(scene.room, scene.kai)
    [letter] = scene.put()
    assert letter.session_id == scene.room
    assert letter.body.startswith("@Kai, Ana would like your word")


def test_who_is_nowhere_to_be_reached_is_not_asked(town: Town) -> None:
    scene = Scene(town)
    with pytest.raises(ToolError, match="no direct chat with me and is not here"):
        scene.wish(scene.dm[scene.ana], scene.kai)
    assert scene.put() == []


def test_a_wish_from_a_dm_names_no_room(town: Town) -> None:
    scene = Scene(town)
    scene.wish(scene.dm[scene.ana])
    [letter] = scene.put()
    assert letter.body == "Ana would like your word: “May we buy the ocelot?”"


def test_where_dms_are_closed_nothing_of_them_is_asked(town: Town) -> None:
    scene = Scene(town, privacy=Privacy(dm=Dm.NEVER))
    with pytest.raises(ToolError, match="may not know what is said here"):
        scene.wish(scene.dm[scene.ana])


def test_a_closed_room_is_asked_about_only_with_its_own(town: Town) -> None:
    scene = Scene(town)
    closed = town.room("board", scene.ana, open=False)
    with pytest.raises(ToolError, match="may not know what is said here"):
        scene.wish(closed)


def test_a_question_repeats_nothing_private_of_others(town: Town) -> None:
    scene = Scene(town)
    town.say(town.dm(scene.kai), scene.kai, "My salary is 48151 euros, the walrus of them all.")
    with pytest.raises(ToolError, match="repeats something said in private"):
        scene.wish(scene.room, question="May we pay Kai 48151 euros, the walrus of them all?")


def test_a_second_try_of_the_same_use_asks_nobody_twice(town: Town) -> None:
    scene = Scene(town)
    first = scene.wish(scene.room)
    again = Wish(
        key="k1", run_id=first.run_id, session_id=scene.room, person_id=scene.ana,
        subject="the ocelot", question="May we buy the ocelot?", approvers=(scene.bo,),
    )  # fmt: skip
    assert scene.desk.ask(town.tx, again).id == first.id
    scene.desk.sweep(town.tx)
    assert len(scene.put()) == 1


def test_in_quiet_hours_it_waits_and_whoever_wanted_it_is_told_until_when(town: Town) -> None:
    scene = Scene(town, quiet=True)
    scene.wish(scene.room)
    assert scene.put() == []
    [told] = letters.latest(town.tx, limit=5)
    assert "17:00" in told.body and not told.proactive
    assert scene.desk.next_moment(town.tx) == to_us(town.now.replace(hour=17, second=0))
    town.now = town.now.replace(hour=17, second=0)
    scene.desk.sweep(town.tx)
    assert len(scene.put()) == 1


def test_who_has_left_a_closed_room_meanwhile_is_not_asked_any_more(town: Town) -> None:
    scene = Scene(town, quiet=True)
    closed = town.room("board", scene.ana, scene.bo, open=False)
    asked = scene.wish(closed)
    town.room("board", scene.ana, open=False)
    town.now = town.now.replace(hour=18)
    scene.desk.sweep(town.tx)
    assert scene.put() == []
    assert approvals.get(town.tx, asked.id).state is State.EXPIRED
    assert runs.get(town.tx, asked.run_id).state is runs.State.QUEUED, "and the run goes on"


def test_an_answer_lets_the_run_go_on_when_its_session_is_free(town: Town) -> None:
    scene = Scene(town)
    asked = scene.wish(scene.room)
    busy = runs.queue(
        town.tx, scene.room, "conversation", priority=10, due_us=town.us, now_us=town.us
    )
    assert scene.desk.answer(town.tx, asked.id, person=scene.bo, granted=True, holds=Holds.ONCE)
    assert runs.get(town.tx, asked.run_id).state is runs.State.SUSPENDED
    runs.cancel_queued(town.tx, busy, reason="over", now_us=town.us)
    assert scene.desk.next_moment(town.tx) == town.us, "nobody has to be told of it"
    scene.desk.sweep(town.tx)
    assert runs.get(town.tx, asked.run_id).state is runs.State.QUEUED


def test_a_question_that_was_answered_is_not_posted_late(town: Town) -> None:
    scene = Scene(town)
    asked = scene.wish(scene.room)
    [letter] = scene.put()
    assert not questions.overtaken(town.tx, letter)
    scene.desk.answer(town.tx, asked.id, person=scene.bo, granted=False, holds=Holds.ONCE)
    assert questions.overtaken(town.tx, letter)
