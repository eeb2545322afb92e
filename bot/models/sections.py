"""Data inside a request: named sections of JSON lines that text from a chat cannot break out of.

<section name="history">
{"id":"o12","from":"Ana","text":"…"}
</section>
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

Row = dict[str, Any]

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
# made once: dumps would make one for each of the hundred rows a model is shown
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SECTION = re.compile(r'<section name="([a-z_]+)">\n(.*?)</section>', re.S)


def render(name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Write one section; an empty one is written too, so that absence is visible."""
    lines = "".join(_encode(row).translate(_ESCAPES) + "\n" for row in rows)
    return f'<section name="{name}">\n{lines}</section>'


def parse(text: str) -> dict[str, list[Row]]:
    """Read every section of a text; the last one of a name wins."""
    return {
        # A line of JSON may hold other line ends, such as U+2028; only our own parts rows.
        name: [json.loads(line) for line in body.split("\n") if line]
        for name, body in _SECTION.findall(text)
    }
