"""The table at the end: what was covered, what befell it, and what did not hold."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.crash.chain import Outcome

KINDS = ("lost", "doubled", "stuck", "wrong")
_HEAD = ("", "chains", "kills", "closed", "not met", *KINDS)


@dataclass(slots=True)
class Table:
    """Counts outcomes."""

    rows: dict[str, Counter[str]] = field(default_factory=dict)
    failed: list[Outcome] = field(default_factory=list)

    def add(self, row: str, outcome: Outcome) -> None:
        """Count one."""
        counts = self.rows.setdefault(row, Counter())
        kinds = Counter(one.kind for one in outcome.broken)
        counts["chains"] += 1
        counts["kills"] += outcome.kills
        counts["closed"] += outcome.closed
        counts["not met"] += outcome.missed
        for kind in KINDS:
            counts[kind] += kinds[kind] > 0
        if outcome.broken:
            self.failed.append(outcome)

    @property
    def kills(self) -> int:
        """All of them."""
        return sum(counts["kills"] for counts in self.rows.values())

    def lines(self) -> Iterable[str]:
        """As it is printed."""
        total: Counter[str] = Counter()
        for counts in self.rows.values():
            total.update(counts)
        rows = [_HEAD, *(self._row(name, of) for name, of in self.rows.items())]
        rows.append(self._row("together", total))
        widths = [max(len(row[n]) for row in rows) for n in range(len(_HEAD))]
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            yield "  ".join(cells)

    def _row(self, name: str, counts: Counter[str]) -> tuple[str, ...]:
        return (name, *(str(counts[column]) for column in _HEAD[1:]))


def covered(points: Iterable[str]) -> Iterable[str]:
    """The points by kind, each name once with how often it was passed."""
    kinds: dict[str, Counter[str]] = {}
    for point in points:
        when, _, rest = point.partition(":")
        what = rest.partition("@")[0]
        kinds.setdefault(_kind(what), Counter())[f"{when}:{what}"] += 1
    for kind, names in sorted(kinds.items()):
        yield f"{kind}: {sum(names.values())} points"
        yield "    " + ", ".join(f"{name} ×{n}" for name, n in sorted(names.items()))


def _kind(what: str) -> str:
    head = what.partition(".")[0]
    if head == "ask":
        return "models"
    if head in ("send", "find", "fetch", "ack"):
        return "platforms"
    if head in ("open", "rename", "remove"):
        return "files on disk"
    return "writes"
