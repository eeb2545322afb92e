"""Requests for later, read from plain words: who, when, what."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency import wishes
from agency.wishes import Act, Asking

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 12, 2, 10, 20, tzinfo=BERLIN)
NAMES = ("小雷", "项目", "Ben")

REMINDERS = [
    ("remind me on Friday at three to call Jon", "me", "on Friday at three", "call Jon"),
    ("Can you remind me to send the report tomorrow?", "me", "tomorrow", "send the report"),
    ("please remind us tomorrow morning about the 5 tickets", "us", "tomorrow morning",
     "the 5 tickets"),
    ("remind Ben on Friday at 4 to bring the keys", "Ben", "on Friday at 4", "bring the keys"),
    ("remind @Ben tomorrow to bring the keys", "@Ben", "tomorrow", "bring the keys"),
    ("remind the team every Monday at 9 to vote", "the team", "every Monday at 9", "vote"),
    ("remind #project on Friday at noon to stop", "#project", "on Friday at noon", "stop"),
    ("remind everyone at 4pm: cake", "everyone", "at 4pm", "cake"),
    ("on Friday at three remind me to call Jon", "me", "on Friday at three", "call Jon"),
    ("set a reminder for Friday at 3 to call Jon", "me", "for Friday at 3", "call Jon"),
    ("set a daily reminder at 9 to stretch", "me", "daily at 9", "stretch"),
    ("remind me in 2 hours that the oven is on", "me", "in 2 hours", "the oven is on"),
    ("remind me to water the plants", "me", "", "water the plants"),
    ("remind me of this tomorrow", "me", "tomorrow", ""),
    ("周五下午三点提醒我给小雷打电话", "我", "周五下午三点", "给小雷打电话"),
    ("提醒我周五下午三点给小雷打电话", "我", "周五下午三点", "给小雷打电话"),
    ("明早提醒大家带电脑", "大家", "明早", "带电脑"),
    ("提醒小雷周五下午四点带钥匙", "小雷", "周五下午四点", "带钥匙"),
    ("周五中午提醒项目群冻结代码", "项目", "周五中午", "冻结代码"),
    ("每周一上午9点提醒我们更新看板", "我们", "每周一上午9点", "更新看板"),
    ("麻烦明天上午提醒我一下开会", "我", "明天上午", "开会"),
    ("提醒我浇花", "我", "", "浇花"),
    ("remind Bo and Wei tomorrow at 9 to vote", "Bo and Wei", "tomorrow at 9", "vote"),
    ("明天提醒小雷和Ben投票", "小雷、Ben", "明天", "投票"),
    ("能不能明天上午提醒我开会？", "我", "明天上午", "开会"),
    ("别忘了明天早上八点叫我起床", "我", "明天早上八点", "起床"),
]  # fmt: skip
OTHERS = [
    ("every Monday at 9 summarise the open questions", Act.TASK),
    ("每周一9点总结一下这里没回答的问题", Act.TASK),
    ("move it to four", Act.CHANGE), ("make it 4pm instead", Act.CHANGE),
    ("postpone it to next week", Act.CHANGE), ("把提醒r3改到周五", Act.CHANGE),
    ("改到四点", Act.CHANGE), ("推迟到明天", Act.CHANGE),
    ("again in an hour", Act.AGAIN), ("remind me again tomorrow", Act.AGAIN),
    ("snooze", Act.AGAIN), ("一小时后再提醒我", Act.AGAIN), ("再提醒我一次", Act.AGAIN),
    ("cancel that reminder", Act.CANCEL), ("cancel reminder r3", Act.CANCEL),
    ("don't remind me", Act.CANCEL), ("取消这个提醒", Act.CANCEL), ("不用提醒了", Act.CANCEL),
    ("what reminders do I have?", Act.LIST), ("what are you waiting for for me?", Act.LIST),
    ("我有哪些提醒", Act.LIST), ("你在替我等什么", Act.LIST),
    ("tell me when the owner confirms the date", Act.WAIT),
    ("can you let us know once the contract is signed?", Act.WAIT),
    ("once the build is green, tell us", Act.WAIT),
    ("Ben 确认日期后告诉我", Act.WAIT), ("合同签了告诉我们一声", Act.WAIT),
    ("等合同签了就告诉我", Act.WAIT), ("remind me when the contract is signed", Act.WAIT),
    ("合同签了提醒我", Act.WAIT), ("delete all my reminders", Act.CANCEL),
    ("取消我的所有提醒", Act.CANCEL), ("what's my next reminder?", Act.LIST),
]  # fmt: skip
NONE = [
    "remind me what Ben said", "Ben should remind me of that", "we should remind everyone",
    "every Monday at 9 I go swimming", "stop", "tell me when you can", "tell me at four",
    "tell me about the release", "告诉我发布时间", "谢谢提醒", "hello", "",
]  # fmt: skip


def read(text: str) -> Asking | None:
    return wishes.read(text, now=NOW, zone=BERLIN, names=NAMES)


@pytest.mark.parametrize(("text", "who", "when", "what"), REMINDERS)
def test_a_reminder(text: str, who: str, when: str, what: str) -> None:
    found = read(text)

    assert found is not None
    assert (found.act, found.who, found.when, found.text) == (Act.REMIND, who, when, what)


@pytest.mark.parametrize(("text", "act"), OTHERS)
def test_another_request(text: str, act: Act) -> None:
    found = read(text)

    assert found is not None
    assert found.act is act


@pytest.mark.parametrize("text", NONE)
def test_no_request(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["cancel reminder r3", "change reminder r3 to 9", "取消提醒r3"])
def test_a_reminder_is_named_by_its_number(text: str) -> None:
    found = read(text)

    assert found is not None
    assert found.id == "r3"


def test_a_time_that_is_over_says_so() -> None:
    found = read("remind me yesterday to call Jon")

    assert found is not None
    assert found.unclear is not None
    assert (found.when, found.text) == ("", "call Jon")


@given(st.text(max_size=80) | st.sampled_from([row[0] for row in REMINDERS]).map(lambda t: t * 2))
def test_any_words_are_read_without_a_fault(text: str) -> None:
    found = read(text)

    assert found is None or found.act in Act
