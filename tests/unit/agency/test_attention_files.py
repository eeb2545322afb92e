"""The attention files: readable, bounded, and never outside their folder."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agency.attention import INDEX, LOG, Attention, AttentionError

AT = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


@pytest.fixture
def files(tmp_path: Path) -> Attention:
    made = Attention(tmp_path)
    made.prepare()
    return made


def test_preparing_keeps_what_is_there(files: Attention, tmp_path: Path) -> None:
    files.write(INDEX, "mine")
    Attention(tmp_path).prepare()
    assert files.read(INDEX) == "mine\n"


@pytest.mark.parametrize(
    "name",
    [
        "../AGENCY.md", "/etc/passwd", "agency/../../x.md", "agency/episodes/../x.md",
        "agency/episodes/a/b.md", "agency/episodes/.md", "agency/ACTION_LOG.md", "limen.toml",
        "agency/episodes/a.txt", "AGENCY.md\n", f"agency/episodes/{'x' * 81}.md", "",
    ],
)  # fmt: skip
def test_only_attention_files_are_written(files: Attention, name: str) -> None:
    with pytest.raises(AttentionError, match="not an attention file"):
        files.write(name, "x")


@pytest.mark.parametrize(
    "name", [INDEX, "agency/episodes/发布 路径.md", f"agency/archive/{'题' * 80}.md"]
)
def test_a_file_is_replaced_whole_and_only_when_it_changes(files: Attention, name: str) -> None:
    assert files.write(name, "new text\n\n")
    assert not files.write(name, "new text")
    assert files.read(name) == "new text\n"
    assert name in files.names()
    assert not [n for n in files.names() if n.endswith(".new")]


def test_a_long_file_loses_its_old_end_for_the_reader(files: Attention) -> None:
    files.write(INDEX, "old " + "x" * 100 + " new")
    assert files.read(INDEX, limit=10).endswith("new\n")
    assert files.read(INDEX, limit=10).startswith("[…")


def test_broken_content_is_shown_and_missing_is_empty(files: Attention, tmp_path: Path) -> None:
    (tmp_path / INDEX).write_bytes(b"\xff\xfe broken")
    assert "broken" in files.read(INDEX)
    assert files.read("agency/episodes/none.md") == ""
    (tmp_path / INDEX).unlink()
    (tmp_path / INDEX).mkdir()
    assert "cannot be read" in files.read(INDEX)


def test_the_log_is_one_dated_line_each(files: Attention) -> None:
    files.log("did\nthis # and\tthat", AT)
    files.log("then", AT)
    assert files.read(LOG) == "- 2026-11-30 10:00Z did this # and that\n- 2026-11-30 10:00Z then\n"
