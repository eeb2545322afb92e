"""What the decision is told of a handoff: its chat, its people, and what was told before."""

from datetime import time, timedelta

import pytest

from adapters.chat import Address
from agency import feedback, handoffs, lessons, mutes, personal, repeats
from agency.handoffs import Handoff, State
from agency.policy import Grade, Settings
from bot.engine import sessions
from bot.speaking import Speaking
from memory import audiences
from memory.audiences import Audience
from tests.fakes.town import Town

DAY = timedelta(days=1)


class Scene:
    """#news decides; #project, its thread, and DMs of Ana and Bo are told."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana, self.bo, self.lin = (town.person(name) for name in ("Ana", "Bo", "Lin"))
        self.news = town.room("news", self.lin)
        self.project = town.room("project", self.ana, self.bo)
        self.dm = town.dm(self.bo)
        self.said = 0

    def thread(self, name: str) -> int:
        """A thread of #project."""
        address = Address(platform="web", account="main", chat="project", thread=name)
        session = sessions.of_room(self.town.tx, address, now_us=self.town.us)
        members = frozenset((self.ana, self.bo))
        room = Audience(
            session_id=session.id, title="project", direct=False, open=True, workspace="main",
            complete=True, members=members,
        )  # fmt: skip
        audiences.record(self.town.tx, room, now_us=self.town.us)
        return session.id

    def tell(
        self, target: int, *people: int, subject: str = "", state: str = "",
        speaking: Speaking | None = None, grade: Grade = Grade.MINOR, lasting: bool = False,
        text: str = "",
    ) -> Handoff:  # fmt: skip
        self.said += 1
        subject = subject or f"plan {self.said}"
        source = self.town.say(self.news, self.lin, text or f"Item {self.said} of {subject}.")
        proposal = self.town.proposal(
            target, f"{subject} {state}", (source,), subject=subject, state=state or "x",
            grade=grade, metadata={"person_ids": list(people), handoffs.LASTING: lasting},
        )  # fmt: skip
        return (speaking or self.town.speaking()).propose(self.town.tx, proposal, live=True)[0]

    def last_gate(self, handoff: Handoff) -> tuple[str, str]:
        last = handoffs.gate_records(self.town.tx, handoff.id)[-1]
        return last.gate, last.reason


@pytest.fixture
def scene(town: Town) -> Scene:
    return Scene(town)


def test_the_threads_of_a_chat_share_its_quota(scene: Scene) -> None:
    speaking = scene.town.speaking(speaking=Settings(daily_quota=2))
    places = [scene.project, scene.thread("a"), scene.thread("b")]
    states = [scene.tell(place, speaking=speaking).state for place in places]
    assert states == [State.ADMITTED, State.ADMITTED, State.DIGEST]


def test_a_person_has_a_quota_in_all_chats_together(scene: Scene) -> None:
    speaking = scene.town.speaking(speaking=Settings(person_quota=2))
    rooms = [scene.project, scene.dm, scene.town.room("other", scene.bo, scene.ana)]
    told = [scene.tell(room, scene.bo, speaking=speaking) for room in rooms]
    assert [one.state for one in told] == [State.ADMITTED, State.ADMITTED, State.DIGEST]
    assert scene.tell(rooms[2], scene.ana, speaking=speaking).state is State.ADMITTED
    assert scene.tell(rooms[2], scene.ana, scene.bo, speaking=speaking).state is State.ADMITTED
    scene.town.now += DAY
    assert scene.tell(scene.project, scene.bo, speaking=speaking).state is State.ADMITTED


def test_a_persons_own_number_goes_before_the_operators(scene: Scene) -> None:
    personal.set_quota(scene.town.tx, scene.bo, 1, now=scene.town.now)
    assert scene.tell(scene.dm).state is State.ADMITTED
    assert scene.tell(scene.dm).state is State.DIGEST


def test_the_same_state_is_not_told_again_in_another_thread(scene: Scene) -> None:
    scene.tell(scene.project, subject="release", state="canary")
    again = scene.tell(scene.thread("a"), subject="Release", state="Canary")
    assert (again.state, scene.last_gate(again)[0]) == (State.REFUSED, "duplicate")
    assert scene.tell(scene.thread("a"), subject="release", state="legacy").state is State.ADMITTED


def test_the_same_state_is_not_told_again_to_the_same_person_elsewhere(scene: Scene) -> None:
    scene.tell(scene.project, scene.bo, subject="release", state="canary")
    again = scene.tell(scene.dm, subject="release", state="canary")
    assert (again.state, scene.last_gate(again)) == (
        State.REFUSED, ("duplicate", "those it is for were told the same elsewhere"),
    )  # fmt: skip
    ana = scene.town.dm(scene.ana)
    assert scene.tell(ana, subject="release", state="canary").state is State.ADMITTED


def test_a_room_is_told_what_only_some_of_its_people_know(scene: Scene) -> None:
    scene.tell(scene.dm, subject="release", state="canary")
    both = scene.tell(scene.project, scene.bo, scene.ana, subject="release", state="canary")
    assert both.state is State.ADMITTED
    everybody = scene.town.room("all", scene.bo, scene.ana, scene.lin)
    assert scene.tell(everybody, subject="release", state="canary").state is State.ADMITTED


def test_news_waits_while_all_it_concerns_are_asleep(scene: Scene) -> None:
    """AG-02: ten in London is six in the evening in Shanghai, where Bo has an early night."""
    personal.set_zone(scene.town.tx, scene.bo, "Asia/Shanghai", now=scene.town.now)
    personal.set_quiet(scene.town.tx, scene.bo, (time(17), time(7)), now=scene.town.now)
    held = scene.tell(scene.project, scene.bo, grade=Grade.MAJOR)
    assert (held.state, scene.last_gate(held)) == (
        State.HELD, ("quiet hours", "whom it concerns are asleep"),
    )  # fmt: skip
    assert held.not_before == scene.town.now + timedelta(hours=13), "seven in Shanghai"
    assert scene.tell(scene.project, scene.bo, scene.ana).state is State.ADMITTED
    assert scene.tell(scene.project).state is State.ADMITTED


def test_a_mute_of_the_chat_or_of_its_person_keeps_it_silent(scene: Scene) -> None:
    mutes.mute_chat(scene.town.tx, scene.project, "the newsletter", now=scene.town.now)
    mutes.mute_person(scene.town.tx, scene.bo, "周报", now=scene.town.now)
    assert scene.tell(scene.thread("a"), subject="newsletter").state is State.SILENT
    assert scene.tell(scene.dm, subject="周报的发布时间").state is State.SILENT
    assert scene.tell(scene.dm, subject="newsletter").state is State.ADMITTED


@pytest.mark.parametrize(
    "banter",
    ["Let's rewrite everything in COBOL, haha, just kidding!", "哈哈开玩笑，全部重写成 COBOL 吧"],
)
def test_idle_talk_is_never_major(scene: Scene, banter: str) -> None:
    speaking = scene.town.speaking(speaking=Settings(minor="silent"))
    bold = scene.tell(scene.project, grade=Grade.MAJOR, text=banter, speaking=speaking)
    assert (bold.state, scene.last_gate(bold)[0]) == (State.SILENT, "grade")
    real = scene.tell(scene.project, grade=Grade.MAJOR, speaking=speaking,
                      text="We decided: we move to canary-release.")  # fmt: skip
    assert real.state is State.ADMITTED


def test_a_condition_that_holds_on_is_told_at_growing_intervals(scene: Scene) -> None:
    """AG-04: ten looks at the same unanswered mail are one message, and later a few more."""
    told: list[int] = []
    for hour in range(10 * 24):
        one = scene.tell(scene.dm, subject="mail of Meridian", state="unanswered", lasting=True)
        if one.state is State.ADMITTED:
            told.append(hour)
        scene.town.now += timedelta(hours=1)
    assert told == [0, 24, 72]


def test_who_knows_of_a_condition_is_not_told_again(scene: Scene) -> None:
    """AG-04."""
    first = scene.tell(scene.dm, subject="mail", state="unanswered", lasting=True)
    repeats.acknowledge(scene.town.tx, [first.id], known=True, now=scene.town.now)
    scene.town.now += 5 * DAY
    again = scene.tell(scene.dm, subject="mail", state="unanswered", lasting=True)
    assert (again.state, scene.last_gate(again)) == (
        State.SILENT, ("state", "they said that they know"),
    )  # fmt: skip
    other = scene.tell(scene.dm, subject="mail", state="two unanswered", lasting=True)
    assert other.state is State.ADMITTED, "another state is news"


def test_later_makes_the_interval_longer(scene: Scene) -> None:
    first = scene.tell(scene.dm, subject="mail", state="unanswered", lasting=True)
    repeats.acknowledge(scene.town.tx, [first.id], known=False, now=scene.town.now)
    scene.town.now += DAY
    soon = scene.tell(scene.dm, subject="mail", state="unanswered", lasting=True)
    scene.town.now += DAY
    then = scene.tell(scene.dm, subject="mail", state="unanswered", lasting=True)
    assert (soon.state, then.state) == (State.SILENT, State.ADMITTED)


@pytest.mark.parametrize(("learning", "state"), [(True, State.DIGEST), (False, State.ADMITTED)])
def test_what_was_learnt_counts_only_while_learning_is_on(
    scene: Scene, learning: bool, state: State
) -> None:
    town = scene.town
    feedback.told(
        town.tx, original=1, handoff=1, session=scene.dm, subject="canary release", now=town.now
    )
    telling = feedback.of_original(town.tx, 1)[0].id
    lessons.learn(town.tx, scene.bo, telling, "canary release", now=town.now)
    speaking = town.speaking(speaking=Settings(learning=learning))
    assert scene.tell(scene.dm, subject="canary release", speaking=speaking).state is state
