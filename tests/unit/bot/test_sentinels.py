"""LLM-12: words that mean silence elsewhere are not read by people; talk about them is."""

import pytest

from bot.tools.sentinels import spoken


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("NO_REPLY", ""),
        ("**NO_REPLY**", ""),
        ("`HEARTBEAT_OK`", ""),
        ("```\nNO_REPLY\n```", ""),
        (" no_reply. \n", ""),
        ("NO_REPLY\nNO_REPLY", ""),
        ("Nothing to add.\n\nNO_REPLY", "Nothing to add."),
        ("没有要补充的。\n**NO_REPLY**\n", "没有要补充的。"),
        (
            "The NO_REPLY token means the bot stays quiet.",
            "The NO_REPLY token means the bot stays quiet.",
        ),
        ("What does NO_REPLY mean?", "What does NO_REPLY mean?"),
        ("The token is NO_REPLY", "The token is NO_REPLY"),
        ("NO_REPLY\n\nis what it writes then.", "NO_REPLY\n\nis what it writes then."),
        ("No reply yet.", "No reply yet."),
        ("如果写 NO_REPLY，就表示不回答。", "如果写 NO_REPLY，就表示不回答。"),
        ("Silent", "Silent"),
    ],
)
def test_only_a_line_of_its_own_is_a_sentinel(text: str, heard: str) -> None:
    assert spoken(text) == heard
