"""What a person wants, wherever they are met: their zone, their quiet hours, their pause."""

from dataclasses import dataclass
from datetime import datetime, time, tzinfo
from zoneinfo import ZoneInfo

from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us, to_us

SQL = queries(__file__)

Hours = tuple[time, time]


@dataclass(frozen=True, slots=True, kw_only=True)
class Personal:
    """What holds for one person now; None where they said nothing and the operator's word holds."""

    zone: tzinfo | None = None
    """Said by the person, else shown by a platform."""
    quiet: Hours | None = None
    """From and to in their zone; see `preferences.NEVER`."""
    digest_at: time | None = None
    """When they want their digest, in their zone."""
    paused_until: datetime | None = None
    """They want nothing unasked before then; None while they are not paused."""
    quota: int | None = None
    """Unasked messages a day."""


def of(reader: Reader, person: int, *, now: datetime) -> Personal:
    """What a person wants; a pause that is over is none."""
    row = reader.one(SQL["of_person"], person=person)
    if row is None:
        return Personal()
    quiet = None
    if row["quiet_from"] is not None:
        quiet = time.fromisoformat(row["quiet_from"]), time.fromisoformat(row["quiet_to"])
    until = row["paused_until"]
    name = row["zone"] or row["zone_shown"]
    return Personal(
        zone=ZoneInfo(name) if name else None,
        quiet=quiet,
        digest_at=time.fromisoformat(row["digest_at"]) if row["digest_at"] else None,
        paused_until=from_us(until) if until is not None and until > to_us(now) else None,
        quota=row["quota"],
    )


def set_zone(tx: Tx, person: int, name: str | None, *, now: datetime) -> None:
    """Take a person's word for their zone, by its IANA name; None takes the word back."""
    tx.run(SQL["set_zone"], person=person, zone=_checked(name), now=to_us(now))


def show_zone(tx: Tx, person: int, name: str, *, now: datetime) -> None:
    """Note the zone that a platform shows; what the person said themselves goes before it."""
    tx.run(SQL["show_zone"], person=person, zone=_checked(name), now=to_us(now))


def set_quiet(tx: Tx, person: int, hours: Hours | None, *, now: datetime) -> None:
    """Give a person quiet hours of their own; `preferences.NEVER` for none at all."""
    start, over = (one.isoformat("minutes") for one in hours) if hours else (None, None)
    tx.run(SQL["set_quiet"], person=person, start=start, over=over, now=to_us(now))


def set_digest(tx: Tx, person: int, at: time | None, *, now: datetime) -> None:
    """When a person wants their digest; None for the operator's hour."""
    written = at.isoformat("minutes") if at else None
    tx.run(SQL["set_digest"], person=person, at=written, now=to_us(now))


def pause(tx: Tx, person: int, until: datetime | None, *, now: datetime) -> None:
    """Tell a person nothing unasked before a moment; None ends the pause."""
    moment = to_us(until) if until is not None else None
    tx.run(SQL["set_pause"], person=person, until=moment, now=to_us(now))


def set_quota(tx: Tx, person: int, quota: int | None, *, now: datetime) -> None:
    """How many unasked messages a day a person wants; None for the operator's number."""
    tx.run(SQL["set_quota"], person=person, quota=quota, now=to_us(now))


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one: what `kept` did not say, `gone` said for them."""
    tx.run(SQL["join"], gone=gone, kept=kept)
    tx.run(SQL["forget"], person=gone)


def _checked(name: str | None) -> str | None:
    """The name of a zone there is, or None."""
    if not name:
        return None
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        example = "use an IANA name like 'Europe/Berlin'"
        raise ValueError(f"{name!r} is no time zone; {example}") from error
    return name


def forget(tx: Tx, person: int) -> int:
    """Drop what somebody wants wherever they are."""
    return tx.run(SQL["forget"], person=person)


def row_of(reader: Reader, person: int) -> Row | None:
    """What somebody wants, as it is stored."""
    return reader.one(SQL["of_person"], person=person)
