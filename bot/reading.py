"""`limen inbox` and `limen report`: what waits for people, and what a day came to."""

import re
from datetime import date, datetime

from bot import derived, inspection
from bot.errors import LimenError
from bot.inbox import pages, report
from bot.rows import Rooms
from bot.setup.config import Config
from bot.texts import Language
from memory import people
from memory.db import Reader

EVERYBODY = 100_000  # people among whom a name is looked for


def inbox(config: Config, person: str, now: datetime) -> list[str]:
    """What waits for somebody, or for everybody whose inbox holds something."""
    with inspection.opened(config) as reader:
        whose = [_named(reader, person)] if person else pages.everybody(reader)
        rooms = Rooms(reader)
        found: list[str] = []
        for one in whose:
            page = pages.page(
                reader,
                one,
                rules=derived.rules(config),
                settings=derived.digests(config),
                now=now,
                lang=_language(config),
            )
            _, *lines = pages.text_of(page).splitlines()
            body = [line.replace("**", "") for line in lines if line] or ["nothing waits"]
            body += (
                f"left out: {entry.subject or entry.kind.value} ({entry.reason})"
                for entry in pages.left_out(reader, one, now=now)
            )
            found += [f"{rooms.person(one)} (p{one})", *(f"  {line}" for line in body), ""]
        return found[:-1] if found else ["nothing waits for anybody"]


def daily_report(config: Config, day: str, now: datetime) -> list[str]:
    """What was looked at, found, said, held and spent in a day of the team's zone."""
    try:
        wanted = date.fromisoformat(day) if day else now.astimezone(config.bot.zone).date()
    except ValueError:
        raise LimenError(f"--day must be written like 2026-11-30, got {day!r}") from None
    with inspection.opened(config) as reader:
        found = report.of(reader, wanted, config.bot.zone, person=None)
        return report.text_of(found, _language(config)).replace("**", "").splitlines()


def _language(config: Config) -> Language:
    return "zh" if config.bot.language == "zh" else "en"


def _named(reader: Reader, person: str) -> int:
    """A person by their id or their name; LimenError when nobody or several are meant."""
    if match := re.fullmatch(r"p(\d{1,18})", person.strip()):
        if people.find(reader, int(match[1])) is None:
            raise LimenError(f"there is no person {person!r}; 'limen inbox' names those it knows")
        return int(match[1])
    wanted = person.strip().casefold()
    found = [
        one.id for one in people.everyone(reader, limit=EVERYBODY) if one.name.casefold() == wanted
    ]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"p{id}" for id in found)
        raise LimenError(f"several people are called {person!r}; name one by id: {ids}")
    raise LimenError(f"nobody is called {person!r}; 'limen inbox' names those with an inbox")
