"""Reads plain text in whichever of the common encodings it was saved."""

import codecs

from adapters.chat import legible
from bot.files import kinds
from bot.files.found import TEXT_LIMIT, Found, Unreadable, Why, written

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSES = ("utf-8", "gb18030", "cp1252")
_MOST = 4 * TEXT_LIMIT  # bytes; no sign takes more


def read(data: bytes) -> Found:
    """The text of a plain file."""
    head, rest = data[:_MOST], len(data) > _MOST
    if not head.strip():
        raise Unreadable(Why.SCANNED, "the file is empty")
    return written(legible(_decoded(head, whole=not rest)), rest=rest)


def _decoded(data: bytes, *, whole: bool) -> str:
    marked = next((codec for mark, codec in _MARKS if data.startswith(mark)), "")
    if codec := marked or kinds.utf16(data):
        return data.decode(codec, errors="replace")
    for codec in _GUESSES:
        try:
            # An incremental decoder forgives a last sign that was cut in two.
            return codecs.getincrementaldecoder(codec)().decode(data, final=whole)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
