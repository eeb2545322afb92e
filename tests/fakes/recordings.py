"""A story's answers as a file: recorded once from the built-in model, played again over the wire.

Rooms work side by side, so neither the order of their questions nor the ids of rooms and people
are the same every time. An answer is therefore kept for whom it was given to (`agency`,
`conversation #project` …), and names rooms and people (`@#project`, `@Mo`) instead of ids.

To record anew, after the story or the built-in model has changed:

    python -m tests.fakes.recordings
"""

import asyncio
import json
import tempfile
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.models import sections
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Request, Response
from bot.plays import houses, play
from bot.setup.config import Config
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, Failure, request_of

FOLDER = Path(__file__).parents[1] / "scenario" / "recorded"
STORY = "release-path"
KEY = "test-key"


class Recorder:
    """Answers as the built-in model does, and keeps what it answered."""

    def __init__(self) -> None:
        self._model = BuiltinModel()
        self._kept: list[dict[str, Any]] = []

    async def __call__(self, body: dict[str, Any]) -> Response:
        request = request_of(body)
        response = await self._model.complete(request)
        names = {id: f"@{name}" for id, name in _names(request).items()}
        content = [_renamed(block, names) for block in response.content]
        self._kept.append({"to": addressee(request), "stop": response.stop, "content": content})
        return response

    def written(self) -> str:
        """The recording, an answer a line."""
        lines = [json.dumps(one, ensure_ascii=False) for one in self._kept]
        return "[\n" + ",\n".join(lines) + "\n]\n"


class Recording:
    """Plays a file of answers; knows what is left of it."""

    def __init__(self, path: Path) -> None:
        self._left: dict[str, deque[Answer]] = defaultdict(deque)
        for row in json.loads(path.read_text(encoding="utf-8")):
            self._left[row["to"]].append(Answer(content=row["content"], stop=row["stop"]))

    def __call__(self, body: dict[str, Any]) -> Answer | Failure:
        request = request_of(body)
        to = addressee(request)
        if not self._left[to]:
            return Failure(400, message=f"nothing more was recorded for {to!r}")
        answer = self._left[to].popleft()
        ids = {f"@{name}": id for id, name in _names(request).items()}
        return replace(answer, content=[_renamed(block, ids) for block in answer.content])

    @property
    def left(self) -> list[str]:
        """For whom answers were recorded that nobody asked for."""
        return [to for to, answers in self._left.items() for _ in answers]


def addressee(request: Request) -> str:
    """Who asks: the role, and the room where it has one."""
    rooms = _sections(request).get("room", [])
    return f"{request.role} {rooms[0]['title']}" if rooms else request.role


def _sections(request: Request) -> dict[str, list[dict[str, Any]]]:
    told = request.messages[0]["content"]
    return sections.parse("\n".join(block["text"] for block in told if block["type"] == "text"))


def _names(request: Request) -> dict[str, str]:
    """What the ids of rooms and people in a request are called."""
    names: dict[str, str] = {}
    for row in (row for rows in _sections(request).values() for row in rows):
        names |= {row["session"]: row["title"]} if "session" in row and "title" in row else {}
        names |= {row["person"]: row["from"]} if "person" in row and "from" in row else {}
    return names


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """The same with every text that is one of the keys replaced."""
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


def settings(url: str, folder: Path) -> Config:
    """Settings whose model is behind an address."""
    return Config.model_validate(
        {
            "bot": {"data_dir": folder},
            "model": {"provider": "anthropic", "base_url": url, "api_key": KEY},
        }
    )


async def record(language: str, *, print_line: Callable[[str], None]) -> str:
    """Play the story over the wire with the built-in model behind it; the recording."""
    recorder = Recorder()
    async with MessagesApi(recorder, key=KEY) as api:
        with tempfile.TemporaryDirectory() as folder:
            config = settings(api.url, Path(folder))
            await play.play(STORY, language, config, print_line=print_line, model=houses.CONFIGURED)
    return recorder.written()


async def _main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for language in ("en", "zh"):
        written = await record(language, print_line=print)
        (FOLDER / f"{STORY}.{language}.json").write_text(written, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(_main())
