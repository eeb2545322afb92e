"""The adapter against the server: what comes in, when it is acknowledged, what is asked later."""

import asyncio

import pytest

from adapters.chat import EventKind, File, RoomKind
from adapters.errors import Refused, Retry
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.feishu_house import Running, Time, running


async def test_a_message_is_acknowledged_only_after_it_was_committed(here: Running) -> None:
    await here.house.until_room("hiring")
    here.house.gate.clear()
    said = await here.feishu.say("mo", "project", "hello")
    await here.house.until_called(5)
    assert not here.feishu.acknowledged(said)
    here.house.gate.set()
    await here.feishu.until(lambda: here.feishu.acknowledged(said))
    assert here.house.heard()[0].text == "hello"


async def test_a_full_house_is_answered_500_and_the_event_comes_again(here: Running) -> None:
    here.house.troubles = [Retry("the disk is full")]
    said = await here.feishu.say("mo", "project", "hello")
    await here.feishu.until(lambda: here.feishu.acknowledged(said))
    assert [ack["code"] for ack in here.feishu.hub.acks] == [500, 200]
    assert [incoming.text for incoming in here.house.heard()] == ["hello"]


async def test_a_poisoned_event_is_given_up_after_three_tries_and_noted(here: Running) -> None:
    here.house.troubles = [ValueError("never")] * 3
    bad = await here.feishu.say("mo", "project", "poison")
    await here.feishu.until(lambda: here.feishu.acknowledged(bad))
    good = await here.feishu.say("mo", "project", "fine")
    await here.feishu.until(lambda: here.feishu.acknowledged(good))
    assert [incoming.text for incoming in here.house.heard()] == ["fine"]
    assert "1 events could not be taken" in here.chat.health.note


async def test_garbage_is_passed_over_with_a_record(here: Running) -> None:
    await here.feishu.send_garbage()
    said = await here.feishu.say("mo", "project", "still there?")
    await here.feishu.until(lambda: here.feishu.acknowledged(said))
    assert all(delivery.acked for delivery in here.feishu.hub.deliveries)
    assert "1 events" in here.chat.health.note


async def test_kinds_of_event_nobody_knows_are_acknowledged(here: Running) -> None:
    event = here.feishu.tenant.event("calendar.calendar.changed_v4", {"any": "thing"})
    delivery = await here.feishu.hub.deliver(event)
    await here.feishu.until(lambda: delivery.acked)
    assert here.house.heard() == []


async def test_events_of_one_chat_keep_their_order(here: Running) -> None:
    for number in range(20):
        await here.feishu.say("mo", "project", str(number))
    heard = await here.house.until(count=20)
    assert [incoming.text for incoming in heard] == [str(number) for number in range(20)]


async def test_a_long_message_in_chunks_arrives_whole(here: Running) -> None:
    here.feishu.hub.chunk = 100
    await here.feishu.say("mo", "project", "长" * 5000)
    assert (await here.house.until())[0].text == "长" * 5000


async def test_an_unknown_room_is_told_as_partial_and_then_whole(
    feishu: FeishuApi, time: Time
) -> None:
    feishu.rest.answers["chats.list"] = (1500, "not now")
    async with running(feishu, time) as here:
        await feishu.say("lin", "hiring", "psst")
        first = (await here.house.until())[0]
        assert first.room.partial
        assert (first.room.kind, first.room.open) == (RoomKind.GROUP, False)
        whole = (await here.house.until_room("hiring")).room
        assert whole.open
        assert whole.complete
        assert {(m.id, m.name, m.email) for m in whole.members} == {
            ("ou_lin", "Lin", "lin@example.org"), ("ou_kai", "Kai", "kai@example.org"),
        }  # fmt: skip
        assert whole.workspace == first.room.workspace == "tk_limen"
        await feishu.say("lin", "hiring", "again")
        again = (await here.house.until(count=2))[1]
        assert (again.room, again.author.name) == (whole, "Lin")


async def test_nothing_is_asked_of_the_platform_before_the_commit(here: Running) -> None:
    await here.house.until_room("hiring")
    here.house.gate.clear()
    before = len(here.feishu.rest.calls)
    await here.feishu.say("ana", "direct", "hi")
    await here.house.until_called(5)
    assert here.feishu.rest.calls[before:] == []
    here.house.gate.set()
    dm = await here.house.until_room("Ana")
    assert dm.room.kind is RoomKind.DIRECT
    assert [member.name for member in dm.room.members] == ["Ana"]


async def test_rooms_are_made_known_at_the_start(here: Running) -> None:
    for title in ("general", "architecture", "project", "hiring"):
        await here.house.until_room(title)


async def test_what_could_not_be_learned_is_asked_again(feishu: FeishuApi, time: Time) -> None:
    feishu.rest.answers["chats.members"] = (1500, "internal error")
    async with running(feishu, time) as here:
        await feishu.until(lambda: len(feishu.calls("chats.members")) >= 1)
        del feishu.rest.answers["chats.members"]
        await here.house.until_room("hiring")  # it does not wait for the one that failed
        await time.pass_until(lambda: any(i.room.title == "general" for i in here.house.taken))


async def test_people_whose_names_may_not_be_read_are_named_by_their_rooms(
    feishu: FeishuApi, time: Time
) -> None:
    feishu.rest.scopes.discard("contact:contact.base:readonly")
    async with running(feishu, time) as here:
        room = (await here.house.until_room("hiring")).room
        assert {(member.name, member.email) for member in room.members} == {
            ("Lin", None), ("Kai", None),
        }  # fmt: skip
        assert "permission" in here.chat.health.note


async def test_somebody_anonymous_is_still_heard(here: Running) -> None:
    event = here.feishu.tenant.told(
        here.feishu.tenant.add("oc_project", "ou_mo", "text", {"text": "psst"})
    )
    event["event"]["sender"] = {"sender_id": None, "sender_type": "anonymous"}
    await here.feishu.hub.deliver(event)
    heard = (await here.house.until())[0]
    assert (heard.text, heard.author.id, heard.author.is_bot) == ("psst", "anonymous", False)


async def test_joining_and_leaving_change_the_audience(here: Running) -> None:
    await here.house.until_room("project")
    here.house.taken.clear()
    await here.feishu.join("kai", "project")
    joined = (await here.house.until(EventKind.MEMBERS))[0]
    assert "ou_kai" in {member.id for member in joined.room.members}
    here.house.taken.clear()
    await here.feishu.leave("wei", "project")
    left = (await here.house.until(EventKind.MEMBERS))[0]
    assert "ou_wei" not in {member.id for member in left.room.members}


async def test_people_from_outside_make_outsiders(here: Running) -> None:
    here.feishu.tenant.chats["oc_project"].external = True
    await here.feishu.join("kai", "project")
    assert (await here.house.until(EventKind.MEMBERS))[-1].room.outsiders


async def test_an_edit_comes_as_an_edit_with_a_rising_version(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "Tuesday")
    await here.house.until()
    await here.time.advance(2)
    await here.feishu.edit("mo", "project", said, "Wednesday")
    edit = (await here.house.until(EventKind.EDIT))[0]
    assert (edit.text, edit.address) == ("Wednesday", here.house.heard()[0].address)
    assert edit.version > 1


async def test_an_edit_that_does_not_say_what_is_looked_up(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "Tuesday")
    await here.house.until()
    stored = here.feishu.tenant.messages[said]
    stored.content, stored.edits = '{"text": "Wednesday"}', 1
    body = {"message_id": said, "chat_id": stored.chat}
    await here.feishu.inject(here.feishu.tenant.event("im.message.updated_v1", body))
    edit = (await here.house.until(EventKind.EDIT))[0]
    assert (edit.text, edit.address) == ("Wednesday", here.house.heard()[0].address)


async def test_a_mention_that_an_edit_adds_addresses_the_bot(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "when?")
    await here.house.until()
    stored = here.feishu.tenant.messages[said]
    stored.content = '{"text": "@_user_1 when?"}'
    stored.mentions = [here.feishu.tenant.mention()]
    await here.feishu.tell_of(stored, "im.message.updated_v1")
    assert (await here.house.until(EventKind.EDIT))[0].addressed


async def test_an_edit_that_changes_no_word_is_dropped(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "see https://example.org")
    await here.house.until()
    stored = here.feishu.tenant.messages[said]
    delivery = await here.feishu.tell_of(stored, "im.message.updated_v1")
    await here.feishu.until(lambda: delivery.acked)
    assert here.house.heard(EventKind.EDIT) == []


async def test_a_refused_edit_is_not_lost_when_it_comes_again(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "Tuesday")
    await here.house.until()
    here.house.troubles = [Retry("not now")]
    await here.feishu.edit("mo", "project", said, "Wednesday")
    assert (await here.house.until(EventKind.EDIT))[0].text == "Wednesday"


async def test_a_recall_is_told(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "oops")
    await here.house.until()
    await here.feishu.recall("mo", "project", said)
    recall = (await here.house.until(EventKind.RECALL))[0]
    assert (recall.address.message, recall.text, recall.author.id) == (said, "", "ou_mo")


async def test_a_recall_in_a_topic_nobody_remembers_finds_its_topic(
    feishu: FeishuApi, time: Time
) -> None:
    root = await feishu.say("mo", "project", "root")
    said = await feishu.say("ana", "project", "in the topic", thread=root)
    for delivery in feishu.hub.deliveries:
        delivery.acked = True  # told to an earlier process
    async with running(feishu, time) as here:
        await feishu.recall("ana", "project", said)
        recalls = await here.house.until(EventKind.RECALL, count=2)
        assert [recall.address.thread for recall in recalls] == [None, f"omt_{root[3:]}"]


async def test_reactions_come_and_go(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "ship it?")
    await here.house.until()
    await here.feishu.react("ana", "project", said, "👍")
    reaction = (await here.house.until(EventKind.REACTION))[0]
    assert (reaction.text, reaction.author.id) == ("👍", "ou_ana")
    assert reaction.address.message == said


async def test_a_reaction_to_a_message_of_earlier_finds_its_chat(
    feishu: FeishuApi, time: Time
) -> None:
    said = await feishu.say("mo", "project", "long ago")
    feishu.hub.deliveries[0].acked = True
    async with running(feishu, time) as here:
        await feishu.react("ana", "project", said, "🎉")
        reaction = (await here.house.until(EventKind.REACTION))[0]
        assert (reaction.text, reaction.address.chat) == ("🎉", "oc_project")


async def test_forwarded_words_follow_as_an_edit(here: Running) -> None:
    tenant = here.feishu.tenant
    chat = tenant.chat_of("mo", "direct").id
    outer = tenant.add(chat, "ou_mo", "merge_forward", "Merged and Forwarded Message")
    tenant.add(chat, "ou_ana", "text", {"text": "budget is 40k"}, upper=outer.id)
    inner = tenant.add(
        chat, "ou_bo", "merge_forward", "Merged and Forwarded Message", upper=outer.id
    )
    tenant.add(chat, "ou_wei", "text", {"text": "预算四万"}, upper=inner.id)
    await here.feishu.tell_of(outer)
    edit = (await here.house.until(EventKind.EDIT))[0]
    assert edit.text.splitlines() == [
        "[forwarded conversation]",
        "> Forwarded from a conversation:",
        "> Ana: budget is 40k",
        "> Bo: [forwarded conversation]",
        "> > Wei: 预算四万",
    ]
    assert edit.version > 1


async def test_a_file_is_fetched_by_its_message_and_key(here: Running) -> None:
    await here.feishu.send_file("mo", "project", "plan.pdf", "application/pdf", b"%PDF-1.7")
    heard = (await here.house.until())[0]
    assert heard.text == "[file plan.pdf]"
    assert (heard.files[0].name, heard.files[0].mime) == ("plan.pdf", "application/pdf")
    assert await here.chat.fetch(heard.files[0], limit=1000) == b"%PDF-1.7"


async def test_an_image_with_words_is_one_message(here: Running) -> None:
    await here.feishu.send_file("mo", "project", "x.png", "image/png", b"\x89PNG", text="see this")
    heard = (await here.house.until())[0]
    assert heard.text == "see this\n[image]"
    assert await here.chat.fetch(heard.files[0], limit=1000) == b"\x89PNG"


async def test_a_file_that_is_too_large_is_refused(here: Running) -> None:
    await here.feishu.send_file("mo", "project", "big.bin", "application/x", b"x" * 5000)
    heard = (await here.house.until())[0]
    with pytest.raises(Refused, match="larger than 1000 bytes"):
        await here.chat.fetch(heard.files[0], limit=1000)


async def test_a_file_that_is_gone_is_refused(here: Running) -> None:
    await here.house.until_room("project")
    with pytest.raises(Refused, match="231003"):
        await here.chat.fetch(File(id="om_0/file/key", name="old.txt"), limit=10)
    with pytest.raises(Refused, match="no file of Feishu's"):
        await here.chat.fetch(File(id="elsewhere", name="old.txt"), limit=10)


async def test_a_json_file_is_a_file_and_no_answer(here: Running) -> None:
    await here.feishu.send_file("mo", "project", "a.json", "application/json", b'{"code": "x"}')
    heard = (await here.house.until())[0]
    assert await here.chat.fetch(heard.files[0], limit=1000) == b'{"code": "x"}'


async def test_health_tells_of_signs_of_life_and_events(here: Running) -> None:
    await here.feishu.say("mo", "project", "hello")
    await here.house.until()
    health = here.chat.health
    assert health.up
    assert health.event_at == here.time.now
    await here.time.pass_until(lambda: here.feishu.hub.pings >= 3)
    heard = here.chat.health.heard_at
    assert heard is not None
    assert heard > health.event_at


async def test_where_it_is_reached_names_the_bot(here: Running) -> None:
    assert await here.chat.started() == "Feishu as @Limen"


async def test_a_bot_that_does_not_know_itself_fails_visibly(feishu: FeishuApi, time: Time) -> None:
    feishu.rest.has_bot = False
    made = Running(feishu, time)
    made.start()
    with pytest.raises(Refused, match="添加应用能力"):
        await made.chat.started()
    assert made.task is not None
    with pytest.raises(Refused):
        await made.task
    assert "Add Features" in made.chat.health.note
    assert feishu.connections == 0


async def test_who_it_is_is_asked_until_the_platform_answers(feishu: FeishuApi, time: Time) -> None:
    feishu.rest.answers["bot.info"] = (1500, "internal error")
    made = Running(feishu, time)
    made.start()
    try:
        await feishu.until(lambda: "bot.info" in feishu.rest.calls)
        assert feishu.connections == 0
        del feishu.rest.answers["bot.info"]
        await time.pass_until(lambda: feishu.connections == 1)
    finally:
        await made.stop()


async def test_cn_05_two_chats_start_inside_one_running_loop(time: Time) -> None:
    async with (
        FeishuApi(clock=time.clock) as one,
        FeishuApi(clock=time.clock) as two,
        running(one, time) as first,
        running(two, time) as second,
    ):
        await asyncio.gather(one.say("mo", "project", "a"), two.say("mo", "project", "b"))
        assert (await first.house.until())[0].text == "a"
        assert (await second.house.until())[0].text == "b"


async def test_the_key_of_a_file_leads_nowhere_else(here: Running) -> None:
    calls = here.feishu.calls("bot")
    for key in ("../../../../../bot/v3/info", "k?type=image", "k#"):
        with pytest.raises((Refused, Retry)):
            await here.chat.fetch(File(id=f"om_1/file/{key}", name="plan.txt"), limit=1000)
    assert here.feishu.calls("bot") == calls
