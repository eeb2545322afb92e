"""News in plain words: no verb of change is needed, only the same rare matter, asserted and new."""

import pytest
import routing_play
from routing_shape import Said, Story

ROOMS = {"here": "Ana Bo", "there": "Kai Zoe"}
TOLD = [
    ("Our gift boxes will be packed in Hartmann baskets.",
     "The Hartmann mill went bankrupt, gift boxes ship in tins."),
    ("礼盒我们打算用竹编篮装", "竹编篮那家厂子倒闭了，礼盒只能走铁皮罐"),
    ("Nothing moves on the assay until the nitrogen dewar shows up.",
     "Nitrogen dewar got dropped off, it sits next to the lift."),
    ("离心机还在厂家手里，血清只能先冻着", "厂家中午把离心机送回来了，放在204"),
    ("会客室的空调遥控器跑哪去了？", "会客室空调遥控器我锁在第二个抽屉"),
    ("I'll do a keyword audit for the help centre.",
     "There is a keyword audit for the help centre already, see /audits/may."),
]  # fmt: skip
QUIET = [
    ("礼盒我们打算用竹编篮装", "要是竹编篮那家厂子倒闭了，礼盒就只能用铁皮罐"),
    ("礼盒我们打算用竹编篮装", "竹编篮礼盒坏了哈哈，被我家猫啃了"),
    ("Our gift boxes will be packed in Hartmann baskets.",
     "Maybe the Hartmann baskets are not right for gift boxes?"),
    ("北区仓库盘点周四做", "南区仓库盘点周五做"),
    ("Atlas beta goes out Friday.", "The Atlas beta retro is on Monday."),
    ("The Porto offsite is booked for 40 people.", "The Porto office printer is broken."),
    ("Coffee machine for the booth is rented, 50 euros a day.",
     "Coffee machine in the office is broken."),
    ("Nothing moves until the nitrogen dewar shows up.", "The nitrogen dewar isn't here yet."),
]  # fmt: skip


async def _heard(here: str, there: str) -> list[str]:
    said = (
        Said(wake=1, room="here", who="Ana", id="a1", en=here, zh=here),
        Said(wake=2, room="there", who="Kai", id="b1", en=there, zh=there),
    )
    story = Story(name="plain", kind="plain", rooms=ROOMS, said=said)
    done = await routing_play.play(story, "zh" if here[0] >= "\u4e00" else "en")
    return [spoken.room for spoken in done.spoken]


@pytest.mark.parametrize(("here", "there"), TOLD)
async def test_news_in_plain_words_is_told(here: str, there: str) -> None:
    assert await _heard(here, there) == ["here"]


@pytest.mark.parametrize(("here", "there"), QUIET)
async def test_doubt_jokes_and_other_matters_are_not(here: str, there: str) -> None:
    assert await _heard(here, there) == []


async def test_a_delay_and_the_date_it_endangers_are_told_to_both_sides() -> None:
    heard = await _heard(
        "玫瑰拱门10号晚上必须搭完，用厄瓜多尔玫瑰", "厄瓜多尔玫瑰被海关扣着，最快13号放行"
    )
    assert sorted(heard) == ["here", "there"]
