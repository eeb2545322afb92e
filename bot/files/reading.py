"""Reads a file that was fetched, by its kind; whatever it is, it stops nothing and nobody."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.files import kinds, office, pdf, pictures, texts, voice
from bot.files.found import Found, Unreadable, Why
from bot.files.kinds import Kind

PATIENCE_S = 60.0  # seconds for a file on a thread; what takes longer is left to itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads files of every kind there is a reader for."""

    clock: Callable[[], datetime]
    transcriber: str = ""
    """The command that prints what is said in a recording."""
    patience_s: float = PATIENCE_S
    voice_patience_s: float = voice.PATIENCE_S

    async def read(self, name: str, mime: str, data: bytes) -> Found:
        """What a file holds; Unreadable says why it cannot be told."""
        kind = kinds.kind(name, mime, data)
        if kind is Kind.SOUND:
            return await voice.transcribe(
                self.transcriber, name, data, patience_s=self.voice_patience_s
            )
        try:
            async with asyncio.timeout(self.patience_s):
                return await asyncio.to_thread(self._read, kind, mime, data)
        except TimeoutError:
            raise Unreadable(Why.SLOW, f"after {self.patience_s:g} s it was given up") from None
        except (MemoryError, RecursionError) as error:
            raise Unreadable(Why.DAMAGED, f"reading it failed ({type(error).__name__})") from error

    def _read(self, kind: Kind, mime: str, data: bytes) -> Found:
        match kind:
            case Kind.PDF:
                return pdf.read(data, self.clock)
            case Kind.PICTURE:
                return pictures.read(data)
            case Kind.OFFICE:
                return office.read(data)
            case Kind.TEXT:
                return texts.read(data)
            case _:
                raise Unreadable(Why.UNKNOWN, f"there is no reader for {mime or 'it'}")
