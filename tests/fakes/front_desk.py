"""A reception without a house around it, for tests of what stands behind it."""

from bot import access
from bot.access import Access
from bot.commands.asked import Profile
from bot.commands.assembled import Parts, assemble
from bot.engine.controller import SessionController
from bot.engine.waits import Bell, Clock
from bot.lifecycle import Lifecycle
from bot.news import News
from bot.reception import Reception
from bot.responses import Responses
from bot.speaking import Speaking

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
    life = Lifecycle(
        speaking, clock, agency_bell=bell, outbox_bell=bell, language="auto",
        responses=Responses(clock, enabled=True),
    )  # fmt: skip
    parts = Parts(
        speaking=speaking,
        controller=controller,
        life=life,
        clock=clock,
        news=news,
        outbox_bell=bell,
        stop_task=lambda run: None,
        healths=dict,
        choose=lambda signs: signs[0],
    )
    profile = Profile(name=NAME, version="0", model="none", instance="0", language="auto")
    orders = assemble(parts, profile=profile, admission=admission)
    chosen = Access(lambda signs: signs[0], settings=admission)
    return Reception(chosen, orders, clock, bot_name=NAME), news
