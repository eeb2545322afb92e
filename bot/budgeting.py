"""Keeps the day's budget: what a run may think with, what it cost, and who is told of it."""

import logging
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from agency import budgets
from agency.budgets import Level, Purpose, Spent
from bot import texts
from bot.engine import inputs, letters, runs, sessions, spending
from bot.engine.allowance import Allowance, Grant
from bot.engine.inputs import Input, Trigger
from bot.engine.letters import Draft
from bot.engine.rations import Ration
from bot.engine.runs import Run
from bot.engine.spending import Spending
from bot.engine.waits import Bell, Clock
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Response
from bot.standing import stands
from memory.db import Reader, Tx
from memory.moments import to_us

logger = logging.getLogger(__name__)

Due = Callable[[Reader], int | None]
"""When something is due next, in stored form."""

CONVERSATION = "conversation"  # the role that speaks
SOON = timedelta(seconds=15)  # until those in progress are booked, and it is known what is left
_RATIONS = {Level.OK: Ration.FULL, Level.CHEAPER: Ration.SMALL, Level.BUILTIN: Ration.BUILTIN}
_LIKELY = Spent(tokens=4000, cost=20_000, calls=1)
"""What a call is taken to cost while none of the day is booked."""


class Budgeting(Allowance):
    """The allowance by the `[budget]` section; a day is the team's day."""

    def __init__(
        self, clock: Clock, *, settings: budgets.Settings, language: str, outbox_bell: Bell
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._language = language
        self._outbox_bell = outbox_bell
        self._unpriced: set[str] = set()
        """Models without a price that were warned of."""

    def open(self, tx: Tx) -> None:
        """At the start the settings may be new ones: what waits is looked at again."""
        runs.let_go(tx, now_us=self._now_us())
        self._note(tx)

    def grant(self, tx: Tx, run: Run, purpose: str) -> Grant:
        """Choose by the level of the purpose, as if those in progress were booked already."""
        if not self.settings.limited:
            return Grant(Ration.UNSET)
        spent, of = self.spent(tx), Purpose(purpose)
        ahead = _ahead(spent, runs.count_rationed(tx))
        level = budgets.level(of, spent, self.settings, ahead=ahead)
        if level is not Level.PAUSED:
            return Grant(_RATIONS[level])
        if budgets.level(of, spent, self.settings) is not Level.PAUSED:
            return Grant(Ration.WAITS, self._clock() + SOON)
        if of is Purpose.FOREGROUND and _asked(tx, run):
            return Grant(Ration.UNSET, self.next_day(), refused=True)
        settings = self.settings
        speaks = run.role == CONVERSATION
        at = settings.morning if speaks else budgets.MIDNIGHT  # nobody is told at midnight
        return Grant(Ration.WAITS, budgets.next_day(self._clock(), settings.zone, at))

    def book(self, tx: Tx, answer: Response, *, purpose: str, now_us: int) -> None:
        """Add what one answer cost, and note where that brings the levels."""
        cost, currency = self._cost(answer)
        spending.book(
            tx,
            answer.usage,
            day=self.today(),
            purpose=purpose,
            model=answer.model,
            cost=cost,
            currency=currency,
        )
        self._note(tx)

    def refuse(self, tx: Tx, run: Run, given: list[Input], until: datetime) -> None:
        """Say plainly that the budget is used up, and when it goes on."""
        self._tell(tx, run, given, "refused", f"budget-refused:{run.id}")

    def ended(self, tx: Tx, run: Run) -> None:
        """Tell a chat once a day that the built-in model answered, and why."""
        if run.ration is not Ration.BUILTIN or run.role != CONVERSATION:
            return
        session = sessions.find(tx, run.session_id)
        if session is not None and letters.of_run(tx, run.id):
            key = f"budget-builtin:{self.today()}:{session.parent_id or session.id}"
            self._tell(tx, run, inputs.of_run(tx, run.id), "builtin", key)

    def within(self, purpose: Purpose, due: Due) -> Due:
        """The moments of something that costs: not before a paused purpose may go on."""

        def allowed(reader: Reader) -> int | None:
            at = due(reader)
            if at is None or not self.settings.limited:
                return at
            level = budgets.level(purpose, self.spent(reader), self.settings)
            return max(at, to_us(self.next_day())) if level is Level.PAUSED else at

        return allowed

    def spent(self, reader: Reader) -> budgets.Day:
        """What was spent today."""
        return by_purpose(spending.of_day(reader, self.today()), self.settings.currency)

    def today(self) -> date:
        """The team's day."""
        return budgets.day_of(self._clock(), self.settings.zone)

    def next_day(self) -> datetime:
        """When the day's budget is a new one."""
        return budgets.next_day(self._clock(), self.settings.zone)

    def _note(self, tx: Tx) -> None:
        if not self.settings.limited:
            return
        spent = self.spent(tx)
        budgets.note(
            tx,
            self.today(),
            budgets.levels(spent, self.settings),
            used=budgets.used(sum(spent.values(), Spent()), self.settings),
            now_us=self._now_us(),
        )

    def _cost(self, answer: Response) -> tuple[int, str]:
        """In millionths and in which currency; none is known where no price is."""
        if answer.model == BuiltinModel.name:
            return 0, self.settings.currency
        price, used = self.settings.price(answer.model), answer.usage
        if price is None:
            self._warn(answer.model)
            price = self.settings.dearest()
        if price is None:
            return 0, ""
        cost = price.cost(
            input=used.input_tokens,
            output=used.output_tokens,
            cache_read=used.cache_read_tokens,
            cache_write=used.cache_write_tokens,
        )
        return cost, self.settings.currency

    def _warn(self, model: str) -> None:
        if model not in self._unpriced:
            self._unpriced.add(model)
            logger.warning(
                "no price of %r is known: it counts at the dearest known price; "
                "write one under [budget.prices]",
                model,
            )

    def _tell(self, tx: Tx, run: Run, given: Iterable[Input], name: str, key: str) -> None:
        asked = [one for one in given if one.waited_for and stands(tx, one)]
        session = sessions.find(tx, run.session_id)
        if not asked or session is None or session.address is None:
            return
        lang = texts.language(asked[-1].text, setting=self._language)
        draft = Draft(
            key=key,
            session_id=session.id,
            address=session.address,
            body=texts.budget(name, lang, zone=str(self.settings.zone)),
            run_id=run.id,
        )
        letters.post(tx, draft, now_us=self._now_us())
        tx.on_commit(self._outbox_bell.ring)

    def _now_us(self) -> int:
        return to_us(self._clock())


def _asked(reader: Reader, run: Run) -> bool:
    """Whether a run is for what somebody said: of no use on another day."""
    unread = inputs.unread(reader, run.session_id)
    return any(one.trigger is Trigger.MESSAGE for one in unread)


def by_purpose(rows: Iterable[Spending], currency: str) -> dict[Purpose, Spent]:
    """The sums of each purpose; the built-in model costs nothing, other money does not count."""
    day: dict[Purpose, Spent] = {}
    for row in rows:
        if row.model != BuiltinModel.name:
            cost = row.cost if row.currency == currency else 0
            one = Spent(tokens=row.tokens, cost=cost, calls=row.calls)
            purpose = Purpose(row.purpose)
            day[purpose] = day.get(purpose, Spent()) + one
    return day


def _ahead(day: budgets.Day, running: int) -> Spent:
    """What runs in progress will likely take: a call each, as dear as those of the day."""
    booked = sum(day.values(), Spent())
    mean = booked if booked.calls else _LIKELY
    return Spent(mean.tokens * running // mean.calls, mean.cost * running // mean.calls, 0)
