"""Small real files of the kinds people send, made in the test that needs them."""

import io
import zipfile
from collections.abc import Sequence
from typing import Any

import pypdf
from PIL import Image
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def pdf(*pages: str, password: str = "") -> bytes:
    """A PDF with a page for each text; an empty text makes a page with nothing on it."""
    writer = pypdf.PdfWriter()
    for text in pages:
        page = writer.add_blank_page(width=400, height=400)
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.split("\n") if line)
        stream.set_data(f"BT /F1 12 Tf 20 370 Td {lines}ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def picture(
    size: tuple[int, int] = (40, 30),
    *,
    format: str = "PNG",
    mode: str = "RGB",
    colour: Any = "red",
    **how: Any,
) -> bytes:
    """A picture of one colour."""
    out = io.BytesIO()
    Image.new(mode, size, colour).save(out, format, **how)
    return out.getvalue()


def archive(**parts: str) -> bytes:
    """A zip of named texts; `word__document` stands for word/document.xml."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in parts.items():
            zipped.writestr(name.replace("__", "/") + ".xml", text)
    return out.getvalue()


def docx(*paragraphs: str) -> bytes:
    """A letter."""
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{one}</w:t></w:r></w:p>" for one in paragraphs)
    return archive(word__document=f'<w:document xmlns:w="{w}"><w:body>{body}</w:body></w:document>')


def xlsx(*rows: Sequence[str]) -> bytes:
    """A table."""
    x = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    words = sorted({cell for row in rows for cell in row})
    strings = "".join(f"<si><t>{one}</t></si>" for one in words)
    lines = "".join(
        "<row>" + "".join(f'<c t="s"><v>{words.index(cell)}</v></c>' for cell in row) + "</row>"
        for row in rows
    )
    return archive(
        xl__sharedStrings=f'<sst xmlns="{x}">{strings}</sst>',
        xl__worksheets__sheet1=f'<worksheet xmlns="{x}"><sheetData>{lines}</sheetData></worksheet>',
    )
