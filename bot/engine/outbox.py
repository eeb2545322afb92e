"""The outbox: the only way out to a chat, in order for each room.

claim ─► welcome? ─► cut ─► chat.send ─► sent | again | failed | in doubt ─► look ─► sent | again

Rooms take turns, and every platform has places of its own: where sends are slow, nobody else waits.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter

from adapters.chat import Address, Author, Chat, Outgoing, Receipt
from adapters.errors import Refused, Retry, Unknown
from adapters.pace import BEFORE_ITS_TURN
from bot.engine import letters
from bot.engine.keeper import Alone, Keeper
from bot.engine.leases import Store
from bot.engine.letters import Letter
from bot.engine.waits import FULL_S, Bell, Clock, Sleep, look_again, within
from bot.errors import LeaseLost
from memory.db import Database, Reader, Tx
from memory.errors import StorageError, StorageFull
from memory.lanes import pressing
from memory.moments import span_us, to_us

logger = logging.getLogger(__name__)

BATCH = 16  # rooms of one platform served side by side
ROUND = 256  # rooms that are remembered as served; then a new round begins
POLL_S = 30.0  # seconds; the bell rings sooner
LOOK_S = 10.0  # seconds before a chat is asked again whether a letter arrived; more for old ones
LOST_S = 1.0  # seconds until it is noticed that a platform is another process's
CLOSING_S = 1.0  # seconds a house that closes waits for its database
GIVE_UP = timedelta(hours=12)  # of trying: later the words would come out of nowhere
BACKOFF_S = 2.0  # seconds before the second try; doubles up to BACKOFF_LIMIT_S
BACKOFF_LIMIT_S = 300.0

People = Callable[[Reader, Letter], tuple[Author, ...]]
"""Whom a letter may mention, by their ids on its platform."""
Placed = Callable[[Tx, Letter, str], None]
"""Told inside the transaction that a letter was posted, with the platform's message id."""
Welcome = Callable[[Tx, Letter], datetime | str | None]
"""Asked right before a letter nobody asked for goes out: None for now, a moment to wait for, or why
it is not to be said any more."""


Delivered = Callable[[str, str], None]
"""Told the platform and what a try came to: sent, retry, refused, doubt or gave_up."""


def uncounted(platform: str, outcome: str) -> None:
    """Nobody counts."""


def lease_of(platform: str) -> str:
    """The lease of a platform's connection."""
    return f"chat:{platform}"


def always(tx: Tx, letter: Letter) -> None:
    """Every letter goes out when it is due."""


class Outbox:
    """Posts letters until cancelled."""

    def __init__(
        self,
        db: Database,
        chats: Mapping[str, Chat],
        clock: Clock,
        sleep: Sleep,
        *,
        bell: Bell,
        placed: Placed,
        people: People,
        welcome: Welcome = always,
        delivered: Delivered = uncounted,
        hide: Callable[[str], str] = str,
        known_as: Callable[[Letter], str] = attrgetter("key"),
        keeper: Keeper | None = None,
    ) -> None:
        """Build it; with a `keeper` it posts on platforms whose connection this process holds."""
        self._db = db
        self._keeper = keeper or Alone(db)
        self._chats = chats
        self._clock = clock
        self._sleep = sleep
        self._placed = placed
        self._people = people
        self._welcome = welcome
        self._delivered = delivered
        self._hide = hide
        self._known_as = known_as
        self.bell = bell
        self._active: dict[int, str] = {}
        """Letters that are claimed, with their platforms."""
        self._begun: set[int] = set()
        """Those of them that were handed to their chat."""
        self._looking: set[int] = set()
        """Letters in doubt that somebody looks after."""
        self._served: dict[str, set[str]] = {}
        """By platform: the rooms that had their turn in the present round."""
        self._look_at: int | None = 0
        """When to look after letters on their way that nobody carries; None without any."""
        self._closing = False
        self._taking = True
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def busy(self) -> int:
        """Letters being posted now."""
        return len(self._active)

    def took_over(self) -> None:
        """Look after what another process has left in doubt on a platform that is ours now."""
        self._look_again(0)
        self.bell.ring()

    async def drain(self, *, take: bool = True) -> None:
        """Post what can go out now, or without `take` only what was begun.

        Returns once nothing is being posted; then nothing more is.
        """
        self._closing = True
        self._taking = take
        self.bell.wake()
        await self._empty.wait()

    async def run(self) -> None:
        """Reconcile what a crash left in doubt, then post what is due, until `drain`."""
        self._empty.clear()
        try:
            async with asyncio.TaskGroup() as group:
                await self._post_all(group)
        finally:
            self._empty.set()
            await asyncio.gather(*map(self._put_back, self._active))

    async def _post_all(self, group: asyncio.TaskGroup) -> None:
        while True:
            try:
                claimed = await self._claim(group) if self._taking else []
            except StorageFull as error:
                logger.error("no letter is posted: %s", error)
                await self._sleep(FULL_S)
                continue
            except LeaseLost as error:
                logger.warning("no letter is posted: %s", error)
                await self._sleep(LOST_S)
                continue
            for letter in claimed:
                group.create_task(self._deliver(letter), name=f"letter-{letter.id}")
            if not claimed and self._closing and not self._active:
                self._empty.set()
                return
            if not claimed:
                await self.bell.wait(await self._idle_s(), self._sleep)

    async def _claim(self, group: asyncio.TaskGroup) -> list[Letter]:
        if self._look_at is not None and self._look_at <= self._now():
            await self._look_after(group)
        held = Counter(self._active.values())
        full = [name for name, places in held.items() if places >= BATCH]
        full += [name for name in self._chats if not self._ours(name)]
        free = BATCH - max((places for places in held.values() if places < BATCH), default=0)
        served = frozenset().union(*self._served.values())
        write = self._db.write(
            self._claimed, limit=free, now_us=self._now(), full=full, served=served
        )
        claiming = asyncio.ensure_future(write)
        claimed: list[Letter] = []
        try:
            claimed = await asyncio.shield(claiming)
        except asyncio.CancelledError:
            # A house that closes meanwhile has claimed them all the same, if the database is there.
            claimed = await within(self._sleep, CLOSING_S, claiming) or []
            raise
        finally:
            self._active.update({letter.id: letter.address.platform for letter in claimed})
        for letter in claimed:
            self._took_turn(letter.address)
        return claimed

    @pressing
    def _claimed(
        self, tx: Tx, *, limit: int, now_us: int, full: list[str], served: frozenset[str]
    ) -> list[Letter]:
        """Take what is due; LeaseLost, and nothing is taken, where another process posts by now."""
        found = letters.claim(tx, limit=limit, now_us=now_us, full=full, served=served)
        for platform in {letter.address.platform for letter in found} & self._chats.keys():
            self._keeper.fence(tx, lease_of(platform))
        return found

    def _took_turn(self, room: Address) -> None:
        """Where a room of a platform comes again, all others had their turn: a new round begins."""
        served = self._served.setdefault(room.platform, set())
        if str(room) in served or len(served) >= ROUND:
            served.clear()
        served.add(str(room))

    async def _idle_s(self) -> float:
        due = await self._db.read(pressing(letters.next_due))
        poll = look_again(self._clock(), POLL_S)
        looking = poll if self._look_at is None else (self._look_at - self._now()) / 1e6
        if due is None:
            return min(poll, looking)
        # A due letter that could not be claimed waits for an earlier one of its room, or a place.
        waiting = max((due - self._now()) / 1e6, 1.0 if due <= self._now() else 0.0)
        return min(poll, looking, waiting)

    async def _deliver(self, letter: Letter) -> None:
        try:
            await self._post(letter)
        except StorageFull as error:
            # What became of it could not be noted: it is looked into as after a crash.
            logger.error("letter %d: %s", letter.id, error)
            self._look_again(FULL_S)
        except LeaseLost as error:
            # Whoever has the platform now looks into it as after a crash.
            logger.warning("letter %d is another process's: %s", letter.id, error)
        except asyncio.CancelledError as error:
            if letter.id not in self._begun or error.args == (BEFORE_ITS_TURN,):
                await self._put_back(letter.id)
            else:
                # The house closes, or an adapter lost its own task: how far it came is unknown.
                self._look_again(LOOK_S)
            raise
        finally:
            self._active.pop(letter.id, None)
            self._begun.discard(letter.id)
            self.bell.ring()

    async def _post(self, letter: Letter) -> None:
        chat = self._chats.get(letter.address.platform)
        if chat is None:
            await self._fail(letter, f"no chat {letter.address.platform!r} is configured")
            return
        store = self._store(letter.address.platform)
        if letter.proactive and not letter.follows and await store.write(self._waits, letter):
            return
        if self._age(letter) >= GIVE_UP:
            await self._fail(letter, letter.error or "it could not be posted in time")
            return
        try:
            letter = await self._fitting(letter, chat)
            outgoing = await self._outgoing(letter)
        except StorageError:
            raise
        except Exception as error:
            logger.exception("letter %d could not be made ready for %s", letter.id, chat.name)
            await self._try_again(
                letter, self._hide(f"{type(error).__name__}: {error}"), after=None
            )
            return
        if not self._ours(chat.name):
            await self._put_back(letter.id)
            return
        self._begun.add(letter.id)
        try:
            receipt = await chat.send(outgoing)
        except Retry as error:
            self._delivered(chat.name, "retry")
            await self._try_again(letter, str(error), after=error.after)
        except Refused as error:
            self._delivered(chat.name, "refused")
            logger.warning("letter %d was refused: %s", letter.id, error)
            await self._fail(letter, str(error))
        except Unknown as error:
            await self._doubt(letter, chat, str(error))
        except Exception as error:
            # An adapter's fault: how far it came is as little known as after a lost answer.
            logger.exception("letter %d could not be handed to %s", letter.id, chat.name)
            await self._doubt(letter, chat, self._hide(f"{type(error).__name__}: {error}"))
        else:
            # The post is done: it is recorded even when the house is closing.
            await asyncio.shield(store.write(self._settle, letter, receipt))

    async def _put_back(self, letter: int) -> None:
        """Let nobody doubt later a letter that was never posted."""
        why = "the house closed before its turn came"
        store = self._store(self._active[letter])
        write = store.write(letters.again, letter, why, not_before_us=self._now(), repeat=False)
        with suppress(StorageError, LeaseLost):
            putting = within(self._sleep, CLOSING_S, asyncio.ensure_future(write))
            await asyncio.shield(asyncio.ensure_future(putting))

    async def _fail(self, letter: Letter, why: str) -> None:
        store = self._store(letter.address.platform)
        await store.write(letters.failed, letter.id, why, now_us=self._now())

    def _waits(self, tx: Tx, letter: Letter) -> bool:
        """Put off or drop what is not welcome now."""
        answer = self._welcome(tx, letter)
        if answer is None:
            return False
        if isinstance(answer, str):
            letters.failed(tx, letter.id, answer, now_us=self._now())
        else:
            letters.wait(tx, letter.id, until_us=to_us(answer))
        return True

    def _age(self, letter: Letter) -> timedelta:
        """How long it has been tried; the time it waited for its hour does not count."""
        return self._clock() - max(letter.created_at, letter.waited_until or letter.created_at)

    def _settle(self, tx: Tx, letter: Letter, receipt: Receipt) -> None:
        letters.sent(tx, letter.id, receipt.message, now_us=self._now())
        tx.on_commit(partial(self._delivered, letter.address.platform, "sent"))
        self._placed(tx, letter, receipt.message)

    async def _fitting(self, letter: Letter, chat: Chat) -> Letter:
        """The letter itself, or its first piece where the platform takes it in several only."""
        if letter.piece:
            return letter  # cut once more it might be cut elsewhere, and lose what follows
        parts = chat.parts(letter.body)
        if len(parts) < 2:
            return letter
        return await self._store(letter.address.platform).write(letters.split, letter, parts)

    async def _doubt(self, letter: Letter, chat: Chat, error: str) -> None:
        self._delivered(chat.name, "doubt")
        await self._store(letter.address.platform).write(letters.doubtful, letter.id, error)
        await self._reconcile(letter, chat)

    async def _try_again(
        self, letter: Letter, error: str, *, after: float | None, repeat: bool = False
    ) -> None:
        if self._age(letter) >= GIVE_UP:
            self._delivered(letter.address.platform, "gave_up")
            await self._fail(letter, error)
            return
        wait = min(BACKOFF_LIMIT_S, BACKOFF_S * 2 ** min(letter.attempts - 1, 16))
        wait = min(max(wait, after or 0), GIVE_UP.total_seconds())
        due = self._now() + span_us(timedelta(seconds=wait))
        await self._store(letter.address.platform).write(
            letters.again, letter.id, error, not_before_us=due, repeat=repeat
        )

    async def _look_after(self, group: asyncio.TaskGroup) -> None:
        """Have every letter in doubt looked up, platform by platform, while others are posted."""
        self._look_at = None
        if not self._keeper.alone:  # a late owner may have left one behind since
            self._look_again(POLL_S)
        try:
            found = await self._db.read(letters.in_doubt)
        except StorageFull:
            self._look_again(FULL_S)
            raise
        doubtful: dict[str, list[Letter]] = {}
        for letter in found:
            known = letter.id in self._active or letter.id in self._looking
            if not known and self._ours(letter.address.platform):
                self._looking.add(letter.id)
                doubtful.setdefault(letter.address.platform, []).append(letter)
        for platform, some in doubtful.items():
            group.create_task(self._look_up(platform, some), name=f"doubts-{platform}")

    def _ours(self, platform: str) -> bool:
        """Whether this process posts there; what no process could post is every one's."""
        return platform not in self._chats or self._keeper.holds(lease_of(platform))

    def _store(self, platform: str) -> Store:
        return self._keeper.store(lease_of(platform)) if platform in self._chats else self._db

    async def _look_up(self, platform: str, some: list[Letter]) -> None:
        chat = self._chats.get(platform)
        try:
            for letter in some:
                if chat is not None:
                    await self._reconcile(letter, chat)
                elif self._clock() - letter.created_at >= GIVE_UP:
                    why = f"no chat {platform!r} is configured that could tell of it"
                    await self._fail(letter, why)
        except StorageFull as error:
            logger.error("what is in doubt on %s stays so for now: %s", platform, error)
            self._look_again(FULL_S)
        except LeaseLost as error:
            logger.warning("what is in doubt on %s is another process's: %s", platform, error)
        finally:
            self._looking.difference_update(letter.id for letter in some)
            self.bell.ring()

    async def _reconcile(self, letter: Letter, chat: Chat) -> None:
        outgoing = await self._outgoing(letter)
        try:
            receipt = await chat.find(outgoing)
        except Unknown as error:
            await self._repeat(letter, str(error))
        except Refused as error:
            await self._fail(letter, str(error))
        except Exception as error:
            # Not knowing is no reason to say it twice.
            known = isinstance(error, Retry)
            age = self._clock() - letter.created_at
            if age >= GIVE_UP and not known:
                # A fault that stays must not hold up the room for ever.
                why = f"nobody could tell whether it arrived: {error}"
                await self._fail(letter, why)
                return
            logger.warning(
                "whether letter %d arrived is not known yet: %s", letter.id, error,
                exc_info=not known,
            )  # fmt: skip
            self._look_again(min(BACKOFF_LIMIT_S, max(LOOK_S, age.total_seconds() / 10)))
        else:
            if receipt is not None:
                await self._store(letter.address.platform).write(self._settle, letter, receipt)
            else:
                await self._try_again(letter, "it did not arrive", after=None)

    async def _repeat(self, letter: Letter, error: str) -> None:
        """Say it once more where nobody can tell whether it arrived: marked, and only once."""
        if letter.error == letters.RESTORED:
            await self._fail(letter, letter.error)
            return
        if letter.possible_repeat:
            why = f"it was posted twice without an answer, and may have arrived: {error}"
            await self._fail(letter, why)
            return
        await self._try_again(letter, "it may have arrived", after=None, repeat=True)

    def _look_again(self, seconds: float) -> None:
        at = self._now() + span_us(timedelta(seconds=seconds))
        self._look_at = at if self._look_at is None else min(at, self._look_at)

    def _now(self) -> int:
        return to_us(self._clock())

    async def _outgoing(self, letter: Letter) -> Outgoing:
        mentions = "@" in letter.body or "＠" in letter.body
        return Outgoing(
            key=self._known_as(letter),
            room=letter.address,
            text=letter.body,
            reply_to=letter.reply_to,
            buttons=letter.buttons,
            possible_repeat=letter.possible_repeat,
            written=letter.created_at,
            people=await self._db.read(self._people, letter) if mentions else (),
        )
