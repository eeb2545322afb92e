"""What the built-in model says in a conversation, turn by turn."""

from typing import Any

import pytest

from bot.models import sections
from bot.models.model import Stop
from tests.fakes.one_turn import Row, after, answer, call, heard

RECALLED = [
    {"id": "o7", "at": "2026-11-30T09:02:00+00:00", "room": "#architecture", "session": "s2",
     "from": "Lin", "me": False,
     "text": "We decided: the release path moves from legacy-release to canary-release."},
    {"id": "o8", "at": "2026-11-29T09:30:00+00:00", "room": "#meeting-notes", "session": "s5",
     "from": "Lin", "me": False,
     "text": "Minutes: release owner is Kai, target date 4 December."},
    {"id": "o9", "at": "2026-11-28T09:30:00+00:00", "room": "#architecture", "session": "s2",
     "from": "Lin", "me": False, "text": "Decided: the sync API moves to rest-1."},
    {"id": "o10", "at": "2026-11-28T10:30:00+00:00", "room": "#architecture", "session": "s2",
     "from": "Lin", "me": False, "text": "Correction: the sync API moves to rest-2."},
]  # fmt: skip
CONSENT = {
    "id": "c1", "state": "asked", "target": "#project", "about": "o3",
    "text": "Ana will finish the report by Friday.", "expires_at": "2026-12-01T00:00:00+00:00",
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("@Limen who owns the release?", ("Kai", "Lin", "#meeting-notes", "yesterday 10:30")),
        ("When is the release due?", ("4 December",)),
        (
            "What did we decide about the release path?",
            ("canary-release", "#architecture", "10:02"),
        ),
        ("Did we decide on the sync API?", ("rest-2",)),
        ("Who decided the release path?", ("Lin", "#architecture", "canary-release")),
        ("发布路径是谁决定的？", ("Lin", "#architecture")),
        ("发布谁负责？", ("Kai", "#meeting-notes", "昨天 10:30")),
    ],
)
async def test_a_question_is_answered_with_its_source(
    question: str, facts: tuple[str, ...]
) -> None:
    tool, said = call(await answer(heard(question), recalled=RECALLED))

    assert tool == "say"
    assert [f for f in facts if f not in said["text"]] == []
    assert "rest-1" not in said["text"]


async def test_it_searches_before_it_says_that_it_does_not_know() -> None:
    question = heard("Who owns the coffee machine?")

    tool, search = call(await answer(question))
    nothing = after(tool, search, sections.render("results", []))
    then, said = call(await answer(question, later=nothing))

    assert (tool, then) == ("search_memory", "say")
    assert "do not know" in said["text"]


async def test_what_the_search_finds_is_told() -> None:
    question = heard("咖啡机谁负责？")
    row = {**RECALLED[0], "id": "o50", "text": "咖啡机由 Hu 负责。"}

    tool, search = call(await answer(question))
    found = after(tool, search, sections.render("results", [row]))
    _, said = call(await answer(question, later=found))

    assert "Hu" in said["text"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hello", "Ana"),
        ("你好", "Ana"),
        ("help", "ask me"),
        ("who are you?", "rule-based"),
        ("你是谁？", "规则模型"),
        ("thanks!", "welcome"),
        ("谢谢", "不客气"),
    ],
)
async def test_plain_courtesy_takes_one_call(text: str, part: str) -> None:
    tool, said = call(await answer(heard(text)))

    assert tool == "say"
    assert part in said["text"]


async def test_the_set_language_wins() -> None:
    _, said = call(await answer(heard("hello"), language="zh"))

    assert "你好" in said["text"]


async def test_a_recap_leaves_small_talk_out() -> None:
    history = [
        {**RECALLED[0], "id": "o1", "text": "Plan: freeze on Wednesday."},
        {**RECALLED[0], "id": "o2", "text": "haha"},
    ]

    _, said = call(await answer(heard("what did I miss?"), history=history))

    assert "freeze on Wednesday" in said["text"]
    assert "haha" not in said["text"]


@pytest.mark.parametrize("text", ["why did you tell us this?", "为什么告诉我们这个？"])
async def test_why_is_answered_from_the_chain(text: str) -> None:
    tool, arguments = call(await answer(heard(text)))
    rows = [
        {"step": "fire", "id": "f1", "at": RECALLED[0]["at"], "text": "woken"},
        {"step": "original", "id": "o7", "at": RECALLED[0]["at"], "text": RECALLED[0]["text"]},
    ]
    told = after(tool, arguments, sections.render("chain", rows))

    _, said = call(await answer(heard(text), later=told))

    assert tool == "explain"
    assert "canary-release" in said["text"]
    assert "o7" not in said["text"]


@pytest.mark.parametrize(
    ("text", "stand_in"),
    [
        ("why did you tell us this?", "(said in private, told with its author's word)"),
        ("为什么告诉我们这个？", "（在私聊中说的，本人同意转达）"),
    ],
)  # fmt: skip
async def test_what_stands_for_private_words_is_told_as_it_is(text: str, stand_in: str) -> None:
    tool, arguments = call(await answer(heard(text)))
    rows = [
        {"step": "original", "id": "o7", "at": RECALLED[0]["at"], "text": stand_in, "private": True}
    ]
    told = after(tool, arguments, sections.render("chain", rows))

    _, said = call(await answer(heard(text), later=told))

    assert stand_in in said["text"]


@pytest.mark.parametrize(
    ("text", "granted"),
    [
        ("yes, tell them", True),
        ("可以，告诉他们", True),
        ("no, keep it between us", False),
        ("不要告诉他们", False),
    ],
)
async def test_a_plain_answer_settles_a_consent(text: str, granted: bool) -> None:
    tool, arguments = call(await answer(heard(text), direct=True, consents=[CONSENT]))
    done = after(tool, arguments, "recorded")
    then, _ = call(await answer(heard(text), direct=True, consents=[CONSENT], later=done))

    assert (tool, arguments["granted"], then) == ("answer_consent", granted, "say")


async def test_one_yes_does_not_settle_two_questions() -> None:
    two = [CONSENT, {**CONSENT, "id": "c2", "target": "#release"}]

    tool, said = call(await answer(heard("yes"), direct=True, consents=two))

    assert tool == "say"
    assert "#release" in said["text"]


async def test_consent_is_asked_in_the_persons_own_words() -> None:
    asked = heard(
        "Ana will finish the report by Friday.", trigger="consent_request", consent="c1",
        target="#project",
    )  # fmt: skip

    tool, said = call(await answer(asked, direct=True))

    assert (tool, said["consent"]) == ("say", "c1")
    assert said["text"] == "May I tell #project that you will finish the report by Friday?"


def handed(**more: Any) -> Row:
    return heard(
        "Heads-up.", trigger="handoff", addressed=False, handoff="h1", kind="decision",
        subject="release path", state="canary-release", people=[], confidence=0.9,
        sources=[RECALLED[0]], expires_at="2026-12-01T13:00:00+00:00", **more,
    )  # fmt: skip


async def test_a_handoff_is_said_with_its_room() -> None:
    plan = {**RECALLED[0], "id": "o1", "from": "Bo", "text": "Plan: roll out with legacy-release."}

    tool, said = call(await answer(handed(), history=[plan]))

    assert tool == "say"
    assert "#architecture" in said["text"]
    assert "canary-release" in said["text"]
    assert "o7" not in said["text"]


async def test_a_handoff_the_room_already_knows_is_left() -> None:
    known = {
        "id": "o2", "at": "2026-11-30T12:00:00+00:00", "from": "Bo", "me": False,
        "text": "Lin told us: the release goes by canary-release.",
    }  # fmt: skip

    tool, _ = call(await answer(handed(), history=[known]))

    assert tool == "stay_silent"


async def test_a_handoff_past_its_time_is_left() -> None:
    late = {**handed(), "expires_at": "2026-11-30T12:00:00+00:00"}

    tool, _ = call(await answer(late))

    assert tool == "stay_silent"


async def test_several_inputs_are_answered_in_one_message() -> None:
    tool, said = call(await answer(heard("thanks!"), handed()))

    assert tool == "say"
    assert "welcome" in said["text"]
    assert "canary-release" in said["text"]


async def test_what_is_only_told_in_a_group_gets_no_answer() -> None:
    tool, _ = call(await answer(heard("we moved to B3 by the way")))

    assert tool == "stay_silent"


async def test_a_run_that_has_spoken_ends() -> None:
    spoken = after("say", {"text": "Hi"}, "sent")

    response = await answer(heard("hello"), later=spoken)

    assert response.stop is Stop.END_TURN


async def test_the_same_request_gets_the_same_answer_and_is_counted() -> None:
    one, two = [await answer(heard("hello"), recalled=RECALLED) for _ in range(2)]

    assert one == two
    assert one.usage.input_tokens > one.usage.output_tokens > 0


@pytest.mark.parametrize(
    ("text", "minutes", "word"),
    [
        ("thanks!", 185, "3 h ago"),
        ("thank you", 25, "25 min ago"),
        ("谢谢", 185, "3 小时前"),
        ("谢谢", 3000, "2 天前"),
    ],
)
async def test_an_answer_that_comes_late_says_so(text: str, minutes: int, word: str) -> None:
    """FS-IN-14: after an outage people read how old their question is, once."""
    late = await answer(heard(text, minutes_late=minutes), heard(text, minutes_late=12, id="i2"))
    assert call(late)[1]["text"].count(word) == 1
    assert word not in call(await answer(heard(text)))[1]["text"]
