"""Words looked for in the raw bytes of files, whatever the files are."""

from collections.abc import Iterable
from pathlib import Path


def holding(folder: Path, words: Iterable[str]) -> set[str]:
    """Which file has which of the words in it, in UTF-8, as `name: word`."""
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            raw = path.read_bytes().lower()
            found |= {f"{path.name}: {word}" for word in words if word.lower().encode() in raw}
    return found


def there(folder: Path, words: Iterable[str]) -> set[str]:
    """The words that any file has in it."""
    return {one.partition(": ")[2] for one in holding(folder, words)}
