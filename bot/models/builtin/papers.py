"""What rules can say of files: what they read in them, and plainly what they cannot see or hear."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agency import subjects
from bot.models.builtin import wording
from bot.models.builtin.context import Context, Row
from bot.models.builtin.telling import quoted, retold
from memory.words import is_blank

_PLACEHOLDER = re.compile(r"\[[^\[\]\n]{1,200}\]")
"""How an adapter writes what has no words, such as `[sticker 👍]` or `[voice message, 7 s]`."""
_SENTENCE = re.compile(r"[^\n。！？!?]*?(?:[.!?](?=\s|$)|[。！？]|\n|$)")
_POINTS = re.compile(
    r"\b(?:files?|pdfs?|documents?|docs?|attachments?|pictures?|photos?|images?|screenshots?|"
    r"voice|recordings?|slides|spreadsheets?)\b|文件|文档|附件|图片|照片|截图|图|语音|录音|表格|PDF",
    re.I,
)
_ASKS = re.compile(r"\bsummar\w+|\battach\w+|总结|概括|附上", re.I)
_MOST = 600  # sentences of one file that are compared with a question
_SURE = 0.5  # of what a question asks for, by weight, has to be in a sentence that answers it
_OPENING = 160  # signs of a file that tell what it is
_RECENT = 6  # messages back that "the file" may mean
_REASONS = {
    "files are not read here": "file_off",
    "too large": "file_large",
    "not fetched": "file_lost",
    "needs a password": "file_locked",
    "holds no text": "file_scanned",
    "damaged": "file_damaged",
    "unknown kind": "file_unknown",
    "voice was not transcribed": "file_voice",
    "took too long": "file_slow",
    "being fetched": "file_waiting",
}
"""What to say of a file that is not read, by how its note begins."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    file: str
    text: str
    value: float


def said(row: Row) -> str:
    """What somebody said: their words, and what they spoke into a voice note."""
    words = str(row.get("text", ""))
    if enclosed(row):  # the placeholder of a file stands before its caption
        words = re.sub(rf"^(?:\s*{_PLACEHOLDER.pattern})+\s*", "", words)
    spoken = [str(one["text"]) for one in enclosed(row) if _heard(one) and one.get("text")]
    shown = is_blank(_PLACEHOLDER.sub("", words))
    return "\n".join(part for part in (("" if shown else words), *spoken) if part)


def enclosed(row: Row) -> list[Row]:
    """The files of a message."""
    return [one for one in row.get("files") or () if isinstance(one, dict)]


def shows(row: Row) -> bool:
    """Whether there is anything but words in a message."""
    return bool(enclosed(row) or _PLACEHOLDER.search(str(row.get("text", ""))))


def unspoken(row: Row) -> list[Row]:
    """The files of a message that are more than its words."""
    return [one for one in enclosed(row) if not (_heard(one) and one.get("text"))]


def around(row: Row, context: Context) -> str:
    """The words nearest to a message without any: in its files, else those said before it."""
    texts = [str(one.get("text", "")) for one in enclosed(row)]
    history = context.section("history")[::-1]
    texts += [said(one) for one in history if one["id"] != row.get("original")]
    return next((text for text in texts if not is_blank(text)), "")[:_OPENING]


def summary(files: Iterable[Row], zh: bool) -> str:
    """What files hold, a sentence each."""
    return "\n".join(dict.fromkeys(_told(one, zh) for one in files))


def answer(question: str, rows: Iterable[Row], zh: bool) -> str:
    """The sentence of a file that answers a question; empty where none surely does."""
    asked = subjects.terms(_bare(question))
    found = (one for row in rows for file in enclosed(row) for one in _matches(file, asked, zh))
    best = max(found, key=lambda one: one.value, default=None)
    if best is None:
        return ""
    text = retold(best.text)
    return wording.text("file_says", zh, name=best.file, text=text if zh else quoted(text))


def meant(question: str, row: Row, context: Context) -> list[Row]:
    """The files a message is about without carrying them: of what it replies to, or just names."""
    history = context.section("history")
    found = [one for one in replied(row, context) if enclosed(one)]
    if not found and _POINTS.search(question) and not subjects.terms(_bare(question)):
        found = [one for one in history[-_RECENT:] if enclosed(one)][-1:]
    return [file for one in found for file in enclosed(one)]


def replied(row: Row, context: Context) -> list[Row]:
    """The message that a message replies to, where it is still shown."""
    history = context.section("history")
    own = next((one for one in history if one["id"] == row.get("original")), {})
    return [one for one in history if one["id"] == own.get("reply_to")]


def _bare(question: str) -> str:
    """A question without the words by which it points to a file and asks what is in it."""
    return _ASKS.sub(" ", _POINTS.sub(" ", question))


def _matches(file: Row, asked: dict[str, float], zh: bool) -> Iterator[_Sentence]:
    called = subjects.terms(re.sub(r"[\W_]+", " ", str(file.get("name", ""))))
    wanted = {term: weight for term, weight in asked.items() if term not in called}
    whole = sum(wanted.values())
    for text in _sentences(str(file.get("text", ""))) if whole else ():
        value = subjects.link(wanted, subjects.terms(text)).shared / whole
        if value >= _SURE:
            yield _Sentence(_name(file, zh), text, value)


def _told(file: Row, zh: bool) -> str:
    name, note = _name(file, zh), str(file.get("note", ""))
    if "picture" in file:
        return wording.text("picture", zh)
    if text := str(file.get("text", "")).strip():
        opening = retold(" ".join(text.split())[:_OPENING])
        return wording.text("file_read", zh, name=name, text=opening if zh else quoted(opening))
    key = next((_REASONS[one] for one in _REASONS if note.startswith(one)), "file_unread")
    return wording.text(key, zh, name=name)


def _name(file: Row, zh: bool) -> str:
    return str(file.get("name") or wording.text("the_file", zh))


def _heard(file: Row) -> bool:
    return str(file.get("mime", "")).startswith("audio/")


def _sentences(text: str) -> Iterator[str]:
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    kept = (one for one in found if not is_blank(one))
    yield from (one for one, _ in zip(kept, range(_MOST), strict=False))
