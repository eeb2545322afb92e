"""What goes wrong: the law of `adapters.chat`, kept by all four chats on their platforms' wires."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from adapters.chat import EventKind
from adapters.errors import Refused, Retry, Unknown
from tests.contract.conftest import Has, OpenLine
from tests.fakes.four_chats import Kind, Lack
from tests.fakes.live import Line
from tests.fakes.platform import Fault


async def test_a_limit_is_kept_after_it_was_told(line: Line, has: Has) -> None:
    has(Lack.LIMITS)
    letter = await line.letter("ana", "project", "slowly")
    line.platform.befall(Fault.LIMITED)
    with pytest.raises(Retry) as told:
        await line.chat.send(letter)
    assert told.value.after is not None and told.value.after >= 1
    assert line.platform.posts("project") == []
    before = line.clock()
    await line.chat.send(letter)
    assert (line.clock() - before).total_seconds() >= 0.8
    assert len(line.platform.posts("project")) == 1


async def test_a_broken_platform_is_asked_again_later(line: Line) -> None:
    letter = await line.letter("ana", "project", "still here")
    line.platform.befall(Fault.BROKEN)
    with pytest.raises((Retry, Unknown)):
        await line.chat.send(letter)
    assert line.platform.posts("project") == []
    await line.chat.send(letter)
    assert len(await line.platform.until_posts("project")) == 1


async def test_a_room_that_is_closed_refuses_with_a_sentence(line: Line, has: Has) -> None:
    has(Lack.ARCHIVE)
    letter = await line.letter("ana", "project", "too late")
    line.platform.befall(Fault.GONE)
    with pytest.raises(Refused) as told:
        await line.chat.send(letter)
    assert len(str(told.value).split()) >= 4, "people read it"
    assert line.platform.posts("project") == []


async def test_rejected_formatting_falls_back_to_the_same_words(line: Line, has: Has) -> None:
    has(Lack.MARKUP)
    text = "**Bold** words, a [link](https://example.org/x) and `code`: 全部都在."
    letter = await line.letter("ana", "project", text)
    line.platform.befall(Fault.UNFORMATTED)
    receipt = await line.chat.send(letter)
    (post,) = await line.platform.until_posts("project")
    assert post.id == receipt.message
    for word in ("Bold words", "link", "code", "全部都在"):
        assert word in post.text
    assert "**" not in post.text


async def test_an_expired_token_is_renewed_and_nobody_notices(line: Line, has: Has) -> None:
    has(Lack.TOKENS)
    letter = await line.letter("ana", "project", "with a fresh token")
    line.platform.befall(Fault.EXPIRED)
    await line.chat.send(letter)
    assert [post.text for post in line.platform.posts("project")] == ["with a fresh token"]


async def test_a_lost_connection_comes_back(line: Line, has: Has) -> None:
    has(Lack.CONNECTION)
    for round in range(3):
        await line.platform.until(lambda: line.platform.connections > 0)
        await line.platform.hang_up()
        await line.platform.say("ana", "project", f"are you back, {round}?")
        await line.hear(f"are you back, {round}?")
    assert not line.running.done()


async def test_a_connection_that_went_silent_is_noticed(
    opened: OpenLine, kind: Kind, has: Has
) -> None:
    has(Lack.CONNECTION)
    async with opened(speed=100, **kind.impatient) as line:
        await line.platform.until(lambda: line.platform.connections > 0)
        await line.platform.go_silent()
        await line.platform.say("ana", "project", "can you hear me?")
        await line.hear("can you hear me?")


async def test_what_nobody_can_read_stops_nothing(line: Line, has: Has) -> None:
    has(Lack.CONNECTION)
    await line.platform.send_garbage()
    message = await line.platform.say("ana", "project", "and on we go")
    await line.hear("and on we go")
    await line.platform.until(lambda: line.platform.acknowledged(message))
    assert not line.running.done()


async def test_revoked_credentials_are_told_with_what_to_do(line: Line, has: Has) -> None:
    has(Lack.CONNECTION)
    letter = await line.letter("ana", "project", "let me in")
    line.platform.revoke()
    with pytest.raises(Refused):
        await line.chat.send(letter)
    await line.platform.hang_up()
    with pytest.raises(Refused) as told:
        async with asyncio.timeout(15):
            await asyncio.shield(line.running)
    assert len(str(told.value).split()) >= 6, "people read it"
    assert not line.chat.health.up


async def test_a_sent_file_can_be_fetched_and_a_large_one_is_refused(line: Line, has: Has) -> None:
    has(Lack.FILES)
    content = "发布计划 release plan\n".encode() * 50
    await line.platform.send_file("ana", "project", "plan.txt", "text/plain", content, "the plan")

    def sent() -> list[Any]:
        return [file for event in line.heard.of(EventKind.NEW) for file in event.files]

    await line.platform.until(lambda: bool(sent()))
    (file,) = sent()
    assert file.name == "plan.txt"
    assert await line.chat.fetch(file, limit=100_000) == content
    with pytest.raises(Refused):
        await line.chat.fetch(file, limit=10)
    with pytest.raises((Refused, Retry)):
        await line.chat.fetch(replace(file, id=file.id[:-3] + "xyz"), limit=100_000)


async def test_signs_of_life_come_and_go(line: Line, has: Has) -> None:
    has(Lack.PROGRESS)
    message = await line.platform.say("ana", "project", "take your time")
    place = (await line.hear("take your time")).address
    assert place.message == message
    await line.chat.show_working(place, True)
    shown = await line.chat.show_progress(place.room, "Reading (1)", None)
    assert shown is not None
    assert "Reading (1)" in (await line.platform.until_posts("project"))[-1].text
    line.clock.skip(timedelta(seconds=30))
    assert await line.chat.show_progress(place.room, "Reading (2)", shown) == shown
    await line.platform.until(lambda: "Reading (2)" in line.platform.posts("project")[-1].text)
    assert await line.chat.show_progress(place.room, "", shown) is None
    await line.platform.until(lambda: line.platform.posts("project") == [])
    await line.chat.show_working(place, False)


async def test_signs_of_life_fail_without_a_word(line: Line, has: Has) -> None:
    """They are a courtesy: not even a platform that is away makes them raise."""
    place = await line.room("ana", "project")
    here = (await line.hear("hello from ana")).address
    shown = await line.chat.show_progress(place, "Reading", None)
    line.clock.skip(timedelta(seconds=30))
    await line.platform.__aexit__(None, None, None)
    try:
        await line.chat.show_working(here, True)
        await line.chat.show_progress(place, "Reading", None)
        await line.chat.show_progress(place, "Still reading", shown)
        await line.chat.show_progress(place, "", shown)
        await line.chat.show_working(here, False)
    finally:
        await line.platform.__aenter__()


async def test_a_platform_that_is_away_delays_a_letter(line: Line, has: Has) -> None:
    has(Lack.CONNECTION)
    letter = await line.letter("ana", "project", "anybody there?")
    await line.platform.__aexit__(None, None, None)
    try:
        with pytest.raises(Retry):
            await line.chat.send(letter)
    finally:
        await line.platform.__aenter__()


async def test_run_once_more_it_hears_and_speaks_again(line: Line, has: Has) -> None:
    """As the supervisor does with a chat that died."""
    has(Lack.CONNECTION)
    letter = await line.letter("ana", "project", "first")
    await line.chat.send(letter)
    line.running.cancel()
    await asyncio.gather(line.running, return_exceptions=True)
    await line.platform.say("ana", "project", "said meanwhile")
    line.running = asyncio.create_task(line.chat.run(line.heard), name="chat again")
    await line.chat.started()
    await line.hear("said meanwhile")
    await line.chat.send(replace(letter, key="another", text="second"))
    assert [post.text for post in line.platform.posts("project")] == ["first", "second"]
    await line.platform.until(lambda: line.platform.connections == 1)
    assert line.chat.health.up


async def test_cancelled_it_ends_at_once_and_leaves_nothing_behind(
    opened: OpenLine,
) -> None:
    before = asyncio.all_tasks()
    async with opened() as line:
        await line.platform.say("ana", "project", "hello")
        await line.hear("hello")
        served = {task for task in asyncio.all_tasks() if task not in before}
        async with asyncio.timeout(3):
            line.running.cancel()
            await asyncio.gather(line.running, return_exceptions=True)
        await line.platform.until(lambda: line.platform.connections == 0, 3)
    left = {task for task in asyncio.all_tasks() - before if not task.done()}
    assert not left, served
