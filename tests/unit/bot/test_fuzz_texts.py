"""Texts from outside, bent by hypothesis: the model's stream, files, orders, times, settings.

Whatever they hold, there is a value or the error that is named for it, and nothing that no database
can store.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.markdown import feishu, plain, slack, telegram
from adapters.mentions import is_addressed
from adapters.web.markdown import Markdown
from agency import counts, figures, leaks, moments, whens
from agency.leaks import Opens, Private
from agency.traits import Traits
from bot.commands.parse import parse
from bot.errors import ConfigError, ModelError, ModelRetry
from bot.files.found import TEXT_LIMIT, Unreadable
from bot.files.reading import Reader
from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.anthropic_stream import Answer as Collected
from bot.models.model import Request, Response, Tier
from bot.setup import config as configuration
from tests.fakes import papers
from tests.fakes.markup_rules import feishu_problem, slack_problem, telegram_problem
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, Foreign, events_of
from tests.fakes.mutations import bent, example_settings, nasty_text

MANY, SOME, FEW = example_settings(40), example_settings(12), example_settings(10)
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
USE = {"type": "tool_use", "id": "t1", "name": "say", "input": {"text": "好 😀", "more": False}}
THOUGHT = {"type": "thinking", "thinking": "Ana waits.", "signature": "c2ln"}
SENT = Answer(content=[THOUGHT, {"type": "text", "text": "One moment."}, USE], stop="tool_use")
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5-5",
    "usage": {"input_tokens": 9, "output_tokens": 7},
    "stop_reason": "tool_use",
    "stop_details": None,
}
STREAM = [event for event in events_of(SENT, MESSAGE) if event["type"] != "ping"]
ASKED = Request(
    role="conversation",
    purpose="foreground",
    tier=Tier.MAIN,
    system="You are Limen.",
    messages=[{"role": "user", "content": [{"type": "text", "text": "hello"}]}],
    tools=[],
    max_tokens=1000,
)


def storable(value: object) -> None:
    """As it is written into a row."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text.encode()
    assert "\0" not in text and "\\u0000" not in text


@MANY
@given(stream=bent([STREAM], most=3))
def test_a_bent_answer_of_the_model_is_whole_or_refused(stream: list[object]) -> None:
    answer = Collected()
    try:
        for event in stream:
            if isinstance(event, dict) and answer.feed(event):
                break
        found = answer.response()
    except ModelError:
        return
    storable(found.content)


class Line:
    """A model and the server that plays it, alive from example to example."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._next = ""
        self._model = self._runner.run(self._open())

    async def _open(self) -> AnthropicModel:
        api = await self._stack.enter_async_context(
            MessagesApi(lambda body: Foreign(self._next, "text/event-stream"))
        )
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        self._stack.push_async_callback(model.aclose)
        return model

    def ask(self, stream: str) -> Response:
        self._next = stream
        return self._runner.run(self._model.complete(ASKED))

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


@SOME
@given(stream=bent([STREAM], most=3), cut=st.none() | st.integers(0, 400), odd=nasty_text())
def test_a_bent_stream_over_the_wire_is_whole_or_refused(
    line: Line, stream: list[object], cut: int | None, odd: str
) -> None:
    pieces = [f"event: {_kind(event)}\ndata: {json.dumps(event)}\n\n" for event in stream]
    wire = "".join(pieces)
    if cut is not None:
        wire = wire[:cut] + odd[:100].encode("utf-8", "replace").decode() + wire[cut:]
    try:
        found = line.ask(wire)
    except ModelError:
        return
    storable(found.content)


def _kind(event: object) -> str:
    kind = event.get("type") if isinstance(event, dict) else None
    return kind if isinstance(kind, str) and kind.isascii() and kind.isprintable() else "message"


PAPERS = {
    "plan.docx": papers.docx("We ship on Friday.", "下周一上线。"),
    "sums.xlsx": papers.xlsx(["name", "n"], ["Ana", "7"]),
    "lease.pdf": papers.pdf("The lease ends in May.", "Second page"),
    "photo.png": papers.picture(),
    "notes.txt": "租约五月到期。".encode("gb18030"),
}


# What Pillow says of odd EXIF data is a line of the log.
@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@MANY
@given(data=st.data())
def test_a_bent_file_is_read_or_said_to_be_unreadable(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(PAPERS)))
    raw = PAPERS[data.draw(st.sampled_from(list(PAPERS)))]
    cut, gap = data.draw(st.integers(0, len(raw))), data.draw(st.sampled_from((0, 0, 1, 9, 10_000)))
    raw = raw[:cut] + data.draw(st.binary(max_size=20)) + raw[cut + gap :]
    reader = Reader(clock=lambda: NOON, patience_s=20.0)
    try:
        found = asyncio.run(reader.read(name, data.draw(st.sampled_from(MIMES)), raw))
    except Unreadable:
        return
    storable(found.text)
    assert len(found.text) <= TEXT_LIMIT


MIMES = ("", "application/octet-stream", "text/plain", "application/pdf", "image/png", "\0")


@FEW
@given(text=nasty_text(), part=st.sampled_from(("word__document", "xl__sharedStrings")))
def test_a_document_of_any_words_is_read_or_unreadable(text: str, part: str) -> None:
    words = text.encode("utf-8", "replace").decode()
    nested = "<a>" * 5000 + words
    for inside in (words, f"<w><t>{words}</t></w>", nested):
        raw = papers.archive(**{part: inside, "[Content_Types]": "<Types/>"})
        try:
            found = asyncio.run(Reader(clock=lambda: NOON, patience_s=20.0).read("a.docx", "", raw))
        except Unreadable:
            continue
        storable(found.text)


@MANY
@given(
    lead=st.sampled_from(("", "@Limen ", "/", "/limen ", "提醒我", "remind me ")), text=nasty_text()
)
def test_any_words_are_an_order_or_none(lead: str, text: str) -> None:
    parse(lead + text, bot_name="Limen", addressed=True)
    is_addressed(lead + text, "Limen")


TIMES = (
    "every", "Friday", "at", "15:00", "in", "2", "weeks", "until", "明天", "下午", "三点", "每",
    "周五", "的", "9" * 30, "-1", "31", "February", "2026-02-30", "99:99", "半", "号", "\0", "²",
)  # fmt: skip


@MANY
@given(words=st.lists(st.sampled_from(TIMES), max_size=7), odd=nasty_text())
def test_any_words_are_a_time_or_unclear(words: list[str], odd: str) -> None:
    for text in (" ".join(words), "".join(words), f"{' '.join(words)} {odd}"):
        with suppress(whens.Unclear):
            whens.read(text, now=NOON, zone=BERLIN)
        with suppress(whens.Unclear):
            whens.find(text[:2000], now=NOON, zone=BERLIN)


AMOUNTS = (
    "9" * 400, "九" * 400, "7", "0", "-", ".", ",", "%", " ", "€", " euros", "k", " million",
    "half ", "一", "十", "千", "万", "亿" * 60, "点", "半", "元", "件", "折", "个人", "٣", "²",
    " a month", "每月", "five ", "hundred ", " people", " on 3 May", "5月3日", "：", "NaN", "inf",
)  # fmt: skip


@MANY
@given(
    words=st.lists(st.sampled_from(AMOUNTS), min_size=1, max_size=9),
    others=st.lists(st.sampled_from(AMOUNTS), max_size=9),
    odd=nasty_text(),
)
def test_any_amounts_are_weighed_or_none(words: list[str], others: list[str], odd: str) -> None:
    for text in ("".join(words), f"{' '.join(words)} {odd[:2000]}"):
        mine, theirs = Traits(text), Private("".join(others) or text)
        for leak in leaks.all_of(mine, [theirs, Private(text)], Opens()):
            storable(leak.piece)
        for one in mine.figures:
            assert figures.spellings(one.value) and leaks.written(one.value)
        counts.read(text)
        moments.days(moments.find(text), text, NOON)


@SOME
@given(text=nasty_text(), name=nasty_text())
def test_any_words_of_the_bot_are_shown_on_every_platform(text: str, name: str) -> None:
    people = {name[:50]: "U0MIRA"}
    for part in slack.parts(text)[:3]:
        shown = slack.render(part, people)
        assert slack_problem(shown.text, shown.blocks) is None
    for part in telegram.parts(text)[:3]:
        said = telegram.render(part, {name[:50]: "40001"})
        assert telegram_problem(said.text, said.entities) is None
    for part in feishu.parts(text)[:3]:
        card = feishu.card(part, {name[:50]: "ou_0123456789abcdef0123456789abcdef"})
        assert feishu_problem(card.msg_type, card.content) is None
    storable(plain.render(text))
    Markdown().html(text[:32_000], [])


TABLES = [
    {
        "bot": {"name": "Limen", "debounce": "800ms", "timezone": "UTC", "max_parallel_runs": 4},
        "web": {"port": 8765, "host": "127.0.0.1", "token": "operator-token"},
        "speaking": {"quiet_hours": "22:00-08:00", "daily_quota": 5, "minor": "now"},
        "access": {"mode": "open", "admins": ["slack:U1"]},
        "files": {"max_size": "20MB"},
    }
]


@MANY
@given(table=bent(TABLES, most=3), extra=nasty_text())
def test_any_settings_are_taken_or_named(table: dict[str, object], extra: str) -> None:
    env = {
        f"LIMEN_{section}__{key}".upper(): json.dumps(value)
        for section, values in table.items()
        if isinstance(values, dict)
        for key, value in values.items()
    }
    try:
        configuration.load(None, env | {"LIMEN_BOT__NAME": extra[:300]})
    except ConfigError as error:
        assert str(error) and "Traceback" not in str(error)


@SOME
@given(
    raw=st.binary(max_size=60) | nasty_text().map(lambda text: _bytes(text)[:2000]),
    at=st.integers(0, 60),
)
def test_any_settings_file_is_read_or_named(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, at: int
) -> None:
    whole = b'[bot]\nname = "Limen"\ndebounce = "800ms"\n[web]\nport = 8765\n'
    path = tmp_path_factory.getbasetemp() / "bent.toml"
    path.write_bytes(whole[:at] + raw + whole[at:])
    try:
        configuration.load(path, {})
    except ConfigError as error:
        assert str(path) in str(error) or str(error)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


async def test_half_a_sign_in_the_models_words_is_seen_and_stored() -> None:
    answer = Collected()
    said = Answer(content=[{"type": "text", "text": "a\ud83db\0c"}])
    for event in events_of(said, MESSAGE):
        answer.feed(event)
    assert answer.response().content == [{"type": "text", "text": "a\ufffdb\ufffdc"}]


async def test_a_block_that_is_no_object_is_tried_again() -> None:
    with pytest.raises(ModelRetry, match="malformed"):
        Collected().feed({"type": "content_block_start", "index": 0, "content_block": "text"})
