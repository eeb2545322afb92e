"""The data folder and its lock."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import DataFolderError
from bot.setup.home import Home

ROOT = Path(__file__).parents[4]


def test_the_folder_is_made_for_its_owner_only(tmp_path: Path) -> None:
    home = Home(tmp_path / "a" / "b")
    with home.hold():
        assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700
        assert home.owner() == os.getpid()
    assert home.owner() is None


def test_a_second_process_is_refused_with_the_first_ones_number(tmp_path: Path) -> None:
    home = Home(tmp_path)
    code = (
        "import sys, pathlib; from bot.setup.home import Home\n"
        "with Home(pathlib.Path(sys.argv[1])).hold(): print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert home.owner() == other.pid
        with pytest.raises(DataFolderError, match=f"another Limen .process {other.pid}. runs on"):
            home.hold().__enter__()
        other.kill()
    with home.hold():
        assert home.owner() == os.getpid()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(DataFolderError, match=r"cannot be used .*; make it writable"):
        Home(path).hold().__enter__()
