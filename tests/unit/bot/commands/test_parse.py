"""Orders are told from messages: exact short phrases, after a slash or said to the bot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.parse import Command, Unknown, parse
from bot.commands.words import PHRASES, Word


def read(text: str, *, addressed: bool = True) -> Command | Unknown | None:
    return parse(text, bot_name="Limen", addressed=addressed)


def word(text: str, *, addressed: bool = True) -> Word | None:
    found = read(text, addressed=addressed)
    return found.word if isinstance(found, Command) else None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("help", Word.HELP), ("Help!", Word.HELP), ("@Limen help", Word.HELP), ("帮助", Word.HELP),
        ("Limen, stop", Word.STOP), ("stop @Limen", Word.STOP), ("停", Word.STOP),
        ("status?", Word.STATUS), ("状态", Word.STATUS), ("why?", Word.WHY), ("为什么", Word.WHY),
        ("Who are you?", Word.WHO), ("你是谁？", Word.WHO),
        ("pause", Word.PAUSE), ("pause 2h", Word.PAUSE), ("pause for two weeks", Word.PAUSE),
        ("pause until 18:00", Word.PAUSE), ("暂停两小时", Word.PAUSE), ("暂停到18点", Word.PAUSE),
        ("pause everywhere 2h", Word.PAUSE), ("暂停 全部", Word.PAUSE),
        ("resume", Word.RESUME), ("继续", Word.RESUME), ("resume everywhere", Word.RESUME),
        ("quiet 22:00-08:00", Word.QUIET), ("勿扰 22:00-08:00", Word.QUIET),
        ("quiet off", Word.QUIET), ("勿扰 关", Word.QUIET),
        ("forget that", Word.FORGET), ("忘掉这条", Word.FORGET),
        ("forget everything I said here", Word.FORGET),
        ("忘掉我在这里说的一切，确认", Word.FORGET),
        ("approvals", Word.APPROVALS), ("待确认", Word.APPROVALS),
        ("link", Word.LINK), ("绑定", Word.LINK), ("link bcdf-2345", Word.LINK),
        ("pair BCDF2345", Word.PAIR), ("approve BCDF2345", Word.PAIR), ("批准 BCDF2345", Word.PAIR),
        ("allow slack:U024BE7LH", Word.ALLOW), ("deny telegram:7", Word.DENY),
        ("inbox", Word.INBOX), ("What waits for me?", Word.INBOX), ("收件箱", Word.INBOX),
        ("digest", Word.DIGEST), ("digest 8:30", Word.DIGEST), ("digest off", Word.DIGEST),
        ("send me my digest at 8am", Word.DIGEST), ("摘要 8点半", Word.DIGEST),
        ("摘要 关", Word.DIGEST), ("给我发摘要，每天 8:30", Word.DIGEST),
        ("digest now", Word.DIGEST_NOW), ("现在摘要", Word.DIGEST_NOW),
        ("report", Word.REPORT), ("report yesterday", Word.REPORT), ("日报", Word.REPORT),
    ],
)  # fmt: skip
def test_a_short_phrase_to_the_bot_is_an_order(text: str, meant: Word) -> None:
    assert word(text) is meant
    assert word(text, addressed=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "help me with the slides", "status of the release?", "why did you tell us this?",
        "stop the deploy", "停电了", "为什么告诉我们这个？", "pause the rollout", "暂停发布",
        "继续写完那份报告", "quiet please", "forget the deadline", "忘了", "忘记带钥匙了",
        "approve requests", "approve the plan", "link to the docs", "allow it", "who are you with",
        "help\nme", "", "@Limen", "see /tmp/status for details", "/tmp/status", "状态怎么样",
        "pause 2 houses", "quiet 22:00", "pause -3h", "pause 0h",
        "digest the meeting notes", "摘要一下今天的讨论", "report the bug to Kai", "日报谁来写？",
        "inbox is full",
    ],
)  # fmt: skip
def test_anything_longer_is_a_message_for_the_model(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "meant", "argument"),
    [
        ("/help", Word.HELP, ""), ("/start", Word.HELP, ""), ("/状态", Word.STATUS, ""),
        ("／帮助", Word.HELP, ""), ("/limen", Word.HELP, ""), ("/limen help", Word.HELP, ""),
        ("/Limen 暂停 两小时", Word.PAUSE, "两小时"), ("/pause  2h", Word.PAUSE, "2h"),
        ("@Limen /status", Word.STATUS, ""), ("/pause nonsense", Word.PAUSE, "nonsense"),
        ("/limen who are you", Word.WHO, ""), ("/deny slack:U02", Word.DENY, "slack:U02"),
    ],
)  # fmt: skip
def test_a_slash_makes_an_order_of_a_word(text: str, meant: Word, argument: str) -> None:
    found = read(text)
    assert isinstance(found, Command)
    assert (found.word, found.argument) == (meant, argument)


def test_the_bots_own_name_after_the_slash_speaks_to_it() -> None:
    assert word("/limen status", addressed=False) is Word.STATUS
    assert read("/status", addressed=False) is None, "it may be for another bot of the room"
    for text in ("/limen status", "/acmehelper status"):
        found = parse(text, bot_name="Acme Helper", addressed=False)
        assert isinstance(found, Command)
        assert found.word is Word.STATUS


def test_a_username_behind_the_command_is_taken_off() -> None:
    """TG-IN-08: whose command it is, the adapter knows; whatever is behind it does no harm."""
    assert word("/Status@Acme_Helper_Bot now") is Word.STATUS
    assert read("/status@other_bot", addressed=False) is None


def test_an_unknown_slash_is_told_from_a_message() -> None:
    assert read("/frobnicate now") == Unknown(name="frobnicate")
    assert read("/limen frobnicate") == Unknown(name="frobnicate")
    assert read("/frobnicate", addressed=False) is None


@pytest.mark.parametrize(("text", "lang"), [("help", "en"), ("帮助", "zh"), ("/help", None)])
def test_words_tell_their_language_and_latin_slashes_do_not(text: str, lang: str | None) -> None:
    found = read(text)
    assert isinstance(found, Command)
    assert found.lang == lang


SHARED = {"approve": ("BCDF2345", "a3"), "批准": ("BCDF2345", "a3"), "deny": ("web:bo", "a3")}
"""Names of two orders, each with what is behind the one and behind the other."""


def test_no_name_after_a_slash_means_two_things_but_those_told_apart_by_what_follows() -> None:
    names = [
        name for phrases in PHRASES.values() for name in (*phrases.en, *phrases.zh, *phrases.slash)
    ]
    assert {name for name in names if names.count(name) > 1} == set(SHARED)
    assert len(names) == len(set(names)) + len(SHARED)


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_name_is_told_apart_by_what_follows(name: str) -> None:
    first, second = SHARED[name]
    for lead in (f"/{name}", name):
        assert word(f"{lead} {first}") in (Word.PAIR, Word.DENY)
        assert word(f"{lead} {second}") in (Word.APPROVE, Word.DECLINE)
    assert word(f"/{name} nonsense") in (Word.PAIR, Word.DENY)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("approve a3", Word.APPROVE), ("同意 a3", Word.APPROVE), ("同意a3", Word.APPROVE),
        ("approve a3 every time", Word.APPROVE), ("同意 a3 以后都行", Word.APPROVE),
        ("decline c2", Word.DECLINE), ("拒绝 c2", Word.DECLINE), ("不同意 a1", Word.DECLINE),
        ("take back c3", Word.TAKE_BACK), ("收回 c3", Word.TAKE_BACK), ("/收回 c3", Word.TAKE_BACK),
        ("consents", Word.CONSENTS), ("我的同意", Word.CONSENTS),
        ("approve", None), ("approve of it", None), ("take back what you said", None),
        ("同意", None),
    ],
)  # fmt: skip
def test_questions_are_answered_and_taken_back_by_their_ids(text: str, meant: Word | None) -> None:
    assert word(text) == meant


@given(st.text(max_size=300), st.booleans())
def test_any_text_is_read_without_a_crash(text: str, addressed: bool) -> None:
    read(text, addressed=addressed)


@given(st.text(max_size=100))
def test_nothing_is_an_order_that_is_not_said_to_the_bot(text: str) -> None:
    if "limen" not in text.casefold():
        assert read(text, addressed=False) is None
