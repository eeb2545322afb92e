"""Orders that only tell something: help, who are you, status, why, approvals."""

from collections.abc import Iterator

from agency import hours, mutes, personal, preferences
from agency.audience import Dm
from agency.gates import Rules
from agency.hearing import Hearing
from bot import chains
from bot.access import Right
from bot.commands.asked import Asked, Healths, Profile
from bot.commands.sentences import switches
from bot.commands.silence import until, written
from bot.costs import Costs
from bot.engine import letters, runs
from bot.rows import Row
from memory.db import Reader

DAYS = 2  # that a budget is told of; `limen budget` tells of more
SHOWN = 300  # signs of a quoted message


class Telling:
    """Answers from one snapshot, with what the people of the chat may hear."""

    def __init__(self, rules: Rules, healths: Healths, costs: Costs, *, profile: Profile) -> None:
        self._rules = rules
        self._healths = healths
        self._costs = costs
        self._profile = profile

    def help(self, reader: Reader, asked: Asked) -> str:
        """What can be ordered."""
        lines = [asked.text("help")]
        if asked.right is Right.ADMIN:
            lines.append(asked.text("help admin"))
        return "\n".join([*lines, *self._off(asked)])

    def _off(self, asked: Asked) -> Iterator[str]:
        if self._profile.off:
            yield asked.text("off", duties=switches.listed(self._profile.off, asked.lang))

    def who(self, reader: Reader, asked: Asked) -> str:
        """What it is, hears and keeps."""
        dm = asked.text(f"who dm {Dm(self._rules.privacy.dm).value}")
        return asked.text("who", name=self._profile.name, model=self._profile.model, dm=dm)

    def status(self, reader: Reader, asked: Asked) -> str:
        """How it is, in general and in this chat."""
        return "\n".join(self._status(reader, asked))

    def _status(self, reader: Reader, asked: Asked) -> Iterator[str]:
        profile = self._profile
        yield asked.text(
            "status",
            name=profile.name,
            version=profile.version,
            model=profile.model,
            instance=profile.instance,
        )
        for name, health in self._healths().items():
            note = f" ({health.note})" if health.note else ""
            yield f"- {name}: {asked.text('up' if health.up else 'down')}{note}"
        open_runs, open_letters = runs.count_open(reader), letters.count_open(reader)
        yield asked.text("waiting", runs=open_runs, letters=open_letters)
        yield from self._wishes(reader, asked)
        yield asked.text(f"attention {asked.session.attention.value}")
        yield from self._off(asked)

    def _wishes(self, reader: Reader, asked: Asked) -> Iterator[str]:
        """What this chat wants, and in a DM its person."""
        wanted = preferences.of(reader, asked.session.id, now=asked.now)
        if wanted.paused_until is None:
            yield asked.text("not paused")
        else:
            yield asked.text("is paused", until=until(asked, wanted.paused_until, self._rules))
        if (end := wanted.answers_until) is not None:
            yield asked.text("is answers only", until=until(asked, end, self._rules))
        settings = self._rules.speaking
        here = hours.in_chat(reader, asked.session.id, now=asked.now, settings=settings)
        if here.quiet is None or here.quiet[0] == here.quiet[1]:
            yield asked.text("no quiet")
        else:
            yield asked.text("quiet", **written(here.quiet, here.zone))
        own = personal.of(reader, asked.person, now=asked.now) if asked.direct else None
        if own is not None and own.paused_until is not None:
            yield asked.text("is paused me", until=until(asked, own.paused_until, self._rules))
        muted = (
            mutes.of_person(reader, asked.person, now=asked.now)
            if asked.direct
            else mutes.of_chat(reader, asked.chat, now=asked.now)
        )
        if muted:
            subjects = asked.text("between").join(one.subject for one in muted)
            yield asked.text("has mutes", subjects=subjects)

    def budget(self, reader: Reader, asked: Asked) -> str:
        """Where the budget went in the last days, and what is cut down today."""
        if asked.right is not Right.ADMIN:
            return asked.text("admins only")
        return "\n".join(self._costs.lines(reader, asked.lang, days=DAYS, now=asked.now))

    def why(self, reader: Reader, asked: Asked) -> str:
        """What led to the message that is answered, or to the last unasked one."""
        original = explained(reader, asked)
        room = asked.audience
        if original is None or room is None:
            return asked.text("why none")
        hears = Hearing(reader, room, self._rules.privacy)
        chain = chains.rows_of(reader, original, hears=hears)
        told = [f"{number}. {_step(row)}" for number, row in enumerate(chain, 1)]
        return "\n".join([asked.text("why"), *told]) if told else asked.text("why none")


def explained(reader: Reader, asked: Asked) -> int | None:
    """The message of the bot's that a `why` is about; None where there is none."""
    if asked.target is not None:
        own = letters.of_original(reader, asked.target.id) is not None
        return asked.target.id if own else None
    return letters.last_unasked(reader, asked.session.id)


def _step(row: Row) -> str:
    place = ", ".join(str(row[key]) for key in ("room", "from") if row.get(key))
    said = _short(str(row["text"]))
    return f"{place}: “{said}”" if place else said


def _short(said: str) -> str:
    flat = " ".join(said.split())
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 1] + "…"
