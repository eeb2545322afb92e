"""Signs that an answer is on its way, which cost the answer nothing."""

import asyncio

from tests.fakes.telegram_api import TelegramApi
from tests.fakes.telegram_house import House
from tests.fakes.telegram_rules import ApiError
from tests.fakes.telegram_world import PEOPLE

MO = PEOPLE["mo"]


async def test_typing_is_shown_until_it_is_cleared(api: TelegramApi) -> None:
    async with House(api) as house:
        place = house.letter(MO, "").room
        await house.chat.show_working(place, True)
        await api.until(lambda: len(api.methods.actions) >= 2)
        await house.chat.show_working(place, False)
        await asyncio.sleep(0)
        shown = len(api.methods.actions)
        await house.chat.send(house.letter(MO, "done"))
        assert len(api.methods.actions) <= shown + 1
    assert api.methods.actions[0] == (MO, "typing")


async def test_typing_ends_by_itself_at_last(api: TelegramApi) -> None:
    async with House(api) as house:
        await house.chat.show_working(house.letter(MO, "").room, True)
        await api.until(lambda: len(api.methods.actions) == 80)
        await house.chat.send(house.letter(MO, "done"))
    assert len(api.methods.actions) == 80


async def test_a_passing_message_is_changed_and_taken_away(api: TelegramApi) -> None:
    async with House(api) as house:
        room = house.letter(MO, "").room
        shown = await house.chat.show_progress(room, "Looking …", None)
        assert [post.text for post in api.posts()] == ["Looking …"]
        await house.sleep(2)
        assert await house.chat.show_progress(room, "Reading …", shown) == shown
        assert [post.text for post in api.posts()] == ["Reading …"]
        assert await house.chat.show_progress(room, "", shown) is None
    assert api.posts() == []


async def test_a_passing_message_is_not_changed_too_fast_tg_out_04(api: TelegramApi) -> None:
    async with House(api) as house:
        room = house.letter(MO, "").room
        shown = await house.chat.show_progress(room, "Looking …", None)
        for number in range(20):
            await house.sleep(0.5)
            await house.chat.show_progress(room, f"step {number}", shown)
    assert len(api.calls("editMessageText")) <= 7


async def test_a_limit_ends_changes_until_it_is_over_tg_out_04(api: TelegramApi) -> None:
    pause = ApiError(429, "Too Many Requests: retry after 38", retry_after=38)
    async with House(api) as house:
        room = house.letter(MO, "").room
        shown = await house.chat.show_progress(room, "Looking …", None)
        api.refusals["editMessageText"].append(pause)
        for _ in range(10):
            await house.sleep(2)
            shown = await house.chat.show_progress(room, "Reading …", shown)
        assert len(api.calls("editMessageText")) == 1
        assert shown is not None
        await house.sleep(38)
        await house.chat.show_progress(room, "Writing …", shown)
    assert [post.text for post in api.posts()] == ["Writing …"]


async def test_an_edit_to_the_same_words_is_a_success_tg_out_06(api: TelegramApi) -> None:
    async with House(api) as house:
        room = house.letter(MO, "").room
        shown = await house.chat.show_progress(room, "Looking …", None)
        await house.sleep(2)
        assert await house.chat.show_progress(room, "Looking …", shown) == shown
    assert len(api.posts()) == 1


async def test_a_passing_message_that_is_gone_is_posted_anew(api: TelegramApi) -> None:
    async with House(api) as house:
        room = house.letter(MO, "").room
        shown = await house.chat.show_progress(room, "Looking …", None)
        api.world.messages.clear()
        await house.sleep(2)
        assert await house.chat.show_progress(room, "Reading …", shown) is None
