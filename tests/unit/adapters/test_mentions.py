"""Whether a text speaks to somebody."""

import pytest

from adapters.mentions import is_addressed


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        ("@Limen what now?", True),
        ("what do you think, @limen?", True),
        ("@Limen你怎么看", True),
        ("你怎么看＠Limen", True),
        ("(@Limen)", True),
        ("Limen is a nice name", False),
        ("@Limenade", False),
        ("me@limen.example", False),
        ("@ Limen", False),
        ("", False),
    ],
)
def test_a_mention_needs_the_sign_and_the_whole_name(text: str, addressed: bool) -> None:
    assert is_addressed(text, "Limen") is addressed


def test_a_name_of_signs_is_taken_word_for_word() -> None:
    assert is_addressed("@C++ bot hello", "C++ bot")
    assert not is_addressed("@Cxx bot hello", "C++ bot")
    assert not is_addressed("@ hello", "")
