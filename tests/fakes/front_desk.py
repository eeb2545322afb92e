"""A reception without a house around it, for tests of what stands behind it."""

from zoneinfo import ZoneInfo

from agency import budgets
from bot import access
from bot.access import Access
from bot.approving import Approving
from bot.commands.asked import Profile
from bot.commands.assembled import Parts, assemble
from bot.costs import Costs
from bot.engine.controller import SessionController
from bot.engine.waits import Bell, Clock
from bot.inbox.digests import Digests
from bot.inbox.pages import Settings
from bot.lifecycle import Lifecycle
from bot.news import News
from bot.presses import Presses
from bot.questions import Desk
from bot.reception import Reception
from bot.responses import Responses
from bot.speaking import Speaking
from bot.timed.keeping import Keeping

NAME = "Limen"


def front_desk(
    speaking: Speaking,
    controller: SessionController,
    clock: Clock,
    settings: access.Settings | None = None,
) -> tuple[Reception, News]:
    """Judges by `settings`; nothing is ever running that could be stopped."""
    admission = settings or access.Settings()
    news, bell = News(clock, observe=True), Bell()
    responses = Responses(clock, enabled=True)
    life = Lifecycle(
        speaking, clock, agency_bell=bell, outbox_bell=bell, language="auto",
        responses=responses,
        approving=approving(speaking, controller, clock),
    )  # fmt: skip
    parts = Parts(
        costs=Costs(budgets.Settings()),
        speaking=speaking,
        controller=controller,
        life=life,
        clock=clock,
        news=news,
        outbox_bell=bell,
        stop_task=lambda run: None,
        healths=dict,
        choose=lambda signs: signs[0],
        responses=responses,
        approving=approving(speaking, controller, clock),
        keeping=keeping(speaking, clock),
        digests=Digests(
            speaking,
            clock,
            outbox_bell=bell,
            settings=Settings(),
            admits=lambda reader, person: True,
            responses=responses,
        ),
    )
    profile = Profile(name=NAME, version="0", model="none", instance="0", language="auto")
    orders = assemble(parts, profile=profile, admission=admission)
    chosen = Access(lambda signs: signs[0], settings=admission)
    return Reception(chosen, orders, clock, bot_name=NAME), news


def approving(speaking: Speaking, controller: SessionController, clock: Clock) -> Approving:
    """Carries approvals through their states; nobody is woken."""
    bell = Bell()
    desk = Desk(clock, bell.ring, bot_name=NAME)
    return Approving(controller, clock, desk, rules=speaking.rules, bell=bell, on_queued=bell.ring)


def keeping(speaking: Speaking, clock: Clock) -> Keeping:
    """Keeps reminders; everybody may have them."""
    bell = Bell()
    return Keeping(
        clock,
        bell.ring,
        Desk(clock, bell.ring, bot_name=NAME),
        name=NAME,
        rules=speaking.rules,
        admits=lambda reader, person: True,
        zone=ZoneInfo("UTC"),
        enabled=True,
        wishes=True,
    )


def presses(speaking: Speaking, controller: SessionController, clock: Clock) -> Presses:
    """Takes what people press."""
    desk = Desk(clock, Bell().ring, bot_name=NAME)
    return Presses(speaking, approving(speaking, controller, clock), controller, desk)
