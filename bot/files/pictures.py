"""Makes a picture fit for a model: decoded with care, turned upright, small, and without its EXIF.

The Messages API takes JPEG, PNG, GIF and WebP up to 5 MB in base64 and scales down what is longer
than 1568 pixels (platform.claude.com/docs, vision, read 2026-11).
"""

import io
from typing import Any

from bot.files.found import Found, Picture, Unreadable, Why

LONGEST = 1568  # pixels of the longer side
MOST_BYTES = 3_500_000  # of the encoded picture; base64 makes a third more of them
_MOST_DRAWN = 1_000_000  # bytes of a PNG; a larger one is more photograph than drawing
_MOST_PIXELS = 50_000_000  # before it is decoded; a camera's picture has up to fifty million
_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF")
_DRAWN = frozenset({"PNG", "GIF", "BMP"})
"""Formats of screenshots and drawings, which JPEG would blur."""


def read(data: bytes) -> Found:
    """A picture of any common format; to be called on a thread. A film in a GIF is its first."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # ten megabytes, only for pictures

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise Unreadable(Why.LARGE, f"it has {opened.width} × {opened.height} pixels")
            drawn = opened.format in _DRAWN
            opened.draft("RGB", (LONGEST, LONGEST))  # a JPEG is decoded no larger than needed
            image = ImageOps.exif_transpose(opened)
            if image.mode in ("1", "P", "PA"):  # where shades between the dots are not known yet
                image = image.convert("RGBA")
            image.thumbnail((LONGEST, LONGEST))
            return Found(picture=_encoded(_flat(image), drawn=drawn))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unreadable(Why.LARGE, "it has far more pixels than any camera takes") from None
    except UnidentifiedImageError:
        raise Unreadable(Why.UNKNOWN, "it is no picture of a kind that can be shown") from None
    except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError) as error:
        raise Unreadable(Why.DAMAGED, f"the picture is broken ({type(error).__name__})") from error


def _flat(image: Any) -> Any:
    """On white where it is see-through, as it would be shown in a chat."""
    from PIL import Image

    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(ground, image)
    return image.convert("RGB")


def _encoded(image: Any, *, drawn: bool) -> Picture:
    if drawn and len(data := _bytes(image, "PNG")) <= _MOST_DRAWN:
        return Picture(data, ".png")
    for quality in (85, 60, 35):
        if len(data := _bytes(image, "JPEG", quality=quality)) <= MOST_BYTES:
            return Picture(data, ".jpg")
    raise Unreadable(Why.LARGE, "it cannot be made small enough")


def _bytes(image: Any, format: str, **how: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **how)
    return out.getvalue()
