"""How updates come in: stored before they are confirmed, and nothing makes the bot deaf."""

import asyncio

import pytest

from adapters.chat import EventKind, Incoming
from adapters.errors import AdapterError, Refused, Retry
from adapters.telegram.api import Api
from adapters.telegram.settings import MenuCommand
from tests.fakes.platform import DIRECT
from tests.fakes.telegram_api import CONFLICT, TelegramApi
from tests.fakes.telegram_house import House
from tests.fakes.telegram_rules import ApiError
from tests.fakes.telegram_world import BOT, GROUPS, PEOPLE

MIRA = {"id": 70010099, "is_bot": False, "first_name": "Mira", "username": "mira_k"}
FORUM = {"id": -1002000000777, "type": "supergroup", "title": "Field Team"}


async def test_a_message_comes_in_with_its_room_and_author(api: TelegramApi) -> None:
    async with House(api) as house:
        message = await api.say("mo", "project", "hello there")
        (event,) = await house.heard_new()
    assert str(event.address) == f"telegram:{BOT}/{GROUPS['project']}#{message}"
    assert (event.author.name, event.text, event.addressed) == ("Mo", "hello there", False)
    assert (event.room.title, event.room.open, event.room.complete) == ("project", True, False)
    assert event.room.workspace == f"telegram:{BOT}"


async def test_an_update_is_confirmed_only_once_it_is_stored(api: TelegramApi) -> None:
    """DU-01: the offset moves on after the commit, never before."""
    stored = asyncio.Event()

    class Slow(House):
        async def receive(self, incoming: Incoming) -> None:
            await stored.wait()
            await super().receive(incoming)

    async with Slow(api):
        message = await api.say("mo", DIRECT, "hello")
        await api.until(lambda: api.connections == 0)
        assert not api.acknowledged(message)
        stored.set()
        await api.until(lambda: api.acknowledged(message))


async def test_what_cannot_be_stored_now_is_polled_again(api: TelegramApi) -> None:
    """DU-01: what is not durable is not confirmed."""
    async with House(api) as house:
        house.failures = [Retry("the disk is full"), Retry("the disk is full")]
        message = await api.say("mo", DIRECT, "hello")
        await house.heard_new()
        await api.until(lambda: api.acknowledged(message))
    assert house.offered == 3
    assert len(house.slept) == 2


async def test_an_event_that_can_never_be_stored_blocks_nobody(api: TelegramApi) -> None:
    """DU-12: it is passed over, with a record."""
    async with House(api) as house:
        house.failures = [ValueError("poison")] * 3
        first = await api.say("mo", DIRECT, "poison")
        await api.until(lambda: api.acknowledged(first))
        await api.say("mo", DIRECT, "hello")
        (event,) = await house.heard_new()
        assert event.text == "hello"
        assert "1 update(s) could not be read" in house.chat.health.note


async def test_while_one_chat_waits_the_others_are_not_told_twice(api: TelegramApi) -> None:
    told: list[str] = []

    class Stuck(House):
        async def receive(self, incoming: Incoming) -> None:
            told.append(incoming.text)
            if incoming.text == "stuck" and told.count("stuck") < 3:
                raise Retry("not now")
            await super().receive(incoming)

    first = await api.say("mo", DIRECT, "stuck")
    await api.say("wei", DIRECT, "fine")
    house = Stuck(api)
    async with house:
        await api.until(lambda: api.acknowledged(first))
        await house.heard_new(2)
    assert sorted(told) == ["fine", "stuck", "stuck", "stuck"]


async def test_the_order_inside_a_chat_is_kept_over_a_retry(api: TelegramApi) -> None:
    for text in ("one", "two", "three"):
        await api.say("mo", DIRECT, text)
    house = House(api)
    house.failures = [Retry("not now")]
    async with house:
        events = await house.heard_new(3)
    assert [event.text for event in events] == ["one", "two", "three"]


async def test_a_second_delivery_is_handed_in_alike(api: TelegramApi) -> None:
    async with House(api) as house:
        first = await api.say("mo", DIRECT, "hello")
        second = await api.say("mo", DIRECT, "again")
        await api.until(lambda: api.acknowledged(second))
        await api.redeliver(first)
        events = await house.heard_new(3)
        assert events[2] == events[0]
        later = await api.say("mo", DIRECT, "later")
        await api.until(lambda: api.acknowledged(later))


async def test_updates_that_are_counted_anew_after_a_quiet_week_are_confirmed(
    api: TelegramApi,
) -> None:
    async with House(api) as house:
        before = await api.say("mo", DIRECT, "see you next week")
        await api.until(lambda: api.acknowledged(before))
        api.world.count_anew()
        after = await api.say("mo", DIRECT, "back again")
        await api.until(lambda: api.acknowledged(after))
        await house.heard_new(2)
    assert house.offered == 2


async def test_an_update_nobody_can_read_is_skipped_with_a_record(api: TelegramApi) -> None:
    await api.say("mo", DIRECT, "before")
    await api.send_garbage()
    await api.say("mo", DIRECT, "after")
    async with House(api) as house:
        events = await house.heard_new(2)
        await api.until(lambda: not api.world.updates)
        assert [event.text for event in events] == ["before", "after"]
        assert "1 update(s) could not be read and were skipped" in house.chat.health.note
        assert house.chat.health.up


async def test_updates_of_unknown_kinds_are_confirmed(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.say("mo", DIRECT, "before")
        id = api.world.all_updates[-1]["update_id"] + 1
        api.world.replayed.append({"update_id": id, "news_of_next_year": {"chat": FORUM}})
        await api.tell()
        await api.until(lambda: api.world.confirmed > id)
        assert house.chat.health.note == ""


async def test_reactions_are_asked_for(api: TelegramApi) -> None:
    async with House(api) as house:
        message = await api.say("mo", "project", "done!")
        await house.heard_new()
        await api.react("wei", "project", message, "👍")
        events = await house.heard(lambda events: events[-1].kind is EventKind.REACTION)
        await api.react("wei", "project", message, "")
        await house.heard(lambda events: events[-1].text == "")
    reaction = events[-2]
    assert (reaction.text, reaction.author.name) == ("👍", "Wei")
    assert reaction.address.message == message
    assert events[-1].version > reaction.version


async def test_a_reaction_in_a_topic_is_told_of_that_topic(api: TelegramApi) -> None:
    async with House(api) as house:
        message = await api.say("mo", "project", "done!", thread="55")
        await house.heard_new()
        await api.react("wei", "project", message, "👍")
        events = await house.heard(lambda events: events[-1].kind is EventKind.REACTION)
    assert events[-1].address.thread == "55"


async def test_a_broken_poll_is_made_anew(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.until(lambda: api.connections == 1)
        await api.hang_up()
        await api.say("mo", DIRECT, "hello")
        await house.heard_new()
        assert house.chat.health.up


async def test_a_poll_that_goes_silent_is_given_up_and_nothing_is_lost_cn_02(
    api: TelegramApi,
) -> None:
    async with House(api, poll_s=1, silence_s=0.5) as house:
        await api.go_silent()
        await api.say("mo", DIRECT, "are you there?")
        (event,) = await house.heard_new()
        await api.until(lambda: api.connections == 1)
        assert event.text == "are you there?"
        assert house.chat.health.up
        assert house.chat.health.heard_at is not None


async def test_a_conflict_is_told_and_waited_out_cn_01(api: TelegramApi) -> None:
    async with House(api, poll_s=5) as house:
        await api.until(lambda: api.connections == 1)
        api.refusals["getUpdates"].extend([CONFLICT, CONFLICT])
        await api.hang_up()
        await api.say("mo", DIRECT, "hello")
        await house.heard_new()
        assert (house.chat.health.up, house.chat.health.note) == (True, "")
    told = [health for health in house.healths if "a second program" in health.note]
    assert [health.up for health in told] == [False, False]
    assert len([seconds for seconds in house.slept if seconds > 5]) == 2


async def test_a_webhook_is_removed_and_polling_goes_on_cn_01(api: TelegramApi) -> None:
    api.methods.webhook = "https://old.example.org/hook"
    await api.say("mo", DIRECT, "hello")
    async with House(api) as house:
        await house.heard_new()
    assert "deleteWebhook" in api.calls()
    assert api.methods.webhook == ""


async def test_trouble_at_telegrams_is_waited_out_with_growing_pauses(api: TelegramApi) -> None:
    trouble = ApiError(500, "Internal Server Error")
    pause = ApiError(429, "Too Many Requests: retry after 38", retry_after=38)
    api.refusals["getUpdates"].extend([trouble, trouble, pause])
    await api.say("mo", DIRECT, "hello")
    async with House(api) as house:
        await house.heard_new()
    assert house.slept[:3] == [1.0, 2.0, 38.0]


async def test_a_wrong_token_ends_it_with_a_word(api: TelegramApi) -> None:
    house = House(api, token="1:wrong")
    try:
        async with house:
            pass
    except Refused as error:
        assert "@BotFather" in str(error)
    assert isinstance(await house.ended(), Refused)


async def test_a_revoked_token_ends_it_with_a_word(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.until(lambda: api.connections == 1)
        api.revoke()
        error = await house.ended()
        assert isinstance(error, Refused)
        assert "token" in str(error)
        assert not house.chat.health.up


async def test_privacy_mode_is_told_with_the_way_out_tg_in_12(api: TelegramApi) -> None:
    api.methods.reads_all = False
    async with House(api) as house:
        note = house.chat.health.note
    assert "/setprivacy" in note
    assert "@acme_helper_bot" in note
    assert "add it again" in note


async def test_the_note_on_privacy_mode_goes_once_it_is_off_tg_in_12(api: TelegramApi) -> None:
    api.methods.reads_all = False
    async with House(api) as house:
        assert house.chat.health.note
        api.methods.reads_all = True
        await house.sleep(301)
        await api.say("mo", DIRECT, "/help")
        await api.until(lambda: house.chat.health.note == "")


async def test_the_menu_is_shown_in_both_languages(api: TelegramApi) -> None:
    menu = (MenuCommand(name="status", about="How I am", about_zh="我现在怎么样"),)
    async with House(api, commands=menu):
        await api.until(lambda: len(api.methods.commands) == 2)
    assert api.methods.commands == {
        "": [{"command": "status", "description": "How I am"}],
        "zh": [{"command": "status", "description": "我现在怎么样"}],
    }


async def test_a_menu_that_is_refused_keeps_nobody_from_hearing(api: TelegramApi) -> None:
    async with House(api, commands=(MenuCommand(name="状态", about="x", about_zh="x"),)) as house:
        await api.say("mo", DIRECT, "hello")
        await house.heard_new()


async def test_it_tells_where_it_can_be_reached(api: TelegramApi) -> None:
    async with House(api) as house:
        assert await house.chat.started() == "Telegram as @acme_helper_bot"


async def test_intake_never_waits_for_an_answer_tg_in_13(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.say("mo", DIRECT, "research all suppliers")
        await house.heard_new()
        await api.say("mo", DIRECT, "/stop")
        events = await house.heard_new(2)
    assert (events[1].text, events[1].addressed) == ("/stop", True)


async def test_who_runs_a_group_becomes_known_after_its_first_message(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.say("ana", "project", "hello")
        events = await house.heard(lambda es: es[-1].kind is EventKind.MEMBERS)
        assert {one.name for one in events[-1].room.members} == {"Ana", "Wei"}
        await api.say("ana", "project", "again")
        await house.heard_new(2)
    assert api.calls("getChatAdministrators") == ["getChatAdministrators"]


async def test_comings_and_goings_change_the_members(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.join("mo", "project")
        joined = await house.heard(1)
        assert joined[0].kind is EventKind.MEMBERS
        assert "Mo" in {one.name for one in joined[0].room.members}
        await api.leave("mo", "project")
        await house.heard(
            lambda events: (
                events[-1].kind is EventKind.MEMBERS
                and "Mo" not in {one.name for one in events[-1].room.members}
            )
        )


async def test_a_group_that_moves_is_told_once_for_each_message_of_it_tg_in_04(
    api: TelegramApi,
) -> None:
    async with House(api) as house:
        await api.say("mo", "project", "before")
        await house.heard_new()
        new = await api.upgrade("mo", "project")
        await house.heard(lambda es: len([e for e in es if e.kind is EventKind.MOVED]) == 2)
    moves = [event for event in house.events if event.kind is EventKind.MOVED]
    assert {str(event.address.chat) for event in moves} == {str(new)}
    assert {event.moved_from.chat for event in moves if event.moved_from} == {
        str(GROUPS["project"])
    }
    assert "Mo" in {one.name for one in moves[0].room.members}
    assert moves[0].room.title == "project"


async def test_what_was_said_before_a_move_is_stored_before_it_tg_in_04(api: TelegramApi) -> None:
    class Slow(House):
        async def receive(self, incoming: Incoming) -> None:
            if incoming.text == "before":
                for _ in range(5):
                    await asyncio.sleep(0)
            await super().receive(incoming)

    await api.say("mo", "project", "before")
    await api.upgrade("mo", "project")
    async with Slow(api) as house:
        await house.heard(3)
    kinds = [event.kind for event in house.events]
    assert kinds[:3] == [EventKind.NEW, EventKind.MOVED, EventKind.MOVED]


async def test_listening_anew_ends_a_poll_that_hangs_cn_02(api: TelegramApi) -> None:
    client = Api(House(api, poll_s=30).settings)
    client.open()
    hanging = asyncio.create_task(client.updates(None))
    await api.until(lambda: api.connections == 1)
    await client.listen_anew()
    with pytest.raises(AdapterError):
        await hanging
    await api.say("mo", DIRECT, "hello")
    assert len(await client.updates(None)) == 1
    await client.close()


async def test_an_album_of_an_addressed_caption_is_addressed_as_a_whole(api: TelegramApi) -> None:
    for number, caption in ((1, None), (2, "@acme_helper_bot compare"), (3, None)):
        photo = [{"file_id": f"p{number}", "file_unique_id": f"u{number}", "width": 1, "height": 1}]
        words = {"caption": caption, "caption_entities": MENTION} if caption else {}
        message = {
            "message_id": number, "from": MIRA, "chat": FORUM, "date": 1767603600,
            "media_group_id": "77", "photo": photo, **words,
        }  # fmt: skip
        await api.inject({"update_id": 510009010 + number, "message": message})
    async with House(api) as house:
        events = await house.heard_new(3)
    assert [event.addressed for event in events] == [True, True, True]
    assert [event.files[0].id for event in events] == ["p1", "p2", "p3"]


MENTION = [{"type": "mention", "offset": 0, "length": 16}]


async def test_a_direct_room_is_complete_and_closed(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.say("mo", DIRECT, "psst")
        (event,) = await house.heard_new()
    assert event.address.chat == str(PEOPLE["mo"])
    assert (event.room.open, event.room.complete, event.addressed) == (False, True, True)
    assert [one.name for one in event.room.members] == ["Mo"]
