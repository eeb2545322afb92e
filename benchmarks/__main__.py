"""`python -m benchmarks [name …] [--quick] [--json FILE] [--verbose]`: measure, print one table."""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import (
    claims,
    economy,
    fleet,
    flood,
    footprint,
    growth,
    handover,
    inbound,
    observe,
    own_time,
    report,
    soak,
)
from benchmarks.report import Line
from benchmarks.scale import FULL, QUICK, Scale

Measure = Callable[[Path, Scale], Awaitable[list[Line]]]

MEASURES: dict[str, Measure] = {
    "observe": observe.measure,
    "claims": claims.measure,
    "economy": economy.measure,
    "own_time": own_time.measure,
    "growth": growth.measure,
    "handover": handover.measure,
    "processes": fleet.measure,
    "footprint": footprint.measure,
    "inbound": inbound.measure,
    "soak": soak.measure,
    "flood": flood.measure,
}
LONG = frozenset({"soak"})
"""Those that are run in full only when they are named: this takes as long as all others."""


async def run(names: Sequence[str], scale: Scale) -> list[Line]:
    """Measure what is named, one after the other, each in a folder of its own."""
    lines: list[Line] = []
    for name in names:
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix=f"limen-bench-{name}-") as folder:
            found = await MEASURES[name](Path(folder), scale)
        print(f"{name}: measured in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        print(report.table(found), file=sys.stderr, flush=True)
        lines += found
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, measure, print; 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument(
        "name",
        nargs="*",
        help=f"some of: {', '.join(MEASURES)}; all by default, but in full not {', '.join(LONG)}",
    )
    parser.add_argument("--quick", action="store_true", help="100,000 rows where it would be 1 M")
    parser.add_argument(
        "--database",
        choices=("sqlite", "postgres", "both"),
        default="both",
        help="where it makes a difference",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--verbose", action="store_true", help="also what the start imports")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.name if name not in MEASURES]:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    logging.basicConfig(level=logging.ERROR)
    named = given.name or [name for name in MEASURES if given.quick or name not in LONG]
    kinds = ("sqlite", "postgres") if given.database == "both" else (given.database,)
    scale = replace(QUICK if given.quick else FULL, databases=kinds)
    lines = asyncio.run(run(named, scale))
    print(report.table(lines))
    if given.json:
        text = json.dumps(report.as_data(lines), ensure_ascii=False, indent=2)
        given.json.write_text(text + "\n", encoding="utf-8")
    if given.verbose:
        print("\n" + "\n".join(footprint.slowest_imports(limit=30)))
    return 1 if any(line.met is False for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
