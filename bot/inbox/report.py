"""The daily report: what was looked at, found, said, held back and spent, as counts."""

from dataclasses import dataclass, field
from datetime import date, time, timedelta, tzinfo

from agency import fires, grid, handoffs, inbox
from agency.budgets import Purpose
from agency.handoffs import State
from bot.engine import letters, spending
from bot.inbox import wording
from bot.texts import Language
from memory import audiences, facts, files, originals
from memory.db import Reader
from memory.moments import to_us

MILLION = 1_000_000  # money is counted in millionths
_WAITING = frozenset({State.PROPOSED, State.HELD, State.ASKING, State.DIGEST, State.ADMITTED})
_DROPPED = frozenset({State.DROPPED, State.EXPIRED, State.DECLINED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The counts of one day, for one person's rooms or for the whole house."""

    day: date
    whole: bool
    messages: int
    rooms: int
    fires: int
    files: int
    handoffs: int
    facts: int
    answers: int
    unasked: int
    digests: int
    waiting: int
    silent: int
    refused: int
    dropped: int
    tokens: int = 0
    calls: int = 0
    cost: str = ""
    """With its currency; empty where no price is known."""
    purposes: dict[str, int] = field(default_factory=dict)
    """Tokens by purpose."""


def of(reader: Reader, day: date, zone: tzinfo, *, person: int | None) -> Report:
    """The report of a day of a zone; `person` None adds up everything.

    For a person only the rooms they are in are counted, and nothing of what was spent.
    """
    begin, end = (grid.on_day(one, time(), zone) for one in (day, day + timedelta(days=1)))
    span = {"since_us": to_us(begin), "until_us": to_us(end)}
    mine = audiences.heard_by(reader, person) if person is not None else None

    def counted(found: dict[int, int] | dict[int | None, int]) -> dict[int | None, int]:
        return {room: n for room, n in found.items() if mine is None or room in mine}

    heard = counted(originals.tally(reader, **span))
    said = [one for one in letters.tally(reader, **span) if mine is None or one[0] in mine]
    became = [one for one in handoffs.outcomes(reader, **span) if mine is None or one[0] in mine]
    spent = spending.of_day(reader, day) if mine is None else []
    return Report(
        day=day,
        whole=mine is None,
        messages=sum(heard.values()),
        rooms=len(heard),
        fires=sum(counted(fires.noticed(reader, **span)).values()),
        files=sum(counted(files.tally(reader, **span)).values()),
        handoffs=sum(n for *_, n in became),
        facts=sum(counted(facts.tally(reader, **span)).values()),
        answers=sum(n for _, unasked, _, n in said if not unasked),
        unasked=sum(n for _, unasked, word, n in said if unasked and not _digests(word)),
        digests=sum(n for _, unasked, word, n in said if unasked and _digests(word)),
        waiting=sum(n for _, state, n in became if state in _WAITING),
        silent=sum(n for _, state, n in became if state is State.SILENT),
        refused=sum(n for _, state, n in became if state is State.REFUSED),
        dropped=sum(n for _, state, n in became if state in _DROPPED),
        tokens=sum(one.tokens for one in spent),
        calls=sum(one.calls for one in spent),
        cost=_cost(spent),
        purposes=_purposes(spent),
    )


def text_of(report: Report, lang: Language) -> str:
    """The report in words."""
    day = wording.day(report.day, lang)
    parts = [wording.text("report all" if report.whole else "report", lang, day=day)]
    names = ("looked", "found", "said", "held")
    parts += (wording.text(name, lang, **_values(report, lang)) for name in names)
    if report.whole:
        parts.append(wording.text("spent", lang, **_values(report, lang)))
        parts += (
            wording.text("spent on", lang, purpose=_called(purpose, lang), tokens=f"{tokens:,}")
            for purpose, tokens in report.purposes.items()
        )
    return "\n".join(parts)


def _values(report: Report, lang: Language) -> dict[str, object]:
    counted = {
        "messages": (report.messages, "message"), "rooms": (report.rooms, "room"),
        "files": (report.files, "file"), "handoffs": (report.handoffs, "matter"),
        "facts": (report.facts, "fact"), "answers": (report.answers, "answer"),
        "unasked": (report.unasked, "message"), "digests": (report.digests, "digest"),
        "calls": (report.calls, "call"),
    }  # fmt: skip
    return {name: wording.counted(n, noun, lang) for name, (n, noun) in counted.items()} | {
        "fires": report.fires,
        "waiting": report.waiting,
        "silent": report.silent,
        "refused": report.refused,
        "dropped": report.dropped,
        "tokens": f"{report.tokens:,}",
        "cost": wording.text("cost", lang, cost=report.cost) if report.cost else "",
    }


def _called(purpose: str, lang: Language) -> str:
    return wording.text(purpose, lang) if purpose in tuple(Purpose) else purpose


def _digests(word: str) -> bool:
    return word == inbox.DIGEST.rstrip(":")


def _purposes(spent: list[spending.Spending]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in spent:
        found[one.purpose] = found.get(one.purpose, 0) + one.tokens
    return found


def _cost(spent: list[spending.Spending]) -> str:
    by_currency: dict[str, int] = {}
    for one in spent:
        if one.currency and one.cost:
            by_currency[one.currency] = by_currency.get(one.currency, 0) + one.cost
    return " + ".join(f"{cost / MILLION:.2f} {name}" for name, cost in by_currency.items())
