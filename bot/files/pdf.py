"""Reads the text of a PDF, page by page, as far as time and length allow."""

import io
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from adapters.chat import legible
from bot.files.found import TEXT_LIMIT, Found, Unreadable, Why, written

MOST_PAGES = 300
PATIENCE = timedelta(seconds=20)


def read(data: bytes, clock: Callable[[], datetime]) -> Found:
    """The text of a PDF; to be called on a thread.

    What a page may unpack to is bounded by the library; a page that cannot be read is passed over.
    """
    import pypdf  # a second to load, and only for those who send PDFs
    from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

    until = clock() + PATIENCE
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable(Why.LOCKED, "the PDF opens only with one")
        pages = len(reader.pages)
        text, whole = _pages(reader, pages, lambda: clock() > until)
    except DependencyError:
        raise Unreadable(Why.LOCKED, "the PDF is encrypted") from None
    except LimitReachedError:
        raise Unreadable(Why.LARGE, "the PDF unpacks to far more than it says") from None
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise Unreadable(Why.DAMAGED, f"it is no whole PDF ({type(error).__name__})") from error
    if not text.strip():
        raise Unreadable(Why.SCANNED, f"the PDF's pages ({pages}) are pictures of text")
    return written(legible(text), rest=not whole)


def _pages(reader: Any, pages: int, late: Callable[[], bool]) -> tuple[str, bool]:
    """The text so far, and whether that is all of it."""
    found: list[str] = []
    length = read = 0
    for number in range(min(pages, MOST_PAGES)):
        if length > TEXT_LIMIT or late():
            break
        text = _page(reader, number)
        found.append(text)
        length += len(text)
        read += 1
    return "\n\n".join(filter(None, found)), read == pages


def _page(reader: Any, number: int) -> str:
    try:
        return str(reader.pages[number].extract_text()).strip()
    except (RecursionError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError):
        return ""  # one odd page does not take the others along
