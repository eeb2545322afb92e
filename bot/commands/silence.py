"""Orders about when it speaks: pause, resume, quiet hours, and stop."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from functools import partial

from agency import handoffs, personal, preferences
from agency.gates import Rules
from bot.access import Right
from bot.commands import times
from bot.commands.asked import Asked, moment
from bot.commands.parse import everywhere
from bot.commands.words import OFF
from bot.engine import inputs, letters, runs, sessions, traces
from bot.engine.controller import SessionController
from bot.engine.runs import Run
from bot.engine.runtime import Life
from bot.engine.tool import Result
from bot.speaking import Speaking
from memory import audiences, originals
from memory.db import Reader, Tx
from memory.moments import to_us

OPEN = 1000  # handoffs and runs looked at when the whole bot is paused or comes back


class Silence:
    """Keeps the bot quiet, or lets it speak again."""

    def __init__(
        self,
        speaking: Speaking,
        controller: SessionController,
        life: Life,
        *,
        stop_task: Callable[[int], None],
    ) -> None:
        self._speaking = speaking
        self._controller = controller
        self._life = life
        self._stop_task = stop_task

    @property
    def _rules(self) -> Rules:
        return self._speaking.rules

    def pause(self, tx: Tx, asked: Asked) -> str:
        """Only listen, for a while or until somebody says `resume`."""
        whole, rest = everywhere(asked.command.argument)
        if whole and asked.right is not Right.ADMIN:
            return asked.text("admins only")
        zone = asked.zone or self._rules.speaking.zone
        end = times.end(rest, now=asked.now, zone=zone) if rest else preferences.OPEN_END
        if end is None:
            return asked.text("say when")
        for session in [preferences.EVERYWHERE] if whole else chat_of(tx, asked):
            preferences.pause(tx, session, end, now=asked.now)
        for run in _unasked(tx, None if whole else chat_of(tx, asked)):
            self._controller.put_off(tx, run, end)
        name = "paused everywhere" if whole else "paused"
        return asked.text(name, until=until(asked, end, self._rules))

    def resume(self, tx: Tx, asked: Asked) -> str:
        """Answer and speak again, beginning with what waited."""
        whole, _ = everywhere(asked.command.argument)
        if whole and asked.right is not Right.ADMIN:
            return asked.text("admins only")
        meant = [preferences.EVERYWHERE] if whole else chat_of(tx, asked)
        before = _silenced(tx, asked, meant[0])
        for session in meant:
            preferences.pause(tx, session, None, now=asked.now)
            preferences.answers_only(tx, session, None, now=asked.now)
        if asked.direct:
            personal.pause(tx, asked.person, None, now=asked.now)
        after = preferences.of(tx, meant[0], now=asked.now).paused_until
        targets = _held(tx) if whole else meant
        if whole:
            letters.look_again(tx, None, now_us=to_us(asked.now))
        if asked.direct:
            targets = sorted({*targets, *audiences.heard_by(tx, asked.person)})
        for session in targets:
            self._speaking.reconsider_held(tx, session)
        for run in _unasked(tx, None if whole else meant):
            self._controller.put_off(tx, run, asked.now)
        if after is not None:
            return asked.text("still paused", until=until(asked, after, self._rules))
        return asked.text("resumed" if before else "not paused here")

    def quiet(self, tx: Tx, asked: Asked) -> str:
        """Quiet hours of this room, or none; those of a DM are its person's, see `Wanting`."""
        said = asked.command.argument.casefold()
        off = said in OFF
        found = preferences.NEVER if off else times.hours(said)
        if found is None:
            return asked.text("say hours")
        for session in chat_of(tx, asked):
            preferences.set_quiet(tx, session, found, now=asked.now)
            self._speaking.reconsider_held(tx, session)
        if off:
            return asked.text("quiet off")
        return asked.text("quiet set", **written(found, self._rules.speaking.zone))

    def stop(self, tx: Tx, asked: Asked) -> str:
        """Break off what runs or waits in this chat; what it was given is not run again."""
        now_us = to_us(asked.now)
        waiting, unsaid = letters.stop(tx, asked.session.id, now_us=now_us)
        for said in unsaid:
            originals.unsay(tx, said, now_us=now_us)
        done = bool(waiting)
        while (run := _next(tx, asked.session.id, now_us)) is not None:
            self._break_off(tx, run, now_us)
            done = True
        return asked.text("stopped" if done else "idle")

    def _break_off(self, tx: Tx, run: Run, now_us: int) -> None:
        _close_tools(tx, run, now_us)
        if run.state is runs.State.QUEUED:
            runs.cancel_queued(tx, run.id, reason=letters.STOPPED, now_us=now_us)
        else:
            runs.settle(tx, run.id, runs.State.CANCELLED, reason=letters.STOPPED, now_us=now_us)
            tx.on_commit(partial(self._stop_task, run.id))
        inputs.withdraw_of_run(tx, run.session_id, run.id)
        self._life.died(tx, run, letters.STOPPED)


def _next(tx: Tx, session: int, now_us: int) -> Run | None:
    """The open run of a session, else one that waits for a word, queued to be cancelled."""
    if (run := runs.open_of(tx, session)) is not None:
        return run
    for one in runs.suspended(tx, session):
        runs.resume(tx, one.id, due_us=now_us)
        return runs.get(tx, one.id)
    return None


def silenced(reader: Reader, asked: Asked) -> bool:
    """Whether there is anything that `resume` would end."""
    return _silenced(reader, asked, asked.session.id)


def _silenced(reader: Reader, asked: Asked, session: int) -> bool:
    wanted = preferences.of(reader, session, now=asked.now)
    own = personal.of(reader, asked.person, now=asked.now) if asked.direct else None
    ends = (wanted.paused_until, wanted.answers_until, own.paused_until if own else None)
    return any(end is not None for end in ends)


def until(asked: Asked, end: datetime, rules: Rules) -> str:
    """The end of a pause in words."""
    if end >= preferences.OPEN_END:
        return asked.text("until resumed")
    return asked.text("until", moment=moment(asked, end, rules))


def written(quiet: preferences.Hours, zone: tzinfo) -> dict[str, str]:
    """Quiet hours as values of a text."""
    start, over = (f"{one:%H:%M}" for one in quiet)
    return {"start": start, "over": over, "zone": str(zone)}


def chat_of(reader: Reader, asked: Asked) -> list[int]:
    """The sessions an order is about: the chat with its threads, or all DMs of the person."""
    if asked.direct:
        heard = sorted(audiences.heard_by(reader, asked.person) | {asked.session.id})
        found = (audiences.find(reader, session) for session in heard)
        return [one.session_id for one in found if one is not None and one.direct]
    return [asked.session.id, *sessions.kin(reader, asked.session)]


def _unasked(reader: Reader, meant: list[int] | None) -> list[Run]:
    """Queued runs nobody asked for, in some sessions or everywhere."""
    found = (
        runs.still_open(reader, limit=OPEN)
        if meant is None
        else [run for one in meant if (run := runs.open_of(reader, one)) is not None]
    )
    return [
        run
        for run in found
        if run.state is runs.State.QUEUED and run.priority == runs.Priority.NUDGE
    ]


def _held(reader: Reader) -> list[int]:
    waiting = (handoffs.State.HELD, handoffs.State.DIGEST)
    found = handoffs.still_open(reader, limit=OPEN)
    return sorted({one.target_id for one in found if one.state in waiting})


def _close_tools(tx: Tx, run: Run, now_us: int) -> None:
    """No tool call is left without an answer, so that the trace can be read by a model."""
    steps = traces.steps(tx, run.id)
    if not steps:
        return
    last = steps[-1]
    done = {one.use_id for one in traces.results(tx, run.id) if one.n == last.n}
    for use in last.tool_uses:
        if use["id"] not in done:
            result = Result(text=letters.STOPPED)
            traces.record_result(
                tx, run.id, last.n, use, result, failed=True, started_us=now_us, now_us=now_us
            )
