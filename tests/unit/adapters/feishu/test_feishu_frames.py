"""Our frames against the official SDK's, byte for byte."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.feishu.frames import DATA, Frame, Garbled, decode, encode

TEXTS = st.text(max_size=40).filter(lambda text: text.isprintable())
FRAMES = st.builds(
    Frame,
    seq_id=st.integers(0, 2**64 - 1),
    log_id=st.integers(0, 2**64 - 1),
    service=st.integers(-(2**31), 2**31 - 1),
    method=st.integers(-(2**31), 2**31 - 1),
    headers=st.lists(st.tuples(TEXTS, TEXTS), max_size=5).map(tuple),
    payload_encoding=st.none() | TEXTS,
    payload_type=st.none() | TEXTS,
    payload=st.none() | st.binary(max_size=300),
    log_id_new=st.none() | TEXTS,
)

OFFICIAL = """
import sys
from lark_oapi.ws.pb.pbbp2_pb2 import Frame
for line in sys.stdin:
    frame = Frame()
    frame.ParseFromString(bytes.fromhex(line))
    copy = Frame(SeqID=frame.SeqID, LogID=frame.LogID, service=frame.service, method=frame.method)
    for header in frame.headers:
        new = copy.headers.add()
        new.key, new.value = header.key, header.value
    for name in ("payload_encoding", "payload_type", "payload", "LogIDNew"):
        if frame.HasField(name):
            setattr(copy, name, getattr(frame, name))
    print(copy.SerializeToString().hex())
"""
"""Reads each frame, builds the same one of its own, and writes that."""

SAMPLES = [
    Frame(),
    Frame(service=33554678, headers=(("type", "ping"),)),
    Frame(seq_id=2**64 - 1, log_id=2**63, service=-1, method=-(2**31)),
    Frame(
        method=DATA,
        headers=(("type", "event"), ("message_id", "m-1"), ("sum", "1"), ("seq", "0")),
        payload_encoding="gzip",
        payload_type="json",
        payload='{"text": "进度如何？"}'.encode(),
        log_id_new="2026113010",
    ),
    Frame(method=DATA, payload=b"", payload_encoding="", payload_type="", log_id_new=""),
    Frame(payload=bytes(range(256)) * 600, headers=(("钥", "值 🙂"),)),
]


@given(FRAMES)
def test_what_was_written_reads_as_it_was(frame: Frame) -> None:
    assert decode(encode(frame)) == frame


def test_the_official_sdk_reads_and_writes_the_same_bytes() -> None:
    # in a process of its own: it takes seconds and 170 MB, and claims a loop when imported
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", OFFICIAL],
        input="\n".join(encode(frame).hex() for frame in SAMPLES),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == [encode(frame).hex() for frame in SAMPLES]


def test_an_answer_is_the_same_frame_with_another_payload() -> None:
    frame = Frame(service=7, method=DATA, headers=(("type", "event"),), payload=b"in")
    answer = frame.answered(b"out", biz_rt="3")
    assert (answer.service, answer.payload) == (7, b"out")
    assert answer.headers == (("type", "event"), ("biz_rt", "3"))


def test_fields_nobody_knows_are_passed_over() -> None:
    unknown = bytes([15 << 3]) + b"\x05" + bytes([14 << 3 | 1]) + b"8 bytes."
    assert decode(encode(Frame(service=3)) + unknown) == Frame(service=3)


@pytest.mark.parametrize(
    "data", [b"\x0a\xff", b"\x08", b"\xff" * 11, b"\x2a\x02\x0a\x00", b"\x0b", b"not a frame"]
)
def test_garbage_is_called_garbled(data: bytes) -> None:
    with pytest.raises(Garbled):
        decode(data)
