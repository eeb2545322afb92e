"""Sizes as they are written in settings."""

import pytest

from bot.errors import ConfigError
from bot.setup import config
from bot.setup.sizes import parse_size


@pytest.mark.parametrize(
    ("written", "size"),
    [("20MB", 20_000_000), (" 1.5 gb ", 1_500_000_000), ("500kB", 500_000), ("7", 7), (8, 8)],
)
def test_sizes_are_read_with_their_unit(written: object, size: int) -> None:
    assert parse_size(written) == size


@pytest.mark.parametrize("written", ["", "MB", "-1MB", "20 MiB", "1e3", True, None, 2.5])
def test_other_sizes_are_refused(written: object) -> None:
    with pytest.raises(ValueError, match="must be a size"):
        parse_size(written)


@pytest.mark.parametrize("written", ["9" * 400, "1000001GB"])
def test_a_size_without_an_end_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="larger than any file"):
        parse_size(written)


def refused(key: str, value: str) -> str:
    with pytest.raises(ConfigError) as error:
        config.load(None, {f"LIMEN_FILES__{key}": value})
    return str(error.value)


def test_files_are_read_up_to_a_size_and_by_a_command_that_can_be_read() -> None:
    loaded = config.load(None, {"LIMEN_FILES__MAX_SIZE": "5MB"})
    assert (loaded.files.enabled, loaded.files.max_size) == (True, 5_000_000)
    assert "20MB" in refused("MAX_SIZE", "big")
    assert "less than or equal to 100000000" in refused("MAX_SIZE", "1GB")
    assert "whisper-cli -f {file}" in refused("TRANSCRIBER", "whisper '")
