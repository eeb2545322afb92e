"""Tells what kind of file something is: by its first bytes, then by what it is called."""

from enum import Enum, auto
from pathlib import PurePath

_SOUND = frozenset(".aac .amr .flac .m4a .mp3 .oga .ogg .opus .silk .wav .wma".split())
_FILM = frozenset(".avi .m4v .mkv .mov .mp4 .mpeg .mpg .webm".split())
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\0", b"MM\0*")
_PDF_WITHIN = 1024  # bytes; some programs put something in front of a PDF
_CONTROLS = frozenset(range(32)) - {*b"\t\n\f\r\x1b"}
_LOOKED_AT = 4096  # bytes


class Kind(Enum):
    """How a file is read."""

    PDF = auto()
    PICTURE = auto()
    OFFICE = auto()
    SOUND = auto()
    TEXT = auto()
    UNKNOWN = auto()


def kind(name: str, mime: str, data: bytes) -> Kind:
    """The kind of a file; what its sender calls it counts only where its bytes tell nothing."""
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return Kind.PDF
    if is_sound(name, mime):
        return Kind.SOUND
    if data.startswith(_PICTURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return Kind.PICTURE
    if data.startswith(b"PK\x03\x04"):
        return Kind.OFFICE
    if mime.startswith("image/") and mime != "image/svg+xml":
        return Kind.PICTURE  # of a kind nobody here knows, or broken: no words in any case
    return Kind.TEXT if _looks_written(data[:_LOOKED_AT]) else Kind.UNKNOWN


def is_sound(name: str, mime: str) -> bool:
    """Whether something is to be heard: a voice note, a recording, a film."""
    if mime.startswith(("audio/", "video/")):
        return True
    return PurePath(name.lower()).suffix in _SOUND | _FILM


def _looks_written(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or utf16(head):
        return True
    return not any(byte in _CONTROLS for byte in head)


def utf16(head: bytes) -> str:
    """The codec of UTF-16 without a mark, where most signs are plain; empty for other bytes."""
    head = head[: len(head) // 2 * 2]
    if len(head) < 4:
        return ""
    half = len(head) // 2
    high, low = head[1::2].count(0), head[0::2].count(0)
    if high > 0.7 * half and not low:
        return "utf-16-le"
    return "utf-16-be" if low > 0.7 * half and not high else ""
