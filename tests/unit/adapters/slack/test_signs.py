"""Signs of life on a loopback Slack: eyes, one edited message, and pressed buttons."""

import asyncio
from dataclasses import replace

from adapters.chat import Button, EventKind
from tests.fakes.platform import DIRECT
from tests.fakes.slack_world import World, connected

BUTTONS = (Button(label="Yes & go", value="consent:1:yes"), Button(label="No", value="no"))


def reactions(world: World, chat: str, ts: str) -> dict[str, list[str]]:
    return world.api.workspace.channels[chat].messages[ts].reactions


async def test_eyes_stand_at_the_message_while_it_is_answered() -> None:
    async with connected() as world:
        ts = await world.api.say("wei", "project", "what is open?", mention=True)
        place = (await world.until_heard(EventKind.NEW))[0].address
        await world.chat.show_working(place, True)
        await world.chat.show_working(place, True)
        assert reactions(world, "C0PROJECT", ts) == {"eyes": ["U0LIMEN"]}
        await world.chat.show_working(place, False)
        await world.chat.show_working(place, False)
        assert reactions(world, "C0PROJECT", ts) == {}


async def test_where_no_message_is_named_nothing_is_shown() -> None:
    async with connected() as world:
        room = world.room("C0PROJECT")
        await world.chat.show_working(room, True)
        await world.chat.show_working(replace(room, message="slash-1.2.3"), True)
        assert world.api.calls("reactions") == []


async def test_signs_that_fail_raise_nothing_and_rest_while_slack_asks_for_it() -> None:
    """SL-OUT-07"""
    async with connected() as world:
        ts = await world.api.say("wei", "project", "hm")
        place = replace(world.room("C0PROJECT"), message=ts)
        world.api.fail("reactions.add", 12)
        await world.chat.show_working(place, True)
        await world.chat.show_working(place, True)
        assert len(world.api.calls("reactions.add")) == 1
        await world.clock.advance(12)
        await world.chat.show_working(place, True)
        assert reactions(world, "C0PROJECT", ts) == {"eyes": ["U0LIMEN"]}
        world.api.web.scopes.discard("reactions:write")
        await world.chat.show_working(place, False)


async def test_progress_is_one_message_that_is_edited_and_goes() -> None:
    async with connected() as world:
        room = world.room("C0PROJECT")
        shown = await world.chat.show_progress(room, "Reading …", None)
        assert shown is not None
        await world.clock.advance(1.5)
        assert await world.chat.show_progress(room, "Writing *now* …", shown) == shown
        assert [post.text for post in world.api.posts("project")] == ["Writing now …"]
        assert await world.chat.show_progress(room, "", shown) is None
        assert world.api.posts("project") == []
        assert await world.chat.show_progress(room, "", None) is None


async def test_progress_is_edited_every_second_and_a_half_at_most() -> None:
    """SL-OUT-07"""
    async with connected() as world:
        room = world.room("C0PROJECT")
        shown = await world.chat.show_progress(room, "step 0", None)
        for step in range(1, 10):
            await world.clock.advance(0.5)
            shown = await world.chat.show_progress(room, f"step {step}", shown)
        assert len(world.api.calls("chat.update")) == 3
        assert [post.text for post in world.api.posts("project")] == ["step 9"]


async def test_a_limited_edit_is_dropped_and_the_letter_still_comes() -> None:
    """SL-OUT-07: the passing message may stand still; the answer itself is a letter."""
    async with connected() as world:
        room = world.room("C0PROJECT")
        shown = await world.chat.show_progress(room, "step 0", None)
        await world.clock.advance(1.5)
        world.api.fail("chat.update", 12)
        assert await world.chat.show_progress(room, "step 1", shown) == shown
        await world.clock.advance(2)
        assert await world.chat.show_progress(room, "step 2", shown) == shown
        assert len(world.api.calls("chat.update")) == 1
        await world.chat.send(world.letter("Done."))
        assert [post.text for post in world.api.posts("project")] == ["step 0", "Done."]


async def test_progress_hangs_in_its_thread_and_never_strays_into_the_channel() -> None:
    async with connected() as world:
        root = await world.api.say("wei", "project", "who?")
        room = world.room("C0PROJECT", root)
        await world.chat.show_progress(room, "Reading …", None)
        assert world.api.posts("project")[0].thread == root
        await world.api.recall("wei", "project", root)
        await world.clock.advance(2)
        assert await world.chat.show_progress(room, "Reading …", None) is None
        assert [post.text for post in world.api.posts("project")] == ["Reading …"]


async def test_progress_that_somebody_deleted_is_begun_anew() -> None:
    async with connected() as world:
        room = world.room("C0PROJECT")
        shown = await world.chat.show_progress(room, "one", None)
        world.api.workspace.channels["C0PROJECT"].messages.clear()
        await world.clock.advance(2)
        assert await world.chat.show_progress(room, "two", shown) is None


async def test_a_pressed_button_comes_back_with_its_value() -> None:
    async with connected() as world:
        receipt = await world.chat.send(world.letter("May I?", buttons=BUTTONS))
        await world.api.press("wei", "project", receipt.message, "Yes & go")
        pressed = (await world.until_heard(EventKind.ACTION))[0]
        assert (pressed.text, pressed.author.name) == ("consent:1:yes", "Wei")
        assert pressed.address.message == receipt.message
        await world.api.until(lambda: world.api.acknowledged(receipt.message))
        assert world.api.posts("project")[0].buttons == ("Yes & go", "No")


async def test_in_a_direct_message_the_choice_takes_the_place_of_the_buttons() -> None:
    async with connected() as world:
        letter = world.letter("May I tell **Lin**?", "D0MO", buttons=BUTTONS)
        receipt = await world.chat.send(letter)
        await world.api.press("mo", DIRECT, receipt.message, "Yes & go")
        await world.until_heard(EventKind.ACTION)
        await world.api.until(lambda: world.api.posts("direct:mo")[0].buttons == ())
        assert world.api.posts("direct:mo")[0].text == "May I tell Lin?\n✓ Yes & go"
        last = await world.api.say("mo", DIRECT, "thanks")
        await world.api.until(lambda: world.api.acknowledged(last))
        assert [said.kind for said in world.of()] == [EventKind.ACTION, EventKind.NEW]


async def test_in_a_group_the_buttons_stay_for_the_others() -> None:
    async with connected() as world:
        group = await world.chat.send(world.letter("May I?", buttons=BUTTONS))
        direct = await world.chat.send(world.letter("May I?", "D0MO", key="2", buttons=BUTTONS))
        await world.api.press("wei", "project", group.message, "No")
        await world.until_heard(EventKind.ACTION)
        await world.api.press("mo", DIRECT, direct.message, "No")
        await world.api.until(lambda: world.api.posts("direct:mo")[0].buttons == ())
        assert world.api.posts("project")[0].buttons == ("Yes & go", "No")
        assert world.api.calls("chat.update") == ["chat.update"]


async def test_nobody_waits_for_a_sign() -> None:
    async with connected() as world:
        task = asyncio.create_task(
            world.chat.show_working(replace(world.room("C0NOWHERE"), message="1.2"), True)
        )
        await task
        assert world.chat.health.up
