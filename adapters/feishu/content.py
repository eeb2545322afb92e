"""What a message of any kind says, as text, and the files in it. Pure."""

import json
import mimetypes
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adapters.chat import File
from adapters.feishu import post
from adapters.quotes import Manner, quote

_KEY = re.compile(r"@_all\b|@_user_\d+")
_FILLED = re.compile(r"\{(\w+)\}")
_IMAGE_MIME = "image/png"  # Feishu names neither the kind nor the size of an image


@dataclass(frozen=True, slots=True)
class Body:
    """A message's own words and files."""

    text: str
    files: tuple[File, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    message: str
    data: dict[str, Any]
    names: Mapping[str, str]
    author: str

    def shown(self, text: str) -> str:
        return _KEY.sub(lambda key: self.names.get(key[0], key[0]), text)

    def word(self, *keys: str) -> str:
        return next((str(self.data[key]) for key in keys if self.data.get(key)), "")

    def file(self, type: str, key: str, name: str, mime: str = "") -> File:
        guess = mime or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return File(id=f"{self.message}/{type}/{key}", name=name, mime=guess)


def read(message: str, kind: str, raw: str, names: Mapping[str, str], author: str = "") -> Body:
    """The message as a reader sees it.

    `names` says what stands for `@_user_1`, `@_all` and for open_ids; `author` labels a card.
    What is no JSON is taken as it stands; a kind nobody knows becomes a visible placeholder.
    """
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    source = _Source(message, data if isinstance(data, dict) else {"text": raw}, names, author)
    unknown = Body(f"[unsupported message: {kind or 'no kind'}]")
    reader = _READERS.get(kind)
    try:
        return reader(source) if reader else unknown
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError, RecursionError):
        return unknown  # a form nobody has seen yet; that something was said still counts


def _text(source: _Source) -> Body:
    return Body(source.shown(str(source.data.get("text") or "")))


def _post(source: _Source) -> Body:
    def mention(key: str) -> str:
        word = key if key.startswith("@_") else f"@_{key}" if key == "all" else key
        return source.names.get(word, "")

    text, found = post.read(source.data, mention)
    files = [
        source.file(type, key, "image.png" if type == "image" else "video.mp4")
        for type, key in found
        if key
    ]
    return Body(source.shown(text), tuple(files))


def _image(source: _Source) -> Body:
    key = source.word("image_key")
    return Body("[image]", (source.file("image", key, "image.png", _IMAGE_MIME),) if key else ())


def _file(source: _Source) -> Body:
    key, name = source.word("file_key"), source.word("file_name") or "file"
    return Body(f"[file {name}]", (source.file("file", key, name),) if key else ())


def _folder(source: _Source) -> Body:
    return Body(f"[folder {source.word('file_name')}]".replace(" ]", "]"))


def _audio(source: _Source) -> Body:
    key, spoken = source.word("file_key"), source.word("speech_to_text", "recognition")
    text = f"[voice message{_seconds(source)}]" + (f" {spoken}" if spoken else "")
    return Body(text, (source.file("file", key, "voice.ogg", "audio/ogg"),) if key else ())


def _media(source: _Source) -> Body:
    key, name = source.word("file_key"), source.word("file_name") or "video.mp4"
    files = (source.file("file", key, name, "video/mp4"),) if key else ()
    return Body(f"[video {name}{_seconds(source)}]", files)


def _sticker(source: _Source) -> Body:
    return Body("[sticker]")


def _share_chat(source: _Source) -> Body:
    return Body(f"[chat card: {source.word('name', 'chat_id') or 'a chat'}]")


def _share_user(source: _Source) -> Body:
    id = source.word("user_id", "open_id")
    return Body(f"[contact: {source.word('name') or source.names.get(id, '').lstrip('@') or id}]")


def _location(source: _Source) -> Body:
    at = ", ".join(filter(None, (source.word("latitude"), source.word("longitude"))))
    name = source.word("name") or "somewhere"
    return Body(f"[location: {name} ({at})]" if at else f"[location: {name}]")


def _system(source: _Source) -> Body:
    def fill(slot: re.Match[str]) -> str:
        value = source.data.get(slot[1])
        if isinstance(value, list):
            return ", ".join(str(one) for one in value)
        return str(value or "")

    said = _FILLED.sub(fill, source.word("template"))
    return Body(f"[system message: {' '.join(said.split())}]" if said else "[system message]")


def _todo(source: _Source) -> Body:
    summary = source.data.get("summary")
    rich = summary if isinstance(summary, dict) else {}
    title = post.read(rich, lambda key: source.names.get(key, ""))[0]
    due = _moment(source.word("due_time"))
    said = " / ".join(title.split("\n")) or "untitled"
    return Body(f"[task: {said}, due {due}]" if due else f"[task: {said}]")


def _vote(source: _Source) -> Body:
    options = source.data.get("options")
    choices = " / ".join(str(one) for one in options) if isinstance(options, list) else ""
    topic = source.word("topic") or "untitled"
    return Body(f"[poll: {topic}: {choices}]" if choices else f"[poll: {topic}]")


def _red_packet(source: _Source) -> Body:
    return Body("[red packet]")


def _calendar(source: _Source) -> Body:
    times = (_moment(source.word("start_time")), _moment(source.word("end_time")))
    span = " to ".join(filter(None, times))
    summary = source.word("summary") or "untitled"
    return Body(f"[calendar event: {summary}, {span}]" if span else f"[calendar event: {summary}]")


def _video_chat(source: _Source) -> Body:
    return Body(f"[video meeting: {source.word('topic') or 'untitled'}]")


def _forwarded(source: _Source) -> Body:
    return Body("[forwarded conversation]")


def _card(source: _Source) -> Body:
    lines: list[str] = []
    _card_lines(source.data, lines)
    said = source.shown("\n".join(dict.fromkeys(line for line in lines if line.strip())))
    return Body(quote(Manner.CARD, source.author, said) or "[card]")


def _card_lines(node: Any, lines: list[str]) -> None:
    """Every word in a card of any version, top to bottom; a row of tags stays one line."""
    if isinstance(node, list):
        if node and all(isinstance(tag, dict) and "tag" in tag for tag in node):
            inline = [tag for tag in node if tag["tag"] in ("text", "a", "at", "plain_text")]
            if len(inline) == len(node):
                lines.append(post.read({"content": [node]}, lambda key: key)[0])
                return
        for child in node:
            _card_lines(child, lines)
    elif isinstance(node, dict):
        said = (node.get(key) for key in ("title", "subtitle", "content", "text"))
        lines.extend(word for word in said if isinstance(word, str))
        if node.get("tag") == "img":
            lines.append("[image]")
        for key, child in node.items():
            if key not in _CARD_WIRING:
                _card_lines(child, lines)


_CARD_WIRING = frozenset({"value", "behaviors", "config", "i18n_elements", "multi_url", "style"})


def _seconds(source: _Source) -> str:
    duration = source.data.get("duration")
    try:
        return f", {max(1, round(float(duration or '') / 1000))} s"
    except (TypeError, ValueError):
        return ""


def _moment(text: str) -> str:
    """A moment in milliseconds as people read it; empty if it is none."""
    if not text.isdigit() or len(text) > 14:
        return ""
    return f"{datetime.fromtimestamp(int(text) / 1000, UTC):%Y-%m-%d %H:%M} UTC"


_READERS: dict[str, Callable[[_Source], Body]] = {
    "text": _text,
    "post": _post,
    "image": _image,
    "file": _file,
    "folder": _folder,
    "audio": _audio,
    "media": _media,
    "video": _media,
    "sticker": _sticker,
    "share_chat": _share_chat,
    "share_user": _share_user,
    "location": _location,
    "system": _system,
    "todo": _todo,
    "vote": _vote,
    "hongbao": _red_packet,
    "calendar": _calendar,
    "general_calendar": _calendar,
    "share_calendar_event": _calendar,
    "video_chat": _video_chat,
    "merge_forward": _forwarded,
    "interactive": _card,
}
