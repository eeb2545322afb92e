"""The leak guard: whether a text repeats something private, whatever it claims to rest on.

It looks for runs of the same letters, numbers and identifiers, and several rare words at once,
that a private original holds and that the reader could not have met anywhere open.
"""

import re
from collections.abc import Callable, Iterable

LATIN_RUN = 12  # letters in a row that are no coincidence
CJK_RUN = 6  # characters in a row that are no coincidence
RARE_WORDS = 3  # uncommon words that together give a thing away
_CJK = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]*[A-Za-z0-9]|[A-Za-z0-9]")
_COMMON = frozenset(
    "about after again because before being could didn doing every finish finished going maybe "
    "might other please private promise really release should something still their there these "
    "thing think those today tomorrow tonight would wouldn yesterday monday tuesday wednesday "
    "thursday friday saturday sunday january february march april august september october "
    "november december morning evening afternoon week weekend month meeting project".split()
)


def fragments(text: str, private: str) -> list[str]:
    """What a text shares with a private one and may give it away, longest first."""
    found = [*_runs(text, private), *_numbers(text, private)]
    words = _rare(text) & _rare(private)
    if len(words) >= RARE_WORDS:
        found.extend(words)
    return sorted(set(found), key=len, reverse=True)


def leaked(text: str, privates: Iterable[str], is_open: Callable[[str], bool]) -> str | None:
    """The first fragment of a private text that is not open knowledge; None when there is none.

    `is_open` tells whether the reader could have met a fragment somewhere open.
    """
    for private in privates:
        secret = [piece for piece in fragments(text, private) if not is_open(piece)]
        words = [piece for piece in secret if _is_plain_word(piece)]
        telling = [piece for piece in secret if not _is_plain_word(piece)]
        if telling:
            return telling[0]
        if len(words) >= RARE_WORDS:
            return ", ".join(words[:RARE_WORDS])
    return None


def _is_plain_word(piece: str) -> bool:
    return piece.isascii() and piece.isalpha() and len(piece) < LATIN_RUN


def _runs(text: str, private: str) -> list[str]:
    """Maximal shared runs of the squeezed texts."""
    mine, theirs = squeeze(text), squeeze(private)
    known = {theirs[i : i + size] for size in (CJK_RUN, LATIN_RUN) for i in range(len(theirs))}
    found: list[str] = []
    end = 0  # where the last run ended
    for start in range(len(mine)):
        size = CJK_RUN if _CJK.match(mine, start) else LATIN_RUN
        window = mine[start : start + size]
        if len(window) < size or window not in known or not _weighs(window):
            continue
        if found and start <= end - size + 1:
            found[-1] += mine[end : start + size]
        else:
            found.append(window)
        end = start + size
    return found


def _weighs(run: str) -> bool:
    cjk = len(_CJK.findall(run))
    return cjk >= CJK_RUN or len(run) - cjk >= LATIN_RUN


def squeeze(text: str) -> str:
    """Letters and digits alone, in lower case: the form in which runs are compared."""
    return "".join(char for char in text.lower() if char.isalnum())


def _numbers(text: str, private: str) -> set[str]:
    def telling(of: str) -> set[str]:
        tokens = (token.lower() for token in _TOKEN.findall(of))
        return {t for t in tokens if len(t) > 1 and any(c.isdigit() for c in t)}

    return telling(text) & telling(private)


def _rare(text: str) -> set[str]:
    words = (token.lower() for token in _TOKEN.findall(text))
    return {w for w in words if len(w) >= 5 and w.isalpha() and w not in _COMMON}
