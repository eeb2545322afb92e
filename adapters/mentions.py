"""Finding `@name` in a text, in any script."""

import re
from collections.abc import Iterable


def is_addressed(text: str, name: str) -> bool:
    """Whether a text mentions this name with an at sign."""
    return pattern([name]).search(text) is not None


def pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Matches a mention of any of these names; group 1 is the name as written.

    A name may be followed by Chinese directly, as in `@Limen你好`, so only Latin letters and
    digits count as its continuation.
    """
    longest_first = sorted((name for name in names if name), key=len, reverse=True)
    either = "|".join(re.escape(name) for name in longest_first) or r"(?!)"
    return re.compile(rf"(?<![A-Za-z0-9_])[@＠]({either})(?![A-Za-z0-9_])", re.IGNORECASE)
