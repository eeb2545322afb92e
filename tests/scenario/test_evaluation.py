"""Scenarios played through the whole app and scored."""

from pathlib import Path

import pytest

from bot.errors import LimenError
from bot.models.builtin.model import BuiltinModel
from bot.plays import evaluation, houses, scenario
from bot.plays.scoring import score
from tests.conftest import MakeConfig
from tests.fakes.messages_api import MessagesApi

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


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with one scenario, in English alone."""
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


async def test_a_file_of_ones_own_is_played_and_scored(make_config: MakeConfig, mine: Path) -> None:
    lines: list[str] = []

    total = await evaluation.evaluate(
        mine, "both", make_config(), print_line=lines.append, show=True
    )

    assert (total.plays, total.met, total.right, total.late) == (1, 1, 1, 0), "\n".join(lines)
    assert lines[-1].startswith("all")


async def test_edits_recalls_and_direct_chats_are_played(make_config: MakeConfig) -> None:
    chosen = [one for one in scenario.shipped() if one.kind in ("edit or recall", "injection")]
    for one in chosen[:5]:
        found = score(await evaluation.play(one, "en", make_config()))

        assert found.faults == [], one.id


async def test_the_model_of_the_settings_is_measured_over_its_wire(
    make_config: MakeConfig, mine: Path
) -> None:
    lines: list[str] = []
    async with MessagesApi.of(BuiltinModel()) as api:
        config = make_config(
            model__provider="anthropic", model__base_url=api.url, model__api_key=api.key
        )

        total = await evaluation.evaluate(
            mine, "both", config, print_line=lines.append, model=houses.CONFIGURED
        )

    assert (total.plays, total.met, total.right) == (1, 1, 1), "\n".join(lines)
    assert any(tool["name"] == "submit_to_session" for b in api.bodies for tool in b["tools"])


async def test_a_model_that_cannot_be_reached_is_not_taken_for_a_quiet_one(
    make_config: MakeConfig, mine: Path
) -> None:
    lines: list[str] = []
    async with MessagesApi.of(BuiltinModel()) as api:
        config = make_config(
            model__provider="anthropic", model__base_url=api.url, model__api_key="another"
        )

        await evaluation.evaluate(
            mine, "en", config, print_line=lines.append, model=houses.CONFIGURED
        )

    assert any(line.startswith("runs that came to nothing: ") for line in lines), lines


async def test_without_a_word_the_model_of_the_settings_is_not_asked(
    make_config: MakeConfig, mine: Path
) -> None:
    async with MessagesApi([]) as api:
        config = make_config(
            model__provider="anthropic", model__base_url=api.url, model__api_key=api.key
        )

        await evaluation.evaluate(mine, "en", config, print_line=lambda _: None)

    assert api.bodies == []


@pytest.mark.parametrize(
    ("language", "model", "told"),
    [
        ("zh", "builtin", "no scenario that is written in zh"),
        ("fr", "builtin", "not in 'fr'"),
        ("en", "best", "not with 'best'"),
    ],
)
async def test_what_cannot_be_played_is_told(
    make_config: MakeConfig, mine: Path, language: str, model: str, told: str
) -> None:
    with pytest.raises(LimenError, match=told):
        await evaluation.evaluate(
            mine, language, make_config(), print_line=lambda _: None, model=model
        )
