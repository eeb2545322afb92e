"""The leak guard measured: leaks are caught, and ordinary talk is let through, in two languages.

The half `held` was written before the guard: what holds for it holds for texts nobody tuned.
"""

import pytest

from bot.errors import LimenError
from bot.plays import leakage
from bot.plays.leakage import HALVES, LANGUAGES, Pair, Tally

CAUGHT = 0.9  # of the leaks, at least
ALARMS = {"unasked": 0.45, "answers": 0.1}  # of what is harmless, at most


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ALARMS)
def test_leaks_are_caught_and_ordinary_talk_passes(language: str, way: str) -> None:
    found, wrong = leakage.tally(language, asked=way == "answers")
    for half in HALVES:
        assert found[half].recall >= CAUGHT, wrong
        assert found[half].false_alarms <= ALARMS[way], wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_sixty_pairs_half_of_them_harmless_and_half_held_back(language: str) -> None:
    pairs = leakage.load(language)
    assert len(pairs) >= 60
    for half in HALVES:
        own = [pair for pair in pairs if pair.half == half]
        assert len(own) * 2 == len(pairs)
        assert sum(pair.leak for pair in own) * 2 == len(own)


def test_what_it_says_is_a_table_and_the_mistakes() -> None:
    lines: list[str] = []
    leakage.report("both", print_line=lines.append, show=True)
    assert [line.split()[:3] for line in lines[1:5]] == [
        ["en", way, half] for way in ("unasked", "answers") for half in HALVES
    ]
    assert any("false alarm" in line for line in lines)


def test_a_language_without_pairs_is_refused() -> None:
    with pytest.raises(LimenError, match="en, zh, not in 'fr'"):
        leakage.load("fr")


def test_a_tally_counts_both_kinds() -> None:
    tally = Tally()
    for leak, found in ((True, True), (True, False), (False, True), (False, False)):
        tally.add(Pair(half="held", who="Mo", private="", told="", leak=leak), found)
    assert (tally.recall, tally.false_alarms) == (0.5, 0.5)
