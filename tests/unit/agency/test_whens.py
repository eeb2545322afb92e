"""When something shall be, as people write it; it is Wednesday, 10:20 in Berlin."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency import grid, whens
from agency.whens import Trouble, Unclear

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 12, 2, 10, 20, tzinfo=BERLIN)

ONCE = [
    ("on Friday at three", "12-04 15:00"), ("tomorrow morning", "12-03 09:00"),
    ("in two hours", "12-02 12:20"), ("in half an hour", "12-02 10:50"),
    ("half an hour", "12-02 10:50"), ("next Monday 9am", "12-07 09:00"),
    ("on the 5th", "12-05 09:00"), ("March 3 at 14:30", "03-03 14:30"),
    ("on 3 March 2027", "03-03 09:00"), ("24 Dec at 5pm", "12-24 17:00"),
    ("end of the month", "12-31 09:00"), ("at three", "12-02 15:00"), ("at nine", "12-02 21:00"),
    ("at 7", "12-02 19:00"), ("3pm", "12-02 15:00"), ("at half past two", "12-02 14:30"),
    ("quarter to four", "12-02 15:45"), ("tomorrow at noon", "12-03 12:00"),
    ("tonight", "12-02 19:00"), ("tonight at 8", "12-02 20:00"), ("today", "12-02 17:00"),
    ("today at 9", "12-02 21:00"), ("this afternoon", "12-02 15:00"), ("Friday", "12-04 09:00"),
    ("this Friday", "12-04 09:00"), ("next Friday", "12-11 09:00"),
    ("Friday next week", "12-11 09:00"), ("next week", "12-07 09:00"),
    ("next week Tuesday at 10", "12-08 10:00"), ("on wednesday", "12-09 09:00"),
    ("on Wednesday at 3", "12-02 15:00"), ("in an hour and a half", "12-02 11:50"),
    ("in 3 days", "12-05 10:20"), ("in three days at 9", "12-05 09:00"),
    ("in two weeks", "12-16 10:20"), ("in a month", "01-02 10:20"),
    ("the 5th of next month", "01-05 09:00"), ("the first Monday of next month", "01-04 09:00"),
    ("the last Friday of the month at 4pm", "12-25 16:00"), ("2026-12-24 08:00", "12-24 08:00"),
    ("December 1", "12-01 09:00"), ("at midnight", "12-03 00:00"),
    ("Friday midnight", "12-05 00:00"), ("end of day", "12-02 17:30"),
    ("first thing tomorrow", "12-03 09:00"), ("the day after tomorrow at 11", "12-04 11:00"),
    ("at 03:00", "12-03 03:00"), ("at 5 o'clock", "12-02 17:00"), ("four", "12-02 16:00"),
    ("move it to four", "12-02 16:00"), ("Friday at 4 instead", "12-04 16:00"),
    ("this weekend", "12-05 09:00"), ("in a couple of hours", "12-02 12:20"),
    ("周五下午三点", "12-04 15:00"), ("明早", "12-03 09:00"), ("两小时后", "12-02 12:20"),
    ("半小时后", "12-02 10:50"), ("下周一上午9点", "12-07 09:00"), ("5号", "12-05 09:00"),
    ("3月3日14:30", "03-03 14:30"), ("三月三号下午两点半", "03-03 14:30"), ("月底", "12-31 09:00"),
    ("后天下午", "12-04 15:00"), ("今晚八点", "12-02 20:00"), ("今晚", "12-02 19:00"),
    ("三点", "12-02 15:00"), ("三点半", "12-02 15:30"), ("9点", "12-02 21:00"),
    ("晚上12点", "12-03 00:00"), ("中午", "12-02 12:00"), ("下周五", "12-11 09:00"),
    ("这周五", "12-04 09:00"), ("周一三点", "12-07 15:00"), ("星期天上午十点", "12-06 10:00"),
    ("一个半小时后", "12-02 11:50"), ("10分钟后", "12-02 10:30"), ("三天后上午9点", "12-05 09:00"),
    ("过两小时", "12-02 12:20"), ("再过半小时", "12-02 10:50"), ("一刻钟后", "12-02 10:35"),
    ("下个月5号", "01-05 09:00"), ("2027年3月5日上午10点", "03-05 10:00"),
    ("下午三点一刻", "12-02 15:15"), ("凌晨两点", "12-03 02:00"), ("改到四点", "12-02 16:00"),
    ("推迟到下周二", "12-08 09:00"), ("下班前", "12-02 17:30"), ("周末", "12-05 09:00"),
    ("年底", "12-31 09:00"), ("元旦", "01-01 09:00"), ("大后天早上7点半", "12-05 07:30"),
    ("下下周三", "12-16 09:00"), ("两个月后", "02-02 10:20"), ("下午3:30", "12-02 15:30"),
    ("明天三点吧", "12-03 15:00"), ("12月底", "12-31 09:00"),
]  # fmt: skip
AGAIN = [
    ("every weekday at 9", "12-03 09:00, 12-04 09:00, 12-07 09:00"),
    ("every other Friday", "12-04 09:00, 12-18 09:00, 01-01 09:00"),
    ("every second Friday", "12-04 09:00, 12-18 09:00, 01-01 09:00"),
    ("every two weeks on Friday at 2pm", "12-04 14:00, 12-18 14:00, 01-01 14:00"),
    ("every first Monday of the month", "12-07 09:00, 01-04 09:00, 02-01 09:00"),
    ("daily at 18:00 until Christmas", "12-02 18:00, 12-03 18:00, 12-04 18:00"),
    ("on the last day of every month", "12-31 09:00, 01-31 09:00, 02-28 09:00"),
    ("every Monday and Thursday at 8:30", "12-03 08:30, 12-07 08:30, 12-10 08:30"),
    ("Mondays at 9", "12-07 09:00, 12-14 09:00, 12-21 09:00"),
    ("Monday to Friday at 9", "12-03 09:00, 12-04 09:00, 12-07 09:00"),
    ("every morning", "12-03 09:00, 12-04 09:00, 12-05 09:00"),
    ("weekly on Monday at 9", "12-07 09:00, 12-14 09:00, 12-21 09:00"),
    ("monthly on the 5th", "12-05 09:00, 01-05 09:00, 02-05 09:00"),
    ("every month on the 31st", "12-31 09:00, 01-31 09:00, 02-28 09:00"),
    ("the 15th of every month at noon", "12-15 12:00, 01-15 12:00, 02-15 12:00"),
    ("every 30 minutes", "12-02 10:50, 12-02 11:20, 12-02 11:50"),
    ("every three days at 8", "12-03 08:00, 12-06 08:00, 12-09 08:00"),
    ("every year on March 3", "03-03 09:00, 03-03 09:00, 03-03 09:00"),
    ("every day at 9 starting next Monday", "12-07 09:00, 12-08 09:00, 12-09 09:00"),
    ("每天早上9点", "12-03 09:00, 12-04 09:00, 12-05 09:00"),
    ("工作日", "12-03 09:00, 12-04 09:00, 12-07 09:00"),
    ("周一到周五每天9点", "12-03 09:00, 12-04 09:00, 12-07 09:00"),
    ("每隔一周的周五", "12-04 09:00, 12-18 09:00, 01-01 09:00"),
    ("每两周的周五下午三点", "12-04 15:00, 12-18 15:00, 01-01 15:00"),
    ("每月第一个周一", "12-07 09:00, 01-04 09:00, 02-01 09:00"),
    ("每月最后一个周五下午4点", "12-25 16:00, 01-29 16:00, 02-26 16:00"),
    ("每月5号", "12-05 09:00, 01-05 09:00, 02-05 09:00"),
    ("每月底", "12-31 09:00, 01-31 09:00, 02-28 09:00"),
    ("每周一、三、五早上8点", "12-04 08:00, 12-07 08:00, 12-09 08:00"),
    ("每隔两小时", "12-02 12:20, 12-02 14:20, 12-02 16:20"),
    ("每隔一天", "12-03 09:00, 12-05 09:00, 12-07 09:00"),
    ("每晚九点", "12-02 21:00, 12-03 21:00, 12-04 21:00"),
    ("每天晚上6点到圣诞节为止", "12-02 18:00, 12-03 18:00, 12-04 18:00"),
    ("从下周一开始每天9点", "12-07 09:00, 12-08 09:00, 12-09 09:00"),
]  # fmt: skip
TROUBLE = [
    ("whenever you like", Trouble.NOTHING), ("", Trouble.NOTHING),
    ("随便什么时候", Trouble.NOTHING),
    ("on Friday after lunch with Jon", Trouble.UNKNOWN), ("周五和小雷一起", Trouble.UNKNOWN),
    ("yesterday at 9", Trouble.PAST), ("昨天", Trouble.PAST), ("2026-01-01", Trouble.PAST),
    ("today at 09:00", Trouble.PAST), ("本周一上午9点", Trouble.PAST), ("本周三", Trouble.HOUR),
    ("31 February", Trouble.NEVER), ("2月30日", Trouble.NEVER), ("every 2 minutes", Trouble.OFTEN),
    ("每分钟", Trouble.OFTEN), ("2040-01-01", Trouble.FAR), ("在20年后", Trouble.FAR),
]  # fmt: skip


def shown(when: whens.When, count: int) -> str:
    turns = islice(grid.turns(when.grid, NOW.astimezone(UTC)), count)
    return ", ".join(f"{turn.astimezone(BERLIN):%m-%d %H:%M}" for turn in turns)


@pytest.mark.parametrize(("text", "due"), ONCE)
def test_a_single_time(text: str, due: str) -> None:
    when = whens.read(text, now=NOW, zone=BERLIN)

    assert shown(when, 2) == due
    assert not when.grid.recurs


@pytest.mark.parametrize(("text", "due"), AGAIN)
def test_a_recurring_time(text: str, due: str) -> None:
    assert shown(whens.read(text, now=NOW, zone=BERLIN), 3) == due


@pytest.mark.parametrize(("text", "trouble"), TROUBLE)
def test_what_cannot_be_set_is_said_and_why(text: str, trouble: Trouble) -> None:
    with pytest.raises(Unclear) as caught:
        whens.read(text, now=NOW, zone=BERLIN)
    assert caught.value.trouble is trouble


def test_the_words_that_were_not_understood_are_named() -> None:
    with pytest.raises(Unclear, match="'after lunch with Jon' was not understood"):
        whens.read("on Friday after lunch with Jon", now=NOW, zone=BERLIN)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("on Friday at three to call Jon", "on Friday at three"),
        ("to send the report for March 3 on Friday at three", "on Friday at three"),
        ("on Friday to prepare the 3pm meeting", "on Friday"),
        ("in two hours to check the oven for 10 minutes", "in two hours"),
        ("about the Friday demo tomorrow at noon", "tomorrow at noon"),
        ("every Monday at 9 to update the board", "every Monday at 9"),
        ("周五下午三点提醒我给小雷打电话", "周五下午三点"),
        ("提醒我两小时后看一下烤箱", "两小时后"),
        ("提醒我明天下午三点和5个客户开会", "明天下午三点"),
        ("每周一9点总结一下这里没回答的问题", "每周一9点"),
    ],
)
def test_the_time_is_found_in_a_sentence(text: str, words: str) -> None:
    found = whens.find(text, now=NOW, zone=BERLIN)

    assert found is not None
    assert found.text == words


@pytest.mark.parametrize(
    "text", ["to water the plants", "to be quick about it", "给花浇水", "快一点", "有一点问题要谈"]
)
def test_a_sentence_without_a_time_has_none(text: str) -> None:
    assert whens.find(text, now=NOW, zone=BERLIN) is None


def test_the_zone_is_that_of_the_speaker() -> None:
    shanghai = ZoneInfo("Asia/Shanghai")

    when = whens.read("明天上午9点", now=NOW, zone=shanghai)

    assert when.first == datetime(2026, 12, 3, 1, 0, tzinfo=UTC)


def test_a_span_is_real_time_also_in_the_hour_that_comes_twice() -> None:
    second_pass = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)  # 02:30 in Berlin, once more

    when = whens.read("in 10 minutes", now=second_pass, zone=BERLIN)

    assert when.first == second_pass + timedelta(minutes=10)


moments = st.datetimes(
    datetime.fromisoformat("2024-01-01"),
    datetime.fromisoformat("2029-01-01"),
    timezones=st.just(UTC),
)
zones = st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Shanghai"]).map(ZoneInfo)
words = st.sampled_from([text for text, _ in ONCE + AGAIN if not text.startswith(("本", "20"))])


@given(words, moments, zones)
def test_whatever_is_understood_is_still_to_come(text: str, now: datetime, zone: ZoneInfo) -> None:
    try:
        when = whens.read(text, now=now, zone=zone)
    except Unclear as unclear:
        assert unclear.trouble in (Trouble.PAST, Trouble.HOUR, Trouble.FAR)
    else:
        assert when.first > now


@given(
    st.lists(st.sampled_from(
        "on at every next the 1 3 15:00 5th friday mar day of month week until for two 每 周 一 三 "
        "点 半 号 月 下 个 后 小时 到 底 今 天 晚 99 31 February 0 second noon past half to".split()
    ), max_size=8).map(" ".join) | st.text(max_size=30),
    moments,
)  # fmt: skip
def test_any_words_are_a_time_to_come_or_unclear(text: str, now: datetime) -> None:
    try:
        assert whens.read(text, now=now, zone=BERLIN).first > now
    except Unclear as unclear:
        assert str(unclear)
