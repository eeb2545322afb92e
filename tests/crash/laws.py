"""What must hold of a house at rest, however its lives ended before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.web.errors import WebError
from adapters.web.rooms import BOT
from bot.engine.letters import NO_FAULTS
from bot.plays.stage import Stage
from memory.db import Reader
from memory.sqlite import Sqlite
from tests.crash.stories import MAY, OR, Story
from tests.crash.town import Sight, Town


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that does not hold."""

    kind: str
    """`lost`, `doubled`, `stuck` or `wrong`."""
    text: str


BEHIND = "I am behind"  # said to whoever waits long, beside the answer itself
_STUCK = {
    "events of the web chat": "SELECT COUNT(*) FROM web_events WHERE due = 1",
    "inputs": "SELECT COUNT(*) FROM inputs WHERE state = 'pending'",
    "runs": "SELECT COUNT(*) FROM runs WHERE state IN ('queued', 'running')",
    "suspended runs": "SELECT COUNT(*) FROM runs WHERE state = 'suspended'",
    "letters": "SELECT COUNT(*) FROM letters WHERE state IN ('pending', 'sending', 'unknown')",
    # Some wait for the next occasion and cause none.
    "fires": "SELECT COUNT(*) FROM fires WHERE state <> 'consumed' AND NOT "
    "(state = 'pending' AND kind IN ('heartbeat', 'memory_session_completed', 'report'))",
    "handoffs": "SELECT COUNT(*) FROM handoffs "
    "WHERE state IN ('proposed', 'held', 'asking', 'digest', 'admitted', 'delivered')",
    "consents": "SELECT COUNT(*) FROM consents WHERE state = 'asked'",
    "approvals": "SELECT COUNT(*) FROM approvals WHERE state = 'asked'",
    "reminders": "SELECT COUNT(*) FROM schedules WHERE state = 'active'",
    "digests": "SELECT COUNT(*) FROM inbox WHERE state = 'waiting'",
    "files": "SELECT COUNT(*) FROM files WHERE state = 'waiting'",
}
_LOST = {
    "posts in the web chat are no originals": "SELECT COUNT(*) FROM web_posts p "
    "WHERE author_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM originals o "
    "WHERE o.address = 'web:local/' || p.room_id || '#' || p.id)",
    "messages are no inputs": "SELECT COUNT(*) FROM originals o WHERE kind = 'message' "
    "AND recalled_at IS NULL AND NOT EXISTS (SELECT 1 FROM inputs i WHERE i.original_id = o.id)",
    "things said have no letter": "SELECT COUNT(*) FROM originals o WHERE kind = 'output' "
    "AND recalled_at IS NULL AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.original_id = o.id)",
    "letters are called sent and do not stand in the web chat": "SELECT COUNT(*) FROM letters l "
    "WHERE state = 'sent' AND address LIKE 'web:%' AND NOT EXISTS (SELECT 1 FROM web_posts p "
    "WHERE p.letter = l.key AND CAST(p.id AS TEXT) = l.message_id)",
}
_DOUBLED = {
    "facts": "SELECT COUNT(*) FROM (SELECT 1 AS n FROM facts WHERE replaced_by IS NULL "
    "GROUP BY session_id, body HAVING COUNT(*) > 1) AS twice",
    "inputs of a message": "SELECT COUNT(*) FROM (SELECT 1 AS n FROM inputs "
    "WHERE trigger_type = 'message' GROUP BY original_id HAVING COUNT(*) > 1) AS twice",
    "turns of a reminder": "SELECT COUNT(*) FROM (SELECT 1 AS n FROM schedule_turns "
    "WHERE outcome = 'given' GROUP BY schedule_id HAVING COUNT(*) > 1) AS twice",
    "intentions": "SELECT COUNT(*) FROM (SELECT 1 AS n FROM intentions "
    "GROUP BY body, created_at HAVING COUNT(*) > 1) AS twice",
}
_WRONG = {
    "fires are consumed by a run that did not succeed": "SELECT COUNT(*) FROM fires f "
    "JOIN runs r ON r.id = f.agency_run_id WHERE f.state = 'consumed' AND r.state <> 'succeeded'",
    "handoffs are told of and no letter left": "SELECT COUNT(*) FROM handoffs h "
    "WHERE state = 'spoken' AND run_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM letters l "
    "WHERE l.run_id = h.run_id AND l.state = 'sent')",
    "answers went to a tool without a step": "SELECT COUNT(*) FROM tool_results t "
    "WHERE NOT EXISTS (SELECT 1 FROM steps s WHERE s.run_id = t.run_id AND s.n = t.n)",
}
_PARENTS = (
    ("letters", "run_id", "runs"),
    ("letters", "original_id", "originals"),
    ("letters", "session_id", "sessions"),
    ("inputs", "run_id", "runs"),
    ("inputs", "original_id", "originals"),
    ("inputs", "session_id", "sessions"),
    ("runs", "session_id", "sessions"),
    ("steps", "run_id", "runs"),
    ("fires", "run_id", "runs"),
    ("fires", "agency_run_id", "runs"),
    ("fires", "original_id", "originals"),
    ("fires", "session_id", "sessions"),
    ("originals", "session_id", "sessions"),
    ("originals", "run_id", "runs"),
    ("handoffs", "agency_run_id", "runs"),
    ("handoffs", "run_id", "runs"),
    ("handoffs", "input_id", "inputs"),
    ("handoffs", "target_id", "sessions"),
    ("handoff_sources", "original_id", "originals"),
    ("consents", "source_id", "sessions"),
    ("approvals", "run_id", "runs"),
    ("approvals", "session_id", "sessions"),
    ("schedule_turns", "input_id", "inputs"),
    ("facts", "run_id", "runs"),
    ("facts", "session_id", "sessions"),
    ("files", "original_id", "originals"),
)
_LOGGED = "SELECT COUNT(*) FROM tool_results WHERE name = 'log_action' AND failed = 0"
_ORPHANS = """
SELECT COUNT(*) FROM {child} c WHERE c.{column} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE p.id = c.{column})
"""
_BOOKED = """
SELECT model, SUM(calls) AS calls, SUM(input_tokens) AS i, SUM(output_tokens) AS o
FROM spending GROUP BY model
"""
_STEPS = """
SELECT model, COUNT(*) AS calls, SUM(input_tokens) AS i, SUM(output_tokens) AS o
FROM steps WHERE role = 'assistant' GROUP BY model
"""


async def broken(
    stage: Stage, story: Story, said: dict[str, list[str]], towns: dict[str, Town], home: Path
) -> list[Broken]:
    """What does not hold; `said` is what `spoken` found."""
    inside = await stage.house.db.read(_inside)
    on_disk = await stage.house.db.read(_disk, home)
    found = [*inside, *on_disk, *told(story, said)]
    for town in towns.values():
        found += outside(town)
        found += await stage.house.db.read(_heard, town)
    facts = await stage.house.db.read(_facts)
    if facts < story.facts:
        found.append(Broken("lost", f"{facts} facts were kept, of {story.facts}"))
    if isinstance(stage.house.db.engine, Sqlite):
        found += await stage.house.db.read(_sound)
    return found


def at_rest(reader: Reader) -> bool:
    """Whether nothing is on its way any more."""
    return not any(_count(reader, sql) for sql in _STUCK.values())


async def spoken(stage: Stage, towns: dict[str, Town]) -> dict[str, list[str]]:
    """What the bot said in every room, without what is marked as a repeat and is one."""
    said = {room: await _said(stage, room) for room in await _rooms(stage)}
    for town in towns.values():
        plain = {post["key"] for post in town.posts() if not post["marked"]}
        for post in town.posts():
            if not (post["marked"] and post["key"] in plain):
                said.setdefault(f"{town.name}:{post['room']}", []).append(post["text"])
    return {room: texts for room, texts in said.items() if texts}


async def _rooms(stage: Stage) -> list[str]:
    rooms = await stage.house.db.read(lambda reader: reader.all("SELECT id FROM web_rooms"))
    return [f"web:{row[0]}" for row in rooms]


async def _said(stage: Stage, room: str) -> list[str]:
    try:
        posts = await stage.house.rooms.posts(room.removeprefix("web:"), limit=500)
    except WebError:
        return []
    return [post.text for post in posts if post.author == BOT]


def told(story: Story, said: dict[str, list[str]]) -> Iterator[Broken]:
    """Whether the bot said what it had to say, once, and nothing else."""
    for room in sorted({*story.says, *said}):
        words = story.says.get(room, ())
        texts = [text for text in said.get(room, []) if not text.startswith(BEHIND)]
        heard = f"{room} was to hear {words!r}, and heard {texts!r}"
        found = [[n for n, text in enumerate(texts) if _holds(text, word)] for word in words]
        needed = [n for n, word in enumerate(words) if not word.startswith(MAY)]
        if any(len(found[n]) < words.count(words[n]) for n in needed):
            yield Broken("lost", heard)
        elif len(texts) > len(words) or any(
            len(places) > words.count(words[n]) for n, places in enumerate(found)
        ):
            yield Broken("doubled", heard)
        elif len({n for places in found for n in places}) < len(texts):
            yield Broken("wrong", f"{heard}, which holds more")
        elif story.ordered and (said_at := [one for one in found if one]) != sorted(said_at):
            yield Broken("wrong", f"{heard}, in another order")


def _holds(text: str, word: str) -> bool:
    return any(one in text for one in word.removeprefix(MAY).split(OR))


def _inside(reader: Reader) -> list[Broken]:
    found = []
    for what, sql in _STUCK.items():
        if n := _count(reader, sql):
            found.append(Broken("stuck", f"{n} {what} never came to an end"))
    for kind, laws in (("lost", _LOST), ("doubled", _DOUBLED), ("wrong", _WRONG)):
        found += [
            Broken(kind, f"{n} {what}") for what, sql in laws.items() if (n := _count(reader, sql))
        ]
    for row in reader.all("SELECT role, error FROM runs WHERE state = 'failed'"):
        found.append(Broken("lost", f"a run as {row[0]} was given up: {row[1]}"))
    for row in reader.all("SELECT body, error FROM letters WHERE state = 'failed'"):
        if row[1] not in NO_FAULTS:
            found.append(Broken("lost", f"{row[0][:40]!r} was not posted: {row[1]}"))
    for child, column, parent in _PARENTS:
        if n := _count(reader, _ORPHANS.format(child=child, column=column, parent=parent)):
            found.append(Broken("wrong", f"{n} {child} name no {parent} with {column}"))
    booked, used = _usage(reader, _BOOKED), _usage(reader, _STEPS)
    if booked != used:
        found.append(Broken("wrong", f"{booked} was booked, and {used} was used"))
    return found


def _usage(reader: Reader, sql: str) -> dict[str, tuple[int, ...]]:
    return {
        row["model"]: (int(row["calls"]), int(row["i"]), int(row["o"])) for row in reader.all(sql)
    }


def _facts(reader: Reader) -> int:
    return _count(reader, "SELECT COUNT(*) FROM facts")


def _count(reader: Reader, sql: str) -> int:
    return int(reader.all(sql)[0][0])


def outside(town: Town) -> Iterator[Broken]:
    """What its platform thinks of the house."""
    if due := town.due():
        yield Broken("stuck", f"{len(due)} events on {town.name} were never acknowledged")
    for key, n in Counter(post["key"] for post in town.posts()).items():
        copies = [post for post in town.posts() if post["key"] == key]
        marked = [post["marked"] for post in copies]
        if n > 1 and (town.name != Sight.BLIND or n > 2 or marked != [False, True]):
            yield Broken("doubled", f"{n} times on {town.name}: {copies[0]['text'][:40]!r}")


def _heard(reader: Reader, town: Town) -> list[Broken]:
    found = []
    for event in town.events():
        message = event.get("of", event["n"])
        address = f"{town.name}:town/{event['room']}#{message}"
        if not reader.all("SELECT 1 FROM originals WHERE address = :at", at=address):
            found.append(Broken("lost", f"{event['text'][:40]!r} on {town.name} is no original"))
    letters: Sequence[Any] = reader.all(
        "SELECT key, message_id FROM letters WHERE state = 'sent' AND address LIKE :on",
        on=f"{town.name}:%",
    )
    standing = {post["key"] for post in town.posts()}
    found += [
        Broken("lost", f"letter {row[0]} is called sent and is not on {town.name}")
        for row in letters
        if row[0] not in standing
    ]
    return found


def _disk(reader: Reader, home: Path) -> list[Broken]:
    """Whether what lies on the disk is what the rows tell of."""
    found = []
    rows = {row[0] for row in reader.all("SELECT picture FROM files WHERE picture <> ''")}
    folder = home / "files"
    there = {path.name for path in folder.iterdir()} if folder.exists() else set[str]()
    if rows != there:
        why = f"pictures {sorted(there)} lie there, and rows name {sorted(rows)}"
        found.append(Broken("wrong", why))
    if left := [path.name for path in home.rglob("*.new")]:
        found.append(Broken("wrong", f"half-written files were left: {left}"))
    log = home / "agency" / "ACTION_LOG.md"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    if len(lines) > _count(reader, _LOGGED):
        found.append(Broken("doubled", f"the action log says more than was logged: {lines}"))
    return found


def _sound(reader: Reader) -> list[Broken]:
    found = [row[0] for row in reader.all("PRAGMA quick_check") if row[0] != "ok"]
    found += [
        f"{row[0]} {row[1]} has no {row[2]}" for row in reader.all("PRAGMA foreign_key_check")
    ]
    return [Broken("wrong", f"the database: {text}") for text in found]
