"""Chinese promises: what keeps them, moves them or makes them needless."""

import pytest

from agency import fulfilment, salience, subjects
from agency.fulfilment import Later


def _keeps(promise: str, text: str, *, by_owner: bool) -> bool:
    later = Later(
        text=text,
        terms=subjects.terms(text),
        kinds=[signal.kind for signal in salience.read(text)],
        by_owner=by_owner,
        same_room=True,
        answers=False,
    )
    return fulfilment.keeps(subjects.terms(promise), later, promise)


@pytest.mark.parametrize(
    ("promise", "text"),
    [
        ("汇演的音乐串词我周二晚上之前发给您", "[文件] 汇演串词_终稿.docx"),
        ("季度税表我今天下午五点前报上去", "税表报了，回执在邮箱"),
        ("敏感性分析我今晚十二点前跑出来", "跑出来了，图在overleaf"),
        ("粗剪我周四中午前导出来给大家看", "硬盘坏了一块，粗剪得周六才能出"),
        ("UPS电池我明天上午十点前换", "UPS搞定，旧电池拉走了"),
    ],
)
def test_its_owner_says_that_it_is_done_or_later(promise: str, text: str) -> None:
    assert _keeps(promise, text, by_owner=True)


@pytest.mark.parametrize(
    ("promise", "text"),
    [
        ("停车场的路灯我明天天黑前换好", "路灯我叫电工换了，你去接客人就行"),
        ("号码布设计稿我周三中午前给到", "赞助商自带设计，号码布不用我们弄啦"),
        ("座位表我六点前排好贴墙上", "看到墙上的座位表了，排得清楚"),
        ("李先生那套毛壳我后天中午前扎好", "毛壳看了，扎得不错，李先生周五试"),
    ],
)
def test_others_say_that_it_is_there_or_needless(promise: str, text: str) -> None:
    assert _keeps(promise, text, by_owner=False)


@pytest.mark.parametrize(
    ("promise", "text"),
    [
        ("领养协议的模板下午两点前改好发群", "领养人到店了，没有协议可签啊"),
        ("毛线样卡我周二中午前拍照发出来", "客户等着选色，样卡到现在没影"),
    ],
)
def test_who_misses_it_does_not_keep_it(promise: str, text: str) -> None:
    assert not _keeps(promise, text, by_owner=False)


def test_own_affairs_are_no_promise() -> None:
    assert fulfilment.OWN_AFFAIRS.search("我五点前得去接娃，先撤啦")
