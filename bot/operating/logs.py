"""Logs: whatever any module or library says, one line each, with its fields and no secrets."""

import json
import logging
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from traceback import TracebackException, format_exception
from types import TracebackType
from typing import Any, TextIO

from bot.operating.redaction import Secrets

FRAMES = 12  # places of an exception's way that a line of text names, the innermost last
_KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}
"""What every record has; whatever else one has was handed in as a field."""

_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What JSON lets stand as it is, and some readers take for the end of a line or for no text."""

logger = logging.getLogger(__name__)

Hide = Callable[[str], str]


def start(format: str, level: str, secrets: Secrets, *, stream: TextIO | None = None) -> None:
    """Write everything that is logged from now on; what ends a thread or all is logged too."""
    handler = _Handler(stream or sys.stderr)
    handler.setFormatter((Json if format == "json" else Text)(secrets.hide))
    root = logging.getLogger()
    for before in [*root.handlers]:
        root.removeHandler(before)
    root.addHandler(handler)
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    sys.excepthook = _last_words
    threading.excepthook = _thread_died


class Text(logging.Formatter):
    """`time LEVEL logger: message key=value | Error: words (place < place)`, for people."""

    def __init__(self, hide: Hide) -> None:
        super().__init__()
        self._hide = hide

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever stands in the message."""
        hide = self._hide
        fields = "".join(f" {hide(k)}={_word(hide(str(v)))}" for k, v in _fields(record).items())
        error = _exception(record)
        way = f" | {hide(_way(TracebackException.from_exception(error)))}" if error else ""
        said = f"{record.name}: {hide(_message(record))}"
        return _one_line(f"{_moment(record)} {record.levelname} {said}{fields}{way}")


class Json(logging.Formatter):
    """An object a line, for programs: `time level logger message`, the fields, `exception`."""

    def __init__(self, hide: Hide) -> None:
        super().__init__()
        self._hide = hide

    def format(self, record: logging.LogRecord) -> str:
        """One line; a field may not take the place of what every line has."""
        error = _exception(record)
        fixed = {
            "time": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if error:
            fixed["exception"] = "".join(format_exception(error)).rstrip()
        line = {**fixed, **_fields(record), **fixed}
        # before it is written: written, a secret with a quote in it reads otherwise
        written = json.dumps(_hidden(line, self._hide), ensure_ascii=False)
        return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


class _Handler(logging.StreamHandler[TextIO]):
    """Never shows the arguments of a line it could not write, as the library's own does."""

    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exc_info()[0]
        why = error.__name__ if error else "an unknown fault"
        with suppress(OSError, ValueError):
            self.stream.write(f"a line of {record.name} could not be written: {why}\n")


def _last_words(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    logger.critical("Limen ends by a fault of its own", exc_info=(kind, error, trace))


def _thread_died(args: threading.ExceptHookArgs) -> None:
    name = args.thread.name if args.thread else "?"
    error = args.exc_value or args.exc_type()
    logger.critical("the thread %s ends by a fault of its own", name, exc_info=error)


def _moment(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception as error:
        # a library's mistake in its own logging must not cost the line
        return f"{record.msg!s} {record.args!r} ({type(error).__name__}: {error})"


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _KNOWN}


def _exception(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _way(told: TracebackException) -> str:
    """What was raised, where, and from what, without line breaks."""
    words = " ".join(" ".join(told.format_exception_only()).split())
    frames = [*told.stack][-1 : -FRAMES - 1 : -1]
    places = " < ".join(f"{_short(one.filename)}:{one.lineno} {one.name}" for one in frames)
    way = f"{words} ({places})" if places else words
    if told.exceptions:
        way += f" [{'; '.join(map(_way, told.exceptions))}]"
    before = told.__cause__ or (None if told.__suppress_context__ else told.__context__)
    return f"{way}, from {_way(before)}" if before else way


def _short(file: str) -> str:
    return "/".join(Path(file).parts[-2:])


def _word(value: Any) -> str:
    text = str(value)
    return (
        text
        if text and not any(sign in text for sign in ' "=')
        else json.dumps(text, ensure_ascii=False)
    )


def _one_line(text: str) -> str:
    """Let nobody forge a line by what they say."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def _hidden(value: Any, hide: Hide) -> Any:
    if isinstance(value, dict):
        return {hide(str(key)): _hidden(one, hide) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_hidden(one, hide) for one in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return hide(str(value))
