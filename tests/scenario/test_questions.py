"""Questions asked in a room, answered from what other rooms said."""

import pytest

from tests.conftest import OpenStage

SAID = (
    (
        "lin",
        "architecture",
        "We decided: the release path moves from legacy-release to canary-release.",
    ),
    ("wei", "meeting-notes", "Minutes: release owner is Kai, target date 4 December."),
    ("mo", "architecture", "I will bring the old router to the lab on Friday."),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who decided the release path?", ("Lin", "#architecture")),
        ("who owns the release?", ("Kai", "#meeting-notes")),
        ("what did Mo promise?", ("Mo", "router", "Friday")),
        ("Mo 答应了什么？", ("Mo", "router", "Friday")),
    ],
)
async def test_a_question_is_answered_with_who_said_it_and_where(
    stage: OpenStage, question: str, answer: tuple[str, ...]
) -> None:
    async with stage() as on:
        for who, room, text in SAID:
            await on.say(who, room, text)
            await on.wait(5)
        await on.say("ana", "project", f"@Limen {question}")
        await on.wait(10)

        told = (await on.posts("project"))[-1]
        assert told.author == "bot"
        assert [part for part in answer if part not in told.text] == []
