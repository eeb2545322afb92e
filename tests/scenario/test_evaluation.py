"""Scenarios played through the whole app and scored."""

from pathlib import Path

from bot.plays import evaluation, scenario
from bot.plays.scoring import score
from tests.conftest import MakeConfig

MINE = """
[[scenarios]]
id = "port"
kind = "stale wait"
messages = [
    { wake = 1, chat = "web", sender = "li", id = "a", en = "We wait for port 5432 on staging." },
    { wake = 2, chat = "ops", sender = "zoe", id = "b", en = "Port 5432 on staging is open." },
]
expect = [{ chat = "web", must = ["5432", "open"], src = ["b"] }]
[scenarios.chats]
web = { type = "group", members = ["li", "ana"] }
ops = { type = "group", members = ["zoe"] }
"""


async def test_a_file_of_ones_own_is_played_and_scored(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    lines: list[str] = []

    total = await evaluation.evaluate(
        path, "both", make_config(), print_line=lines.append, show=True
    )

    assert (total.plays, total.met, total.right, total.late) == (1, 1, 1, 0), "\n".join(lines)
    assert lines[-1].startswith("all")


async def test_edits_recalls_and_direct_chats_are_played(make_config: MakeConfig) -> None:
    chosen = [one for one in scenario.shipped() if one.kind in ("edit or recall", "injection")]
    for one in chosen[:5]:
        found = score(await evaluation.play(one, "en", make_config()))

        assert found.faults == [], one.id
