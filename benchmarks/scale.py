"""How much is measured: everything, a quick look, or just enough to see that it runs."""

from dataclasses import dataclass, replace

ON_A_SERVER = 100_000
"""Rows that are put on a server at most: enough to see growth, and soon there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The sizes of every measurement; the defaults are those the targets are stated for."""

    rounds: int = 7
    """Interleaved repetitions; the medians of their figures are compared."""
    messages: int = 400
    """Messages a round, where one round is about throughput."""
    addressed: int = 24
    """Addressed messages a round."""
    claims: int = 200
    """Claims a round."""
    consumed: tuple[int, ...] = (1_000, 1_000_000)
    """Finished rows beside which the next one is claimed."""
    sessions: tuple[int, ...] = (10, 1_000, 10_000)
    people: tuple[int, ...] = (10, 1_000, 10_000)
    """People known; no fewer than the ten of the rooms that are measured."""
    originals: tuple[int, ...] = (1_000, 1_000_000)
    """Messages already there."""
    starts: int = 3
    """Starts of the real process."""
    day: int = 1_000
    """Messages of the simulated hour."""
    events: int = 1_000
    """Events a platform sends."""
    soaked: int = 30
    """Days of the simulated month."""
    handed: int = 100
    """Tasks a round, where one waits for its handler."""
    questions: int = 40
    """Questions a room asks, one after the other."""
    databases: tuple[str, ...] = ("sqlite", "postgres")
    """The databases that are measured, where it makes a difference."""
    flood_s: float = 10.0
    """Seconds of a flood, and of the quiet before it."""

    def on_a_server(self) -> "Scale":
        """The same with fewer rows that have to be brought to a server first."""
        consumed, originals = (
            tuple(min(n, ON_A_SERVER) for n in sizes) for sizes in (self.consumed, self.originals)
        )
        return replace(self, consumed=consumed, originals=originals)


FULL = Scale()
QUICK = Scale(
    rounds=5,
    messages=200,
    addressed=12,
    consumed=(1_000, 100_000),
    originals=(1_000, 100_000),
    events=400,
    soaked=5,
    flood_s=4.0,
)
SMOKE = Scale(
    rounds=1,
    messages=8,
    addressed=2,
    claims=4,
    consumed=(10, 20),
    sessions=(2, 4),
    people=(10, 30),
    originals=(10, 20),
    starts=1,
    day=20,
    events=10,
    soaked=1,
    flood_s=0.3,
)
