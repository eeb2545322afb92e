"""The agency's decisions by rule: which room needs what, from this wake's messages."""

from typing import Any

from agency import salience
from bot.models.builtin import (
    claims,
    needs,
    nudges,
    overdue,
    plain,
    promises,
    wished,
    wording,
    world,
)
from bot.models.builtin.context import Context
from bot.models.builtin.needs import Need

Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""


def decide(context: Context) -> tuple[list[Call], str]:
    """The tool calls of this wake, or none and the private closing words."""
    zh = _chinese(context)
    if context.steps and not context.steered:
        handed = context.called("submit_to_session")
        return [], wording.text("handed_done" if handed else "kept_done", zh)
    scene = world.build(context)
    made = claims.gather(scene)
    late = [] if "waits" in (context.me.get("off") or ()) else promises.overdue(scene)
    found: list[Need] = [*needs.find(scene, made), *late]
    found += plain.find(scene, found, made)
    calls: list[Call] = []
    if "submit_to_session" in context.tools:
        placed = nudges.compose(scene, found, made)
        calls = [("submit_to_session", nudge.arguments) for nudge in placed]
        calls += wished.calls(scene)
        calls += overdue.calls(scene, {id for _, given in calls for id in given.get("sources", [])})
    if calls and "log_action" in context.tools:
        calls.append(("log_action", {"text": _log(scene, calls, zh)}))
    if "set_intention" in context.tools:
        calls += _watches(scene, made, zh)
    return calls, wording.text("nothing", zh)


def _chinese(context: Context) -> bool:
    """The language of its private words: the one set, else that of most of what it reads."""
    language = context.me.get("language")
    if language in ("en", "zh"):
        return bool(language == "zh")
    texts = [str(fire["text"]) for fire in context.section("fires") if fire.get("text")]
    return sum(1 if salience.is_chinese(text) else -1 for text in texts) > 0


def _log(scene: world.World, calls: list[Call], zh: bool) -> str:
    lines = []
    for tool, arguments in calls:
        if tool != "submit_to_session":
            continue
        room = scene.rooms.get(arguments["session"])
        title = room.title if room else arguments["session"]
        lines.append(wording.text("handed", zh, subject=arguments["subject"], targets=title))
    return " ".join(lines)


def _watches(scene: world.World, made: list[claims.Claim], zh: bool) -> list[Call]:
    """Listen for a value just given up, so that whoever still plans with it is told soon."""
    noted = " ".join(str(row.get("text", "")) for row in scene.intentions)
    return [
        ("set_intention", {
            "text": wording.text("listen_for", zh, old=claim.old, id=claim.remark.id),
            "terms": [term], "sources": [claim.remark.id],
        })
        for claim in made
        if claim.remark.fresh and claim.remark.shareable and not claim.replaced
        if f"[{claim.remark.id}]" not in noted and (term := _telltale(claim))
    ]  # fmt: skip


def _telltale(claim: claims.Claim) -> str:
    """The rarest word of the old value: an identifier, or nothing to listen for."""
    words = {word: weight for word, weight in claim.old_terms.items() if word.isascii()}
    term = max(words, key=lambda word: words[word], default="")
    return term if any(sign in term for sign in "-_./0123456789") else ""
