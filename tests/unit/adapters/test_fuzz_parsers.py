"""Events bent by hypothesis, over the real wire: acknowledged, and lost by no silence.

Every example is delivered to the real adapter by its loopback platform. It must be acknowledged,
the connection must live on, and a message that can still be read must be heard or be told of.
"""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.chat import EventKind, Incoming, legible
from adapters.feishu.frames import DATA, Frame, Garbled, decode, encode
from tests.fakes import odd
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.four_chats import KINDS
from tests.fakes.live import Line, one_chat
from tests.fakes.mutations import bent, example_settings, holds, nasty_text
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

WORD = "zucchini"
EVENTS = example_settings(60)
BYTES = example_settings(40)


class Wire:
    """An adapter and its platform, alive on a loop of their own from example to example."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name, self._folder = name, folder
        self._runner = asyncio.Runner()
        self.whole = 0 if name == "feishu" else 1  # the others are pairs of a kind and its content
        self.told = Told()
        self._said = 0
        self._runner.run(self._open())
        self.events: list[Any] = self._runner.run(self._recorded())

    async def _open(self) -> None:
        self._stack = AsyncExitStack()
        platform = KINDS[self._name].make()
        self._line: Line = await self._stack.enter_async_context(
            one_chat(platform, self._folder, speed=1)
        )

    async def _recorded(self) -> list[Any]:
        events = await odd.every_kind(self._line)
        await self._line.platform.say("bo", "project", f"we plant {WORD} on Monday")
        await self._line.hear(WORD)
        said = next(one for one in odd.told(self._line.platform) if holds(one, WORD))
        return [*events, said]

    def give(self, payload: Any) -> list[Incoming]:
        """Deliver one payload, and an ordinary message after it; what was heard of it."""
        try:
            return self._runner.run(self._give(payload))
        except BaseException:
            self._runner.run(self._stack.aclose())  # so that the next example has a fair try
            self._runner.run(self._open())
            raise

    async def _give(self, payload: Any) -> list[Incoming]:
        platform, heard = self._line.platform, self._line.heard
        heard.events.clear()
        odd.forget(platform)
        self.told.lines.clear()
        await odd.deliver(platform, payload)
        self._said += 1
        text = f"ordinary message {self._said}."
        await platform.say("ana", "project", text)
        last = await self._line.hear(text)
        await platform.until(lambda: odd.is_settled(platform))
        assert not self._line.running.done()
        assert self._line.chat.health.up
        return [event for event in heard.events if event is not last]

    @property
    def platform(self) -> Any:
        return self._line.platform

    def send(self, raw: str | bytes) -> None:
        """Send raw what may be no event at all, and an ordinary message after it."""
        self._runner.run(self._send(raw))

    async def _send(self, raw: str | bytes) -> None:
        platform = self.platform
        for socket in self._sockets():
            await (socket.send_str(raw) if isinstance(raw, str) else socket.send_bytes(raw))
        self._said += 1
        text = f"ordinary message {self._said}."
        await platform.say("ana", "project", text)
        await self._line.hear(text)
        assert not self._line.running.done()
        self._line.heard.events.clear()
        odd.forget(platform)

    def _sockets(self) -> list[Any]:
        platform = self.platform
        if isinstance(platform, SlackApi):
            return [link.socket for link in platform.sockets.links]
        return list(platform.hub.sockets)

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()


class Told(logging.Handler):
    """What was logged of an example."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture(scope="module", params=["slack", "telegram", "feishu"])
def wire(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Wire]:
    made = Wire(request.param, tmp_path_factory.mktemp(request.param))
    logger = logging.getLogger("adapters")
    logger.addHandler(made.told)
    level = logger.level
    logger.setLevel(logging.DEBUG)  # what is only said then must break nothing either
    yield made
    logger.setLevel(level)
    logger.removeHandler(made.told)
    made.close()


def storable(event: Incoming) -> None:
    """Nothing in it that a database refuses, or that breaks the line it is shown in."""
    author, room = event.author, event.room
    texts = [str(event.address), event.text, event.quoted, event.reply_to, author.id, author.name]
    texts += [author.email, author.zone, room.title, room.workspace]
    for person in (*room.members, *room.gone):
        texts += [person.id, person.name, person.email, person.zone]
    for file in event.files:
        texts += [file.id, file.name, file.mime]
    for text in texts:
        assert text is None or "\0" not in text, text[:200]
        (text or "").encode()
    assert event.at.tzinfo is not None


@EVENTS
@given(data=st.data())
def test_a_bent_event_stops_nothing(wire: Wire, data: st.DataObject) -> None:
    for event in wire.give(data.draw(bent(wire.events, whole=wire.whole))):
        storable(event)


@EVENTS
@given(data=st.data())
def test_a_message_that_can_be_read_is_heard_or_told_of(wire: Wire, data: st.DataObject) -> None:
    payload = data.draw(bent([wire.events[-1]], whole=wire.whole))
    heard = wire.give(payload)
    if readable(payload) and not any(event.kind is EventKind.NEW for event in heard):
        assert wire.told.lines, "neither heard, nor named in the log"


def readable(payload: Any) -> bool:
    """Whether it is still somebody's new message with the words that were said."""
    if not holds(payload, WORD):
        return False
    if isinstance(payload, dict):
        header, body = payload.get("header"), payload.get("event")
        kind = header.get("event_type") if isinstance(header, dict) else None
        sender = body.get("sender") if isinstance(body, dict) else None
        own = any(holds(sender, one) for one in OWN)
        return kind == "im.message.receive_v1" and body is not None and not own
    kind, content = payload
    if kind == "message":
        return not SERVICE & content.keys() and not holds(content.get("from"), "limen")
    event = content.get("event")
    if not isinstance(event, dict) or kind != "events_api" or event.get("subtype"):
        return False
    if event.get("user") in OWN:
        return False
    return event.get("type") == "message" and isinstance(event.get("text"), str)


OWN = ("U0LIMEN", "cli_limen", "ou_limen")  # the bot itself, as the loopback platforms name it
SERVICE = frozenset({"migrate_to_chat_id", "migrate_from_chat_id"})


@BYTES
@given(data=st.data())
def test_an_envelope_of_slack_may_have_any_form(wire: Wire, data: st.DataObject) -> None:
    if not isinstance(wire.platform, SlackApi):
        return
    said = wire.events[-1][1]
    whole = {"envelope_id": "e-1", "type": "events_api", "payload": said, "retry_attempt": 0}
    raw = json.dumps(data.draw(bent([whole])))
    cut = data.draw(st.none() | st.integers(0, 40))
    wire.send(raw if cut is None else raw[:cut] + data.draw(nasty_text().map(short)) + raw[cut:])


@BYTES
@given(data=st.data())
def test_a_frame_of_feishu_may_hold_any_bytes(wire: Wire, data: st.DataObject) -> None:
    if not isinstance(wire.platform, FeishuApi):
        return
    headers = (("type", "event"), ("message_id", "m"), ("sum", "1"), ("seq", "0"))
    payload = json.dumps(wire.events[-1]).encode()
    odd = tuple((name, data.draw(nasty_text().map(short))) for name, _ in headers)
    known = data.draw(st.sampled_from([headers, odd, headers[:2], headers[2:]]))
    frame = Frame(method=DATA, service=1, headers=known, payload=payload)
    raw = encode(frame)
    cut, gap = data.draw(st.integers(0, 200)), data.draw(st.integers(0, 3))
    bytes_sent = raw[:cut] + data.draw(st.binary(max_size=12)) + raw[cut + gap :]
    wire.send(data.draw(st.sampled_from([raw, bytes_sent])))


@BYTES
@given(raw=st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_garbled(raw: bytes) -> None:
    try:
        frame = decode(raw)
    except Garbled:
        return
    assert decode(encode(frame)) == frame


def short(text: str) -> str:
    return legible(text)[:40]


async def test_a_message_of_nobody_is_counted_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with one_chat(TelegramApi(), tmp_path) as line:
        platform = line.platform
        await platform.say("bo", "project", "somebody spoke")
        kind, content = odd.told(platform)[-1]
        await odd.deliver(platform, [kind, {k: v for k, v in content.items() if k != "from"}])
        await platform.until(lambda: odd.is_settled(platform))
        assert "1 update(s) could not be read" in line.chat.health.note
        assert "names nobody" in caplog.text
