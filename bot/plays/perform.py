"""Performs a story in the web chat's rooms: on a stage as written, in a running house live.

perform(story, rooms, sleep) ─► people and rooms made ─► beats, each after its pause ─► Performance
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from adapters.web.errors import Missing
from adapters.web.rooms import BOT, Access, PersonSeed, Post, Room, RoomSeed
from bot.engine.waits import Sleep
from bot.plays import story as stories_on_file
from bot.plays.story import DIRECT, Act, Beat, Story
from bot.web.rooms import WebRooms

LONGEST_S = 6.0  # seconds between two live beats, however long the story says
PATIENCE_S = 45.0  # seconds the bot is waited for, live, so that a slow model can speak
STEP_S = 1.0  # seconds between two looks


@dataclass(slots=True)
class Performance:
    """What came of the beats so far."""

    rooms: dict[str, str] = field(default_factory=dict)
    """The web room that stands for a room of the story."""
    people: dict[str, str] = field(default_factory=dict)
    """The web person that stands for a person of the story."""
    posts: dict[str, Post] = field(default_factory=dict)
    """What was posted, edited or pressed, by the beat's name."""
    unpressed: list[Beat] = field(default_factory=list)
    """Presses for which no question stood."""

    def room(self, room: str) -> str:
        """The id of the web room."""
        if room.startswith(DIRECT):
            return f"dm-{self.people[room.removeprefix(DIRECT)]}"
        return self.rooms[room]


def stories() -> list[dict[str, Any]]:
    """The shipped stories as rows for the page: `id` goes to `by_id`."""
    found = [
        stories_on_file.load(name, language)
        for name in stories_on_file.names()
        for language in stories_on_file.LANGUAGES
    ]
    return [
        {"id": one.id, "title": one.title, "about": one.about, "language": one.language}
        for one in found
    ]


def by_id(id: str) -> Story:
    """The story of a row of `stories`; LimenError when there is none."""
    name, _, language = id.partition(".")
    return stories_on_file.load(name, language)


async def perform(story: Story, rooms: WebRooms, sleep: Sleep) -> Performance:
    """Play a story live: pauses are cut short, and what the bot should say is waited for."""
    performance = await cast(story, rooms)
    for beat in story.beats:
        await sleep(min(beat.pause.total_seconds(), LONGEST_S))
        if beat.act is Act.PRESS:
            await _until(partial(_asks, performance, beat.room, rooms), sleep)
        before = {room: await _last(performance, room, rooms) for room in _due(story, beat)}
        await act(performance, beat, rooms)
        for room, last in before.items():
            await _until(partial(_said, performance, room, last, rooms), sleep)
    return performance


async def cast(story: Story, rooms: WebRooms) -> Performance:
    """Make the people and rooms of a story, next to those that are there already."""
    performance = Performance()
    there = {person.name: person.id for person in await rooms.people()}
    for seed in story.people:
        if seed.name not in there:
            there[seed.name] = await _person(seed, set(there.values()), rooms)
        performance.people[seed.id] = there[seed.name]
    for room in story.rooms:
        performance.rooms[room.id] = await _room(room, performance.people, rooms)
    return performance


async def act(performance: Performance, beat: Beat, rooms: WebRooms) -> None:
    """Let one beat happen."""
    who = performance.people.get(beat.who, "")
    earlier = performance.posts[beat.of].id if beat.of else ""
    match beat.act:
        case Act.SAY:
            post = await rooms.say(
                who, performance.room(beat.room), beat.text, reply_to=earlier or None
            )
        case Act.EDIT:
            post = await rooms.edit(who, earlier, beat.text)
        case Act.RECALL:
            post = await rooms.delete(who, earlier)
        case Act.PRESS:
            question = await _question(performance, beat.room, rooms)
            if question is None:
                performance.unpressed.append(beat)
                return
            button = question.buttons[0 if beat.yes else -1]
            post = await rooms.press(who, question.id, button.value)
        case Act.WAIT:
            return
    if beat.name:
        performance.posts[beat.name] = post


def _due(story: Story, beat: Beat) -> list[str]:
    """The rooms in which the bot should say something because of a beat."""
    expected = (*story.told, *story.asked, *story.answered)
    return [heard.room for heard in expected if beat.name and heard.after == beat.name]


async def _question(performance: Performance, room: str, rooms: WebRooms) -> Post | None:
    """The newest open question in a direct chat, or None."""
    posts = await rooms.posts(performance.room(room))
    return next((post for post in reversed(posts) if post.buttons), None)


async def _asks(performance: Performance, room: str, rooms: WebRooms) -> bool:
    return await _question(performance, room, rooms) is not None


async def _last(performance: Performance, room: str, rooms: WebRooms) -> int:
    """The number of the bot's last post in a room; 0 when there is none."""
    posts = await rooms.posts(performance.room(room))
    return max((int(post.id) for post in posts if post.author == BOT), default=0)


async def _said(performance: Performance, room: str, last: int, rooms: WebRooms) -> bool:
    return await _last(performance, room, rooms) > last


async def _until(happened: Callable[[], Awaitable[bool]], sleep: Sleep) -> None:
    """Wait for something, but not for ever."""
    waited = 0.0
    while waited < PATIENCE_S and not await happened():
        await sleep(STEP_S)
        waited += STEP_S


async def _person(seed: PersonSeed, taken: set[str], rooms: WebRooms) -> str:
    if seed.id in taken:
        return (await rooms.add_person(seed.name, seed.about)).id
    await rooms.seed([seed], [])
    return seed.id


async def _room(seed: RoomSeed, people: dict[str, str], rooms: WebRooms) -> str:
    """The first room with this title that may be used, or a new one with a free id."""
    members = tuple(people[member] for member in seed.members)
    title, id = seed.title, seed.id
    for number in count(2):
        room = await _found(id, rooms)
        if room is None:
            made = RoomSeed(id=id, title=title, access=seed.access, members=members)
            await rooms.seed([], [made])
            return id
        if room.title == title:
            if await _joined(room, seed.access, members, rooms):
                return id
            title = f"{seed.title}-{number}"
        id = f"{seed.id}-{number}"
    raise AssertionError("numbers do not end")


async def _joined(room: Room, access: Access, members: tuple[str, ...], rooms: WebRooms) -> bool:
    """Whether a room that is there can stand for one of the story, with its people in it."""
    if room.access is not access:
        return False
    absent = [member for member in members if not room.has(member)]
    if absent and access is not Access.OPEN:
        return False  # nobody is let into a private room for a story's sake
    for member in absent:
        await rooms.join(member, room.id)
    return True


async def _found(id: str, rooms: WebRooms) -> Room | None:
    try:
        return await rooms.room(id)
    except Missing:
        return None
