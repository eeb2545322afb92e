"""Stop settles a run whole: its tools, its inputs, its task."""

from bot.access import Right
from bot.commands.asked import Asked
from bot.commands.parse import Command
from bot.commands.silence import Silence
from bot.commands.words import Word
from bot.engine import inputs, letters, runs, sessions, traces
from bot.engine.controller import SessionController, Settings
from bot.engine.inputs import Entry, Trigger
from bot.engine.waits import Bell
from bot.lifecycle import Lifecycle
from bot.models.model import Response, Stop, Usage
from bot.models.transcript import repair
from bot.responses import Responses
from tests.fakes.front_desk import approving
from tests.fakes.scripted import say, use
from tests.fakes.town import Town


class Chat:
    """Ana's DM, with a question in it."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana = town.person("Ana")
        self.session = town.dm(self.ana)
        self.stopped: list[int] = []
        controller = SessionController(town.clock, lambda: None, settings=Settings())
        speaking, bell = town.speaking(), Bell()
        life = Lifecycle(
            speaking, town.clock, agency_bell=bell, outbox_bell=bell, language="auto",
            responses=Responses(town.clock, enabled=True),
            approving=approving(speaking, controller, town.clock),
        )  # fmt: skip
        self.silence = Silence(speaking, controller, life, stop_task=self.stopped.append)
        self.ask("q1", controller)

    def ask(self, key: str, controller: SessionController) -> None:
        text = {"type": "text", "text": "what about the offsite?"}
        entry = Entry(
            session_id=self.session,
            trigger=Trigger.MESSAGE,
            parts=(text,),
            key=key,
            person_id=self.ana,
        )
        controller.submit_input(self.town.tx, entry)

    def start(self) -> runs.Run:
        us, everything = self.town.us + 10**7, range(2**31)
        run = runs.claim(self.town.tx, owner="me", now_us=us, lease_us=10**9, priorities=everything)
        assert run is not None
        inputs.take(self.town.tx, self.session, run=run.id, step=0)
        return run

    def stop(self) -> str:
        session = sessions.find(self.town.tx, self.session)
        assert session is not None
        asked = Asked(
            command=Command(word=Word.STOP),
            session=session,
            audience=self.town.audience(self.session),
            person=self.ana,
            right=Right.ALLOWED,
            original=1,
            target=None,
            now=self.town.now,
            lang="en",
        )
        return self.silence.stop(self.town.tx, asked)


def states(chat: Chat) -> set[str]:
    rows = chat.town.tx.all("SELECT state FROM inputs")
    return {row["state"] for row in rows}


def test_nothing_runs(town: Town) -> None:
    chat = Chat(town)
    chat.stop()
    assert chat.stop() == "I am not doing anything here."


def test_a_queued_run_is_cancelled_with_what_waits_for_it(town: Town) -> None:
    chat = Chat(town)
    assert chat.stop() == "Stopped."
    [run] = runs.latest(town.tx, limit=9)
    assert (run.state, run.reason) == (runs.State.CANCELLED, letters.STOPPED)
    assert states(chat) == {"withdrawn"}


def test_no_tool_call_of_a_running_run_is_left_without_an_answer(town: Town) -> None:
    chat = Chat(town)
    run = chat.start()
    done, still_open = use("search_memory", query="a"), say("b")
    answer = Response(
        content=[done, still_open],
        stop=Stop.TOOL_USE,
        usage=Usage(input_tokens=1, output_tokens=1),
        model="m",
    )
    traces.record_answer(town.tx, run.id, 1, answer, started_us=town.us, now_us=town.us)
    chat.stop()
    [settled] = runs.latest(town.tx, limit=9)
    assert settled.state is runs.State.CANCELLED
    results = traces.results(town.tx, run.id)
    assert {one.use_id for one in results} == {done["id"], still_open["id"]}
    assert all(one.failed and one.body == letters.STOPPED for one in results)
    asked = {"role": "user", "content": [{"type": "text", "text": "go on"}]}
    told = [asked, *traces.messages(town.tx, run.id)]
    assert repair(told) == told


def test_a_new_question_after_a_stop_begins_a_new_run(town: Town) -> None:
    chat = Chat(town)
    chat.start()
    chat.stop()
    controller = SessionController(town.clock, lambda: None, settings=Settings())
    chat.ask("q2", controller)
    run = chat.start()
    assert [one.state for one in inputs.of_run(town.tx, run.id)] == [inputs.State.DELIVERED]
    assert run.state is runs.State.RUNNING
