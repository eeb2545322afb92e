"""Somebody sends a file, and the bot knows what is in it: through the whole house."""

import base64
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from adapters.errors import Retry
from agency import fires
from bot import chains
from bot.app import Surroundings
from bot.engine import traces
from bot.models import sections
from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.model import Block, Response, Stop, Usage
from bot.plays.stage import Stage
from memory import originals
from memory.db import Reader
from tests.conftest import MONDAY, OpenStage
from tests.fakes import papers, scripted
from tests.fakes.courier import Courier
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Failure
from tests.fakes.scripted import ScriptedModel

INVOICE = "Invoice 2041\nTotal due: 480 EUR\nPlease pay by 12 December."


async def answer(on: Stage, chat: Courier, seconds: float = 10) -> str:
    """The last thing the bot said, once there was time for it."""
    await on.wait(seconds)
    return chat.posts[-1][1] if chat.posts else ""


def rows(request: Any, section: str) -> list[dict[str, Any]]:
    texts = "\n".join(
        block["text"] for block in request.messages[0]["content"] if block["type"] == "text"
    )
    return sections.parse(texts)[section]


@pytest.fixture
def chat() -> Courier:
    return Courier(
        lambda: MONDAY,
        open={"architecture": ("lin", "mo"), "project": ("ana", "mo")},
        closed={"hiring": ("lin", "kai")},
    )


async def test_a_model_is_told_what_a_pdf_says(stage: OpenStage, chat: Courier) -> None:
    model = ScriptedModel(conversation=scripted.echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        await chat.say(
            "mo", "direct:mo", "what does this invoice say?",
            chat.file("invoice.pdf", papers.pdf(INVOICE), mime="application/pdf"),
        )  # fmt: skip
        assert await answer(on, chat) == "heard: what does this invoice say?"
    [given] = rows(model.of("conversation")[0], "inputs")
    assert given["files"] == [{"name": "invoice.pdf", "mime": "application/pdf", "text": INVOICE}]
    [said] = rows(model.of("conversation")[0], "history")
    assert said["files"][0]["note"] == "told of in inputs"


async def test_a_run_waits_a_moment_for_a_slow_file_and_then_says_so(
    stage: OpenStage, chat: Courier
) -> None:
    model = ScriptedModel(conversation=scripted.echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        soon = chat.file("a.txt", Retry("busy", after=5), b"here it is")
        await chat.say("mo", "direct:mo", "what does it say?", soon)
        await on.wait(3)
        assert model.of("conversation") == []
        await on.wait(10)
        late = chat.file("b.txt", Retry("down", after=3600), b"here it is")
        await chat.say("mo", "direct:mo", "and this?", late)
        await on.wait(10)
    first, second = model.of("conversation")
    assert rows(first, "inputs")[0]["files"][0]["text"] == "here it is"
    assert rows(second, "inputs")[0]["files"][0]["note"].startswith("being fetched:")


class Eyes:
    """Answers on the wire by what came over it."""

    def __init__(self) -> None:
        self.seen: list[list[Block]] = []
        self.fail: list[Failure] = []

    def __call__(self, body: dict[str, Any]) -> Response | Failure:
        if not any(tool["name"] == "say" for tool in body["tools"]):
            return Response(
                content=[{"type": "text", "text": "."}], stop=Stop.END_TURN, usage=Usage(),
                model="eyes",
            )  # fmt: skip
        self.seen.append(body["messages"][0]["content"])
        if self.fail:
            return self.fail.pop(0)
        pictures = sum(block["type"] == "image" for block in self.seen[-1])
        return Response(
            content=[scripted.say(f"I see {pictures}")], stop=Stop.TOOL_USE, usage=Usage(),
            model="eyes",
        )  # fmt: skip


def images(content: Sequence[Block]) -> list[Image.Image]:
    found = (block["source"] for block in content if block["type"] == "image")
    return [Image.open(io.BytesIO(base64.b64decode(one["data"]))) for one in found]


def seeing(api: MessagesApi, chat: Courier) -> Surroundings:
    model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
    return Surroundings(model=model, chats=(chat,))


async def test_an_album_is_looked_at_in_one_turn_and_in_order(
    stage: OpenStage, chat: Courier
) -> None:
    """TG-IN-05"""
    eyes = Eyes()
    async with MessagesApi(eyes) as api, stage(seeing(api, chat), agency__enabled=False) as on:
        colours = ("red", "green", "blue")
        album = [
            chat.file(f"{c}.jpg", papers.picture((4000, 3000), colour=c, format="JPEG"))
            for c in colours
        ]
        await chat.say("mo", "direct:mo", "compare these three\nthis one is from May", *album)
        assert await answer(on, chat) == "I see 3"
        [content] = eyes.seen
        for image, colour in zip(images(content), ((254, 0, 0), (0, 128, 1), (0, 0, 254)),
                                 strict=True):  # fmt: skip
            assert max(image.size) <= 1568
            assert image.getpixel((9, 9)) == colour
        stored = await on.house.db.read(traces.steps, 1)
        assert "base64" not in json.dumps([one.content for one in stored])


async def test_an_album_that_comes_in_pieces_is_one_turn_too(
    stage: OpenStage, chat: Courier
) -> None:
    """TG-IN-05"""
    eyes = Eyes()
    async with MessagesApi(eyes) as api, stage(seeing(api, chat), agency__enabled=False) as on:
        for colour, words in (("red", "compare these three"), ("lime", ""), ("blue", "from May")):
            photo = chat.file(f"{colour}.png", papers.picture(colour=colour))
            await chat.say("mo", "direct:mo", words, photo)
            await on.wait(0.5)
        assert await answer(on, chat) == "I see 3"
    [content] = eyes.seen
    shown = [image.getpixel((5, 5)) for image in images(content)]
    assert shown == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    assert "compare these three" in json.dumps(content)
    assert "from May" in json.dumps(content)


async def test_a_picture_that_is_refused_costs_one_more_try_and_no_later_answer(
    stage: OpenStage, chat: Courier
) -> None:
    """LLM-07"""
    eyes = Eyes()
    eyes.fail = [
        Failure(400, message="messages.0.content.1.image.source.base64: image exceeds 5 MB maximum")
    ]
    async with MessagesApi(eyes) as api, stage(seeing(api, chat), agency__enabled=False) as on:
        scan = chat.file("scan.png", papers.picture((9000, 400)), mime="image/png", size=9_800_000)
        await chat.say("mo", "direct:mo", "read", scan)
        assert await answer(on, chat) == "I see 0"
        await on.wait(1200)
        await chat.say("mo", "direct:mo", "hi")
        assert await answer(on, chat) == "I see 0"
    assert [len(images(content)) for content in eyes.seen] == [1, 0, 0]
    assert "you are not shown it here" in json.dumps(eyes.seen[-1])


async def test_a_picture_just_shown_to_the_room_or_replied_to_is_looked_at(
    stage: OpenStage, chat: Courier
) -> None:
    eyes = Eyes()
    async with MessagesApi(eyes) as api, stage(seeing(api, chat), agency__enabled=False) as on:
        shown = await chat.say(
            "ana", "project", "our new door", chat.file("d.png", papers.picture())
        )
        await on.wait(30)
        await chat.say("mo", "project", "@Limen what colour is it?", addressed=True)
        assert await answer(on, chat) == "I see 1"
        await on.wait(3600)
        await chat.say("mo", "project", "@Limen and this?", addressed=True, reply_to=shown.message)
        assert await answer(on, chat) == "I see 1"
        await chat.recall("ana", shown)
        await chat.say("mo", "project", "@Limen still there?", addressed=True)
        assert await answer(on, chat) == "I see 0"


async def test_what_a_private_file_says_reaches_no_other_room(
    stage: OpenStage, chat: Courier
) -> None:
    model = ScriptedModel(
        conversation=lambda seen: [
            scripted.say("Kai's salary offer is 91250 EUR")
            if seen.called("search_memory")
            else scripted.use("search_memory", query="salary offer 薪资")
        ]
    )
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        offer = chat.file("offer.txt", "Salary offer: 91250 EUR. 薪资方案。".encode())
        await chat.say("lin", "hiring", "for Kai", offer)
        await on.wait(30)
        await chat.say("mo", "project", "@Limen any salary offer?", addressed=True)
        await on.wait(30)
        asked = model.of("conversation")
        assert len(asked) >= 2
        told = json.dumps([call.messages for call in asked], ensure_ascii=False, default=str)
        assert "91250" not in told.replace("Kai's salary offer is 91250 EUR", "")
        assert "方案" not in told
        await chat.say("lin", "hiring", "@Limen any salary offer?", addressed=True)
        await on.wait(30)
    last = json.dumps(model.of("conversation")[-1].messages, ensure_ascii=False)
    assert "91250 EUR. 薪资方案" in last


async def test_a_file_is_found_from_elsewhere_where_its_room_is_open(
    stage: OpenStage, chat: Courier
) -> None:
    model = ScriptedModel(conversation=scripted.echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        rest = "\n".join(f"line {n} of the small print" for n in range(900))
        terms = f"{rest}\nThe warehouse lease ends in May.\n{rest}"
        await chat.say("ana", "architecture", "the contract", chat.file("c.txt", terms.encode()))
        await on.wait(30)
        await chat.say("mo", "project", "@Limen warehouse lease?", addressed=True)
        await on.wait(30)
    [found] = rows(model.of("conversation")[-1], "recalled")
    [file] = found["files"]
    assert "The warehouse lease ends in May." in file["text"]
    assert len(file["text"]) <= 2000
    assert "search_memory shows other passages" in file["note"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does this invoice say?", "I read invoice.pdf. It begins: “Invoice 2041 Total due"),
        ("when should I pay?", "invoice.pdf says: “Please pay by 12 December.”"),
        ("", "I read invoice.pdf."),
        ("这个文件里写了什么？", "invoice.pdf 我看了，开头是：“Invoice 2041"),
    ],
)
async def test_without_a_language_model_a_pdf_is_read_too(
    stage: OpenStage, chat: Courier, question: str, said: str
) -> None:
    """SL-IN-05"""
    async with stage(Surroundings(chats=(chat,))) as on:
        invoice = chat.file("invoice.pdf", papers.pdf(INVOICE), mime="application/pdf", size=48_210)
        await chat.say("mo", "direct:mo", question, invoice)
        assert said in await answer(on, chat)


async def test_a_voice_note_is_transcribed_or_asked_for_in_words(
    stage: OpenStage, chat: Courier, tmp_path: Path
) -> None:
    """FS-IN-16"""
    voice = chat.file("v.opus", b"OggS", mime="audio/ogg")
    async with stage(Surroundings(chats=(chat,))) as on:
        await chat.say("mo", "direct:mo", "[voice message, 7 s]", voice)
        assert "Please write it to me" in await answer(on, chat)
    script = tmp_path / "whisper"
    script.write_text("#!/bin/sh\necho 你是谁？\n", encoding="utf-8")
    script.chmod(0o700)
    async with stage(Surroundings(chats=(chat,)), files__transcriber=script) as on:
        await chat.say("mo", "direct:mo", "[voice message, 7 s]", voice)
        assert "内置的规则模型" in await answer(on, chat)


async def test_a_room_that_is_left_alone_has_its_files_left_alone(
    stage: OpenStage, chat: Courier
) -> None:
    async with stage(Surroundings(chats=(chat,))) as on:
        await chat.say("mo", "project", "@Limen ignore this room", addressed=True)
        await on.wait(10)
        await chat.say("mo", "project", "the plan", chat.file("plan.txt", b"secret plan"))
        await on.wait(60)
    assert chat.fetched == []


async def test_a_file_without_words_is_named_where_an_answer_rests_on_it(
    stage: OpenStage, chat: Courier
) -> None:
    async with stage(Surroundings(chats=(chat,))) as on:
        await chat.say("mo", "direct:mo", "", chat.file("plan.txt", b"The gate opens at nine."))
        await on.wait(10)
        await chat.say("mo", "direct:mo", "when does the gate open?")
        assert "opens at nine" in await answer(on, chat)
        chain = await on.house.db.read(_last_chain)
    assert "[plan.txt]" in [row["text"] for row in chain]


def _last_chain(reader: Reader) -> list[dict[str, Any]]:
    newest = originals.newest_id(reader)
    said = originals.find(reader, newest)
    assert said is not None
    return chains.rows_of(reader, newest, hears=None)


async def test_what_was_said_by_voice_reaches_the_room_that_needs_it_also_when_late(
    stage: OpenStage, chat: Courier, tmp_path: Path
) -> None:
    script = tmp_path / "whisper"
    words = "We decided: the release path moves from legacy-release to canary-release."
    script.write_text(f"#!/bin/sh\necho '{words}'\n", encoding="utf-8")
    script.chmod(0o700)
    voice = chat.file("v.ogg", Retry("busy", after=400), b"OggS", mime="audio/ogg")
    async with stage(Surroundings(chats=(chat,)), files__transcriber=script) as on:
        await chat.say("lin", "architecture", "[voice message, 7 s]", voice)
        await on.wait(300)
        await chat.say("ana", "project", "I will move the project to legacy-release today.")
        await on.wait(60)
        assert chat.posts == []
        await on.wait(300)
        [(room, text)] = chat.posts
    assert room == "project"
    assert "canary-release" in text


async def test_a_file_that_is_there_in_time_is_no_news_of_its_own(
    stage: OpenStage, chat: Courier
) -> None:
    async with stage(Surroundings(chats=(chat,))) as on:
        await chat.say("lin", "architecture", "the plan", chat.file("p.txt", b"We meet at nine."))
        await on.wait(120)
        original = await on.house.db.read(originals.newest_id)
        told = await on.house.db.read(fires.of_original, original)
    assert len(told) == 1


async def test_a_sticker_gets_a_friendly_word(stage: OpenStage, chat: Courier) -> None:
    """LLM-02, FS-IN-16"""
    async with stage(Surroundings(chats=(chat,))) as on:
        await chat.say("mo", "direct:mo", "[sticker 👍]")
        assert "words best" in await answer(on, chat)
        await chat.say("mo", "direct:mo", "我们周五发布")
        await on.wait(10)
        await chat.say("mo", "direct:mo", "[sticker 👍]")
        assert "更懂文字" in await answer(on, chat)
