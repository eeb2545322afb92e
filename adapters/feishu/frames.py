"""The binary frames of the long connection: nine proto2 fields, read and written.

The official SDK brings 170 MB for these nine fields. Tests compare every byte with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

CONTROL, DATA = 0, 1
_VARINT, _BYTES = 0, 2
_FIXED = {1: 8, 5: 4}  # bytes of the kinds that are always as long
_LARGEST = 1 << 64


class Garbled(ValueError):
    """These bytes are no frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame; what is None is not on the wire."""

    seq_id: int = 0
    log_id: int = 0
    service: int = 0
    method: int = CONTROL
    headers: tuple[tuple[str, str], ...] = ()
    payload_encoding: str | None = None
    payload_type: str | None = None
    payload: bytes | None = None
    log_id_new: str | None = None

    def header(self, key: str) -> str:
        """The first header of that name, empty without one."""
        return next((value for name, value in self.headers if name == key), "")

    def answered(self, payload: bytes, **headers: str) -> "Frame":
        """The same frame on its way back."""
        return replace(self, payload=payload, headers=(*self.headers, *headers.items()))


def encode(frame: Frame) -> bytes:
    """The frame on the wire, fields in the order of their numbers."""
    out = bytearray()
    numbers = (frame.seq_id, frame.log_id, frame.service, frame.method)
    for number, value in enumerate(numbers, start=1):
        out += _varint(number << 3 | _VARINT) + _varint(value % _LARGEST)
    for key, text in frame.headers:
        out += _field(5, _field(1, key.encode()) + _field(2, text.encode()))
    for number, tail in (
        (6, _utf8(frame.payload_encoding)),
        (7, _utf8(frame.payload_type)),
        (8, frame.payload),
        (9, _utf8(frame.log_id_new)),
    ):
        if tail is not None:
            out += _field(number, tail)
    return bytes(out)


def decode(data: bytes) -> Frame:
    """Read a frame; fields nobody knows are passed over. Raises Garbled."""
    numbers = dict.fromkeys((1, 2, 3, 4), 0)
    tails: dict[int, bytes] = {}
    headers: list[tuple[str, str]] = []
    try:
        for number, value in _fields(data):
            if isinstance(value, int):
                numbers[number] = value
            elif number == 5:
                pair = {n: v for n, v in _fields(value) if isinstance(v, bytes)}
                headers.append((pair[1].decode(), pair[2].decode()))
            else:
                tails[number] = value
        return Frame(
            seq_id=numbers[1],
            log_id=numbers[2],
            service=_signed(numbers[3]),
            method=_signed(numbers[4]),
            headers=tuple(headers),
            payload_encoding=_text(tails.get(6)),
            payload_type=_text(tails.get(7)),
            payload=tails.get(8),
            log_id_new=_text(tails.get(9)),
        )
    except (IndexError, KeyError, UnicodeDecodeError) as error:
        raise Garbled(f"no frame in {len(data)} bytes: {error!r}") from error


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = _read_varint(data, at)
            yield tag >> 3, value
            continue
        length, at = _length(data, at, kind)
        if at + length > len(data):
            raise Garbled(f"a field of {length} bytes ends after the frame's {len(data)}")
        yield tag >> 3, data[at : at + length]
        at += length


def _length(data: bytes, at: int, kind: int) -> tuple[int, int]:
    if kind == _BYTES:
        return _read_varint(data, at)
    if kind in _FIXED:
        return _FIXED[kind], at
    raise Garbled(f"field kind {kind} does not exist")


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value % _LARGEST, at
        if shift >= 70:
            raise Garbled("a number is longer than ten bytes")


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(data)) + data


def _signed(value: int) -> int:
    low = value & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low


def _utf8(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode()
