"""How sizes are written in settings: `20MB`, `500kB`, `1.5GB`, or a plain number of bytes."""

import re

_UNITS = {"": 1, "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000}
_LARGEST = 1e15
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?b|)", re.I)


def parse_size(value: object) -> int:
    """Read a size in bytes; ValueError says what is wrong with it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError("must be a size: write it like '20MB', '500kB' or '1GB'")
    size = float(match[1]) * _UNITS[match[2].lower()]
    if size > _LARGEST:
        raise ValueError("is larger than any file; write a smaller size")
    return round(size)
