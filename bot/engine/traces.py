"""Traces: what a run was told and answered, kept so that it can be read and resumed."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from bot.engine import inputs
from bot.engine.tool import Result
from bot.models.model import Block, Message, Response
from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, Shelf, listed
from memory.moments import from_us
from memory.originals import NO_LONGER_KEPT

SQL = queries(__file__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One turn of a run: the model's answer, or what it was told afterwards."""

    n: int
    role: str
    content: list[Block]
    model: str
    input_tokens: int
    output_tokens: int
    started_at: datetime
    finished_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            n=row["n"],
            role=row["role"],
            content=json.loads(row["content"]),
            model=row["model"],
            input_tokens=row["input_tokens"],
            output_tokens=row["output_tokens"],
            started_at=from_us(row["started_at"]),
            finished_at=from_us(row["finished_at"]),
        )

    @property
    def tool_uses(self) -> list[Block]:
        """The tools this answer asks for."""
        return [block for block in self.content if block.get("type") == "tool_use"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What one use of a tool came to."""

    use_id: str
    n: int
    name: str
    body: str
    failed: bool
    ends_run: bool
    outcome: str
    reason: str
    started_at: datetime
    finished_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            use_id=row["use_id"],
            n=row["n"],
            name=row["name"],
            body=row["body"],
            failed=bool(row["failed"]),
            ends_run=bool(row["ends_run"]),
            outcome=row["outcome"],
            reason=row["reason"],
            started_at=from_us(row["started_at"]),
            finished_at=from_us(row["finished_at"]),
        )

    @property
    def block(self) -> Block:
        """The form in which the model is told."""
        block: Block = {"type": "tool_result", "tool_use_id": self.use_id, "content": self.body}
        return block | {"is_error": True} if self.failed else block


def record_answer(
    tx: Tx, run: int, n: int, answer: Response, *, started_us: int, now_us: int
) -> None:
    """Keep a model's answer."""
    tx.run(
        SQL["add_step"],
        run=run,
        n=n,
        role="assistant",
        content=json.dumps(answer.content, ensure_ascii=False),
        model=answer.model,
        input=answer.usage.input_tokens,
        output=answer.usage.output_tokens,
        started=started_us,
        finished=now_us,
    )


def record_told(tx: Tx, run: int, n: int, content: list[Block], *, now_us: int) -> None:
    """Keep what the model was told between its answers, beside tool results."""
    tx.run(
        SQL["add_step"],
        run=run,
        n=n,
        role="user",
        content=json.dumps(content, ensure_ascii=False),
        model="",
        input=0,
        output=0,
        started=now_us,
        finished=now_us,
    )


def record_result(
    tx: Tx,
    run: int,
    n: int,
    use: Block,
    result: Result,
    *,
    failed: bool = False,
    started_us: int,
    now_us: int,
) -> None:
    """Keep what a tool answered."""
    tx.run(
        SQL["add_result"],
        run=run,
        use=use["id"],
        n=n,
        name=use["name"],
        body=result.text,
        failed=failed,
        ends_run=result.ends_run,
        outcome=result.outcome,
        reason=result.reason,
        started=started_us,
        finished=now_us,
    )


def steps(reader: Reader, run: int) -> list[Step]:
    """The turns of a run, in order."""
    return [Step.from_row(row) for row in reader.all(SQL["steps"], run=run)]


def results(reader: Reader, run: int) -> list[ToolResult]:
    """What the tools of a run answered, in order."""
    return [ToolResult.from_row(row) for row in reader.all(SQL["results"], run=run)]


def owes_a_word(reader: Reader, run: int) -> bool:
    """Whether a message waits for an answer of the run, and nothing was said in it yet."""
    waits = any(one.trigger is inputs.Trigger.MESSAGE for one in inputs.of_run(reader, run))
    return waits and not any(one.name == "say" and not one.failed for one in results(reader, run))


def messages(reader: Reader, run: int) -> list[Message]:
    """The conversation of a run after its context, as the model has to be told it again.

    A tool that never answered is left open; the request is mended before it is sent.
    """
    answered: dict[int, list[Block]] = {}
    for result in results(reader, run):
        answered.setdefault(result.n, []).append(result.block)
    told: list[Message] = []
    for step in steps(reader, run):
        told.append({"role": step.role, "content": step.content})
        if step.n in answered:
            told.append({"role": "user", "content": answered[step.n]})
    return told


def spent(reader: Reader, *, days: int = 7) -> list[Row]:
    """Usage rows of the last days with use, newest first."""
    return reader.all(SQL["spent"], limit=days * 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How long a run is, and what it cost."""

    answers: int
    input_tokens: int
    output_tokens: int


def totals(reader: Reader, run: int) -> Totals:
    """The sums over a run's turns."""
    row = reader.one(SQL["totals"], run=run)
    if row is None:
        return Totals(answers=0, input_tokens=0, output_tokens=0)
    return Totals(answers=row["answers"], input_tokens=row["input"], output_tokens=row["output"])


def clear(tx: Tx, runs: Iterable[int]) -> int:
    """Let go of what some runs thought and looked up; how many steps. What they cost stays."""
    wanted = listed(runs)
    content = json.dumps([{"type": "text", "text": NO_LONGER_KEPT}])
    tx.run(SQL["clear_results"], runs=wanted, body=NO_LONGER_KEPT)
    return tx.run(SQL["clear_steps"], runs=wanted, content=content)


class _Traces(Shelf):
    """Traces, by the run: what was thought and looked up goes, how much there was of it stays."""

    def blank(self, tx: Tx, ids: Iterable[int], *, now_us: int) -> int:
        wanted = listed(ids)
        content = json.dumps([{"type": "text", "text": MARK}])
        tx.run(SQL["blank_results"], ids=wanted, mark=MARK)
        return tx.run(SQL["blank_steps"], ids=wanted, content=content)


STEPS = _Traces(SQL["step_words"])
RESULTS = _Traces(SQL["result_words"])
