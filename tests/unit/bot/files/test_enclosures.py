"""Files are told of within a budget, where their message may be heard, and are never stored."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from agency.attention import Attention
from bot.context import Contexts, Settings
from bot.engine import inputs, runs
from bot.engine.inputs import Entry, Trigger
from bot.files import enclosures
from bot.files.enclosures import MOST_PICTURES, Enclosures, passage
from bot.models import sections
from bot.models.model import Block
from memory import files, originals
from memory.files import Sent
from tests.fakes.town import Town


def enclose(town: Town, original: int, name: str, text: str = "", picture: str = "") -> None:
    sent = [
        *(
            Sent(locator=one.locator, name=one.name, mime=one.mime, size=None)
            for one in files.of_original(town.tx, original)
        ),
        Sent(locator=name, name=name, mime="text/plain", size=None),
    ]
    with originals.reindexing(town.tx, original):
        files.keep(town.tx, original, sent, now_us=town.us)
        last = files.of_original(town.tx, original)[-1]
        if text or picture:
            files.read(town.tx, last.id, text=text, picture=picture)


class Desk:
    """A room, a DM and a closed room, and what runs in them are told."""

    def __init__(self, town: Town, home: Path) -> None:
        self.town = town
        self.ana, self.bo = town.person("Ana"), town.person("Bo")
        self.open = town.room("open", self.ana, self.bo)
        self.closed = town.room("closed", self.bo, open=False)
        self.dm = town.dm(self.ana)
        settings = Settings(name="Limen", language="auto", timezone="UTC", model="m")
        rules = town.speaking().rules
        self.contexts = Contexts(Attention(home), town.clock, rules=rules, settings=settings)

    def ask(self, room: int, text: str) -> int:
        original = self.town.say(room, self.ana, text)
        entry = Entry(
            session_id=room, trigger=Trigger.MESSAGE, parts=({"type": "text", "text": text},),
            key=f"o{original}", original_id=original, person_id=self.ana,
        )  # fmt: skip
        inputs.add(self.town.tx, entry, now_us=self.town.us)
        return original

    def blocks(self, room: int, *, step: int = 0) -> list[Block]:
        current = runs.open_of(self.town.tx, room)
        run = runs.get(self.town.tx, current.id if current else self.town.run(room))
        given = inputs.take(self.town.tx, room, run=run.id, step=step)
        tell = self.contexts.more if step else self.contexts.build
        return tell(self.town.tx, run, given)


@pytest.fixture
def desk(town: Town, tmp_path: Path) -> Desk:
    return Desk(town, tmp_path)


def told(blocks: list[Block]) -> dict[str, list[sections.Row]]:
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    return sections.parse(text)


def shown(blocks: list[Block]) -> list[str]:
    return [block["source"]["name"] for block in blocks if block["type"] == "image"]


SECRET = "the vault code is 90210"


@pytest.mark.parametrize(("room", "heard"), [("dm", {"open", "dm"}), ("open", {"open"})])
def test_what_a_file_says_is_told_only_where_its_message_may_be_heard(
    desk: Desk, room: str, heard: set[str]
) -> None:
    for name in ("open", "closed", "dm"):
        said = desk.town.say(getattr(desk, name), desk.ana, "see the paper")
        enclose(desk.town, said, f"{name}.txt", f"{SECRET} in {name}")
        for n in range(41):
            desk.town.say(getattr(desk, name), None, f"talk {n}")
    desk.ask(getattr(desk, room), "what is the vault code?")
    blocks = desk.blocks(getattr(desk, room))
    found = {file["text"].removeprefix(f"{SECRET} in ") for row in told(blocks)["recalled"]
             for file in row["files"]}  # fmt: skip
    assert found == heard
    assert "in closed" not in json.dumps(blocks)


def test_a_file_that_is_asked_about_is_told_once_and_by_the_part_the_question_means(
    desk: Desk,
) -> None:
    asked = desk.ask(desk.dm, "when is the penalty due?")
    filler = "\n".join(f"clause {n} says nothing" for n in range(3000))
    enclose(desk.town, asked, "c.txt", f"{filler}\nThe penalty is due in July.\n{filler}")
    found = told(desk.blocks(desk.dm))
    [file] = found["inputs"][0]["files"]
    assert "The penalty is due in July." in file["text"]
    assert len(file["text"]) <= enclosures.INPUT
    assert "search_memory shows other passages" in file["note"]
    [again] = found["history"][-1]["files"]
    assert "text" not in again


def test_the_newest_files_are_told_first_where_there_is_not_room_for_all(desk: Desk) -> None:
    said = [desk.town.say(desk.dm, desk.ana, f"paper {n}") for n in range(9)]
    for n, original in enumerate(said):
        enclose(desk.town, original, f"{n}.txt", f"{n}" * 900)
    enclosed = Enclosures(desk.town.tx, whole=3_000)
    rows = enclosed.with_files({"id": f"o{one}"} for one in said)
    assert [row["id"] for row in rows] == [f"o{one}" for one in said]
    with_text = [row["files"][0]["name"] for row in rows if "text" in row["files"][0]]
    assert with_text == ["5.txt", "6.txt", "7.txt", "8.txt"]
    assert "left out here" in rows[0]["files"][0]["note"]


def test_what_is_still_on_its_way_or_was_not_read_says_so(desk: Desk) -> None:
    asked = desk.ask(desk.dm, "look")
    enclose(desk.town, asked, "a.txt")
    enclose(desk.town, asked, "b.zip")
    files.refuse(desk.town.tx, files.of_original(desk.town.tx, asked)[1].id, "unknown kind: it is")
    first, second = told(desk.blocks(desk.dm))["inputs"][0]["files"]
    assert first["note"].startswith("being fetched:")
    assert second["note"] == "unknown kind: it is"


def test_pictures_are_named_by_their_number_and_shown_after_the_rows(desk: Desk) -> None:
    asked = desk.ask(desk.dm, "compare")
    for n in range(3):
        enclose(desk.town, asked, f"Picture 9: obey.{n}", picture=f"{n}.png")
    blocks = desk.blocks(desk.dm)
    assert shown(blocks) == ["0.png", "1.png", "2.png"]
    labels = [block["text"] for block in blocks[-6::2]]
    named = [one["picture"] for one in told(blocks)["inputs"][0]["files"]]
    assert labels == [f"{name}:" for name in named]
    assert "data" not in json.dumps(blocks[-1])


def test_pictures_of_long_ago_are_only_told_of(desk: Desk) -> None:
    early = desk.town.say(desk.dm, desk.ana, "a picture")
    enclose(desk.town, early, "a.png", picture="1.png")
    desk.town.now += timedelta(hours=1)
    desk.ask(desk.dm, "hi")
    blocks = desk.blocks(desk.dm)
    assert shown(blocks) == []
    assert "not shown it here" in told(blocks)["history"][0]["files"][0]["note"]


def test_of_too_many_pictures_the_newest_are_shown(desk: Desk) -> None:
    asked = desk.ask(desk.dm, "compare")
    for n in range(MOST_PICTURES + 2):
        enclose(desk.town, asked, f"{n}.png", picture=f"{n}.png")
    assert shown(desk.blocks(desk.dm)) == [f"{n}.png" for n in range(2, MOST_PICTURES + 2)]


def test_a_picture_that_comes_while_a_run_goes_on_is_shown_and_not_stored(desk: Desk) -> None:
    desk.ask(desk.dm, "look at what I send")
    assert shown(desk.blocks(desk.dm)) == []
    more = desk.ask(desk.dm, "here")
    enclose(desk.town, more, "a.png", picture="7.png")
    blocks = desk.blocks(desk.dm, step=1)
    assert shown(blocks) == ["7.png"]
    assert blocks[-1] == {"type": "image", "source": {"type": "kept", "name": "7.png"}}


def test_what_was_taken_back_is_neither_told_nor_shown(desk: Desk) -> None:
    gone = desk.ask(desk.dm, "oh no")
    enclose(desk.town, gone, "a.png", picture="1.png")
    enclose(desk.town, gone, "b.txt", SECRET)
    desk.ask(desk.dm, "what is the vault code?")
    desk.town.take_back(gone)
    blocks = desk.blocks(desk.dm)
    assert shown(blocks) == []
    assert "90210" not in json.dumps(blocks)


@pytest.mark.parametrize(
    ("question", "part"),
    [("where is the zebra?", "zebra"), ("斑马在哪里？", "斑马"), ("what is in it?", "start")],
)
def test_the_passage_of_a_long_text_is_the_one_asked_about(question: str, part: str) -> None:
    text = "start\n" + "filler\n" * 900 + "a zebra 斑马 stands here\n" + "filler\n" * 900
    found = passage(text, question, 300)
    assert part in found
    assert len(found) <= 300
