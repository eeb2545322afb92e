"""What somebody wanted to be told once it came to pass, handed to where they asked."""

from agency import salience
from bot.models.builtin import wording
from bot.models.builtin.world import World

Call = tuple[str, dict[str, object]]


def calls(world: World) -> list[Call]:
    """One handoff for each wish that came true, and the end of its wait."""
    made: list[Call] = []
    for fire in world.fires:
        wish, original = fire.get("wish"), str(fire.get("original") or "")
        if not wish or not original or fire.get("recalled"):
            continue
        text, condition = str(fire.get("text") or ""), str(wish["condition"])
        told = wording.text(
            "wished",
            wish["language"] == "zh",
            condition=condition,
            who=str(fire.get("from") or ""),
            room=str(fire.get("room") or ""),
            text=text,
        )
        subjects = salience.subjects_of(f"{condition} {text}", [])
        arguments: dict[str, object] = {
            "session": str(wish["session"]),
            "text": told,
            "kind": "answer",
            "subject": " ".join(list(subjects)[:4]) or condition[:40],
            "state": condition[:80],
            "grade": "major",
            "confidence": 0.9,
            "sources": [original],
            "people": [str(wish["person"])],
            "tags": ["wished"],
            "expires_in_hours": 48,
        }
        made.append(("submit_to_session", arguments))
        done = {"intention": str(wish["id"]), "reason": "they are told", "done": True}
        made.append(("drop_intention", done))
    return made
