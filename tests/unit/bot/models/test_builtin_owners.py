"""Two things of one sort, told apart in Chinese by what stands before them."""

import pytest

from bot.models.builtin import rivals_zh


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("酸奶杯的封口膜换新批号", "果汁瓶的封口膜新批号不合格，退了"),
        ("春游的大巴八点到校门", "秋游的大巴改九点"),
    ],
)
def test_each_names_its_own(one: str, two: str) -> None:
    assert rivals_zh.other_owner(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("越南那柜咖啡豆还没清关", "越南的咖啡豆那柜放行了"),
        ("今天的壳体按0.8的垫片装", "壳体垫片改1.0"),
        ("第30期按嘉宾A的录音剪", "那30期上嘉宾C，C的录音在网盘"),
    ],
)
def test_one_thing_is_no_rival_of_itself(one: str, two: str) -> None:
    assert not rivals_zh.other_owner(one, two)
