"""The tools: each answers for the room that asks, and refuses what it may not do."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agency import consents, fires, handoffs, intentions
from agency.attention import Attention
from agency.handoffs import State
from bot.engine import inputs, letters, runs, sessions
from bot.engine.controller import SessionController, Settings
from bot.engine.inputs import Entry, Trigger
from bot.engine.tool import Call, ReadTool, Result, Tool, WriteTool
from bot.errors import ToolError
from bot.models import sections
from bot.tools import attention, consent, handoff, recall, remember, say
from memory import facts, originals
from tests.fakes.town import Town, TownHall

SECRET = "the walrus merger closes on Thursday"


class Scene:
    """#project (open), Ana's DM, a closed room of Bo's; the secret was said in the DM."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana, self.bo = town.person("Ana"), town.person("Bo")
        self.project = town.room("project", self.ana, self.bo)
        self.dm = town.dm(self.ana)
        self.closed = town.room("closed", self.bo, open=False)
        self.secret = town.say(self.dm, self.ana, SECRET)
        self.plain = town.say(self.project, self.bo, "lunch at noon")
        self.speaking = town.speaking()
        self.rules = self.speaking.rules
        self.say = say.Say(self.speaking, bot_name="Limen", language="auto")
        self.calls = 0

    def call(self, session: int, run: int | None = None) -> Call:
        self.calls += 1
        current = runs.open_of(self.town.tx, session)
        run = run or (current.id if current else self.town.run(session))
        return Call(
            run_id=run, session_id=session, role="conversation", use_id=f"u{self.calls}", step=1,
            now=self.town.now,
        )  # fmt: skip

    def write(self, tool: WriteTool[Any], session: int, /, **args: object) -> Result:
        return tool.write(self.town.tx, self.call(session), tool.parse(args))

    async def read(self, tool: ReadTool[Any], session: int, /, **args: object) -> dict[str, Any]:
        answer = await tool.read(TownHall(self.town), self.call(session), tool.parse(args))
        return sections.parse(answer.text)

    def enter(
        self, session: int, trigger: Trigger = Trigger.MESSAGE, /, *, person: int | None = None,
        **metadata: object,
    ) -> None:  # fmt: skip
        self.calls += 1
        entry = Entry(
            session_id=session, trigger=trigger, parts=({"type": "text", "text": "x"},),
            key=f"k{self.calls}", person_id=person, metadata=metadata,
            origin="handoff:1" if trigger is Trigger.HANDOFF else "",
        )  # fmt: skip
        inputs.add(self.town.tx, entry, now_us=self.town.us)
        inputs.take(self.town.tx, session, run=self.call(session).run_id, step=0)

    def told(self, session: int, text: str, source: int) -> handoffs.Handoff:
        """A handoff that passed its gates, read by its session."""
        proposal = self.town.proposal(session, text, [source])
        made, verdict = self.speaking.propose(self.town.tx, proposal, live=True)
        if verdict.state is State.ASKING:
            (question,) = consents.of_handoff(self.town.tx, made.id)
            self.speaking.answer(
                self.town.tx, question.id, person=question.person_id, granted=True, note=""
            )
        run = self.call(session).run_id
        inputs.take(self.town.tx, session, run=run, step=0)
        now = handoffs.get(self.town.tx, made.id)
        handoffs.attach_run(self.town.tx, made.id, run)
        handoffs.move(self.town.tx, now, State.DELIVERED, reason="", now_us=1)
        return handoffs.get(self.town.tx, made.id)


@pytest.fixture
def scene(town: Town) -> Scene:
    return Scene(town)


def test_what_is_said_is_kept_and_posted_once(scene: Scene) -> None:
    scene.enter(scene.project)
    call = scene.call(scene.project)
    for _ in range(2):
        result = scene.say.write(scene.town.tx, call, scene.say.parse({"text": "hello"}))
    assert (result.ends_run, result.outcome) == (True, "spoken")
    (letter,) = letters.of_run(scene.town.tx, call.run_id)
    assert (letter.body, letter.proactive) == ("hello", False)
    assert not scene.write(scene.say, scene.project, text="and", more=True).ends_run


def test_an_answer_hangs_under_a_message_of_its_own_room_only(scene: Scene) -> None:
    scene.enter(scene.project)
    scene.write(scene.say, scene.project, text="a", reply_to=f"o{scene.plain}")
    scene.write(scene.say, scene.project, text="b", reply_to=f"o{scene.secret}")
    run = scene.call(scene.project).run_id
    assert [one.reply_to is None for one in letters.of_run(scene.town.tx, run)] == [False, True]
    with pytest.raises(ToolError):
        scene.write(scene.say, scene.project, text="c", reply_to="nonsense")


@pytest.mark.parametrize(
    "text",
    [
        "Ana says the walrus merger closes soon.",
        "THE WALRUS-MERGER, CLOSES",
        "Ｗalrus ｍerger closes",
    ],
)
def test_a_nudge_is_guarded_as_it_is_really_worded(scene: Scene, text: str) -> None:
    scene.told(scene.project, "Lunch is at noon.", scene.plain)
    with pytest.raises(ToolError, match="in private"):
        scene.write(scene.say, scene.project, text=text)
    assert scene.write(scene.say, scene.project, text="Lunch is at noon, says Bo.").ends_run


def test_a_consent_covers_the_text_that_was_asked_about(scene: Scene) -> None:
    scene.told(scene.project, "Ana closes something on Thursday.", scene.secret)
    assert scene.write(
        scene.say, scene.project, text="Ana closes something on Thursday, she says.", more=True
    )
    with pytest.raises(ToolError, match="in private"):
        scene.write(scene.say, scene.project, text=f"Ana says {SECRET}.")


def test_a_consent_taken_back_covers_nothing(scene: Scene) -> None:
    text = "Ana: the walrus merger is near."
    made = scene.told(scene.project, text, scene.secret)
    (question,) = consents.of_handoff(scene.town.tx, made.id)
    scene.speaking.answer(scene.town.tx, question.id, person=scene.ana, granted=False, note="")
    with pytest.raises(ToolError, match="in private"):
        scene.write(scene.say, scene.project, text=text)


def test_an_inner_session_has_no_voice(scene: Scene) -> None:
    session = sessions.inner(scene.town.tx, sessions.Kind.AGENCY, "agency", now_us=1)
    with pytest.raises(ToolError, match="no chat"):
        scene.write(scene.say, session.id, text="hello")


def ask(scene: Scene) -> consents.Consent:
    proposal = scene.town.proposal(scene.project, "Ana closes something.", [scene.secret])
    made, _ = scene.speaking.propose(scene.town.tx, proposal, live=True)
    (question,) = consents.of_handoff(scene.town.tx, made.id)
    return question


def test_a_question_gets_its_buttons_in_its_own_dm(scene: Scene) -> None:
    question = ask(scene)
    scene.write(scene.say, scene.dm, text="可以告诉 #project 吗？", consent=f"c{question.id}")
    (letter,) = letters.of_run(scene.town.tx, scene.call(scene.dm).run_id)
    assert [one.value for one in letter.buttons] == [
        f"consent:{question.id}:{word}" for word in ("yes", "always", "no")
    ]
    with pytest.raises(ToolError, match="no open question"):
        scene.write(scene.say, scene.project, text="May I?", consent=f"c{question.id}")


def test_only_who_was_asked_answers_in_plain_words(scene: Scene) -> None:
    tool, question = consent.AnswerConsent(scene.speaking), ask(scene)
    given = {"consent": f"c{question.id}", "granted": True}
    with pytest.raises(ToolError, match="have not spoken"):
        scene.write(tool, scene.dm, **given)
    with pytest.raises(ToolError, match="no open question"):
        scene.write(tool, scene.project, **given)
    scene.enter(scene.dm, person=scene.ana)
    assert "agreed" in scene.write(tool, scene.dm, **given).text
    with pytest.raises(ToolError, match="already"):
        scene.write(tool, scene.dm, **given)
    assert "declined" in scene.write(tool, scene.dm, **(given | {"granted": False})).text
    assert consents.get(scene.town.tx, question.id).state is consents.State.REVOKED
    with pytest.raises(ToolError, match="no open question"):
        scene.write(tool, scene.dm, **given)


async def test_every_room_finds_what_it_may_hear(scene: Scene) -> None:
    tool = recall.SearchMemory(scene.rules)
    agency = sessions.inner(scene.town.tx, sessions.Kind.AGENCY, "agency", now_us=1)
    found = {
        session: [row["id"] for row in (await scene.read(tool, session, query="walrus"))["results"]]
        for session in (scene.project, scene.closed, scene.dm, agency.id)
    }
    mine = [f"o{scene.secret}"]
    assert found == {scene.project: [], scene.closed: [], scene.dm: mine, agency.id: mine}


async def test_a_room_reads_itself(scene: Scene) -> None:
    read = await scene.read(recall.ReadRoom(), scene.project)
    assert [row["id"] for row in read["history"]] == [f"o{scene.plain}"]
    read = await scene.read(recall.ReadSession(), scene.project, session=f"s{scene.dm}")
    assert [row["id"] for row in read["history"]] == [f"o{scene.secret}"]


async def test_lists(scene: Scene) -> None:
    listed = (await scene.read(recall.ListSessions(), scene.project))["sessions"]
    assert {row["title"] for row in listed} == {"project", "closed", f"dm-{scene.ana}"}
    people = (await scene.read(recall.ListPeople(), scene.project))["people"]
    assert [row["name"] for row in people] == ["Ana", "Bo"]


async def test_a_trace_is_read_and_an_unknown_one_named(scene: Scene) -> None:
    call = scene.call(scene.project)
    read = await scene.read(recall.ReadTrace(), scene.project, run=f"r{call.run_id}")
    assert read["run"][0]["state"] == "running"
    with pytest.raises(ToolError, match="no run 99"):
        await scene.read(recall.ReadTrace(), scene.project, run="r99")


async def test_nobody_is_told_why_another_room_was_told(scene: Scene) -> None:
    scene.told(scene.project, "Ana closes something.", scene.secret)
    scene.write(scene.say, scene.project, text="Ana closes something.")
    (letter,) = letters.of_run(scene.town.tx, scene.call(scene.project).run_id)
    tool = recall.Explain(scene.rules)
    chain = (await scene.read(tool, scene.project, message=f"o{letter.original_id}"))["chain"]
    assert {row["step"] for row in chain} >= {"handoff", "agency run", "delivery", "original"}
    assert "walrus" not in str(chain)
    elsewhere = await scene.read(tool, scene.closed, message=f"o{letter.original_id}")
    assert elsewhere["chain"] == []


def test_a_handoff_is_proposed_by_a_live_agency_run_to_a_conversation(scene: Scene) -> None:
    tool = handoff.SubmitToSession(scene.speaking)
    agency = runs.get(scene.town.tx, scene.town.agency_run()).session_id
    args = {
        "session": f"s{scene.closed}", "text": "Lunch at noon.", "subject": "lunch",
        "state": "noon", "sources": [f"o{scene.plain}"], "people": [f"p{scene.bo}"],
    }  # fmt: skip
    assert "admitted" in scene.write(tool, agency, **args).text
    assert "refused" in scene.write(tool, agency, **args).text
    assert "live agency run" in scene.write(tool, scene.project, **(args | {"state": "one"})).text
    wrongs: tuple[dict[str, object], ...] = (
        {"session": f"s{agency}"}, {"session": "s99"}, {"sources": []}, {"sources": ["x"]},
        {"people": ["Bo"]}, {"grade": "huge"}, {"confidence": 2}, {"expires_in_hours": 0},
    )  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(ToolError):
            scene.write(tool, agency, **(args | wrong))


def test_hops_are_counted_from_what_caused_it(scene: Scene) -> None:
    tool = handoff.SubmitToSession(scene.speaking)
    run = scene.town.agency_run()
    event = fires.Event(kind=fires.Kind.MESSAGE, key="e", original_id=scene.plain, hop=2)
    fire = fires.observe(scene.town.tx, event, now_us=1)
    assert fire is not None
    fires.hand_over(scene.town.tx, [fire], run=run, how=fires.State.SUBMITTED)
    agency = runs.get(scene.town.tx, run).session_id
    answer = scene.write(
        tool, agency, session=f"s{scene.closed}", text="Lunch.", subject="lunch", state="noon",
        sources=[f"o{scene.plain}"],
    )  # fmt: skip
    assert "go round" in answer.text


def test_facts_rest_on_the_stretch_that_was_read(scene: Scene) -> None:
    inner = sessions.inner(scene.town.tx, sessions.Kind.MEMORY, "memory:1", now_us=1)
    scene.enter(
        inner.id, Trigger.BURST, session=scene.project, after=0, until=scene.plain, limit=60
    )
    later = scene.town.say(scene.project, scene.bo, "said while the model was thinking")
    tool = remember.Remember()
    good = {"kind": "fact", "text": "Lunch is at noon.", "sources": [f"o{scene.plain}"]}
    for wrong in (
        {"sources": [f"o{scene.secret}"]},
        {"sources": ["o99"]},
        {"due_at": "2026-12-01T10:00"},
    ):
        with pytest.raises(ToolError):
            scene.write(tool, inner.id, facts=[good | wrong])
    assert scene.write(tool, inner.id, facts=[good], summary="lunch").ends_run
    assert [one.body for one in facts.of_session(scene.town.tx, scene.project, limit=9)] == [
        "Lunch is at noon."
    ]
    covered = facts.summary(scene.town.tx, scene.project).covered
    assert covered == scene.plain < later


def test_intentions_are_set_and_closed(scene: Scene) -> None:
    for wrong in ({}, {"terms": ["!"]}):
        with pytest.raises(ToolError):
            scene.write(attention.SetIntention(), scene.project, text="look", **wrong)
    assert scene.write(
        attention.SetIntention(), scene.project, text="look", due_at="2026-12-01T10:00:00"
    ).text == "n1 is held"  # fmt: skip
    assert intentions.next_moment(scene.town.tx) == scene.town.us + 24 * 3600 * 10**6
    drop = attention.DropIntention()
    done = {"intention": "n1", "reason": "r", "done": True}
    assert "not ripe" in scene.write(drop, scene.project, **done).text
    assert scene.write(drop, scene.project, intention="n1", reason="r").text == "closed"


def test_attention_files_are_written_by_name(scene: Scene, tmp_path: Path) -> None:
    tool = attention.WriteAttention(Attention(tmp_path))
    assert scene.write(tool, scene.project, file="AGENCY.md", text="x").text == "written"
    assert "already" in scene.write(tool, scene.project, file="AGENCY.md", text="x").text
    with pytest.raises(ToolError, match="not an attention file"):
        scene.write(tool, scene.project, file="../x.md", text="x")


def test_a_helper_is_started_once(scene: Scene) -> None:
    controller = SessionController(scene.town.clock, lambda: None, settings=Settings())
    tool = attention.StartSubagent(controller)
    call = scene.call(scene.project)
    args = tool.parse({"kind": "investigate", "task": "look"})
    first, again = (tool.write(scene.town.tx, call, args) for _ in range(2))
    assert first == again
    other = tool.write(scene.town.tx, replace(call, use_id="other"), args)
    assert other != first


def test_a_wrong_argument_is_named(scene: Scene) -> None:
    tool: Tool[Any] = scene.say
    with pytest.raises(ToolError, match="text"):
        tool.parse({})
    with pytest.raises(ToolError, match="more"):
        tool.parse({"text": "x", "more": "perhaps"})
    assert originals.find(scene.town.tx, 99) is None
