"""`limen why`, `status`, `reminders` and `retry`: a look into the database, at any time."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from agency import fires
from bot import chains, derived, overview
from bot.app import PACKAGES
from bot.costs import MOST_DAYS, Costs
from bot.engine import letters
from bot.engine.letters import Letter
from bot.errors import LimenError
from bot.rows import Rooms, Row
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from bot.timed import listing
from memory import migrations, originals
from memory.db import Reader, Tx

LOOKED_BACK = 5000  # letters in which a piece of a message is looked for
LISTED = 5  # other messages named when several hold the words
SHORT = 60  # signs of a message in that list
ALL = "all"  # retries every dead fire


def why(config: Config, message: str) -> list[str]:
    """The chain of something the bot said, by its id or by a piece of its words."""
    with opened(config) as reader:
        found = _wanted(reader, message)
        chain = chains.of_letter(reader, found[0], hears=None)
        steps = [line for row in chain for line in _step(config, row)]
        return [*_others(config, reader, found), *steps]


def status(config: Config, now: datetime) -> list[str]:
    """What runs, waits and failed."""
    owner = Home(config.bot.data_dir).owner()
    if owner is not None and storage.shared(config):
        owner = 0  # the lock of the folder knows one of them only, and maybe one that has ended
    with opened(config) as reader:
        return overview.lines(reader, owner=owner, zone=config.bot.zone, now=now)


def budget(config: Config, days: int, now: datetime) -> list[str]:
    """Where the budget went in the last days, and what is cut down today."""
    if not 1 <= days <= MOST_DAYS:
        raise LimenError(f"--days must be a number from 1 to {MOST_DAYS}, got {days}")
    with opened(config) as reader:
        return Costs(derived.budget(config)).lines(reader, "en", days=days, now=now)


def reminders(config: Config, now: datetime) -> list[str]:
    """What is set at a time and waited for, next first."""
    with opened(config) as reader:
        return list(listing.lines(reader, now=now)) or ["no reminders are set"]


def approvals(config: Config) -> list[str]:
    """What waits for somebody's yes, and what was answered lately."""
    with opened(config) as reader:
        return overview.questions(reader, zone=config.bot.zone)


async def retry(config: Config, fire: str) -> str:
    """Give a dead fire, or `all` of them, a fresh start, and say what happens next."""
    match = re.fullmatch(r"f?(\d{1,18})", fire.strip())
    if match is None and fire != ALL:
        raise LimenError(
            f"{fire!r} is no fire; 'limen status' names those to retry, like f12, or say 'all'"
        )

    def act(tx: Tx) -> int:
        _check(tx)
        return fires.retry(tx, int(match[1])) if match else fires.retry_all(tx)

    async with storage.database(config) as db:
        count = await db.write(act)
    running = Home(config.bot.data_dir).owner() is not None
    when = "within a minute" if running else "as soon as Limen runs again"
    if not count:
        what = f"f{match[1]} is not" if match else "no fire is"
        raise LimenError(f"{what} dead, so there is nothing to retry")
    if match:
        return f"f{match[1]} waits again; the agency looks at it {when}"
    return f"all that was dead ({count}) waits again; the agency looks at it {when}"


@contextmanager
def opened(config: Config) -> Iterator[Reader]:
    """A snapshot of the house's database; LimenError when there is none, or another version's."""
    with storage.reading(config) as reader:
        _check(reader)
        yield reader


def _check(reader: Reader) -> None:
    wanted = {name for name, _ in migrations.steps(PACKAGES)}
    if wanted != migrations.applied(reader):
        raise LimenError(
            "this database was made by another version of Limen; start 'limen run' once, which "
            "brings it up to date, or use the version that made it"
        )


def _wanted(reader: Reader, message: str) -> list[Letter]:
    """The letters a person can mean, the newest first; LimenError when there is none."""
    if match := re.fullmatch(r"\s*([ol])(\d{1,18})\s*", message):
        return [_named(reader, match[1], int(match[2]))]
    piece = _plain(message)
    found = letters.latest(reader, limit=LOOKED_BACK)
    alike = [letter for letter in found if piece and piece in _plain(letter.body)]
    if not alike:
        raise LimenError(
            f"nothing I said lately holds {message!r}; give a piece of it as it stands, or an id "
            "like o12 or l4"
        )
    return alike


def _named(reader: Reader, kind: str, id: int) -> Letter:
    if kind == "l":
        letter = letters.find(reader, id)
        if letter is None:
            raise LimenError(f"there is no letter l{id}")
        return letter
    original = originals.find(reader, id)
    if original is None:
        raise LimenError(f"there is no message o{id}")
    letter = letters.of_original(reader, id)
    if letter is None:
        raise LimenError(f"o{id} was said by {original.author}; only what the bot says has a why")
    return letter


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _others(config: Config, reader: Reader, found: list[Letter]) -> Iterator[str]:
    if len(found) == 1:
        return
    rooms = Rooms(reader)
    yield f"{len(found)} messages hold these words; this is the newest, l{found[0].id}. Also:"
    for letter in found[1 : LISTED + 1]:
        moment = f"{letter.created_at.astimezone(config.bot.zone):%Y-%m-%d %H:%M}"
        text = overview.short(letter.body, SHORT)
        yield f"  l{letter.id:<6} {moment}  {rooms.called(letter.session_id)}  “{text}”"
    yield ""


def _step(config: Config, row: Row) -> Iterator[str]:
    moment = datetime.fromisoformat(row["at"]).astimezone(config.bot.zone)
    place = ", ".join(str(row[key]) for key in ("room", "from") if row.get(key))
    text = " ".join(str(row["text"]).split())
    shown = f"{place}: “{text}”" if place else text
    state = f" [{row['state']}]" if row.get("state") else ""
    yield f"{moment:%Y-%m-%d %H:%M:%S}  {row['step']:<10}  {row['id']:<5} {shown}{state}"
    gates = row.get("gates", [])
    if passed := [gate["gate"] for gate in gates if gate["passed"]]:
        yield f"{'':<39}✓ {', '.join(passed)}"
    yield from (
        f"{'':<39}✗ {gate['gate']}: {gate['reason']}" for gate in gates if not gate["passed"]
    )
