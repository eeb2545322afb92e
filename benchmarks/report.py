"""One line for each figure: what it is, what it is compared with, and whether that is enough."""

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

HEAD = ("measure", "figure", "beside it", "ratio", "target", "met?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One measured figure."""

    measure: str
    figure: str
    beside: str = ""
    """What was measured in the same minute to compare with."""
    ratio: float | None = None
    target: str = ""
    """In words; empty where the figure is only reported."""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """The line as it is printed."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f} ×"
        met = "" if self.met is None else ("yes" if self.met else "NO")
        return (self.measure, self.figure, self.beside, ratio, self.target, met)


def at_least(ratio: float, wanted: float) -> dict[str, Any]:
    """The fields of a line whose ratio must be high."""
    return {"ratio": ratio, "target": f"≥ {wanted:g} ×", "met": ratio >= wanted}


def at_most(ratio: float, wanted: float) -> dict[str, Any]:
    """The fields of a line whose ratio must be low."""
    return {"ratio": ratio, "target": f"≤ {wanted:g} ×", "met": ratio <= wanted}


def within(value: float, limit: float, unit: str) -> dict[str, Any]:
    """The fields of a line whose figure itself has a limit."""
    return {"target": f"≤ {limit:g} {unit}", "met": value <= limit}


def table(lines: Sequence[Line]) -> str:
    """All lines under one head, in Markdown that also reads well as plain text."""
    rows = [HEAD, *(line.cells() for line in lines)]
    widths = [max(_width(row[i]) for row in rows) for i in range(len(HEAD))]
    printed = [_row(row, widths) for row in rows]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([printed[0], rule, *printed[1:]])


def as_data(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """All lines for programs."""
    return [asdict(line) for line in lines]


def ms(seconds: float) -> str:
    """A duration as people compare it."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.2f} ms"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (c + " " * (w - _width(c)) for c, w in zip(cells, widths, strict=True))
    return "| " + " | ".join(padded) + " |"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
