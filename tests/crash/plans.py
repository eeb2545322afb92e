"""Which lives are lived: every point of every story once, then twice, then at random."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.crash.chain import Plan
from tests.crash.stories import MIXABLE
from tests.fakes.doomed_points import Fate

RECOVERY = 60  # points in which a house is taken up again; a second kill comes at one of them
MOST = 4  # lives of a random chain that end badly
_ON_A_THREAD = ("inside:", "before:open.", "before:rename.", "before:remove.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the first life of a story passed."""

    points: tuple[str, ...]
    passed: int
    says: Mapping[str, tuple[str, ...]]


def may(fate: Fate, point: str) -> bool:
    """Whether this can happen there."""
    threaded = point.startswith(_ON_A_THREAD)
    match fate:
        case Fate.RAISE:
            called = ("ask.", "send.", "find.", "fetch.", "ack.")
            return not point.startswith("after:") or point[6:].startswith(called)
        case Fate.CANCEL | Fate.STOP:
            return not threaded or point.startswith("inside:")
        case Fate.DELAY:
            return not threaded
        case _:
            return True


def once(known: Mapping[str, Known], fates: Sequence[Fate], every: int = 1) -> Iterator[Plan]:
    """What may happen, at each point."""
    for fate in fates:
        for story, one in known.items():
            for point in one.points[::every]:
                if may(fate, point):
                    prefix = "" if fate is Fate.KILL else f"{fate}="
                    yield Plan(story=story, points=(prefix + point,))


def twice(known: Mapping[str, Known], every: int = 1) -> Iterator[Plan]:
    """A kill at each point, and another one while the next life takes up what the first left."""
    for story, one in known.items():
        for number, point in enumerate(one.points[::every]):
            # A step that shares no factor with the length comes to each in turn.
            second = 1 + number * 37 % RECOVERY
            yield Plan(story=story, points=(point, f"any:any@{second}"))


def mixes(count: int, seed: int) -> list[tuple[str, ...]]:
    """Stories that are told together."""
    chance = random.Random(seed)
    return [tuple(sorted(chance.sample(MIXABLE, chance.choice((2, 3))))) for _ in range(count)]


def at_random(known: Mapping[str, Known], mix: tuple[str, ...], seed: int, number: int) -> Plan:
    """One of the random chains."""
    chance = random.Random(f"{seed}:{number}")
    name = "+".join(mix)
    points = []
    for life in range(chance.randint(1, MOST)):
        last = known[name].passed if life == 0 else RECOVERY * 3
        fate = chance.choices(list(Fate), weights=(6, 1, 1, 1, 1))[0]
        prefix = "" if fate is Fate.KILL else f"{fate}="
        points.append(f"{prefix}any:any@{chance.randint(1, last)}")
    return Plan(story=name, points=tuple(points))
