"""The commands of a house, put together."""

from collections.abc import Callable
from dataclasses import dataclass

from adapters.chat import EventKind
from bot import access
from bot.approving import Approving
from bot.codes import Choose
from bot.commands.asked import Healths, Profile
from bot.commands.doors import Doors
from bot.commands.forgetting import Forgetting
from bot.commands.inboxes import Inboxes
from bot.commands.kept import Kept
from bot.commands.lessons import Lessons
from bot.commands.orders import Orders
from bot.commands.post import Post
from bot.commands.silence import Silence
from bot.commands.telling import Telling
from bot.commands.wanting import Wanting
from bot.commands.yeses import Yeses
from bot.costs import Costs
from bot.engine import sessions
from bot.engine.controller import SessionController
from bot.engine.runtime import Life
from bot.engine.waits import Bell, Clock
from bot.inbox.digests import Digests
from bot.news import News
from bot.responses import Responses
from bot.speaking import Speaking
from bot.timed.keeping import Keeping
from bot.withdrawals import Withdrawals
from memory.db import Tx
from memory.originals import Original


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What commands act on."""

    speaking: Speaking
    controller: SessionController
    life: Life
    clock: Clock
    news: News
    outbox_bell: Bell
    stop_task: Callable[[int], None]
    healths: Healths
    choose: Choose
    responses: Responses
    costs: Costs
    digests: Digests
    approving: Approving
    keeping: Keeping


def assemble(parts: Parts, *, profile: Profile, admission: access.Settings) -> Orders:
    """Every command, ready to be ordered."""

    def tell(tx: Tx, original: Original) -> None:
        session = sessions.find(tx, original.session_id)
        if session is not None:
            parts.news.tell(
                tx,
                session,
                original.id,
                kind=EventKind.RECALL,
                version=original.version,
                text="",
            )

    post = Post(parts.clock, parts.outbox_bell.ring, bot_name=profile.name)
    return Orders(
        post,
        Telling(parts.speaking.rules, parts.healths, parts.costs, profile=profile),
        Silence(parts.speaking, parts.controller, parts.life, stop_task=parts.stop_task),
        Forgetting(Withdrawals(parts.speaking, parts.keeping, parts.clock), tell),
        Doors(parts.choose, post, settings=admission),
        Lessons(parts.responses, parts.speaking.rules),
        Inboxes(parts.digests, parts.speaking.rules),
        Yeses(parts.speaking, parts.approving),
        Wanting(parts.speaking),
        Kept(parts.keeping),
        profile=profile,
    )
