"""Reading stories: what a file means, and what is said about a wrong one."""

from datetime import timedelta
from pathlib import Path

import pytest

from adapters.web.rooms import Access
from bot.errors import LimenError, StoryError
from bot.plays import story
from bot.plays.story import Act, Story

WHOLE = """
title = "A key arrives"
about = \"\"\"
Somebody waits
for it.\"\"\"
start = 2027-01-12T13:55:00
zone = "Europe/Lisbon"

[people]
noa = "Noa, builds the shop"
hugo = "Hugo"

[rooms]
shop = { members = ["noa", "hugo"] }
board = { title = "the board", private = true, members = ["hugo"] }

[[beats]]
name = "wait"
who = "noa"
room = "shop"
text = "We wait for the key."

[[beats]]
after = "2m"
who = "noa"
edits = "wait"
text = "We wait for the PayPort key."

[[beats]]
who = "hugo"
room = "shop"
replies_to = "wait"
text = "Same here."

[[beats]]
who = "noa"
recalls = "wait"

[[beats]]
wait = "1h"

[[beats]]
name = "yes"
who = "hugo"
press = "yes"

[[told]]
room = "shop"
after = "wait"
within = "30s"
says = ["key|Key"]
why = ["wait"]

[[asked]]
who = "hugo"
says = ["may I"]

[[secret]]
text = "PayPort"
room = "dm:noa"
until = "yes"
"""


def read(folder: Path, text: str = WHOLE) -> Story:
    path = folder / "key.en.toml"
    path.write_text(text, encoding="utf-8")
    return story.read(path)


def test_a_whole_story(tmp_path: Path) -> None:
    told = read(tmp_path)

    assert (told.id, told.title, told.about) == (
        "key.en",
        "A key arrives",
        "Somebody waits for it.",
    )
    assert told.start.isoformat() == "2027-01-12T13:55:00+00:00"
    noa = told.people[0]
    assert (noa.id, noa.name, noa.about) == ("noa", "Noa", "builds the shop")
    assert [(r.title, r.access) for r in told.rooms] == [
        ("shop", Access.OPEN),
        ("the board", Access.PRIVATE),
    ]
    acts = [Act.SAY, Act.EDIT, Act.SAY, Act.RECALL, Act.WAIT, Act.PRESS]
    assert [beat.act for beat in told.beats] == acts
    assert told.beats[1].pause == timedelta(minutes=2)
    assert told.beats[2].of == "wait"
    assert told.told[0].within == timedelta(seconds=30)
    assert told.asked[0].room == "dm:hugo"
    assert told.hearers("dm:noa") == {"noa"}
    assert told.watched == "shop"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('zone = "Europe/Lisbon"', 'zone = "Lisbon"', "zone is 'Lisbon'; .*'Europe/Lisbon'"),
        ('title = "A key arrives"', "", "title is 'missing'; add it"),
        ('title = "A key arrives"', "title = 4", "title is 4; write a text"),
        ("start = 2027-01-12T13:55:00", 'start = "noon"', "start is 'noon'; write a local time"),
        ('members = ["hugo"]', 'members = ["hugi"]', r"rooms.board.members .*did you mean 'hugo'"),
        ('room = "shop"\ntext = "We', 'room = "shpo"\ntext = "We', r"beats\[1\].room is 'shpo'"),
        (
            'room = "shop"\ntext = "We',
            'room = "dm:noe"\ntext = "We',
            r"beats\[1\].room .*did you mean 'noa'",
        ),
        (
            'room = "shop"\ntext = "We',
            'room = "board"\ntext = "We',
            "beats.* add them to its members",
        ),
        ('edits = "wait"', 'edits = "wiat"', r"beats\[2\].edits is 'wiat'; .*'wait'"),
        ('wait = "1h"', 'wait = "1 hour"', r"beats\[5\].wait is 1 hour; .*'20s'"),
        ('wait = "1h"', "", r"beats\[5\] is of no kind; give it one of"),
        ('press = "yes"', 'press = "maybe"', r"beats\[6\].press is 'maybe'; write one of yes, no"),
        ('says = ["key|Key"]', 'says = ["(key"]', r"told\[1\].says is '\(key'; it is no pattern"),
        ('says = ["key|Key"]', "", r"told\[1\].says is 'missing'"),
        ('why = ["wait"]', 'why = ["weit"]', r"told\[1\].why is 'weit'"),
        ("within =", "whithin =", r"told\[1\].whithin is '30s'; .*'within'"),
        ("[[asked]]", "[[askd]]", "askd is .*did you mean 'asked'"),
        ("[people]", "[people", "the file is .*write it as TOML"),
    ],
)
def test_a_mistake_is_named_with_file_key_value_and_remedy(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in WHOLE

    with pytest.raises(StoryError, match=rf"(?s)^key\.en\.toml: {said}"):
        read(tmp_path, WHOLE.replace(old, new, 1))


def test_an_unknown_story_names_the_nearest() -> None:
    with pytest.raises(LimenError, match="no story 'release-pat'; did you mean 'release-path'"):
        story.load("release-pat", "en")


def test_a_language_that_is_not_there(tmp_path: Path) -> None:
    read(tmp_path)

    with pytest.raises(LimenError, match="'key' is not told in 'zh', only in en"):
        story.load("key", "zh", tmp_path)


@pytest.mark.parametrize("language", story.LANGUAGES)
@pytest.mark.parametrize("name", story.names())
def test_shipped_stories_can_be_read_in_every_language(name: str, language: str) -> None:
    told = story.load(name, language)

    assert told.language == language
    assert told.beats
