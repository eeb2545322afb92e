"""Several processes on one PostgreSQL, killed at random under load: what must hold, holds.

    python -m tests.crash.several [--minutes 5] [--seed N] [--rate 4]

A gateway and two processes that are worker and agency, as `limen run --only` starts them. People
ask in their rooms over HTTP; every few seconds one process is killed with SIGKILL, or stopped in
its tracks for longer than a lease lasts, and started again. At the end everything comes to rest and
the rows are counted.
"""

import argparse
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psycopg

from tests.fakes.process import ROOT, TOKEN, settings
from tests.fakes.servers import Server

PARTS = {
    "gateway": ("gateway",),
    "first": ("worker", "agency"),
    "second": ("worker", "agency"),
}
PEOPLE = ("ana", "bo", "lin", "mo")
ROOMS = ("general", "project", "architecture")
PAUSE_S = 15.0  # of a process that is stopped in its tracks: longer than a lease lasts
BETWEEN_S = (3.0, 14.0)  # from one kill to the next: sooner, and no lease would ever pass on
REST_S = 120.0  # in which everything must come to rest
HELD = re.compile(r"^(\S+) .*\bagency is held by this process now")
PASSED = re.compile(r"^(\S+) .*\bagency passes on")


@dataclass
class Member:
    """One process of the fleet, started again and again."""

    name: str
    env: dict[str, str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    lives: list[tuple[int, float, float]] = field(default_factory=list)
    """Process id, when it was started and when it ended."""

    def start(self) -> None:
        """Begin a life."""
        args = [f"--only={part}" for part in PARTS[self.name]]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot", "run", *args],
                cwd=ROOT,
                env=self.env,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        self.lives.append((self.process.pid, time.time(), 0.0))

    def end(self, number: int) -> int:
        """End a life; the exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        code = self.process.wait(30)
        pid, began, _ = self.lives[-1]
        self.lives[-1] = (pid, began, time.time())
        return code


class People(threading.Thread):
    """Ask in rooms, again and again, until told to stop; what was accepted is remembered."""

    def __init__(self, url: str, rate: float, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._pause = 1 / rate
        self._rng = rng
        self.over = threading.Event()
        self.said: list[str] = []
        self.refused = 0

    def run(self) -> None:
        headers = {"authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=self._url, headers=headers, timeout=5, trust_env=False) as http:
            number = 0
            while not self.over.wait(self._pause):
                number += 1
                room, who = self._rng.choice(ROOMS), self._rng.choice(PEOPLE)
                text = f"Limen, what is the answer to number {number}?"
                try:
                    answer = http.post(f"/api/rooms/{room}/posts?as={who}", json={"text": text})
                except httpx.HTTPError:
                    self.refused += 1
                    continue
                if answer.status_code == 201:
                    self.said.append(answer.json()["id"])
                else:
                    self.refused += 1


class Fleet:
    """Three processes, and what becomes of them."""

    def __init__(self, folder: Path, url: str, rng: random.Random, *, rate: float) -> None:
        self.rng = rng
        self.url = url
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        env = settings(
            folder / "home",
            database__url=url,
            web__port=str(port),
            log__level="info",
            agency__quiet_window="1s",
            agency__max_wait="3s",
        )
        self.members = {name: Member(name, env, folder / f"{name}.log") for name in PARTS}
        self.people = People(f"http://127.0.0.1:{port}", rate, rng)
        self.kills = dict.fromkeys(PARTS, 0)
        self.pauses: list[tuple[str, float, float]] = []

    def trouble(self, seconds: float) -> None:
        """Kill and stop processes at random for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(self.rng.uniform(*BETWEEN_S))
            member = self.members[self.rng.choice(list(PARTS))]
            if self.rng.random() < 0.1:
                self._pause(member)
            else:
                member.end(signal.SIGKILL)
                self.kills[member.name] += 1
                member.start()

    def _pause(self, member: Member) -> None:
        assert member.process is not None
        began = time.time()
        member.process.send_signal(signal.SIGSTOP)
        time.sleep(PAUSE_S)
        self.pauses.append((member.name, began, time.time()))
        member.process.send_signal(signal.SIGCONT)

    def rest(self) -> float:
        """Wait until nothing waits any more; how long that took, or what still waits is raised."""
        began = time.monotonic()
        while (left := unsettled(self.url)) and time.monotonic() - began < REST_S:
            time.sleep(0.5)
        if left:
            raise AssertionError(f"after {REST_S:g} s there still waits: {left}")
        return time.monotonic() - began

    def minds(self) -> list[tuple[float, float, str]]:
        """When each process had the agency, by what it logged and when it was killed."""
        spans = []
        for name in ("first", "second"):
            member, begun = self.members[name], None
            ends = [end for _, _, end in member.lives]
            for line in member.log.read_text(errors="replace").splitlines():
                if match := HELD.match(line):
                    begun = _moment(match[1])
                elif begun is not None and (match := PASSED.match(line)):
                    spans.append((begun, _moment(match[1]), name))
                    begun = None
                for end in ends:
                    if begun is not None and (at := _when(line)) and begun < end <= at:
                        spans.append((begun, end, name))
                        begun = _moment(match[1]) if (match := HELD.match(line)) else None
            if begun is not None:
                last = next((end for end in ends if end > begun), time.time())
                spans.append((begun, last, name))
        return sorted(spans)


def _when(line: str) -> float | None:
    try:
        return _moment(line.split(" ", 1)[0])
    except ValueError:
        return None


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).astimezone(UTC).timestamp()


def rows(url: str, sql: str) -> list[Any]:
    """What a query finds."""
    with psycopg.connect(url) as connection:
        return connection.execute(sql.encode()).fetchall()


def unsettled(url: str) -> dict[str, int]:
    """What still waits or goes on, by kind."""
    counts = {
        "posts": "SELECT COUNT(*) FROM web_events WHERE due = 1",
        "inputs": "SELECT COUNT(*) FROM inputs WHERE state = 'pending'",
        "runs": "SELECT COUNT(*) FROM runs WHERE state IN ('queued', 'running')",
        "letters": "SELECT COUNT(*) FROM letters WHERE state IN ('pending', 'sending', 'unknown')",
        "fires": "SELECT COUNT(*) FROM fires WHERE state NOT IN ('consumed', 'dead')",
    }
    found = {name: int(rows(url, sql)[0][0]) for name, sql in counts.items()}
    return {name: count for name, count in found.items() if count}


def violations(url: str, said: list[str]) -> list[str]:
    """What does not hold."""
    checks = {
        "posts without an original": (
            "SELECT COUNT(*) FROM web_posts p WHERE p.author_id IS NOT NULL AND NOT EXISTS ("
            "SELECT 1 FROM originals o WHERE o.address LIKE '%#' || p.id)"
        ),
        "questions nobody answered": (
            "SELECT COUNT(*) FROM inputs i WHERE i.wakes = 1 AND i.trigger_type = 'message' "
            "AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.run_id = i.run_id "
            "AND l.state = 'sent') AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = i.run_id "
            "AND r.outcome <> 'spoken' AND r.state = 'succeeded')"
        ),
        "letters posted twice": (
            "SELECT COUNT(*) FROM (SELECT letter FROM web_posts WHERE letter IS NOT NULL "
            "GROUP BY letter HAVING COUNT(*) > 1) AS twice"
        ),
        "letters sent and not posted": (
            "SELECT COUNT(*) FROM letters l WHERE l.state = 'sent' AND NOT EXISTS ("
            "SELECT 1 FROM web_posts p WHERE p.letter = l.key)"
        ),
        "letters that may be repeats": "SELECT COUNT(*) FROM letters WHERE possible_repeat = 1",
        "letters given up": "SELECT COUNT(*) FROM letters WHERE state = 'failed'",
        "runs that failed": "SELECT COUNT(*) FROM runs WHERE state = 'failed'",
        "fires that died": "SELECT COUNT(*) FROM fires WHERE state = 'dead'",
    }
    found = [f"{count} {name}" for name, sql in checks.items() if (count := rows(url, sql)[0][0])]
    kept = {
        str(row[0]) for row in rows(url, "SELECT id FROM web_posts WHERE author_id IS NOT NULL")
    }
    if lost := set(said) - kept:
        found.append(f"{len(lost)} accepted posts are gone")
    return found


def overlaps(
    spans: list[tuple[float, float, str]], pauses: list[tuple[str, float, float]]
) -> list[str]:
    """Where two processes had the agency at one time, and the first was not stopped just then."""
    return [
        f"{one[2]} until {one[1]:.2f}, {other[2]} from {other[0]:.2f}"
        for one, other in pairwise(spans)
        if other[0] < one[1]
        and other[2] != one[2]
        and not any(name == one[2] and began < other[0] < ended for name, began, ended in pauses)
    ]


def main() -> int:
    """Run it, print what was found; 1 when something does not hold."""
    parser = argparse.ArgumentParser(prog="several", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--rate", type=float, default=4.0, help="questions a second")
    given = parser.parse_args()
    _say(f"seed {given.seed}")
    with tempfile.TemporaryDirectory(prefix="limen-several-") as folder:
        server = Server(Path(folder) / "postgres", settings=())
        try:
            return _report(Path(folder), server.empty(), given)
        finally:
            server.close()


def _report(folder: Path, url: str, given: argparse.Namespace) -> int:
    fleet = Fleet(folder, url, random.Random(given.seed), rate=given.rate)
    try:
        for member in fleet.members.values():
            member.start()
        time.sleep(5)
        fleet.people.start()
        fleet.trouble(given.minutes * 60)
        fleet.people.over.set()
        rested = fleet.rest()
    except (AssertionError, psycopg.Error):
        for member in fleet.members.values():
            tail = member.log.read_text(errors="replace")[-3000:]
            sys.stderr.write(f"--- {member.name}\n{tail}\n")
        raise
    finally:
        for member in fleet.members.values():
            if member.process is not None:
                member.process.kill()
                member.process.wait()
    spans = fleet.minds()
    wrong = violations(url, fleet.people.said) + overlaps(spans, fleet.pauses)
    sent = rows(url, "SELECT COUNT(*) FROM letters WHERE state = 'sent'")[0][0]
    _say(
        f"{sum(fleet.kills.values())} kills {fleet.kills}, "
        f"{len(fleet.pauses)} pauses of {PAUSE_S:g} s; "
        f"{len(fleet.people.said)} questions accepted, {fleet.people.refused} refused while no "
        f"gateway was there; {sent} letters; at rest {rested:.1f} s after the last kill; "
        f"the agency was held {len(spans)} times, by one process at a time"
    )
    for line in wrong:
        _say(f"DOES NOT HOLD: {line}")
    return 1 if wrong else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
