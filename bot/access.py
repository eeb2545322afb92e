"""Who may talk with the bot: rights belong to the sender, never to a room or to words.

admin · allowed · an allowed bot, within its turns │ another bot │ stranger
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Literal

from bot import codes
from bot.codes import Choose
from memory import people
from memory.db import Reader, Row, Tx, queries
from memory.erasing import listed
from memory.moments import span_us, to_us
from memory.people import Account

logger = logging.getLogger(__name__)
SQL = queries(__file__)

PAIRING = timedelta(hours=1)
"""How long a code of a stranger is good."""
WAITING = 20  # strangers with a code at the same time
TOLD = 1  # times a day a stranger is told no
CODES = 3  # codes a day one stranger is given
BOT_TURNS = 3  # runs in a row that other bots cause in a chat, without a person's word between
OPERATOR = "web"
"""The platform whose people run the bot while the settings name no admin: they hold its secret."""


class Right(StrEnum):
    """What a sender may do."""

    ADMIN = "admin"
    """All that is below, and let people in, keep them out, and pause the whole bot."""
    ALLOWED = "allowed"
    """Talk with it, and order what concerns the chat and their own words."""
    ALLOWED_BOT = "allowed bot"
    """Wake it, a few times in a row."""
    BOT = "bot"
    """Be heard like any message in the room, and wake nothing."""
    STRANGER = "stranger"
    """Nothing: what they say is history of their room alone."""

    @property
    def heard(self) -> bool:
        """Whether the agency and the memory may work with what they say."""
        return self is not Right.STRANGER

    @property
    def orders(self) -> bool:
        """Whether commands are taken from them."""
        return self in (Right.ADMIN, Right.ALLOWED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the operator set; accounts are written `platform:id`."""

    mode: Literal["open", "pairing", "allowlist"] = "open"
    admins: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    """The words an account may begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a stranger is told."""

    code: str | None = None
    """What an admin confirms them by; None where there is nothing to confirm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A stranger whom an admin has just let in."""

    account: str
    name: str
    session_id: int
    """The DM they wrote in."""


class Access:
    """Judges senders; every method belongs to a transaction."""

    def __init__(self, choose: Choose, *, settings: Settings) -> None:
        self._choose = choose
        self._settings = settings
        self._admins = frozenset(settings.admins)
        self._listed = frozenset((*settings.admins, *settings.allow))

    def right(self, reader: Reader, person: int, *, is_bot: bool) -> Right:
        """What a sender may do: the accounts of one person share their rights."""
        accounts = people.accounts(reader, person)
        names = frozenset(_names(accounts))
        if is_bot:
            return self._of_bot(reader, accounts, names)
        if names & self._admins or (not self._admins and _operates(accounts)):
            return Right.ADMIN
        words = _granted(reader, accounts)
        if False in words:
            return Right.STRANGER
        if self._settings.mode == "open" or names & self._listed or True in words:
            return Right.ALLOWED
        return Right.STRANGER

    def admits(self, reader: Reader, members: Iterable[int]) -> bool:
        """Whether one of a room's people may talk with the bot; in the open mode always."""
        return self._settings.mode == "open" or any(
            self.right(reader, one, is_bot=False).orders for one in members
        )

    def _of_bot(self, reader: Reader, accounts: list[Account], names: frozenset[str]) -> Right:
        words = _granted(reader, accounts)
        if False in words:
            return Right.STRANGER
        if names & frozenset(self._settings.allow) or True in words:
            return Right.ALLOWED_BOT
        return Right.BOT if self._settings.mode == "open" else Right.STRANGER

    def turn_away(
        self, tx: Tx, account: Account, *, session: int, direct: bool, now: datetime
    ) -> Notice | None:
        """What a stranger is told who spoke to the bot; None when they were told today."""
        key = {"platform": account.platform, "native_id": account.native_id}
        if direct and self._settings.mode == "pairing" and account.native_id:
            tx.run(SQL["sweep_pairings"], now=to_us(now))
            if tx.one(SQL["pairing_of"], **key) is not None:
                return None
            if _waiting(tx) < WAITING and _refuse(tx, key, now, most=CODES):
                return Notice(code=self._pairing(tx, account, session, now))
        if not _refuse(tx, key, now, most=TOLD):
            return None
        logger.warning(
            "%s:%s (%s) wrote and is on no list; [access] allow and admins take exactly this id",
            account.platform,
            account.native_id or "(no id)",
            account.name,
        )
        return Notice()

    def _pairing(self, tx: Tx, account: Account, session: int, now: datetime) -> str:
        code = codes.make(self._choose)
        tx.run(
            SQL["add_pairing"],
            code=code,
            platform=account.platform,
            native_id=account.native_id,
            name=account.name or account.native_id,
            session=session,
            expires=to_us(now) + span_us(PAIRING),
        )
        return code


def pair(tx: Tx, code: str, *, by: int | None, now: datetime) -> Newcomer | None:
    """Let in who waits under a code; None where nobody does. `by` None: from the machine."""
    row = tx.one(SQL["pairing"], code=code, now=to_us(now))
    if row is None:
        return None
    tx.run(SQL["end_pairing"], code=code)
    account = f"{row['platform']}:{row['native_id']}"
    grant(tx, account, allowed=True, by=by, now=now)
    return Newcomer(account=account, name=row["name"], session_id=row["session_id"])


def grant(tx: Tx, account: str, *, allowed: bool, by: int | None, now: datetime) -> None:
    """Let an account in, written `platform:id`, or keep it out; the last word counts."""
    platform, _, native_id = account.partition(":")
    tx.run(
        SQL["grant"],
        platform=platform,
        native_id=native_id,
        allowed=allowed,
        by=by,
        now=to_us(now),
    )


def person_spoke(tx: Tx, chat: int) -> None:
    """Somebody who is no bot said something in a chat or one of its threads."""
    tx.run(SQL["person_spoke"], session=chat)


def takes_turn(tx: Tx, chat: int) -> bool:
    """Whether an allowed bot may cause one more run in a chat; counts it when it may."""
    return tx.one(SQL["bot_turn"], session=chat, most=BOT_TURNS) is not None


def _names(accounts: Iterable[Account]) -> Iterable[str]:
    return (f"{one.platform}:{one.native_id}" for one in accounts if one.native_id)


def _operates(accounts: Iterable[Account]) -> bool:
    return any(one.platform == OPERATOR for one in accounts)


def _granted(reader: Reader, accounts: Iterable[Account]) -> list[bool]:
    rows = (
        reader.one(SQL["granted"], platform=one.platform, native_id=one.native_id)
        for one in accounts
        if one.native_id
    )
    return [bool(row["allowed"]) for row in rows if row is not None]


def _waiting(reader: Reader) -> int:
    row = reader.one(SQL["count_pairings"])
    return int(row["n"]) if row else 0


def _refuse(tx: Tx, key: dict[str, str], now: datetime, *, most: int) -> bool:
    return tx.one(SQL["refuse"], **key, day=f"{now:%Y-%m-%d}", most=most) is not None


def clear_refusals(tx: Tx, *, before: date, limit: int) -> int:
    """Forget whom it said no to before a day; how many."""
    return tx.run(SQL["clear_refusals"], before=before.isoformat(), limit=limit)


def erase(tx: Tx, account: Account) -> None:
    """Forget whether an account was let in, and that it ever asked."""
    key = {"platform": account.platform, "native_id": account.native_id}
    for name in ("erase_grants", "erase_pairings", "erase_refusals"):
        tx.run(SQL[name], **key)


def forget_chats(tx: Tx, sessions: Iterable[int]) -> None:
    """Forget who waits to be let in, in chats that are erased."""
    tx.run(SQL["drop_pairings"], sessions=listed(sessions))


def grants_of(reader: Reader, account: Account) -> list[Row]:
    """What admins said of an account."""
    return reader.all(SQL["grants_of"], platform=account.platform, native_id=account.native_id)
