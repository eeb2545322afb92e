"""Files people send on a loopback Slack: read with the token, from Slack alone, up to a limit."""

import pytest

from adapters.chat import EventKind, File
from adapters.errors import Refused, Retry
from tests.fakes.platform import DIRECT
from tests.fakes.slack_api import SlackApi
from tests.fakes.slack_world import World, connected


async def sent(world: World, content: bytes, mime: str = "application/pdf") -> File:
    await world.api.send_file("mo", DIRECT, "invoice.pdf", mime, content)
    return (await world.until_heard(EventKind.NEW))[-1].files[0]


async def test_a_file_without_words_is_a_message_too() -> None:
    """SL-IN-05"""
    async with connected() as world:
        file = await sent(world, b"%PDF")
        assert world.of(EventKind.NEW)[0].text == ""
        assert await world.chat.fetch(file, limit=100) == b"%PDF"


async def test_a_page_to_sign_in_is_no_file() -> None:
    async with connected() as world:
        file = await sent(world, b"%PDF")
        world.api.web.scopes.discard("files:read")
        with pytest.raises(Refused, match="files:read"):
            await world.chat.fetch(file, limit=100)


async def test_the_limit_holds_for_what_is_really_sent() -> None:
    async with connected() as world:
        file = await sent(world, b"x" * 300_000)
        lying = File(id=file.id, name=file.name, mime=file.mime, size=None)
        with pytest.raises(Refused, match="larger than 100000 bytes"):
            await world.chat.fetch(lying, limit=100_000)


async def test_a_file_that_is_gone_is_refused() -> None:
    async with connected() as world:
        file = await sent(world, b"x")
        world.api.workspace.files.clear()
        with pytest.raises(Refused, match="not there any more"):
            await world.chat.fetch(file, limit=100)


async def test_the_token_is_shown_to_slack_alone() -> None:
    async with connected() as world:
        for url in (
            "https://slack.com.evil.test/f",
            "http://files.slack.com/f",
            "https://evilslack.com/f",
            "http://localhost:9/files/F1",
        ):
            with pytest.raises(Refused, match="outside of Slack"):
                await world.chat.fetch(File(id=url, name="a.txt"), limit=10)


async def test_an_unreachable_server_is_tried_again_later() -> None:
    async with connected() as world:
        file = await sent(world, b"x")
        await world.api._runner.cleanup()
        with pytest.raises(Retry):
            await world.chat.fetch(file, limit=100)


async def test_a_redirect_is_followed_within_slack_and_never_out_of_it() -> None:
    async with connected() as world, SlackApi() as stranger:
        file = await sent(world, b"%PDF")
        id = file.id.rpartition("/")[2]
        world.api.workspace.files["F2"] = world.api.workspace.files[id]
        world.api.moved[id] = "/files/F2"
        assert await world.chat.fetch(file, limit=100) == b"%PDF"
        world.api.moved["F2"] = stranger.base_url.replace("/api/", "/files/F2")
        stranger.workspace.files["F2"] = world.api.workspace.files[id]
        with pytest.raises(Refused, match="outside of Slack, at 127"):
            await world.chat.fetch(file, limit=100)
        world.api.moved["F2"] = f"/files/{id}"
        with pytest.raises(Refused, match="from one address to another"):
            await world.chat.fetch(file, limit=100)
