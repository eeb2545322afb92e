"""What a person asks to have told in one of their rooms, read by rule."""

import re
from dataclasses import dataclass

from bot.models.builtin import wording
from bot.models.builtin.agency import Call
from bot.models.builtin.context import Context, Row

_ALL_EN = r"(?:the |my )?(?:team|everyone|everybody|others|folks|all)"
_ROOM_EN = r"#[\w-]+|(?:the )?#?[\w-]+ (?:room|channel|group|team|chat)"
_EN = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|will you) )*"
    rf"(?P<verb>tell|inform|let|notify) (?P<room>{_ROOM_EN}|{_ALL_EN})[:,]? "
    r"(?:know )?(?:that |about |of )?(?P<what>\S.*)$",
    re.I | re.S,
)
_POLITE = re.compile(
    r"^\W*(?:please |can you|could you|would you|will you|能不能|能|可以|请)", re.I
)
_ALL_ZH = r"大家|所有人|团队|全组|全员|全体|同事们?|各位"
_ROOM_ZH = rf"{_ALL_ZH}|#?[\w-]{{1,16}}?(?:群里?|频道|房间|组)|#[\w-]{{1,30}}"
_ZH = re.compile(
    r"^\W*(?:请|麻烦|劳驾|能不能|可以|能)?(?:你)?(?:帮我|帮忙|替我)?(?:去)?(?:"
    rf"(?:告诉|通知|转告|知会)一?下?(?P<room>{_ROOM_ZH})(?:一声|一下)?"
    rf"|(?:跟|和|对|向|在)(?P<room2>{_ROOM_ZH})(?:说一声|说一下|讲一声|说明|说|讲)"
    r")[，,:：\s]*(?P<what>\S.+)$",
    re.S,
)


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be told, and where."""

    room: str
    what: str


def request(text: str) -> Request | None:
    """The wish to have a room told something, or None."""
    plain = " ".join(text.split())
    if plain.endswith(("?", "？")):
        if not _POLITE.match(plain):
            return None
        plain = plain.rstrip("?？吗 ")
    if found := _ZH.match(plain):
        return Request(found["room"] or found["room2"], found["what"].strip())
    if found := _EN.match(plain):
        room = re.sub(r"^(?:the|my) ", "", found["room"], flags=re.I)
        return Request(room, found["what"].strip())
    return None


def take(
    text: str, row: Row, zh: bool, context: Context
) -> tuple[list[str], list[Call], str] | None:
    """The words, calls and reason for silence that a wish comes to; None where it is none."""
    wish = request(text)
    if wish is None or "tell_room" not in context.tools:
        return None
    steps = [one for one in context.called("tell_room") if one.arguments.get("room") == wish.room]
    if not steps:
        who = str(row.get("from") or wording.text("someone", zh))
        said = wording.text("told_for", zh, who=who, text=_sentence(wish.what, zh))
        return [], [("tell_room", {"room": wish.room, "text": said})], ""
    told = steps[-1].found.get("telling", [])
    state = str(told[0].get("state")) if told else "refused"
    if state == "asking":
        return [], [], "they are asked with the very words"
    if state == "which":
        rooms = ("、" if zh else ", ").join(told[0].get("rooms") or [])
        return [wording.text("told_which" if rooms else "told_nowhere", zh, rooms=rooms)], [], ""
    key = "told_refused" if state in ("refused", "silent", "dropped") else "told_soon"
    room = told[0].get("room") if told else ""
    return [wording.text(key, zh, room=room or "")], [], ""


def _sentence(what: str, zh: bool) -> str:
    first = what[0].upper() + what[1:]
    ended = first[-1] in ".!?…。！？"
    return first if ended else first + ("。" if zh else ".")
