"""The guard catches what came from private words, and leaves open talk alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency import leaks
from agency.leaks import Private
from agency.traits import Traits

EN = "Honestly the Meridian contract is worth 38,500 euros and legal wants it signed by the ninth."
ZH = "我下周要去协和医院做手术，预算是三十八万，先别告诉大家。"
CAUGHT = [
    (EN, "The MERIDIAN CONTRACT is nearly there."),
    (EN, "meridian-contract: is worth a look"),
    (EN, "Ｍｅｒｉｄｉａｎ ｃｏｎｔｒａｃｔ"),
    (EN, "They want it si-gned by the nin th"),
    (EN, "The budget is 38500."),
    (EN, "The budget is 38 500 in all."),
    (EN, "Somebody spoke about Meridian."),
    (EN, "legal asked whether euros are fine and if it was signed for a contract honestly"),
    ("my salary went up to 85k", "pay is 85k now"),
    ("ticket OPS-4711 is about me", "see ops-4711"),
    ("it runs v2.14.3 on my laptop", "use V2.14.3"),
    ("see café Zürichsee at the corner", "cafe zurichsee"),
    (ZH, "他要去协和医院做手术"),
    (ZH, "去 协 和 医 院 做 手 术"),
    (ZH, "去协和，医院。做手术"),
    (ZH, "手术安排在协和医院，具体看情况"),
    ("密码是１２３４５６", "用 123456 登录"),
    ("迁移脚本要延期两周", "听说迁移脚本要延期"),
]
INNOCENT = [
    (EN, "We ship the release on Friday, please review the plan."),
    (EN, "The ninth item is open."),
    (EN, "It was signed."),
    (EN, "euros or dollars?"),
    ("See you at 10:30 on Monday, 12 people in 2026", "Monday 10:30, we are 12 people, year 2026"),
    ("I am at the dentist on the 5th at 3pm", "let's meet at 3pm on the 5th"),
    (ZH, "下周我们开会，大家先看一下方案。"),
    (ZH, "预算需要确认。"),
    ("我明天下午有时间", "明天下午我们讨论"),
]


def leaked(text: str, private: str, *opens: str, asked: bool = False) -> str | None:
    """What a text gives away to somebody who knows these open texts and nobody."""
    met = leaks.Opens([*opens])
    found = leaks.find(Traits(text), [Private(private)], met, asked=asked)
    return found.piece if found else None


@pytest.mark.parametrize(("private", "text"), CAUGHT)
def test_a_leak_is_caught(private: str, text: str) -> None:
    assert leaked(text, private) is not None


@pytest.mark.parametrize(("private", "text"), INNOCENT)
def test_ordinary_talk_passes(private: str, text: str) -> None:
    assert leaked(text, private) is None


@pytest.mark.parametrize(("private", "text"), CAUGHT)
def test_what_is_open_knowledge_is_no_leak(private: str, text: str) -> None:
    assert leaked(text, private, private) is None


def test_a_run_that_is_open_in_part_is_caught_by_the_rest() -> None:
    private = "the release path moves because the auditors found a hole"
    text = "The release path moves because the auditors found something."
    assert leaked(text, private, "the release path moves") is not None


def test_a_run_met_in_two_open_halves_is_open() -> None:
    private = "we move to canary-release on Monday"
    text = "move to canary-release on Monday"
    opens = ("let us move to canary-release soon", "to canary-release on Monday it is")
    assert leaked(text, private, *opens) is None


words = st.text(st.sampled_from("abcdefghij"), min_size=1, max_size=9)
glue = st.sampled_from([" ", ", ", "-", "\n", "* ", "！", " … "])


@given(
    st.lists(words, min_size=8, max_size=14), st.lists(glue, min_size=14, max_size=14), st.data()
)
def test_twelve_letters_in_a_row_never_pass(
    private: list[str], gaps: list[str], data: st.DataObject
) -> None:
    letters = "".join(private)
    if len(letters) < leaks.RUN:
        return
    start = data.draw(st.integers(0, len(letters) - leaks.RUN))
    quoted = letters[start : start + leaks.RUN].upper()
    cut = data.draw(st.integers(0, leaks.RUN))
    text = f"xyz {quoted[:cut]}{gaps[0]}{quoted[cut:]} zyx"
    said = "".join(word + gap for word, gap in zip(private, gaps, strict=False))
    assert leaked(text, said) is not None


@given(st.text(st.sampled_from("一二三四五六七八九十甲乙丙丁"), min_size=6, max_size=20), st.data())
def test_six_characters_in_a_row_never_pass(private: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(private) - 6))
    spaced = " ".join(private[start : start + 6])
    assert leaked(f"ok {spaced}。", private) is not None


def test_fragments_tell_what_two_texts_share() -> None:
    found = leaks.fragments("Meridian contract for 38500", EN)
    assert found == ["meridiancontract", "38500"]
    assert leaks.fragments("nothing alike", EN) == []


def test_in_a_long_text_evidence_adds_up_only_where_it_stands_together() -> None:
    private = "I rehearse the fandango on Thursday for the jamboree."
    scattered = "We rehearse on Friday. {0} A fandango is a dance. {0} The jamboree was in May."
    filler = "The plan for the release is in the usual place. " * 10
    assert leaked(scattered.format(filler), private) is None
    assert leaked(f"{filler} They rehearse a fandango, at a jamboree. {filler}", private)
    assert leaked("word " * 300 + "and they rehearse a fandango, at a jamboree", private)
