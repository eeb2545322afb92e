"""Link codes: how a person says that two accounts are theirs."""

from datetime import timedelta

from memory.db import Reader, Tx, queries
from memory.moments import span_us

SQL = queries(__file__)

VALID = timedelta(minutes=15)
TRIES = 5  # wrong codes of one person in `MEMORY`
MEMORY = timedelta(hours=1)


def offer(tx: Tx, person: int, code: str, *, now_us: int) -> None:
    """Give a person a code in place of an earlier one."""
    tx.run(SQL["offer"], person=person, code=code, expires=now_us + span_us(VALID))


def redeem(tx: Tx, person: int, code: str, *, now_us: int) -> int | None:
    """Whose code a person has typed; it is good once. None where it is wrong or too old.

    A wrong one is counted. After `TRIES` of them even the right one is not taken for a while.
    """
    if tried_out(tx, person, now_us=now_us):
        return None
    row = tx.one(SQL["by_code"], code=code, now=now_us)
    if row is None:
        tx.run(SQL["tried"], person=person, now=now_us, after=now_us - span_us(MEMORY))
        return None
    if row["person_id"] != person:
        tx.run(SQL["spend"], person=row["person_id"])
    return int(row["person_id"])


def rehome(tx: Tx, gone: int) -> None:
    """Somebody turned out to be another person: their code would lead to nobody, and ends."""
    tx.run(SQL["forget"], gone=gone)


def erase(tx: Tx, person: int) -> None:
    """Drop somebody's code and their tries."""
    tx.run(SQL["forget"], gone=person)
    tx.run(SQL["forget_tries"], gone=person)


def tried_out(reader: Reader, person: int, *, now_us: int) -> bool:
    """Whether a person typed too many wrong codes lately."""
    row = reader.one(SQL["tries"], person=person, after=now_us - span_us(MEMORY))
    return row is not None and row["tries"] >= TRIES
