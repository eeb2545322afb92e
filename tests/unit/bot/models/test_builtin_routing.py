import pytest
import routing_cases
import routing_play
import routing_shape


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("story", routing_cases.ALL, ids=lambda s: f"{s.kind}: {s.name}")
async def test_the_right_room_hears_the_right_thing_and_nobody_else(
    story: routing_shape.Story, language: str
) -> None:
    done = await routing_play.play(story, language)

    assert routing_play.faults(story, done) == []
