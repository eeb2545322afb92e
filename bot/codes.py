"""Codes that people read off one screen and type into another."""

from collections.abc import Callable

SIGNS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""Without look-alikes, and without vowels, so that no word is taken for a code."""
LENGTH = 8

Choose = Callable[[str], str]
"""Picks one sign nobody can guess, such as `secrets.choice`."""


def make(choose: Choose) -> str:
    """A new code."""
    return "".join(choose(SIGNS) for _ in range(LENGTH))


def read(text: str) -> str | None:
    """The code somebody typed, however they spaced it; None where it is none."""
    code = text.upper().replace("-", "").replace(" ", "").strip()
    return code if len(code) == LENGTH and set(code) <= set(SIGNS) else None
