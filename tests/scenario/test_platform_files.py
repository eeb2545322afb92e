"""Files on every platform: sent in its own way, fetched over its own wire, and known to the bot."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.models.anthropic_model import AnthropicModel, ModelSettings
from tests.fakes import papers
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.live import live_house
from tests.fakes.messages_api import MessagesApi
from tests.fakes.platform import Platform
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi
from tests.scenario.test_files import Eyes, images

INVOICE = papers.pdf("Invoice 2041\nThe deposit is due on 12 December.")


@pytest.fixture(params=[SlackApi, TelegramApi, FeishuApi], ids=["slack", "telegram", "feishu"])
def platform(request: pytest.FixtureRequest) -> Platform:
    make: Callable[[], Platform] = request.param
    return make()


@pytest.mark.parametrize(
    ("question", "said"),
    [("", "Invoice 2041"), ("when is the deposit due?", "12 December"), ("押金？", "Invoice 2041")],
)
async def test_what_a_pdf_says_is_known(
    platform: Platform, tmp_path: Path, question: str, said: str
) -> None:
    async with platform, live_house(tmp_path, platform) as live:
        await live.started()
        await platform.send_file(
            "mo", "direct", "invoice.pdf", "application/pdf", INVOICE, question
        )
        await platform.until(lambda: any(said in one.text for one in platform.posts("direct:mo")))


async def test_a_picture_is_looked_at(platform: Platform, tmp_path: Path) -> None:
    eyes = Eyes()
    async with MessagesApi(eyes) as api, platform:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        async with live_house(tmp_path, platform, model=model, agency__enabled="false") as live:
            await live.started()
            data = papers.picture((3000, 20), colour="blue")
            await platform.send_file("mo", "direct", "sky.png", "image/png", data, "which colour?")
            await platform.until(
                lambda: any(one.text == "I see 1" for one in platform.posts("direct:mo"))
            )
    [image] = images(eyes.seen[0])
    assert image.size[0] == 1568
    assert image.getpixel((5, 5)) == (0, 0, 255)
