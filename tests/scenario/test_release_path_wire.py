"""The main story on the real wire: streaming, over the official client, with recorded answers.

`python -m tests.fakes.recordings` records them anew.
"""

import pytest

from bot.plays import houses, play
from bot.plays.story import LANGUAGES
from tests.conftest import MakeConfig
from tests.fakes.messages_api import MessagesApi
from tests.fakes.recordings import FOLDER, KEY, STORY, Recording


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_main_story_comes_out_the_same_over_the_messages_api(
    make_config: MakeConfig, language: str
) -> None:
    recording = Recording(FOLDER / f"{STORY}.{language}.json")
    lines: list[str] = []
    async with MessagesApi(recording, key=KEY) as api:
        config = make_config(
            model__provider="anthropic", model__base_url=api.url, model__api_key=KEY
        )

        passed = await play.play(
            STORY, language, config, print_line=lines.append, model=houses.CONFIGURED
        )

        assert passed, "\n".join(lines)
        assert api.streaming.is_set()
        assert all(body["stream"] for body in api.bodies)
        asked = {tool["name"] for body in api.bodies for tool in body["tools"]}
        assert {"say", "submit_to_session", "remember"} <= asked
    assert recording.left == []


async def test_a_model_that_does_not_answer_fails_the_story(make_config: MakeConfig) -> None:
    lines: list[str] = []
    async with MessagesApi([], key=KEY) as api:
        config = make_config(
            model__provider="anthropic", model__base_url=api.url, model__api_key=KEY
        )

        passed = await play.play(
            STORY, "en", config, print_line=lines.append, model=houses.CONFIGURED
        )

    assert not passed
    assert any(line.startswith("✗ #project is told") for line in lines)
