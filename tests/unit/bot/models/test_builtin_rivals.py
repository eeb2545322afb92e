"""Two of a kind are two matters; one thing with another value is one."""

from datetime import UTC, datetime

import pytest

from bot.models.builtin import rivals, world
from bot.models.builtin.world import Remark


def _remark(who: str, text: str) -> Remark:
    room = {"session": who, "title": f"#{who}", "kind": "group", "open": True, "members": [who]}
    at = datetime(2025, 3, 3, 9, tzinfo=UTC).isoformat()
    row = {"id": who, "session": who, "text": text, "at": at, "from": who}
    return world.remark(row, {who: world.room_of(room)}, set(), UTC)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("waiting for the radio interview", "the tv interview is confirmed"),
        ("Timetable for line 4 gets printed on Friday", "Timetable for line 7 changed"),
        ("Otto wedding stands at 140 covers", "Reyes wedding is down to 120 covers"),
        ("a script for the contacts", "The script for the invoices is done"),
        ("今天开始翻译操作手册的日文版", "操作手册法文版翻译完了"),
        ("苏州展厅5月8号开幕", "武汉展厅推迟到5月18号开幕"),
        ("等马拉松的观众照片", "帆船赛的观众照片传好了"),
        ("B 机房周一上新机架", "A 机房又太热了"),
    ],
)
def test_each_with_a_word_of_its_own_is_another_thing(here: str, there: str) -> None:
    assert rivals.two_of_a_kind(_remark("a", here), _remark("b", there))


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Choir pickup is at Gate B", "The school moved choir pickup over to Gate D"),
        ("chandelier over stage left", "the chandelier goes to stage right"),
        ("合唱团的大巴在 B 门上车", "合唱团上车点挪到 D 门了"),
        ("去团建的大巴在北门上车", "团建大巴改在南门上车"),
    ],
)
def test_another_value_of_one_thing_is_the_same_thing(here: str, there: str) -> None:
    assert not rivals.two_of_a_kind(_remark("a", here), _remark("b", there))
