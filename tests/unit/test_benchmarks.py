"""The benchmarks run, and their table says what was compared; no time is asserted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks import claims, economy, flood, growth, observe, own_time, past, report, timing
from benchmarks.corpus import Corpus
from benchmarks.places import SQLITE, Place
from benchmarks.report import Line
from benchmarks.scale import SMOKE
from memory import people
from memory.db import Reader, Tx
from tests.fakes.servers import running

MEASURES = (
    observe.measure,
    claims.measure,
    economy.measure,
    own_time.measure,
    growth.measure,
    flood.measure,
)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda one: one.__module__.split(".")[-1])
async def test_a_measure_runs_and_says_what_it_compared(
    measure: bench.Measure, tmp_path: Path
) -> None:
    # one with a server of its own is enough
    kinds = SMOKE.databases if measure is observe.measure else (SQLITE,)
    lines = await measure(tmp_path, replace(SMOKE, databases=kinds))
    assert lines
    for line in lines:
        assert line.figure
        assert (line.met is None) == (not line.target)
        assert line.ratio is None or line.ratio > 0


async def test_a_past_is_the_same_on_both_databases(tmp_path: Path) -> None:
    found = []
    for home in (Place(tmp_path / "file"), Place(tmp_path / "server", running().fresh())):
        await past.make(home.folder, rooms=5, originals=40, finished=20, people=30, **home.keys)
        async with home.database() as db:
            found.append(await db.read(_counted))
            assert await db.write(_next_person) > 30
    assert found[0] == found[1]
    assert found[0] == {
        "originals": 40,
        "originals_text": 40,
        "inputs": 40,
        "facts": 2,
        "facts_text": 2,
        "fires": 60,
        "runs": 20,
        "letters": 20,
        "people": 30,
        "accounts": 30,
    }


def _counted(reader: Reader) -> dict[str, int]:
    names = "originals originals_text inputs facts facts_text fires runs letters people accounts"
    counts = {}
    for name in names.split():
        row = reader.one(f"SELECT COUNT(*) AS n FROM {name}")  # noqa: S608
        assert row
        counts[name] = row["n"]
    return counts


def _next_person(tx: Tx) -> int:
    account = people.Account(platform="bench", tenant="team", native_id="new", name="New")
    return people.resolve(tx, account, now_us=1)


async def test_rounds_take_turns_and_their_medians_come_out() -> None:
    figures = {"a": iter([9.0, 1.0, 3.0, 2.0]), "b": iter([9.0, 4.0, 8.0, 6.0])}
    order: list[str] = []

    def candidate(name: str) -> timing.Round:
        async def once() -> float:
            order.append(name)
            return next(figures[name])

        return once

    found = await timing.interleaved({name: candidate(name) for name in figures}, rounds=3)
    assert found == {"a": 2.0, "b": 6.0}
    assert "".join(order) == "ab" + "ab" + "ba" + "ab"


def test_the_undisturbed_tenth_is_not_the_very_best() -> None:
    assert timing.undisturbed([float(n) for n in range(100, 0, -1)]) == 11.0


def test_targets_are_judged_from_the_right_side() -> None:
    assert report.at_least(5.0, 5)["met"]
    assert not report.at_least(4.9, 5)["met"]
    assert report.at_most(1.3, 1.3)["met"]
    assert not report.within(80.1, 80, "MB")["met"]


def test_the_table_is_aligned_and_the_data_whole() -> None:
    lines = [
        Line(measure="slow", figure="9 ms", beside="快 1 ms", **report.at_most(9, 2)),
        Line(measure="only told", figure="3"),
    ]
    rows = report.table(lines).splitlines()
    assert len({len(row) + sum(sign == "快" for sign in row) for row in rows}) == 1
    assert "NO" in rows[2]
    assert json.loads(json.dumps(report.as_data(lines)))[0]["ratio"] == 9


def test_the_corpus_repeats_itself_and_speaks_both_languages() -> None:
    first, again = list(Corpus(1).messages(50)), list(Corpus(1).messages(50))
    assert first == again
    assert any(text.isascii() for text in first)
    assert not all(text.isascii() for text in first)


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["observ"])
    assert "there are observe" in capsys.readouterr().err
