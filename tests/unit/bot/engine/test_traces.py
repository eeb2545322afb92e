"""Traces: what a run was told and answered, as it has to be told again."""

from datetime import UTC, datetime

from bot.engine import traces
from bot.engine.tool import Result
from bot.models.model import Response, Stop, Usage
from memory.moments import to_us
from tests.fakes.town import Town

DAY = to_us(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
USE = {"type": "tool_use", "id": "u1", "name": "say", "input": {"text": "你好"}}


def answer(*content: object) -> Response:
    usage = Usage(input_tokens=10, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4)
    return Response(content=list(content), stop=Stop.TOOL_USE, model="m", usage=usage)  # type: ignore[arg-type]


def test_a_run_is_told_again_as_it_was(town: Town) -> None:
    run = town.run(town.room("general"))
    second = USE | {"id": "u2"}
    traces.record_answer(town.tx, run, 1, answer(USE, second), started_us=1, now_us=DAY)
    for use, failed in ((USE, False), (second, True)):
        traces.record_result(
            town.tx, run, 1, use, Result(text="done", ends_run=True, outcome="spoken"),
            failed=failed, started_us=1, now_us=2,
        )  # fmt: skip
    traces.record_told(town.tx, run, 2, [{"type": "text", "text": "Reminder"}], now_us=3)
    told = traces.messages(town.tx, run)
    assert [message["role"] for message in told] == ["assistant", "user", "user"]
    assert told[0]["content"] == [USE, second]
    first, other = told[1]["content"]
    assert (first["tool_use_id"], "is_error" in first) == ("u1", False)
    assert (other["tool_use_id"], other["is_error"]) == ("u2", True)
    assert [step.tool_uses for step in traces.steps(town.tx, run)] == [[USE, second], []]


def test_the_first_answer_of_a_tool_stands(town: Town) -> None:
    run = town.run(town.room("general"))
    for text in ("first", "second"):
        traces.record_result(town.tx, run, 1, USE, Result(text=text), started_us=1, now_us=2)
    assert [one.body for one in traces.results(town.tx, run)] == ["first"]
