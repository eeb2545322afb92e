"""Reads the words of a document, a table or slides in the office formats that are zipped XML."""

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from adapters.chat import legible
from bot.files.found import TEXT_LIMIT, Found, Unreadable, Why, written

_MOST = 40_000_000  # bytes of XML unpacked; what says more is a bomb or no letter
_WORD = "word/document.xml"
_STRINGS = "xl/sharedStrings.xml"
_SHEET = re.compile(r"xl/worksheets/sheet(\d+)\.xml")
_GAPS = {"tab": "\t", "br": "\n"}
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")


def read(data: bytes) -> Found:
    """The text of a .docx, .xlsx or .pptx file; to be called on a thread."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            text = "\n".join(_lines(_Parts(archive)))
    except Unreadable:
        raise
    except (NotImplementedError, RuntimeError):
        raise Unreadable(Why.LOCKED, "it is encrypted") from None
    except Exception as error:  # the archive, each way to pack it and the XML have their own
        raise Unreadable(Why.DAMAGED, f"it cannot be unpacked ({type(error).__name__})") from error
    if not text.strip():
        raise Unreadable(Why.SCANNED, "the document is empty, or holds pictures only")
    return written(legible(text))


class _Parts:
    """The XML inside, never unpacked beyond a bound."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = _MOST
        self.names = archive.namelist()

    def __call__(self, name: str) -> ElementTree.Element:
        with self._archive.open(name) as part:
            xml = part.read(self._left + 1)
        self._left -= len(xml)
        if self._left < 0:
            raise Unreadable(Why.LARGE, "it unpacks to far more than it says")
        return ElementTree.fromstring(xml)

    def numbered(self, pattern: re.Pattern[str]) -> list[str]:
        """The names of a kind, in the order of their numbers."""
        found = (match for name in self.names if (match := pattern.fullmatch(name)))
        return [match[0] for match in sorted(found, key=lambda match: int(match[1]))]


def _lines(parts: _Parts) -> Iterator[str]:
    if _WORD in parts.names:
        yield from _paragraphs(parts(_WORD))
    elif sheets := parts.numbered(_SHEET):
        strings = [_text(one) for one in parts(_STRINGS)] if _STRINGS in parts.names else []
        length = 0
        for sheet in sheets:
            for line in _cells(parts(sheet), strings):
                length += len(line)
                if length > TEXT_LIMIT:
                    return
                yield line
    elif slides := parts.numbered(_SLIDE):
        for slide in slides:
            yield from _paragraphs(parts(slide))
    else:
        raise Unreadable(Why.UNKNOWN, "it is an archive and not a document; send what is inside")


def _paragraphs(root: ElementTree.Element) -> Iterator[str]:
    """Paragraphs of text and of slides alike: both call them `p`, and their words `t`."""
    return (_text(one) for one in root.iter() if _tag(one) == "p")


def _cells(sheet: ElementTree.Element, strings: list[str]) -> Iterator[str]:
    for row in (one for one in sheet.iter() if _tag(one) == "row"):
        cells = (_cell(one, strings) for one in row if _tag(one) == "c")
        if line := "\t".join(cells).strip():
            yield line


def _cell(cell: ElementTree.Element, strings: list[str]) -> str:
    value = next((one.text or "" for one in cell if _tag(one) == "v"), "")
    if cell.get("t") == "s":
        return strings[int(value)] if value else ""
    return value or _text(cell)


def _text(node: ElementTree.Element) -> str:
    return "".join(
        one.text or "" if _tag(one) == "t" else _GAPS.get(_tag(one), "") for one in node.iter()
    )


def _tag(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]
