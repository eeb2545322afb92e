"""The composition root: the one file that knows every class, built from the ground up.

home ─► database ─► mind (controller, speaking, intake) ─► runtime ─► dispatcher · outbox · alarms
                                                                        chats ─► supervisor
"""

import asyncio
import logging
import os
import random
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from adapters.chat import Chat
from agency import fires
from agency.attention import Attention
from bot import alarms, attendance, derived, fittings, intake, mentions, platforms, toolbox
from bot.access import Access
from bot.alarms import Bells
from bot.approving import Approving
from bot.budgeting import Budgeting
from bot.commands.assembled import Parts, assemble
from bot.context import Contexts
from bot.costs import Costs
from bot.engine import controller, letters, roles
from bot.engine.breaker import Breaker
from bot.engine.controller import SessionController
from bot.engine.dispatch import Dispatcher
from bot.engine.keeper import Alone, Shared
from bot.engine.outbox import Outbox, lease_of
from bot.engine.runtime import Runtime
from bot.engine.supervisor import Supervisor
from bot.engine.waits import Clock, Sleep
from bot.files import fetching
from bot.files.fetching import Files
from bot.files.reading import Reader
from bot.files.sight import Sighted
from bot.footing import Footing
from bot.health import HealthWatch
from bot.house import House
from bot.inbox.digests import Digests
from bot.intake import Intake
from bot.lifecycle import Lifecycle
from bot.listener import Listener
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Model
from bot.news import News
from bot.notices import Notices, NoticeSettings
from bot.operating.discreet import Discreet
from bot.operating.redaction import Secrets, of_settings
from bot.operating.tally import Tally
from bot.parts import ALL, FILES, MIND, Part
from bot.plays.theatre import Theatre
from bot.presses import Presses
from bot.progress import Progress
from bot.questions import Desk
from bot.reception import Reception
from bot.responses import Responses
from bot.safekeeping import doubts, places, upgrades
from bot.safekeeping.trimming import Trimming
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from bot.signals import READ, STOP, FarSigns, Signals, Unseen
from bot.speaking import Speaking
from bot.timed.giving import Giving
from bot.timed.keeping import Keeping
from bot.timekeeping import Timekeeper
from bot.views import sight
from bot.views.house import HouseViews, ViewSettings
from bot.waiting import Waiting
from bot.web.rooms import WebRooms
from bot.withdrawals import Withdrawals
from memory import migrations
from memory.db import Database, Tx
from memory.engine import Engine
from memory.moments import to_us

logger = logging.getLogger(__name__)

_ROOT = Path(__file__).parent.parent
PACKAGES = (_ROOT / "memory", _ROOT / "agency", _ROOT / "bot")
"""Where migrations are, in the order they refer to each other."""


def system_clock() -> datetime:
    """The real time, aware, in UTC."""
    return datetime.now(UTC)


system_sleep: Sleep = asyncio.sleep
system_jitter: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a house takes from outside; tests and stories bring their own."""

    clock: Clock = system_clock
    sleep: Sleep = system_sleep
    jitter: Callable[[], float] = system_jitter
    """A number from 0 to 1."""
    model: Model | None = None
    """Takes the place of the configured one."""
    chats: tuple[Chat, ...] = ()
    """Beside the configured ones."""
    database: Callable[[Path | Engine], Database] = Database
    parts: frozenset[Part] = ALL
    """What this process does."""
    serve: bool = True
    """False leaves out the web server, keeping its rooms, and every other platform."""
    secrets: Secrets = field(default_factory=Secrets)
    """Learns those of the house, which no log, row or model is told."""
    tally: Tally = field(default_factory=Tally)


@asynccontextmanager
async def open_house(config: Config, around: Surroundings | None = None) -> AsyncIterator[House]:
    """Hold the data folder, bring its database up to date, and build everything."""
    around = around or Surroundings()
    around.secrets.learn(*of_settings(config))
    async with AsyncExitStack() as stack:
        home = Home(config.bot.data_dir)
        stack.enter_context(home.hold(shared=storage.shared(config)))
        places.finish(home, partial(doubts.came, config))
        db = await stack.enter_async_context(around.database(storage.place(config)))
        await upgrades.bring_up(db, home, migrations.steps(PACKAGES), around.clock())
        model = around.model or fittings.model(config)
        stack.push_async_callback(model.aclose)
        known_as = doubts.naming(await db.read(doubts.last))
        with home.named_errors():
            house = _build(config, home, db, model, around, known_as)
        await db.write(house.budgeting.open)
        yield house


def _build(
    config: Config,
    home: Home,
    db: Database,
    model: Model,
    around: Surroundings,
    known_as: Callable[[letters.Letter], str],
) -> House:
    clock, sleep, rules = around.clock, around.sleep, derived.rules(config)
    bells, instance = Bells.echoing(db.announce), secrets.token_hex(3)
    owner = f"{socket.gethostname()}:{os.getpid()}:{instance}"
    shared, parts = storage.shared(config), around.parts
    keeper = Shared(db, clock, sleep, owner=owner) if shared else Alone(db)
    files = Attention(home.folder)
    files.prepare()
    gate = SessionController(
        clock, bells.runs.ring, settings=controller.Settings(debounce=config.bot.debounce)
    )
    speaking = Speaking(gate, clock, rules=rules)
    responses = Responses(clock, enabled=config.duties.learning)
    desk = Desk(clock, bells.outbox.ring, bot_name=config.bot.name)
    approving = Approving(
        gate, clock, desk, rules=rules, bell=bells.approvals, on_queued=bells.runs.ring
    )
    life = Lifecycle(
        speaking,
        clock,
        agency_bell=bells.agency,
        outbox_bell=bells.outbox,
        language=config.bot.language,
        responses=responses,
        approving=approving,
        observe=derived.relays(config),
        ended=around.tally.ended,
    )
    costs = Costs(derived.budget(config))
    budgeting = Budgeting(
        clock,
        settings=derived.budget(config),
        language=config.bot.language,
        outbox_bell=bells.outbox,
    )
    rooms = WebRooms(db, clock)
    theatre = Theatre(rooms, sleep)
    views = HouseViews(
        db,
        clock,
        files,
        theatre,
        costs,
        rules=rules,
        settings=ViewSettings(
            model=model.name,
            agency=derived.thinks(config),
            workspace=attendance.team_of(sight.PLATFORM, sight.TENANT, config.privacy.one_team),
            patience=derived.patience(config),
            digests=derived.digests(config),
        ),
    )
    token = config.web.token.get_secret_value() or home.kept_token(
        lambda: secrets.token_urlsafe(18)
    )
    around.secrets.learn(token)
    web = fittings.web(config, token, rooms, views, clock, sleep, serve=around.serve)
    outer = platforms.chats(config, clock, sleep, around.jitter) if around.serve else ()
    chats = {chat.name: chat for chat in (web, *outer, *around.chats) if chat is not None}
    footing = Footing(
        home,
        clock,
        sleep,
        spare=config.bot.spare_room,
        watched=(home.lock,) if shared else (home.lock, home.database),
    )
    progress = Progress(
        db,
        chats,
        clock,
        sleep,
        language=config.bot.language,
        ours=lambda platform: keeper.holds(lease_of(platform)),
    )
    near = progress if Part.GATEWAY in parts else Unseen()
    far = FarSigns(near, db, clock, sleep) if shared else None
    enclosed = Files(
        keeper.store(FILES),
        chats,
        Reader(clock=clock, transcriber=config.files.transcriber),
        clock,
        sleep,
        bell=bells.files,
        news=bells.agency,
        settings=fetching.Settings(
            folder=home.files, enabled=config.files.enabled, max_size=config.files.max_size
        ),
        room=lambda: not footing.short,
        told=partial(db.announce, READ),
    )
    admission = Access(secrets.choice, settings=derived.admission(config))
    keeping = _keeping(config, speaking, admission, desk, bells, clock)
    breaker = Breaker(clock, bells.runs, patience=config.model.outage_patience)
    runtime = Runtime(
        db,
        Discreet(Sighted(model, home.files) if model.sees else model, around.secrets.strike),
        Contexts(files, clock, rules=rules, settings=derived.told(config, model)),
        life,
        roles=roles.all_roles(),
        tools=toolbox.tools(config, speaking, gate, files, responses, approving, keeping),
        clock=clock,
        signs=far or near,
        prepare=enclosed.ready,
        allowance=budgeting,
        spare=BuiltinModel(),
        answered=breaker.answered,
    )
    outbox = Outbox(
        db,
        chats,
        clock,
        sleep,
        bell=bells.outbox,
        placed=partial(fittings.placed, clock),
        people=mentions.known,
        welcome=speaking.welcome,
        hide=around.secrets.hide,
        known_as=known_as,
        delivered=around.tally.delivered,
        keeper=keeper,
    )
    supervisor = Supervisor(
        tuple(chats.values()),
        clock,
        sleep,
        around.jitter,
        keeper=keeper,
        hide=around.secrets.hide,
    )
    dispatcher = Dispatcher(
        db,
        runtime,
        gate,
        life,
        breaker,
        clock=clock,
        sleep=sleep,
        bell=bells.runs,
        owner=owner,
        settings=derived.dispatching(config, parts),
        thinks=partial(keeper.holds, MIND),
        hide=around.secrets.hide,
    )
    if far is not None:
        db.hear(Signals(bells, far, stop=dispatcher.stop, read=enclosed.known).hear)
    news = News(
        clock,
        observe=derived.relays(config) or derived.waits(config),
        wishes=derived.wishes(config),
        privacy=rules.privacy,
    )
    waiting = Waiting(db, clock, rules=rules, silence=config.agency.wait_silence, bell=bells.waits)
    digests = Digests(
        speaking,
        clock,
        outbox_bell=bells.outbox,
        settings=derived.digests(config, platforms.linking(chats)),
        admits=lambda reader, person: admission.right(reader, person, is_bot=False).orders,
        responses=responses,
    )
    orders = assemble(
        Parts(
            speaking=speaking,
            controller=gate,
            life=life,
            clock=clock,
            news=news,
            outbox_bell=bells.outbox,
            stop_task=partial(_stop, db, dispatcher),
            healths=supervisor.health,
            choose=secrets.choice,
            responses=responses,
            digests=digests,
            approving=approving,
            keeping=keeping,
            costs=costs,
        ),
        profile=derived.profile(config, model, instance=instance),
        admission=derived.admission(config),
    )
    reception = Reception(admission, orders, clock, bot_name=config.bot.name)
    return House(
        config=config,
        db=db,
        attention=files,
        controller=gate,
        speaking=speaking,
        budgeting=budgeting,
        reception=reception,
        news=news,
        responses=responses,
        intake=Intake(
            db,
            gate,
            Withdrawals(speaking, keeping, clock),
            Presses(speaking, approving, gate, desk),
            reception,
            news,
            responses,
            clock,
            bells=bells.heard,
            settings=intake.Settings(one_team=frozenset(config.privacy.one_team)),
            enclosed=bells.files,
        ),
        runtime=runtime,
        progress=progress,
        dispatcher=dispatcher,
        outbox=outbox,
        alarms=alarms.alarms(
            config,
            keeper.store(MIND),
            gate,
            speaking,
            bells,
            approving=approving,
            desk=desk,
            digests=digests,
            budgeting=budgeting,
            waiting=waiting,
            giving=Giving(gate, clock, desk, rules=rules),
            footing=footing,
            clock=clock,
            sleep=sleep,
        ),
        listener=Listener(
            keeper.store(MIND),
            sleep,
            bell=bells.listener,
            weighed=bells.agency,
            then=waiting.heard if derived.waits(config) else None,
            rest=None if derived.relays(config) else partial(_rest, clock),
            give_way=db.way.give,
        ),
        files=enclosed,
        rooms=rooms,
        theatre=theatre,
        views=views,
        web=web,
        supervisor=supervisor,
        watch=HealthWatch(
            db,
            supervisor.health,
            clock,
            sleep,
            bell=supervisor.bell,
            names=frozenset(chats),
            alone=not shared,
        ),
        notices=Notices(
            keeper.store(MIND),
            clock,
            sleep,
            outbox_bell=bells.outbox,
            settings=NoticeSettings(admins=config.access.admins, language=config.bot.language),
            more=footing.notices,
        ),
        footing=footing,
        timekeeper=Timekeeper(db, clock, sleep, bells=bells.every),
        trimming=Trimming(db, clock, sleep),
        keeper=keeper,
        parts=parts,
        far=far,
        model_name=model.name,
        web_token=token if web else "",
    )


def _keeping(
    config: Config,
    speaking: Speaking,
    admission: Access,
    desk: Desk,
    bells: Bells,
    clock: Clock,
) -> Keeping:
    return Keeping(
        clock,
        bells.reminders.ring,
        desk,
        name=config.bot.name,
        rules=speaking.rules,
        admits=lambda reader, person: admission.right(reader, person, is_bot=False).orders,
        zone=config.bot.zone,
        enabled=config.duties.reminders,
        wishes=derived.wishes(config),
    )


def _stop(db: Database, dispatcher: Dispatcher, run: int) -> None:
    dispatcher.stop(run)
    db.announce(f"{STOP}{run}")


def _rest(clock: Clock, tx: Tx) -> None:
    """What was said stays where it was said."""
    fires.set_aside(tx, now_us=to_us(clock()))
