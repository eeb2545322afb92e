"""Kill a real Limen at every point between two durable states, and see what the next one finds.

    python -m tests.crash                     every point of every story, killed once and twice
    python -m tests.crash --all               also fails, cancels, closes and delays it there
    python -m tests.crash --random 200        mixes of stories, killed at random; prints the seed
    python -m tests.crash --only nudge after:settle       one chain of lives, to repeat it
    python -m tests.crash --database postgres             on PostgreSQL

Ends with 1 when a law does not hold, and with the recipe to repeat it.
"""

import argparse
import logging
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from tests.crash import bases, plans
from tests.crash.chain import NONE, Outcome, Plan, run
from tests.crash.fork import Chain, side_by_side
from tests.crash.plans import Known
from tests.crash.stories import STORIES, Story, mixed
from tests.crash.table import Table, covered
from tests.fakes.doomed_points import Fate

SO_FAR = 250  # chains after which a line is printed


def main(given: Sequence[str]) -> int:
    """Run what was asked for."""
    args = _parsed(given)
    logging.basicConfig(level=logging.ERROR if args.loud else logging.CRITICAL + 1)
    names = [chain[0] for chain in args.only] or args.stories or list(STORIES)
    known = {part for name in names for part in name.split("+")}
    if unknown := known - set(STORIES):
        say(f"there is no story {', '.join(sorted(unknown))}; there are {', '.join(STORIES)}")
        return 2
    began = time.monotonic()
    table = Table()
    with bases.opened(args.database, args.url) as base:
        try:
            if args.only:
                _repeat(args.only, base, args.jobs, table)
            else:
                _everything(args, names, base, table)
        except KeyboardInterrupt:
            say("broken off; so far:")
    for line in table.lines():
        say(line)
    say(f"{table.kills} kills on {args.database} in {time.monotonic() - began:.0f} s")
    _tell_broken(args, table)
    return 1 if table.failed else 0


def _tell_broken(args: argparse.Namespace, table: Table) -> None:
    for outcome in table.failed[: args.show]:
        say(f"\nto repeat: python -m tests.crash --database {args.database} {outcome.plan.recipe}")
        for one in outcome.broken:
            say(f"  {one.kind}: {one.text}")
    if len(table.failed) > args.show:
        say(f"\n… and {len(table.failed) - args.show} more; --show sets how many are told")


def _everything(
    args: argparse.Namespace, names: Sequence[str], base: bases.Base, table: Table
) -> None:
    known = _discovered(names, base, args.jobs, table)
    points = [point for one in known.values() for point in one.points]
    say(f"{len(points)} points in {len(known)} stories")
    for line in covered(points):
        say(line)
    if args.list or table.failed:
        return
    fates = list(Fate) if args.all else args.fates
    if not args.random:
        _row_by_row(plans.once(known, fates, args.every), base, args.jobs, table)
        if Fate.KILL in fates:
            _row_by_row(plans.twice(known, args.every), base, args.jobs, table)
        return
    seed = secrets.randbelow(10**6) if args.seed is None else args.seed
    say(f"seed {seed}: python -m tests.crash --random {args.random} --seed {seed}")
    chosen = plans.mixes(args.random, seed)
    together = ["+".join(mix) for mix in dict.fromkeys(chosen)]
    known = _discovered(together, base, args.jobs, table)
    chains = (plans.at_random(known, mix, seed, n) for n, mix in enumerate(chosen))
    _row_by_row(chains, base, args.jobs, table, known)


def _row_by_row(
    chosen: Iterator[Plan],
    base: bases.Base,
    jobs: int,
    table: Table,
    known: Mapping[str, Known] | None = None,
) -> None:
    chains = (_chain(plan, base, known or {}) for plan in chosen)
    for number, outcome in enumerate(side_by_side(chains, jobs), start=1):
        table.add(_row(outcome.plan), outcome)
        if number % SO_FAR == 0:
            say(f"… {table.kills} kills so far, {len(table.failed)} chains with something broken")


def _row(plan: Plan) -> str:
    if not plan.points:
        return "undisturbed"
    if all(":any" in point for point in plan.points):
        return "at random"
    if len(plan.points) > 1:
        return "killed, and killed again"
    fate = Fate(plan.points[0].rpartition("=")[0] or Fate.KILL)
    return {
        Fate.KILL: "killed",
        Fate.RAISE: "failed",
        Fate.CANCEL: "task cancelled",
        Fate.STOP: "house closed",
        Fate.DELAY: "delayed",
    }[fate]


def _chain(plan: Plan, base: bases.Base, known: Mapping[str, Known]) -> Chain:
    return partial(run, plan, _story(plan.story, known), base)


def _story(name: str, known: Mapping[str, Known]) -> Story:
    if "+" not in name:
        return STORIES[name]
    return mixed(name.split("+"), known[name].says if name in known else {})


def _discovered(
    names: Sequence[str], base: bases.Base, jobs: int, table: Table
) -> dict[str, Known]:
    """Let every story happen undisturbed, and note what it passes and what is said."""
    found: dict[str, Known] = {}
    chains = [_chain(Plan(story=name, points=()), base, {}) for name in names]
    for outcome in side_by_side(chains, jobs):
        name = outcome.plan.story
        if "+" in name:
            outcome.broken = [one for one in outcome.broken if " was to hear " not in one.text]
        table.add("undisturbed", outcome)
        told = outcome.told
        says = {room: tuple(text[:24] for text in texts) for room, texts in told["said"].items()}
        # A house is opened in every story alike.
        opening = told["opening"] if name == names[0] else []
        found[name] = Known(points=(*opening, *told["points"]), passed=told["passed"], says=says)
    return {name: found[name] for name in names}


def _repeat(chosen: Sequence[Sequence[str]], base: bases.Base, jobs: int, table: Table) -> None:
    mixes = [name for name, *_ in chosen if "+" in name]
    known = _discovered(mixes, base, jobs, Table()) if mixes else {}
    chains = [
        Plan(story=name, points=tuple(point for point in points if point != NONE))
        for name, *points in chosen
    ]
    met = 0
    for outcome in side_by_side((_chain(plan, base, known) for plan in chains), jobs):
        table.add(_row(outcome.plan), outcome)
        met += not outcome.missed
        for line in _told(outcome):
            say(line)
    say(f"{met} of {len(chains)} chains met their points")


def _told(outcome: Outcome) -> Iterator[str]:
    yield outcome.plan.recipe
    yield f"    {outcome.kills} kills, {outcome.closed} closed, {outcome.struck} points met"
    for room, texts in outcome.told.get("said", {}).items():
        for text in texts:
            yield f"    {room}: {text!r}"


def _parsed(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.crash", description=__doc__.split("\n", 1)[0])
    add = parser.add_argument
    add(
        "--only", nargs="+", action="append", default=[], metavar=("STORY", "POINT"),
        help="one chain of lives; may be given several times",
    )  # fmt: skip
    add("--stories", nargs="+", default=[], metavar="STORY", help=", ".join(STORIES))
    add("--fates", nargs="+", default=[Fate.KILL], type=Fate, help=", ".join(Fate))
    add("--all", action="store_true", help="all of these")
    add("--every", type=int, default=1, metavar="N", help="only every Nth point")
    add("--random", type=int, default=0, metavar="N", help="so many chains at random instead")
    add("--seed", type=int, default=None, help="repeats the chains at random")
    add("--list", action="store_true", help="only list the points")
    add("--jobs", type=int, default=2, help="chains side by side")
    add("--database", choices=("sqlite", "postgres"), default="sqlite")
    add("--url", default="", help="a PostgreSQL server to use; without it one is started")
    add("--show", type=int, default=10, help="how many broken laws are told")
    add("--loud", action="store_true", help="show what the houses log as errors")
    return parser.parse_args(given)


def say(line: str) -> None:
    """Print at once, also into a pipe."""
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # tidy up, and tell how far it came
    sys.exit(main(sys.argv[1:]))
