"""What somebody still waits for, as the house noticed it: asked for once, of whoever owes it."""

from collections.abc import Collection, Iterator
from typing import Any

from agency import salience
from bot.models.builtin import wording
from bot.models.builtin.context import Row
from bot.models.builtin.world import Room, World


def calls(world: World, named: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A handoff for each wait that is due, but for those whose original is in `named` already."""
    for fire in world.fires:
        wait, original = fire.get("wait"), str(fire.get("original") or "")
        if isinstance(wait, dict) and original not in named and not fire.get("recalled"):
            yield "submit_to_session", _asked(world, fire, wait, original)


def _asked(world: World, fire: Row, wait: Row, original: str) -> dict[str, Any]:
    text = str(fire.get("text") or "")
    target = world.rooms.get(str(wait["session"]))
    zh = world.chinese(target) if target else salience.is_chinese(text)
    owner = str(wait["owner"])
    subjects = salience.subjects_of(text, [owner, str(fire.get("from") or "")])
    return {
        "session": str(wait["session"]),
        "text": _text(fire, wait, target, zh),
        "kind": "reminder",
        "subject": " ".join(list(subjects)[:4]) or text[:40],
        "state": "overdue",
        "grade": "minor",
        "confidence": 0.8,
        "sources": [original],
        "people": [str(wait["person"])],
        "tags": ["overdue"],
        "expires_in_hours": 48,
    }


def _text(fire: Row, wait: Row, target: Room | None, zh: bool) -> str:
    here = target is not None and str(fire.get("session")) == target.session
    name = "here" if here else "there"
    return wording.text(
        f"overdue_{wait['kind']}_{name}",
        zh,
        owner=str(wait["owner"]),
        asker=str(fire.get("from") or ""),
        room=str(fire.get("room") or ""),
        text=str(fire.get("text") or ""),
    )
