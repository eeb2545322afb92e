"""People, and the platform accounts they use."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, listed, mark_of
from memory.names import starts, starts_in

SQL = queries(__file__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human, or another bot, whatever accounts they use."""

    id: int
    name: str
    is_bot: bool

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(id=row["id"], name=row["name"], is_bot=bool(row["is_bot"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account as one platform shows it."""

    platform: str
    tenant: str
    native_id: str
    name: str
    """Empty where only the id is known."""
    is_bot: bool = False
    email: str | None = None
    """Accounts with the same address are the same person."""


def resolve(tx: Tx, account: Account, *, now_us: int) -> int:
    """The person behind an account, made on first sight; a changed name is taken over.

    One of whom only an id is known is called by it until a name is learnt.
    """
    key = {
        "platform": account.platform,
        "tenant": account.tenant,
        "native_id": account.native_id,
    }
    email = _folded(account.email) if not account.is_bot else None
    row = tx.one(SQL["account"], **key)
    if row is not None:
        if account.name and row["name"] != account.name:
            tx.run(SQL["rename_account"], name=account.name, **key)
            tx.run(SQL["rename_person"], name=account.name, id=row["person_id"])
            _file(tx, row["person_id"], account.name)
        if email:
            tx.run(SQL["learn_email"], email=email, id=row["person_id"])
        return int(row["person_id"])
    name = account.name or account.native_id
    known = tx.one(SQL["by_email"], email=email) if email else None
    if known is not None:
        person = int(known["id"])
    else:
        new = {"name": name, "email": email, "is_bot": account.is_bot}
        person = tx.insert(SQL["add_person"], **new, now=now_us)
        _file(tx, person, name)
    tx.run(SQL["add_account"], person=person, name=name, **key)
    return person


def merge(tx: Tx, gone: int, kept: int, *, reason: str, now_us: int) -> None:
    """Make two people one: accounts and address of `gone` are those of `kept` from now on.

    Every other owner of a table that names people has to follow; see `bot.joining`.
    """
    row = tx.one(SQL["email"], id=gone)
    tx.run(SQL["join_into"], gone=gone, kept=kept)
    tx.run(SQL["drop_starts"], id=gone)
    if row is not None and row["email"] is not None:
        tx.run(SQL["learn_email"], email=row["email"], id=kept)
    tx.run(SQL["move_accounts"], gone=gone, kept=kept)
    tx.run(SQL["record_join"], gone=gone, kept=kept, reason=reason, now=now_us)


def same_address(reader: Reader, person: int, email: str) -> int | None:
    """Who else has an address that a person turned out to have; None where they had one before."""
    row = reader.one(SQL["same_address"], email=_folded(email), id=person)
    return int(row["id"]) if row else None


def of_account(reader: Reader, platform: str, tenant: str, native_id: str) -> int | None:
    """The person behind an account, or None before it was first seen."""
    row = reader.one(SQL["account"], platform=platform, tenant=tenant, native_id=native_id)
    return int(row["person_id"]) if row else None


def of_native(reader: Reader, platform: str, native_id: str) -> list[int]:
    """The people with an id on a platform, in whatever workspace: how settings name somebody."""
    rows = reader.all(SQL["of_native"], platform=platform, native_id=native_id)
    return [int(row["person_id"]) for row in rows]


def find(reader: Reader, id: int) -> Person | None:
    """The person with an id, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Person.from_row(row) if row else None


def accounts(reader: Reader, person: int) -> list[Account]:
    """Every account of a person."""
    return [
        Account(
            platform=row["platform"],
            tenant=row["tenant"],
            native_id=row["native_id"],
            name=row["name"],
        )
        for row in reader.all(SQL["accounts"], person=person)
    ]


def everyone(reader: Reader, *, limit: int = 500) -> list[Person]:
    """The people known, by name."""
    return [Person.from_row(row) for row in reader.all(SQL["everyone"], limit=limit)]


def mentioned(reader: Reader, text: str, *, limit: int = 500) -> list[Person]:
    """Everybody a word of whose name may stand in a text, by name; the rest is never read."""
    rows = reader.all(SQL["mentioned"], starts=json.dumps(sorted(starts_in(text))), limit=limit)
    return sorted(map(Person.from_row, rows), key=lambda one: (one.name, one.id))


def called(reader: Reader, ids: Iterable[int]) -> dict[int, str]:
    """What those of some people are called who were neither erased nor joined to another."""
    rows = reader.all(SQL["called"], ids=listed(ids))
    return {row["id"]: row["name"] for row in rows}


def file_names(tx: Tx) -> int:
    """File the names of all who came in without, from an older version; how many there were."""
    rows = tx.all(SQL["unfiled"])
    for row in rows:
        _file(tx, row["id"], row["name"])
    return len(rows)


def _file(tx: Tx, person: int, name: str) -> None:
    tx.run(SQL["drop_starts"], id=person)
    for start in sorted(starts(name)):
        tx.run(SQL["add_start"], start=start, id=person)
    tx.run(SQL["filed"], id=person)


def erase(tx: Tx, id: int, *, now_us: int) -> None:
    """Leave nothing of a person but a number; from their accounts somebody new would speak."""
    tx.run(SQL["erase"], id=id, mark=MARK, now=now_us)
    tx.run(SQL["drop_starts"], id=id)
    tx.run(SQL["drop_accounts"], id=id)
    tx.run(SQL["forget_joins"], id=id, mark=MARK)


def with_joined(reader: Reader, id: int) -> list[int]:
    """A person and all who turned out to be that one."""
    found = [id]
    for one in found:
        found += (int(row["id"]) for row in reader.all(SQL["joined"], id=one))
    return found


def whole(reader: Reader, id: int) -> Row | None:
    """All that is known of a person."""
    return reader.one(SQL["whole"], id=id)


def joins(reader: Reader, id: int) -> list[Row]:
    """What made a person one of several."""
    return reader.all(SQL["joins"], id=id)


def mark(account: Account) -> str:
    """The hash by which an account is known again once nothing else is left of it."""
    return mark_of("account", account.platform, account.tenant, account.native_id)


def marked(reader: Reader, marks: frozenset[str], *, until_us: int) -> list[int]:
    """The people with one of some accounts who were known before a moment."""
    found = {
        int(row["person_id"])
        for row in reader.all(SQL["known_before"], until=until_us)
        if mark_of("account", row["platform"], row["tenant"], row["native_id"]) in marks
    }
    return sorted(found)


def _folded(email: str | None) -> str | None:
    return email.strip().lower() or None if email else None


def named(reader: Reader, text: str) -> list[int]:
    """The people whose names a text holds as words, bots left out."""
    found = (one for one in mentioned(reader, text) if not one.is_bot and one.name)
    return [one.id for one in found if re.search(as_word(one.name), text, re.IGNORECASE)]


def as_word(name: str) -> str:
    """A pattern that finds a name where it stands for itself."""
    # A Chinese name stands in running text; another one between signs that are no letters.
    letters = re.escape(name)
    return letters if name[0] >= "\u3400" else rf"(?<![a-zA-Z0-9]){letters}(?![a-zA-Z0-9])"
