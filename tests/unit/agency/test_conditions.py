"""Whether a message says what somebody waits for; questions, negations and plans do not."""

import pytest

from agency import conditions

MET = [
    ("the contract is signed", "The contract has been signed."),
    ("the contract is signed", "Acme signed the contract this morning!"),
    ("the contract is signed", "Hi all. Contract signed, scan attached."),
    ("the owner confirms the date", "The date is confirmed: March 3."),
    ("the owner confirms the date", "Confirmed for Friday 3 March."),
    ("the deployment is done", "Deployment finished, all green."),
    ("we hear back about the venue", "We heard back about the venue: it is ours."),
    ("合同签了", "合同今天上午已经签了"),
    ("确认日期", "就定3月3号了"),
    ("确认日期", "日期确认了，3月3日"),
    ("新版本上线", "新版本已经上线了"),
]
UNMET = [
    ("the contract is signed", "Has the contract been signed?"),
    ("the contract is signed", "The contract is not signed yet."),
    ("the contract is signed", "Once the contract is signed we start."),
    ("the contract is signed", "The contract will be signed on Friday."),
    ("the contract is signed", "Please sign the contract."),
    ("the contract is signed", "We still need to get the contract signed."),
    ("the contract is signed", "I signed up for the gym."),
    ("the owner confirms the date", "Can you confirm the date?"),
    ("the owner confirms the date", "I'll confirm the date tomorrow."),
    ("the owner confirms the date", "What date?"),
    ("the deployment is done", "The deployment is almost done."),
    ("合同签了", "合同签了吗"),
    ("合同签了", "合同还没签"),
    ("合同签了", "等合同签了再说"),
    ("合同签了", "合同周五会签"),
    ("确认日期", "日期确认了吗？"),
    ("新版本上线", "新版本什么时候上线"),
]


@pytest.mark.parametrize(("words", "text"), MET)
def test_what_is_said_to_have_happened_meets_it(words: str, text: str) -> None:
    assert conditions.met(conditions.read(words), text)


@pytest.mark.parametrize(("words", "text"), UNMET)
def test_what_is_asked_denied_or_planned_does_not(words: str, text: str) -> None:
    assert not conditions.met(conditions.read(words), text)


@pytest.mark.parametrize("words", ["it is done", "they reply", "完成了", "他同意"])
def test_words_that_could_be_about_anything_tell_nothing(words: str) -> None:
    assert not conditions.read(words).telling
