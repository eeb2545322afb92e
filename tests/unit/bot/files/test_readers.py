"""Each kind of file is read, or there is one clear line on why not."""

import asyncio
import io
import os
import stat
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.files import kinds, pdf, pictures
from bot.files.found import TEXT_LIMIT, Found, Unreadable
from bot.files.kinds import Kind
from bot.files.reading import Reader
from tests.fakes import papers

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def reader(transcriber: str = "", patience_s: float = 20.0) -> Reader:
    return Reader(
        clock=lambda: NOON,
        transcriber=transcriber,
        patience_s=20.0,
        voice_patience_s=patience_s,
    )


async def read(name: str, data: bytes, mime: str = "application/octet-stream") -> Found:
    return await reader().read(name, mime, data)


async def refusal(name: str, data: bytes, mime: str = "application/octet-stream") -> str:
    with pytest.raises(Unreadable) as error:
        await reader().read(name, mime, data)
    return str(error.value)


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"]
)
async def test_plain_text_is_read_in_any_common_encoding(codec: str) -> None:
    english = "The lease ends in May; the deposit is due in June. " * 3
    text = english if codec in ("utf-16-le", "utf-16-be") else "租约五月到期，押金六月付清。"
    assert (await read("a.txt", text.encode(codec))).text == text.strip()


async def test_western_text_without_unicode_is_not_taken_for_chinese() -> None:
    assert (await read("a.txt", "Das Büro schließt, der Café öffnet.".encode("cp1252"))).text == (
        "Das Büro schließt, der Café öffnet."
    )


async def test_a_long_text_is_cut_and_says_so() -> None:
    found = await read("a.log", "日志 line\n".encode() * 200_000)
    assert len(found.text) <= TEXT_LIMIT
    assert "�" not in found.text
    assert "only the first 100,000 signs" in found.note


async def test_what_no_database_can_store_is_replaced() -> None:
    found = await read("a.txt", "a\0b".encode("utf-16"))
    assert found.text == "a\ufffdb"


async def test_an_empty_file_is_called_empty() -> None:
    assert "empty" in await refusal("a.txt", b" \n")


async def test_a_pdf_is_read_page_by_page() -> None:
    found = await read("a.pdf", papers.pdf("Total due: 480 EUR", "Pay by Friday"))
    assert found.text == "Total due: 480 EUR\n\nPay by Friday"
    assert found.note == ""


async def test_a_pdf_is_known_by_its_bytes_whatever_it_is_called() -> None:
    assert "480" in (await read("scan.jpg", papers.pdf("480"), "image/jpeg")).text


async def test_a_pdf_with_a_password_says_so() -> None:
    note = await refusal("a.pdf", papers.pdf("secret", password="hush"))
    assert note.startswith("needs a password:")


async def test_a_pdf_whose_owner_only_forbids_printing_is_read() -> None:
    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(papers.pdf("open to all")))
    writer.encrypt("", "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    assert (await read("a.pdf", out.getvalue())).text == "open to all"


async def test_a_scanned_pdf_says_that_it_holds_no_text() -> None:
    assert (await refusal("a.pdf", papers.pdf("", ""))).startswith("holds no text:")


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.95])
async def test_half_a_pdf_is_damaged_or_read_and_never_a_crash(cut: float) -> None:
    whole = papers.pdf("one", "two", "three")
    try:
        found = await read("a.pdf", whole[: int(len(whole) * cut)])
    except Unreadable as error:
        assert str(error).partition(":")[0] in ("damaged", "holds no text")
    else:
        assert found.text


async def test_a_pdf_that_unpacks_without_end_is_bounded() -> None:
    import zlib

    bomb = zlib.compress(b" " * 200_000_000, 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(bomb), bomb),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, one)
    start = len(out)
    out += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % p for p in places)
    out += b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start
    note = await refusal("a.pdf", out)
    assert note.startswith(("too large:", "holds no text:"))


def test_a_pdf_that_takes_too_long_is_read_as_far_as_time_allows() -> None:
    ticks = iter(range(100))

    def clock() -> datetime:
        return NOON + timedelta(seconds=9 * next(ticks))

    found = pdf.read(papers.pdf(*(f"page {n}" for n in range(9))), clock)
    assert found.text.startswith("page 0")
    assert "page 8" not in found.text
    assert found.note


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
async def test_a_picture_of_any_common_format_becomes_one_a_model_takes(format: str) -> None:
    found = await read("a.bin", papers.picture((2400, 1200), format=format))
    assert found.picture is not None
    with Image.open(io.BytesIO(found.picture.data)) as image:
        assert image.format == ("PNG" if found.picture.suffix == ".png" else "JPEG")
        assert image.size == (1568, 784)


async def test_a_picture_taken_sideways_is_turned_upright_and_loses_where_it_was_taken() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "a camera"
    found = await read("a.jpg", papers.picture((80, 20), format="JPEG", exif=exif))
    assert found.picture is not None
    with Image.open(io.BytesIO(found.picture.data)) as image:
        assert image.size == (20, 80)
        assert not image.getexif()


@pytest.mark.parametrize(("mode", "colour"), [("RGBA", (0, 0, 0, 0)), ("LA", (0, 0)), ("P", 0)])
async def test_what_is_see_through_is_shown_on_white(mode: str, colour: object) -> None:
    how: dict[str, Any] = {"transparency": 0} if mode == "P" else {}
    found = await read("a.png", papers.picture(mode=mode, colour=colour, **how))
    assert found.picture is not None
    with Image.open(io.BytesIO(found.picture.data)) as image:
        assert image.convert("RGB").getpixel((5, 5)) == (255, 255, 255)


async def test_a_noisy_picture_stays_below_the_limit() -> None:
    noise = Image.frombytes("RGB", (1568, 1568), os.urandom(1568 * 1568 * 3))
    out = io.BytesIO()
    noise.save(out, "PNG")
    found = await read("a.png", out.getvalue())
    assert found.picture is not None
    assert found.picture.suffix == ".jpg"
    assert len(found.picture.data) <= pictures.MOST_BYTES


@pytest.mark.parametrize("size", [(30_000, 30_000), (8_000, 8_000)])
async def test_a_picture_that_unpacks_to_far_too_much_is_refused(size: tuple[int, int]) -> None:
    note = await refusal("a.png", papers.picture(size, mode="1", colour=0))
    assert note.startswith("too large:")


async def test_half_a_picture_is_damaged() -> None:
    data = papers.picture((400, 300), format="JPEG")
    assert (await refusal("a.jpg", data[: len(data) // 2])).startswith("damaged:")
    assert (await refusal("a.png", b"\x89PNG\r\n\x1a\n")).startswith(("unknown kind:", "damaged:"))


async def test_office_files_are_read() -> None:
    assert (await read("a.docx", papers.docx("Dear all,", "租约到期"))).text == (
        "Dear all,\n租约到期"
    )
    table = await read("a.xlsx", papers.xlsx(("item", "price"), ("chair", "40")))
    assert table.text == "item\tprice\nchair\t40"
    p = "http://schemas.openxmlformats.org/drawingml/2006/main"
    slide = f'<s xmlns:a="{p}"><a:p><a:r><a:t>Plan</a:t></a:r></a:p></s>'
    assert (await read("a.pptx", papers.archive(ppt__slides__slide1=slide))).text == "Plan"


async def test_other_archives_broken_ones_and_bombs_are_refused_in_words() -> None:
    assert (await refusal("a.zip", papers.archive(notes="x"))).startswith("unknown kind:")
    assert (await refusal("a.docx", papers.docx("x")[:60])).startswith("damaged:")
    assert (await refusal("a.docx", papers.archive(word__document="<p>"))).startswith("damaged:")
    # far enough into the packed words that the archive itself is whole
    bent = papers.docx("We ship on Friday.", "下周一上线。")
    for at in range(60, len(bent) - 120):
        with suppress(Unreadable):
            await read("a.docx", bent[:at] + b"\0\3" + b"\0" * 7 + bent[at + 9 :])
    cell = '<w><row><c t="s"><v>7</v></c></row></w>'
    table = papers.archive(xl__worksheets__sheet1=cell)
    assert (await refusal("a.xlsx", table)).startswith("damaged:")
    bomb = papers.archive(word__document="<p>" + " " * 50_000_000 + "</p>")
    assert (await refusal("a.docx", bomb)).startswith("too large:")
    laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'
    assert await refusal("a.docx", papers.archive(word__document=laughs))


async def test_what_nobody_can_read_is_named() -> None:
    note = await refusal("tool.exe", b"MZ\x90\0\x03\0\0\0", "application/x-msdownload")
    assert note == "unknown kind: there is no reader for application/x-msdownload"


@pytest.mark.parametrize(
    ("name", "mime"),
    [("voice.ogg", "audio/ogg"), ("v.amr", "application/octet-stream"), ("f.mp4", "video/mp4")],
)
async def test_without_a_transcriber_a_voice_note_says_so(name: str, mime: str) -> None:
    note = await refusal(name, b"OggS\0\0", mime)
    assert note == "voice was not transcribed: no transcriber is configured"


SCRIPT = """#!{python}
import os, sys, time
data = open(sys.argv[-1], "rb").read()
if data == b"fail":
    print("model not found", file=sys.stderr); sys.exit(3)
if data == b"hang":
    time.sleep(600)
if data == b"silence":
    sys.exit()
secrets = [key for key in os.environ if key.startswith(("LIMEN_", "ANTHROPIC_"))]
print(len(sys.argv), os.path.splitext(sys.argv[-1])[1], secrets, "我们周五见，", data.decode())
"""


@pytest.fixture
def transcriber(tmp_path: Path) -> Path:
    script = tmp_path / "fake whisper"
    script.write_text(SCRIPT.format(python=sys.executable), encoding="utf-8")
    script.chmod(stat.S_IRWXU)
    return script


async def heard(command: str, data: bytes, name: str = "v.ogg", **more: float) -> str:
    return (await reader(command, **more).read(name, "audio/ogg", data)).text


async def test_a_transcriber_is_given_the_recording_and_its_words_are_kept(
    transcriber: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMEN_SLACK__BOT_TOKEN", "xoxb-1")
    assert await heard(f"'{transcriber}' -f {{file}}", b"bye") == "3 .ogg [] 我们周五见， bye"
    assert await heard(f"'{transcriber}'", b"bye", "v.m4a") == "2 .m4a [] 我们周五见， bye"


async def test_nothing_of_a_file_name_reaches_a_shell(transcriber: Path, tmp_path: Path) -> None:
    odd = f"x;touch {tmp_path}/broken.ogg; .$(touch {tmp_path}/broken)"
    assert (await heard(f"'{transcriber}' {{file}}", b"hi", odd)).startswith("2 .ogg")
    assert not list(tmp_path.glob("broken*"))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"fail", "the transcriber failed with 3: model not found"),
        (b"silence", "the transcriber heard no words in it"),
        (b"hang", "it took longer than 1 s"),
    ],
)
async def test_a_transcriber_that_fails_is_told_of(
    transcriber: Path, data: bytes, why: str
) -> None:
    with pytest.raises(Unreadable, match="voice was not transcribed") as error:
        await heard(f"'{transcriber}'", data, patience_s=1.0)
    assert why in str(error.value)


@pytest.mark.parametrize("command", ["/no/such/whisper {file}", "whisper '", "."])
async def test_a_transcriber_that_cannot_be_started_is_told_of(command: str) -> None:
    with pytest.raises(Unreadable, match="transcriber"):
        await heard(command, b"hi")


async def test_a_transcriber_is_ended_with_whoever_waits_for_it(
    transcriber: Path, tmp_path: Path
) -> None:
    started = asyncio.create_task(heard(f"'{transcriber}'", b"hang", patience_s=60.0))
    await asyncio.sleep(0.2)
    started.cancel()
    with pytest.raises(asyncio.CancelledError):
        await started


def test_kinds_are_told_by_bytes_before_names() -> None:
    assert kinds.kind("a.txt", "text/plain", papers.picture()) is Kind.PICTURE
    assert kinds.kind("photo.png", "image/png", b"not really") is Kind.PICTURE
    assert kinds.kind("a.svg", "image/svg+xml", b"<svg/>") is Kind.TEXT
    assert kinds.kind("a.json", "application/json", b'{"a": 1}') is Kind.TEXT
    assert kinds.kind("a.bin", "", b"\x00\x01\x02\x03") is Kind.UNKNOWN
