"""The scenarios to measure with: that they are what they claim, and that nothing leaks in some."""

import re
from pathlib import Path

import pytest

from bot.plays import evaluation, scenario
from bot.plays.scenario import Message, Scenario
from bot.plays.scoring import score
from tests.conftest import MakeConfig

FOLDER = Path(__file__).parents[1] / "corpus"
CORPUS = {
    language: [
        one for path in sorted(FOLDER.glob(f"{language}*.toml")) for one in scenario.load(path)
    ]
    for language in scenario.LANGUAGES
}
ALL = [one for found in CORPUS.values() for one in found]
KINDS = {
    "stale plan", "missed promise", "stale wait", "same words, no consequence", "already relayed",
    "reversed decision", "private only", "duplicate work", "risk meets deadline",
    "question answered", "banter", "injection",
}  # fmt: skip
PRIVATE = {
    "en": ("moving-out", "salary-table", "kestrel-price", "filming-permit"),
    "zh": ("huaiyun", "dijia", "keren-zaichang", "zhanwei-daoqi"),
}
"""In each of them a room comes near to what it must not read."""

each = pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)


@pytest.mark.parametrize("language", scenario.LANGUAGES)
def test_half_of_the_corpus_is_written_in_each_language(language: str) -> None:
    assert len(CORPUS[language]) >= 30
    assert {one.languages for one in CORPUS[language]} == {(language,)}


@pytest.mark.parametrize("language", scenario.LANGUAGES)
def test_every_kind_is_there(language: str) -> None:
    assert KINDS - {one.kind for one in CORPUS[language]} == set()


def test_ids_are_used_once() -> None:
    assert len({one.id for one in ALL}) == len(ALL)


@pytest.mark.parametrize("language", scenario.LANGUAGES)
def test_in_about_two_fifths_nobody_must_hear_anything(language: str) -> None:
    silent = sum(not one.expect for one in CORPUS[language])

    assert 0.35 <= silent / len(CORPUS[language]) <= 0.5


@each
def test_whoever_speaks_is_in_the_room(one: Scenario) -> None:
    strangers = [m.id for m in one.messages if m.sender not in one.chats[m.chat].members]

    assert strangers == []


@each
def test_facts_to_be_heard_are_said_in_the_messages_they_come_from(one: Scenario) -> None:
    said = {m.id: m for m in one.messages}

    for wanted in one.expect:
        assert wanted.src
        for fact in wanted.must:
            assert any(_found(fact, said[id]) for id in wanted.src), fact


@each
def test_a_canary_is_said_somewhere_but_not_in_what_is_to_be_heard(one: Scenario) -> None:
    told = {id for wanted in one.expect for id in wanted.src}

    for canary in one.canary:
        saying = {m.id for m in one.messages if _found(canary, m)}
        assert saying, canary
        assert not saying & told, canary


@pytest.mark.parametrize(("language", "id"), [(k, id) for k, ids in PRIVATE.items() for id in ids])
async def test_what_is_private_stays_where_it_was_said(
    make_config: MakeConfig, language: str, id: str
) -> None:
    (one,) = [one for one in CORPUS[language] if one.id == id]

    found = score(await evaluation.play(one, language, make_config()))

    assert (found.leaks, found.kept) == (0, found.silent), found.faults


def _found(pattern: str, message: Message) -> bool:
    return any(re.search(pattern, text, re.I) for text in message.text.values())
