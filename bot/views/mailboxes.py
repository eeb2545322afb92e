"""The inboxes and the report of the day, as their people, or the operator, may see them."""

from datetime import date, datetime

from agency.gates import Rules
from agency.inbox import Entry
from bot import rows
from bot.inbox import pages, report
from bot.inbox.pages import Page, Settings, Told
from bot.rows import Row
from bot.views.sight import PLATFORM, TENANT, Sight
from memory import people

LANGUAGES = ("en", "zh")


def inbox_rows(
    sight: Sight, viewer: str | None, *, rules: Rules, settings: Settings, now: datetime
) -> list[Row]:
    """A row for the viewer's own inbox; for the operator, for each that holds anything."""
    whose = pages.everybody(sight.reader) if viewer is None else _person(sight, viewer)
    return [
        _mailbox(sight, pages.page(sight.reader, one, rules=rules, settings=settings, now=now))
        for one in whose
    ]


def report_row(
    sight: Sight, viewer: str | None, *, rules: Rules, now: datetime, day: date | None, lang: str
) -> Row:
    """The counts of a day: of the viewer's rooms, or of the whole house."""
    zone = rules.speaking.zone
    found = _person(sight, viewer) if viewer is not None else []
    whose = None if viewer is None else (found[0] if found else -1)
    told = report.of(sight.reader, day or now.astimezone(zone).date(), zone, person=whose)
    text = report.text_of(told, "zh" if lang == "zh" else "en")
    return {"id": f"{told.day}", "day": f"{told.day}", "whole": told.whole, "text": _plain(text)}


def _person(sight: Sight, viewer: str | None) -> list[int]:
    found = people.of_account(sight.reader, PLATFORM, TENANT, viewer or "")
    return [found] if found is not None else []


def _mailbox(sight: Sight, page: Page) -> Row:
    return {
        "id": f"p{page.person}",
        "person": sight.rooms.person(page.person),
        "reachable": page.desk is not None,
        "next_at": rows.at(page.next_at) if page.next_at else None,
        "waits": [_plain(one.text) for one in page.leads],
        "coming": [_line(page, one) for one in page.coming],
        "told": [_line(page, one) for one in page.told],
        "left": _left(sight, page) if sight.everything else [],
    }


def _left(sight: Sight, page: Page) -> list[Row]:
    """What was dropped, and why; for the operator, since reasons may name what others said."""
    found = pages.left_out(sight.reader, page.person, now=page.lines.style.now)
    return [
        {
            "id": f"e{one.id}",
            "kind": one.kind.value,
            "state": one.state.value,
            "at": rows.at(one.updated_at),
            "room": page.lines.room(one),
            "text": f"{one.subject}: {one.reason}" if one.subject else one.reason,
        }
        for one in found
    ]


def _line(page: Page, told: Told) -> Row:
    entry: Entry = told.entry
    return {
        "id": f"e{entry.id}",
        "kind": entry.kind.value,
        "state": entry.state.value,
        "at": rows.at(entry.created_at),
        "room": page.lines.room(entry),
        "text": _plain(told.line),
    }


def _plain(markdown: str) -> str:
    """Without the signs that make words bold or code."""
    return markdown.replace("**", "").replace("`", "")
