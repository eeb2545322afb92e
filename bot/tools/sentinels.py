"""Words by which models were taught elsewhere to say nothing; here `stay_silent` does that.

A model that has the habit still may write one into `say`, and people must not read it.
"""

import re

_MARKUP = "*_~`#>[]()<>{}\"'“”‘’.!。！ \t\r\n"
_SENTINEL = re.compile(r"NO_?REPLY|NO_RESPONSE|SILENT_REPLY|HEARTBEAT_OK", re.I)


def spoken(text: str) -> str:
    """The text without sentinels at its end; empty where it was nothing else.

    Only a whole line is one: a sentence about such a word passes.
    """
    if _is_sentinel(text):
        return ""
    lines = text.rstrip().split("\n")
    if not _is_sentinel(lines[-1]):
        return text
    return spoken("\n".join(lines[:-1]).rstrip())


def _is_sentinel(text: str) -> bool:
    return _SENTINEL.fullmatch(text.strip(_MARKUP)) is not None
