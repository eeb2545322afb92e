"""Yes, no, their limits, and wishes to ask or to tell somebody: read from plain words."""

import pytest

from bot.models.builtin import asking, consenting, conversation, retelling
from bot.models.builtin.consenting import Word
from bot.models.builtin.context import Context, Step

MONDAY = {"now": "2026-11-30T10:00:00+00:00", "timezone": "UTC", "name": "Limen"}
HERE = Context(rows={"me": [MONDAY]}, tools=frozenset({"answer_consent"}))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("yes", Word(True)),
        ("sure, go ahead", Word(True)),
        ("yes, but only this once", Word(True)),
        ("yes only once", Word(True)),
        ("yes, always", Word(True, "room")),
        ("ok, from now on you may", Word(True, "room")),
        ("yes, whenever it comes up", Word(True, "fact")),
        ("yes, but only until Friday", Word(True, until="2026-12-04")),
        ("yes, always, until tomorrow", Word(True, "room", "2026-12-01")),
        ("yes, but only #project", Word(True)),
        ("yes, only them", Word(True)),
        ("yes, only #sales", Word(False, other_words=True)),
        ("yes, but only tell Bo", Word(False, other_words=True)),
        ("yes, tell them but not the date", Word(False, other_words=True)),
        ("yes but without my name", Word(False, other_words=True)),
        ("no", Word(False)),
        ("please don't", Word(False)),
        ("no, keep it between us", Word(False)),
        ("可以", Word(True)),
        ("好，就这一次", Word(True)),
        ("可以，以后都行", Word(True, "room")),
        ("可以，这件事随时都可以说", Word(True, "fact")),
        ("可以，到周五为止", Word(True, until="2026-12-04")),
        ("可以，但只告诉项目群", Word(True)),
        ("可以，但只告诉小李", Word(False, other_words=True)),
        ("可以，但别说日期", Word(False, other_words=True)),
        ("行，不过先别提金额", Word(False, other_words=True)),
        ("不行", Word(False)),
        ("先别说", Word(False)),
        ("the demo went well", None),
        ("今天天气不错", None),
    ],
)
def test_a_word_and_its_limits(text: str, word: Word | None) -> None:
    assert consenting.read(text, "#project", HERE) == word


@pytest.mark.parametrize(
    ("text", "who", "question"),
    [
        ("ask Ben whether we may move the launch to Friday", ("Ben",),
         "May we move the launch to Friday?"),
        ("Please ask Ben and Lin if I can take Friday off?", ("Ben", "Lin"),
         "Can I take Friday off?"),
        ("could you ask Ben whether the launch can move?", ("Ben",), "Can the launch move?"),
        ("check with Ben if it is ok to ship", ("Ben",), "Is it ok to ship?"),
        ("get Ben's approval to order two screens", ("Ben",), "May we order two screens?"),
        ("ask Ben for permission to deploy on Friday", ("Ben",), "May we deploy on Friday?"),
        ("问一下小雷能不能把发布改到周五", ("小雷",), "能不能把发布改到周五？"),
        ("问一下 Kai 能不能把演练改到周四", ("Kai",), "能不能把演练改到周四？"),
        ("帮我问问小雷和小林，我们可不可以先上线？", ("小雷", "小林"), "我们可不可以先上线？"),
        ("请示一下王总是否可以延期", ("王总",), "是否可以延期？"),
    ],
)  # fmt: skip
def test_a_wish_to_have_somebody_asked(text: str, who: tuple[str, ...], question: str) -> None:
    found = asking.request(text)
    assert found is not None
    assert (found.who, found.question) == (who, question)


@pytest.mark.parametrize(
    "text",
    [
        "ask Ben when the demo is", "ask Ben if he knows the date", "ask Ben if the demo is ready",
        "who may move the launch?", "Ben says we may move it", "问小雷什么时候发布",
        "小雷说可以改到周五",
        "能不能把发布改到周五？",
    ],
)  # fmt: skip
def test_what_is_no_such_wish(text: str) -> None:
    assert asking.request(text) is None


@pytest.mark.parametrize(
    ("text", "room", "what"),
    [
        ("tell the team I'm ill", "team", "I'm ill"),
        ("please let #project know that I am late", "#project", "I am late"),
        ("tell the project room: demo at 3", "project room", "demo at 3"),
        ("can you tell everyone I am off sick today?", "everyone", "I am off sick today"),
        ("告诉大家我病了", "大家", "我病了"),
        ("帮我跟项目群说一声，我明天请假", "项目群", "我明天请假"),
        ("转告架构组：接口改好了", "架构组", "接口改好了"),
    ],
)
def test_a_wish_to_have_a_room_told(text: str, room: str, what: str) -> None:
    found = retelling.request(text)
    assert found is not None
    assert (found.room, found.what) == (room, what)


@pytest.mark.parametrize(
    "text",
    [
        "tell me what was decided", "let me know", "tell Bo I am late", "don't tell the team",
        "did you tell the team?", "please don't tell everyone I'm ill", "告诉我谁负责",
        "别告诉大家",
        "你告诉大家了吗？",
    ],
)  # fmt: skip
def test_what_is_no_wish_to_tell(text: str) -> None:
    assert retelling.request(text) is None


@pytest.mark.parametrize(
    ("text", "question", "words"),
    [
        ("ask Bo whether we may move the launch", "May we move the launch?", "Bo says yes"),
        ("问一下 Bo 能不能把发布改到周五", "能不能把发布改到周五？", "Bo"),
    ],
)
def test_a_verdict_is_said_though_more_came_in_before_it(
    text: str, question: str, words: str
) -> None:
    asked = {"text": text, "trigger": "message", "addressed": True}
    other = {"text": "the release path moved", "trigger": "handoff"}
    answer = {"state": "granted", "by": "Bo", "question": question, "note": ""}
    steps = [
        Step(tool="say", arguments={"text": "Heads-up."}, text="said", found={}, failed=False),
        Step(
            tool="ask_approval",
            arguments={"question": question},
            text="",
            found={"verdict": [answer]},
            failed=False,
        ),
    ]
    context = Context(
        rows={"me": [MONDAY], "inputs": [other]},
        tools=frozenset({"say", "stay_silent", "ask_approval"}),
        steps=steps,
        told=[asked, other],
    )
    calls, _ = conversation.decide(context)
    assert [name for name, _ in calls] == ["say"]
    assert words in calls[0][1]["text"] and question in calls[0][1]["text"]
