"""The index finds what is there, and only what is there, whatever it is asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import search
from memory.words import prepare
from tests.fakes.town import Town

AWKWARD = (
    '"', '""', "'", "*", "a*", "(", "a OR", "OR", "AND NOT", "NEAR(a b)", "a NEAR b", "^a", "-a",
    "body:a", "a:b", "{a}", "a + b", "🎉", "\x00", "\\", "%", "；DROP TABLE", "“引号”", "𠮷野家",
)  # fmt: skip


def found(town: Town, text: str) -> list[int]:
    everything = search.originals(town.tx, text, visible=lambda _: True, limit=100)
    return [one.id for one in everything]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("冰箱坏了，周五修", "冰箱"),
        ("冰箱坏了，周五修", "箱"),
        ("发布路径从 legacy 改为 canary-release", "canary-release"),
        ("we ship v2.1 on Friday", "v2.1"),
        ("releases were delayed", "release"),
        ("我们用 Redis 做缓存", "缓存"),
        ("版本 Ｖ２ 上线", "v2"),
        ("naïve café", "cafe"),
    ],
)
def test_a_word_is_found(town: Town, said: str, asked: str) -> None:
    room = town.room("general")
    town.say(room, None, "something else, 别的事情")
    wanted = town.say(room, None, said)
    assert found(town, asked) == [wanted]


def test_a_whole_identifier_ranks_before_its_parts(town: Town) -> None:
    room = town.room("general")
    whole = town.say(room, None, "the canary-release goes out with the train this evening at six")
    for text in ("a release", "release of a canary", "canary birds", "release release"):
        town.say(room, None, text)
    assert found(town, "canary-release")[0] == whole


@pytest.mark.parametrize("asked", AWKWARD)
def test_nothing_that_is_asked_breaks_the_search(town: Town, asked: str) -> None:
    town.say(town.room("general"), None, f"a b {asked}")
    search.originals(town.tx, asked, visible=lambda _: True, limit=10)
    search.facts(town.tx, asked, visible=lambda _: True, limit=10)


def test_only_what_the_asker_may_see_is_found(town: Town) -> None:
    ours, theirs = town.room("ours"), town.room("theirs")
    for _ in range(500):
        town.say(theirs, None, "fridge fridge fridge")
    mine = town.say(ours, None, "somewhere in a much longer sentence there is a fridge as well")
    seen = search.originals(town.tx, "fridge", visible=lambda s: s == ours, limit=5)
    assert [one.id for one in seen] == [mine]


def test_an_edited_message_is_found_by_its_new_words_alone(town: Town) -> None:
    one = town.say(town.room("general"), None, "the fridge 冰箱")
    town.edit(one, "the oven 烤箱", version=2)
    assert found(town, "fridge") == found(town, "冰箱") == []
    assert found(town, "oven") == found(town, "烤箱") == [one]
    town.take_back(one)
    assert found(town, "oven") == found(town, "烤箱") == []


LETTERS = "ab冰箱坏了-. "
acts = st.lists(
    st.tuples(st.sampled_from(["say", "edit", "recall"]), st.text(LETTERS, max_size=8)),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(acts=acts, asked=st.sampled_from(["a", "ab", "冰箱", "箱坏", "了", "aab"]))
def test_the_index_answers_as_a_look_at_every_message(
    acts: list[tuple[str, str]], asked: str
) -> None:
    town = Town()
    room = town.room("general")
    standing: dict[int, str] = {}
    for version, (act, text) in enumerate(acts, 2):
        if act == "say" or not standing:
            standing[town.say(room, None, text)] = text
        elif act == "edit":
            last = max(standing)
            town.edit(last, text, version=version)
            standing[last] = text
        else:
            last = max(standing)
            town.take_back(last)
            del standing[last]
    naive = {id for id, text in standing.items() if _holds(text, asked)}
    assert set(found(town, asked)) == naive
    town.tx.run("INSERT INTO originals_text (originals_text) VALUES ('integrity-check')")
    town.session.close()


def _holds(text: str, asked: str) -> bool:
    """A word as a whole; a single Chinese character anywhere."""
    words = prepare(text).split()
    if len(asked) == 1 and not asked.isascii():
        return any(word.startswith(asked) for word in words)
    return asked in words
