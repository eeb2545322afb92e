"""Message lists are made valid before every request (LLM-01, LLM-02, LLM-09) and fit (LLM-05)."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ContextTooLong
from bot.models import sections
from bot.models.model import Block, Message
from bot.models.transcript import estimate_tokens, fit, repair, without_thinking
from tests.fakes import messages_rules


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def use(use_id: str, **arguments: Any) -> Block:
    return {"type": "tool_use", "id": use_id, "name": "read_room", "input": arguments}


def result(use_id: str, content: Any = "done", **more: Any) -> Block:
    return {"type": "tool_result", "tool_use_id": use_id, "content": content, **more}


def thought(words: str) -> Block:
    return {"type": "thinking", "thinking": words, "signature": f"signed {words}"}


def user(*blocks: Block) -> Message:
    return {"role": "user", "content": list(blocks)}


def bot(*blocks: Block) -> Message:
    return {"role": "assistant", "content": list(blocks)}


def unknown(use_id: str) -> Block:
    return result(use_id, "interrupted, outcome unknown", is_error=True)


def is_valid(messages: list[Message]) -> bool:
    body = {"model": "m", "max_tokens": 1, "messages": messages}
    return not list(messages_rules.faults(body))


VALID = [
    user(text("context"), text("inputs")),
    bot(thought("look"), text("One moment."), use("t1"), use("t2")),
    user(result("t1"), result("t2"), text("steered")),
    bot(use("t3")),
    user(result("t3", [text("a"), text("b")])),
]


class TestRepair:
    def test_valid_messages_stay_as_they_are(self) -> None:
        assert repair(VALID) == VALID

    def test_a_call_without_result_gets_a_failed_one_right_after(self) -> None:
        assert repair([user(text("a")), bot(use("t1"))]) == [
            user(text("a")),
            bot(use("t1")),
            user(unknown("t1")),
        ]

    def test_it_comes_before_what_was_said_since(self) -> None:
        broken = [user(text("a")), bot(use("t1"), use("t2")), user(text("still there?"))]
        broken[2]["content"].append(result("t2"))
        repaired = repair(broken)
        assert repaired[2] == user(unknown("t1"), result("t2"), text("still there?"))

    def test_a_result_without_call_is_dropped(self) -> None:
        orphans = [user(result("t0"), text("a")), bot(text("b")), user(result("t9"), text("c"))]
        assert repair(orphans) == [user(text("a")), bot(text("b")), user(text("c"))]

    def test_a_result_that_comes_too_late_is_unknown(self) -> None:
        late = [user(text("a")), bot(use("t1")), user(text("b")), bot(text("c"))]
        repaired = repair([*late, user(result("t1"), text("d"))])
        assert repaired[2] == user(unknown("t1"), text("b"))
        assert repaired[4] == user(text("d"))

    def test_the_first_of_two_results_counts(self) -> None:
        twice = [user(text("a")), bot(use("t1")), user(result("t1", "x"), result("t1", "y"))]
        assert repair(twice)[2] == user(result("t1", "x"))

    @pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
    def test_blank_texts_go_and_empty_turns_with_them(self, blank: str) -> None:
        sticker = [user(text("a"), text(blank)), bot(text(blank)), user(text("b"))]
        assert repair(sticker) == [user(text("a"), text("b"))]

    @pytest.mark.parametrize("empty", ["", " ", [], [text("")], None])
    def test_an_empty_result_says_so(self, empty: Any) -> None:
        repaired = repair([user(text("a")), bot(use("t1")), user(result("t1", empty))])
        assert repaired[2] == user(result("t1", "(no output)"))

    def test_turns_of_one_role_are_joined(self) -> None:
        two = [user(text("a")), user(text("b")), bot(text("c")), bot(use("t1"))]
        joined = repair([*two, user(text("d")), user(result("t1"))])
        assert joined == [
            user(text("a"), text("b")),
            bot(text("c"), use("t1")),
            user(result("t1"), text("d")),
        ]

    def test_content_may_be_a_string(self) -> None:
        assert repair([{"role": "user", "content": "hello"}]) == [user(text("hello"))]

    def test_a_call_cut_off_in_its_arguments_goes_with_its_result(self) -> None:
        cut = {**use("t1"), "input": '{"text": "hal'}
        repaired = repair([user(text("a")), bot(text("b"), cut), user(result("t1"), text("c"))])
        assert repaired == [user(text("a")), bot(text("b")), user(text("c"))]

    def test_the_list_begins_and_ends_with_the_user(self) -> None:
        repaired = repair([bot(use("t0")), user(result("t0"), text("a")), bot(text("b"))])
        assert repaired[0] == user(text("a"))
        assert repaired[-1] == user(text("Reminder: go on from here."))

    def test_thinking_is_kept_whole_or_not_at_all(self) -> None:
        turns = [user(text("a")), bot(thought("x"), text(" ")), user(text("b"))]
        assert repair(turns) == [user(text("a"), text("b"))]
        turns = [user(text("a")), bot(thought("x"), text("y"), thought("z")), user(text("b"))]
        assert repair(turns)[1] == bot(thought("x"), text("y"))

    def test_thinking_can_be_left_out(self) -> None:
        assert "thinking" not in json.dumps(without_thinking(VALID))
        assert is_valid(without_thinking(VALID))
        only = [user(text("a")), bot(thought("x")), {"role": "user", "content": "b"}]
        assert without_thinking(only) == [user(text("a"), text("b"))]

    def test_nothing_stays_nothing(self) -> None:
        assert repair([]) == []
        assert repair([user(text(" "))]) == []


_IDS = st.sampled_from(["t1", "t2", "t3"])
_WORDS = st.sampled_from(["", "  ", "hello", "你好"])
_CONTENT = st.one_of(_WORDS, st.lists(st.builds(text, _WORDS), max_size=2), st.none())
_BLOCKS = st.one_of(
    st.builds(text, _WORDS),
    st.builds(use, _IDS),
    st.builds(result, _IDS, _CONTENT, is_error=st.booleans()),
    st.builds(thought, _WORDS),
)
_MESSAGES = st.lists(
    st.builds(
        lambda role, content: {"role": role, "content": content},
        st.sampled_from(["user", "assistant"]),
        st.one_of(st.lists(_BLOCKS, max_size=4), _WORDS),
    ),
    max_size=8,
)


@given(_MESSAGES)
def test_whatever_is_stored_becomes_valid_and_stays_so(messages: list[Message]) -> None:
    before = copy.deepcopy(messages)
    repaired = repair(messages)
    assert messages == before
    assert repaired == [] or is_valid(repaired)
    assert repair(repaired) == repaired


class TestEstimate:
    @pytest.mark.parametrize(
        ("words", "least", "most"),
        [
            ("", 0, 0),
            ("The release waits for the script that Bo promised on Friday.", 12, 20),
            ("发布在等小博周五答应的脚本。", 12, 16),
            ('{"id":"o12","at":"2026-11-30T10:00:00+00:00","from":"Ana","me":false}', 25, 40),
            ("Привет, команда", 6, 10),
            ("🚀🚀", 4, 6),
        ],
    )
    def test_it_is_near_and_rather_high(self, words: str, least: int, most: int) -> None:
        assert least <= estimate_tokens(words) <= most

    def test_messages_count_every_block(self) -> None:
        assert estimate_tokens(VALID) > sum(estimate_tokens(w) for w in ("context", "One moment."))
        picture = {"type": "image", "source": {"type": "base64", "data": "A" * 4_000_000}}
        assert 1_000 < estimate_tokens([user(picture)]) < 3_000
        assert estimate_tokens([{"role": "user", "content": "你好"}]) >= 2


def rows(name: str, count: int, words: str = "some words of a message in a room") -> str:
    listed = [{"id": f"o{n}", "from": "Ana", "text": f"{words} {n}"} for n in range(count)]
    return sections.render(name, listed)


def step(number: int, size: int = 10, said: str = "") -> list[Message]:
    words = [text(said)] if said else []
    answer = result(f"t{number}", f"{number}:" + "x" * size)
    return [bot(thought(f"why {number}"), use(f"t{number}")), user(answer, *words)]


class TestFit:
    def test_what_fits_is_only_repaired(self) -> None:
        assert fit(VALID, 10_000) == VALID

    def test_old_results_are_shortened_first_and_visibly(self) -> None:
        turns = [user(text("a")), *step(1, 8_000), *step(2, 8_000), *step(3, 8_000)]
        fitted = fit(turns, estimate_tokens(turns) - 1_000)
        results = [message["content"][0]["content"] for message in fitted[2::2]]
        assert "characters left out" in results[0]
        assert results[1:] == [turns[4]["content"][0]["content"], turns[6]["content"][0]["content"]]
        assert fitted[1] == turns[1], "thinking is never trimmed"

    def test_a_shortened_result_keeps_whole_rows_of_its_sections(self) -> None:
        turns = [user(text("a")), *step(1), *step(2)]
        turns[2]["content"][0]["content"] = rows("history", 200)
        fitted = fit(turns, 400)
        left = sections.parse(fitted[2]["content"][0]["content"])["history"]
        assert 0 < len(left) < 20
        assert left[-1]["id"] == "o199"

    def test_rows_go_from_the_old_end_of_the_longest_section(self) -> None:
        first = "\n".join(
            [rows("me", 1), rows("history", 100), rows("facts", 5), rows("inputs", 3)]
        )
        turns = [user(text(first)), *step(1)]
        [fitted, *rest] = fit(turns, estimate_tokens(turns) // 2)
        left = sections.parse(fitted["content"][0]["text"])
        assert rest == turns[1:]
        assert {name: len(left[name]) for name in ("me", "facts", "inputs")} == {
            "me": 1,
            "facts": 5,
            "inputs": 3,
        }
        assert 30 < len(left["history"]) < 60
        assert left["history"][-1]["id"] == "o99"
        gone = 100 - len(left["history"])
        assert f"({gone} older rows of history were left out" in fitted["content"][0]["text"]

    def test_what_is_listed_best_first_loses_its_end(self) -> None:
        turns = [user(text(rows("recalled", 50)), text(rows("inputs", 1)))]
        [fitted] = fit(turns, estimate_tokens(turns) // 2)
        assert sections.parse(fitted["content"][0]["text"])["recalled"][0]["id"] == "o0"

    def test_old_steps_go_as_pairs_and_what_people_said_stays(self) -> None:
        turns = [user(text("a"))]
        for number in range(1, 30):
            turns += step(number, said="wait, not Friday" if number == 2 else "")
        fitted = fit(turns, 300)
        assert is_valid(fitted)
        assert fitted[-2:] == turns[-2:]
        said = [block["text"] for block in fitted[0]["content"]]
        assert said[:2] == ["a", "wait, not Friday"]
        assert "earlier steps were left out" in said[-1]

    @pytest.mark.parametrize("words", ["long words ", "很长的话"])
    def test_one_giant_message_is_shortened_at_last(self, words: str) -> None:
        giant = sections.render("inputs", [{"id": "i1", "text": words * 20_000}])
        [fitted] = fit([user(text(giant))], 2_000)
        row = sections.parse(fitted["content"][0]["text"])["inputs"][0]
        assert row["id"] == "i1"
        assert "characters left out" in row["text"]

    def test_the_newest_result_is_shortened_only_then(self) -> None:
        fitted = fit([user(text("a")), *step(1, 100_000)], 2_000)
        assert fitted[2]["content"][0]["content"].startswith("1:xxx")
        assert "characters left out" in fitted[2]["content"][0]["content"]

    def test_what_cannot_fit_is_said_to_be_too_long(self) -> None:
        with pytest.raises(ContextTooLong, match="of 10 allowed"):
            fit(VALID, 10)

    def test_text_that_only_looks_like_a_section_does_no_harm(self) -> None:
        false = '<section name="history">\nnot json\n</section>' + "x" * 50_000
        fitted = fit([user(text("a")), bot(use("t1")), user(result("t1", false))], 1_000)
        assert is_valid(fitted)

    @given(_MESSAGES, st.integers(0, 400))
    def test_it_fits_or_says_so(self, messages: list[Message], budget: int) -> None:
        try:
            fitted = fit([user(text("a")), *messages], budget)
        except ContextTooLong:
            return
        assert estimate_tokens(fitted) <= budget
        assert is_valid(fitted)
        assert fit(fitted, budget) == fitted
