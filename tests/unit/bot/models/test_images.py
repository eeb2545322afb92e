"""A picture the endpoint will not take costs one more try, and never the answer."""

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ContextTooLong, ModelRefused
from bot.files import pictures
from bot.files.enclosures import MOST_PICTURES
from bot.files.sight import Sighted
from bot.models import images, transcript
from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.model import Block, Message, Request, Response, Tier
from bot.models.tokens import estimate_tokens
from tests.fakes import papers
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Failure, Reply, says

TOO_BIG = "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum"
TOO_MANY_PIXELS = (
    "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed "
    "max allowed size for many-image requests: 2000 pixels"
)


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def kept(name: str) -> Block:
    return {"type": "image", "source": {"type": "kept", "name": name}}


def picture(data: bytes) -> Block:
    coded = base64.b64encode(data).decode()
    source = {"type": "base64", "media_type": "image/png", "data": coded}
    return {"type": "image", "source": source}


def user(*blocks: Block) -> Message:
    return {"role": "user", "content": list(blocks)}


def request(*blocks: Block) -> Request:
    return Request(
        role="conversation",
        purpose="foreground",
        tier=Tier.MAIN,
        system="You are Limen.",
        messages=[user(*blocks)],
        tools=[],
        max_tokens=100,
    )


async def ask(asked: Request, *replies: Reply) -> tuple[Response, list[Any]]:
    async with MessagesApi(replies) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        try:
            answer = await model.complete(asked)
        finally:
            await model.aclose()
        return answer, [body["messages"][0]["content"] for body in api.bodies]


ASKED = request(text("what is this?"), picture(papers.picture()), text("and this?"))


@pytest.mark.parametrize(
    "refusal",
    [
        Failure(400, message=TOO_BIG),
        Failure(400, message=TOO_MANY_PIXELS),
        Failure(413, "request_too_large", "Request exceeds the maximum size"),
    ],
)
async def test_refused_pictures_are_left_out_with_a_word_and_the_rest_is_asked(
    refusal: Failure,
) -> None:
    answer, asked = await ask(ASKED, refusal, says("I cannot see it."))
    assert answer.content == [text("I cannot see it.")]
    assert [block["type"] for block in asked[0]] == ["text", "image", "text"]
    assert [block["text"] for block in asked[1]] == ["what is this?", images.REFUSED, "and this?"]


async def test_without_pictures_such_an_answer_stands() -> None:
    bare = request(text("hello"))
    with pytest.raises(ContextTooLong):
        await ask(bare, Failure(413))
    with pytest.raises(ModelRefused, match="a picture was not accepted"):
        await ask(bare, Failure(400, message="image: no"))


async def test_a_request_that_is_refused_even_so_is_not_tried_for_ever() -> None:
    with pytest.raises(ModelRefused):
        await ask(ASKED, Failure(400, message=TOO_BIG), Failure(400, message=TOO_BIG))


def test_pictures_are_counted_and_the_oldest_go_first_where_the_window_is_small() -> None:
    shown = [user(text("look"), *(kept(f"{n}.png") for n in range(10)), text("well?"))]
    assert estimate_tokens(shown) > 10_000
    fitted = transcript.fit(shown, 8_000)
    assert estimate_tokens(fitted) <= 8_000
    content = fitted[0]["content"]
    assert [block["source"]["name"] for block in content if block["type"] == "image"] == [
        f"{n}.png" for n in range(6, 10)
    ]
    assert content[0] == text("look")
    assert sum("left out" in block.get("text", "") for block in content) == 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n in range(1, MOST_PICTURES + 3):
        (tmp_path / f"{n}.png").write_bytes(papers.picture((n, 10)))
    return tmp_path


async def seen(folder: Path, asked: Request) -> list[Block]:
    async with MessagesApi([says("ok")]) as api:
        model = Sighted(AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key)), folder)
        await model.complete(asked)
        await model.aclose()
        content: list[Block] = api.bodies[0]["messages"][0]["content"]
        return content


async def test_a_kept_picture_is_put_in_only_when_the_model_is_asked(folder: Path) -> None:
    asked = request(text("look:"), kept("3.png"))
    content = await seen(folder, asked)
    assert content[1]["source"] == picture(papers.picture((3, 10)))["source"]
    assert asked.messages[0]["content"][1] == kept("3.png")


@pytest.mark.parametrize("name", ["99.png", "../secret.png", "web-token", "7.png/../1.png"])
async def test_a_picture_that_is_gone_or_none_of_ours_leaves_a_word(
    folder: Path, name: str
) -> None:
    (folder.parent / "secret.png").write_bytes(papers.picture())
    content = await seen(folder, request(kept(name)))
    assert [block["type"] for block in content] == ["text"]


async def test_of_too_many_pictures_the_newest_are_shown(folder: Path) -> None:
    names = [f"{n}.png" for n in range(1, MOST_PICTURES + 3)]
    content = await seen(folder, request(*map(kept, names)))
    assert [block["type"] for block in content] == ["text"] * 2 + ["image"] * MOST_PICTURES


async def test_of_pictures_that_are_too_large_together_the_newest_are_shown(tmp_path: Path) -> None:
    for n in range(1, 8):
        (tmp_path / f"{n}.png").write_bytes(papers.picture() + bytes(3_400_000))
    content = await seen(tmp_path, request(*(kept(f"{n}.png") for n in range(1, 8))))
    assert [block["type"] for block in content] == ["text"] * 3 + ["image"] * 4


async def test_a_list_of_messages_without_pictures_is_handed_on_as_it_is(folder: Path) -> None:
    asked = request(text("hello"))
    plain = replace(asked, messages=[{"role": "user", "content": "hello"}, *asked.messages])
    assert images.without(plain.messages) == plain.messages
    assert (await seen(folder, asked))[0]["text"] == "hello"


@pytest.mark.parametrize("size", [(9000, 10), (10, 8001)])
async def test_the_wire_refuses_what_the_real_one_would(size: tuple[int, int]) -> None:
    async with MessagesApi([says("I see nothing.")]) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        asked = request(text("what is this?"), picture(papers.picture(size)))
        assert (await model.complete(asked)).content == [text("I see nothing.")]
        await model.aclose()
        assert len(api.requests) == 2


async def test_a_big_scan_is_made_small_enough_for_the_wire_when_it_is_read() -> None:
    scan = pictures.read(papers.picture((9000, 3000))).picture
    assert scan is not None
    _, asked = await ask(request(text("read"), picture(scan.data)), says("ok"))
    assert [block["type"] for block in asked[-1]] == ["text", "image"]
