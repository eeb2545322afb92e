"""What the soak looks at when a day is over: queues, sizes, the process itself.

Reads every owner's tables directly, since it checks on all of them; it writes nothing.
"""

import asyncio
import gc
import re
import sys
import threading
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path

from memory.db import Reader

OVERDUE = {
    "inputs pending": "SELECT COUNT(*) FROM inputs WHERE state = 'pending'",
    "runs queued": "SELECT COUNT(*) FROM runs WHERE state = 'queued' AND due_at <= :now",
    "runs running": "SELECT COUNT(*) FROM runs WHERE state = 'running'",
    "fires pending": "SELECT COUNT(*) FROM fires WHERE state NOT IN ('consumed', 'dead')",
    "fires dead": "SELECT COUNT(*) FROM fires WHERE state = 'dead'",
    "letters pending": "SELECT COUNT(*) FROM letters"
    " WHERE state = 'pending' AND not_before <= :now",
    "letters sending": "SELECT COUNT(*) FROM letters WHERE state IN ('sending', 'unknown')",
    "letters failed": "SELECT COUNT(*) FROM letters WHERE state = 'failed'",
    "files waiting": "SELECT COUNT(*) FROM files WHERE state = 'waiting'",
    "handoffs held": "SELECT COUNT(*) FROM handoffs WHERE state IN ('held', 'asking', 'digest',"
    " 'admitted', 'delivered', 'proposed') AND (not_before <= :now OR expires_at <= :now)",
    "waits due": "SELECT COUNT(*) FROM waits WHERE state = 'open' AND due_at <= :now",
    "intentions due": "SELECT COUNT(*) FROM intentions WHERE state = 'held' AND due_at <= :now",
    "schedules due": "SELECT COUNT(*) FROM schedules WHERE state = 'active' AND next_at <= :now",
    "consents over": "SELECT COUNT(*) FROM consents WHERE state = 'asked' AND expires_at <= :now",
    "inbox over": "SELECT COUNT(*) FROM inbox WHERE state = 'waiting' AND expires_at <= :now",
}
"""What ought to have been done by now, each to be none."""

WAITING = {
    "letters": "SELECT COUNT(*) FROM letters WHERE state = 'pending'",
    "handoffs": "SELECT COUNT(*) FROM handoffs WHERE state IN ('held', 'asking', 'digest',"
    " 'admitted', 'delivered')",
    "waits": "SELECT COUNT(*) FROM waits WHERE state IN ('open', 'due')",
    "intentions": "SELECT COUNT(*) FROM intentions WHERE state IN ('held', 'ripe')",
    "schedules": "SELECT COUNT(*) FROM schedules WHERE state = 'active'",
    "consents": "SELECT COUNT(*) FROM consents WHERE state = 'asked'",
    "inbox": "SELECT COUNT(*) FROM inbox WHERE state = 'waiting'",
}
"""What waits for a time or for somebody, as it may."""

FAULTS = {
    "questions without an answer": "SELECT COUNT(*) FROM inputs LEFT JOIN runs"
    " ON runs.id = inputs.run_id WHERE inputs.wakes = 1 AND inputs.state <> 'withdrawn'"
    " AND (runs.id IS NULL OR runs.state <> 'succeeded')",
    "runs failed": "SELECT COUNT(*) FROM runs WHERE state = 'failed'",
    "said twice": "SELECT COUNT(*) FROM letters AS one JOIN letters AS again"
    " ON again.session_id = one.session_id AND again.body = one.body AND again.id > one.id"
    " WHERE one.proactive = 1",
}
"""What must never happen."""

ROWS = {
    "messages": "SELECT COUNT(*) FROM originals WHERE kind = 'message'",
    "runs": "SELECT COUNT(*) FROM runs",
    "fires": "SELECT COUNT(*) FROM fires",
    "letters": "SELECT COUNT(*) FROM letters",
}
_PAGES = """
SELECT (p.page_count - f.freelist_count) * s.page_size AS used
FROM pragma_page_count() AS p, pragma_freelist_count() AS f, pragma_page_size() AS s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """What the process holds, after everything unreachable was collected."""

    resident: int
    """Bytes."""
    blocks: int
    """Pieces of memory the interpreter holds while its caches are empty."""
    tasks: int
    threads: int
    files: int

    @classmethod
    def now(cls) -> "Process":
        """Empty the caches, collect and count: they have bounds, and take weeks to reach them."""
        for cache in [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]:
            cache.cache_clear()
        gc.collect()
        status = Path("/proc/self/status").read_text(encoding="ascii")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.M)
        return cls(
            resident=int(found[1]) * 1024 if found else 0,
            blocks=sys.getallocatedblocks(),
            tasks=len(asyncio.all_tasks()),
            threads=threading.active_count(),
            files=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a day ended."""

    day: int
    """From 1."""
    said: int
    """Messages of the day."""
    overdue: dict[str, int]
    waiting: dict[str, int]
    rows: dict[str, int]
    bytes: int
    """Of the database, without free pages and log, and of every other file."""
    log: int
    """Bytes of the write-ahead log."""
    cpu_s: float
    """Processor time of the day."""
    process: Process


def counts(reader: Reader, asked: dict[str, str], now_us: int) -> dict[str, int]:
    """The answers to some of the questions above."""
    found = {}
    for name, sql in asked.items():
        row = reader.one(sql, now=now_us) if ":now" in sql else reader.one(sql)
        found[name] = int(row[0]) if row else 0
    return found


def used(reader: Reader) -> int:
    """Bytes of the database that hold something."""
    row = reader.one(_PAGES)
    return int(row["used"]) if row else 0


def beside(folder: Path) -> tuple[int, int]:
    """Bytes of everything else in a data folder, and those of the log."""
    sizes = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    log = sum(size for path, size in sizes.items() if path.name.endswith(("-wal", "-shm")))
    database = sum(size for path, size in sizes.items() if path.name.startswith("limen.db"))
    return sum(sizes.values()) - database, log
