"""Real payloads of every kind of event, and what becomes of them in odd hands."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from adapters.chat import Button
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.live import Line
from tests.fakes.platform import DIRECT
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

WORDS = (
    "", " ", "\0\a", "\u202eevil", "\ud800", "x" * 10_000, "a\n> b\n", "@channel", "<!channel>",
    "**b**", "<at user_id='all'>", "0", "-1", "²", "1e999", "9" * 40, "1767603600.000100", "../..",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**30, -(10**18), float("inf"), float("nan"), [], {}, [None], [[]],
    [{}], {"id": {}}, {"type": "new"}, *WORDS,
)  # fmt: skip
NAMES = ("type", "subtype", "message", "thread_ts", "content", "forward_origin", "user", "quote")


async def every_kind(line: Line) -> list[Any]:
    """Let people do whatever they can, and take down what the platform told of it."""
    platform = line.platform
    letter = await line.letter("ana", DIRECT, "Well?", buttons=(Button(label="Yes", value="y"),))
    posted = await line.chat.send(letter)
    await platform.press("ana", DIRECT, posted.message, "Yes")
    said = await platform.say("ana", "project", "**we** ship @Bo https://a.test", mention=True)
    await platform.say("bo", "project", "do we?", thread=said)
    await platform.say("bo", "project", "so we do", reply_to=said)
    await platform.edit("ana", "project", said, "we do not ship")
    await platform.react("bo", "project", said, "👍")
    await platform.react("bo", "project", said, "")
    await platform.send_file("ana", "project", "plan.txt", "text/plain", b"plan", "the plan")
    await platform.join("kai", "project")
    await platform.leave("kai", "project")
    await platform.recall("ana", "project", said)
    return told(platform)


def told(platform: Any) -> list[Any]:
    """What was delivered so far, as it stood on the wire."""
    match platform:
        case SlackApi():
            return [[d.kind, d.payload] for d in platform.sockets.deliveries]
        case TelegramApi():
            return [list(list(update.items())[1]) for update in platform.world.all_updates]
        case FeishuApi():
            return [json.loads(d.payload) for d in platform.hub.deliveries]
    raise AssertionError(f"nothing is taken down of {platform.name!r}")


def forget(platform: Any) -> None:
    """Forget what was delivered and settled, so that looking through it stays quick."""
    match platform:
        case SlackApi():
            waiting = [d for d in platform.sockets.deliveries if not d.acked]
            platform.sockets.deliveries[:] = waiting
        case TelegramApi():
            platform.world.all_updates.clear()
        case FeishuApi():
            left = [d for d in platform.hub.deliveries if not d.acked]
            platform.hub.deliveries[:] = left


async def deliver(platform: Any, payload: Any) -> None:
    """Deliver one such payload, whatever became of it."""
    match platform:
        case SlackApi():
            kind, content = payload
            anew = {"event_id": f"Ev{len(platform.sockets.deliveries)}"}
            await platform.sockets.deliver(kind, content | anew, None)
        case TelegramApi():
            platform.world.tell(*payload)
            await platform.tell()
        case FeishuApi():
            await platform.hub.deliver(json.dumps(payload).encode())


def is_settled(platform: Any) -> bool:
    """Whether everything that was delivered was acknowledged."""
    match platform:
        case SlackApi():
            return all(d.acked for d in platform.sockets.deliveries)
        case TelegramApi():
            return not platform.world.updates
        case FeishuApi():
            return all(d.acked for d in platform.hub.deliveries)
    raise AssertionError


def bent(payload: Any, dice: Random) -> Any:
    """The payload with one to three of its parts taken away, made another or put elsewhere.

    Content that is JSON in a text, as Feishu's is, is bent inside as well.
    """
    made = deepcopy(payload)
    for _ in range(dice.choice((1, 1, 2, 3))):
        places = [place for place in _places(made) if len(place) > 1]
        if places:
            _bend(made, dice.choice(places), dice)
    return made


def _bend(made: Any, place: tuple[Any, ...], dice: Random) -> None:
    *way, key = place
    at = made
    for step in way:
        at = at[step]
    inner = _json(at[key])
    throw = dice.random()
    if inner and throw < 0.7:
        at[key] = json.dumps(bent(inner, dice))
    elif throw < 0.3 and isinstance(at, dict):
        del at[key]
    elif throw < 0.4 and isinstance(at, dict):
        at[dice.choice(NAMES)] = at[key]
    else:
        at[key] = deepcopy(dice.choice(ODD))


def _json(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        return json.loads(value)
    except ValueError:
        return None


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    parts: Any = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else parts:
        yield from _places(inner, (*way, key))
