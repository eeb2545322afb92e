"""What has happened since the process started, counted as it happens."""

from bisect import bisect_left
from collections import Counter

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds: the upper ends of the spans that commits are sorted into."""


class Tally:
    """The counts of one process."""

    def __init__(self) -> None:
        self.runs: Counter[tuple[str, str]] = Counter()
        """By role and outcome."""
        self.deliveries: Counter[tuple[str, str]] = Counter()
        """By platform and outcome."""
        self.commits = [0] * (len(BOUNDS) + 1)
        """By the time they took, as in BOUNDS; the last are those that took longer."""
        self.commit_seconds = 0.0
        self.writes = 0
        """What those commits made durable."""

    def ended(self, role: str, outcome: str) -> None:
        """A run came to its end."""
        self.runs[role, outcome] += 1

    def delivered(self, platform: str, outcome: str) -> None:
        """A try to post a letter came to its end."""
        self.deliveries[platform, outcome] += 1

    def committed(self, writes: int, seconds: float) -> None:
        """A commit is done; may be called by the thread that writes."""
        self.commits[bisect_left(BOUNDS, seconds)] += 1
        self.commit_seconds += seconds
        self.writes += writes
