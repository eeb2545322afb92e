"""Letters against the server: what stands there, and what becomes of every refusal."""

import asyncio
import json

import pytest

from adapters.chat import Author, Button, EventKind
from adapters.errors import Refused, Retry, Unknown
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.feishu_house import Running, Time
from tests.fakes.platform import Fault

YES_NO = (Button(label="Yes", value="consent:1:yes"), Button(label="No", value="consent:1:no"))


async def test_a_letter_stands_in_its_chat(here: Running) -> None:
    receipt = await here.chat.send(here.letter("Hello, *all* of you"))
    (post,) = here.feishu.posts("project")
    assert (post.id, post.text) == (receipt.message, "Hello, all of you")
    assert receipt.at == here.time.now


async def test_a_second_try_with_its_key_posts_nothing_new(here: Running) -> None:
    first = await here.chat.send(here.letter("Hello"))
    again = await here.chat.send(here.letter("Hello"))
    assert first.message == again.message
    assert len(here.feishu.posts()) == 1
    assert [body["uuid"] for body in here.feishu.rest.bodies] == ["letter-1", "letter-1"]


async def test_an_answer_hangs_on_the_message_it_answers(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "when?")
    await here.chat.send(here.letter("Tuesday", reply_to=said))
    (post,) = here.feishu.posts("project")
    assert (post.reply_to, post.thread) == (said, None)


async def test_a_letter_to_a_topic_stands_in_the_topic(here: Running) -> None:
    root = await here.feishu.say("mo", "project", "root")
    await here.feishu.say("ana", "project", "in the topic", thread=root)
    heard = await here.house.until_text("in the topic")
    await here.chat.send(here.letter("here", room=heard.address.room))
    (post,) = here.feishu.posts("project")
    assert post.thread == f"omt_{root[3:]}"


async def test_a_topic_nobody_remembers_is_found_in_the_history(here: Running) -> None:
    root = here.feishu.tenant.add("oc_project", "ou_mo", "text", {"text": "root"})
    thread = here.feishu.tenant.threaded(root)
    await here.chat.send(here.letter("here", room=here.room("project", thread)))
    assert here.feishu.posts("project")[0].thread == thread


async def test_a_topic_whose_known_message_was_recalled_is_answered_elsewhere(
    here: Running,
) -> None:
    root = await here.feishu.say("mo", "project", "root")
    said = await here.feishu.say("ana", "project", "in it", thread=root)
    heard = await here.house.until_text("in it")
    here.feishu.tenant.messages[said].deleted = True
    await here.chat.send(here.letter("here", room=heard.address.room))
    assert here.feishu.posts("project")[0].reply_to == root


async def test_a_topic_that_is_gone_is_refused(here: Running) -> None:
    with pytest.raises(Refused, match="topic does not exist"):
        await here.chat.send(here.letter("here", room=here.room("project", "omt_none")))


async def test_fs_out_03_a_question_taken_back_is_not_answered_in_public(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "what does Kai earn?")
    await here.feishu.recall("mo", "project", said)
    await here.house.until(EventKind.RECALL)
    with pytest.raises(Refused, match="the message it answers was recalled"):
        await here.chat.send(here.letter("A lot", reply_to=said))
    assert here.feishu.posts() == []


@pytest.mark.parametrize("room", ["project", "direct:mo"])
async def test_fs_out_03_an_answer_to_what_is_gone_otherwise_stands_by_itself(
    here: Running, room: str
) -> None:
    await here.chat.send(here.letter("Tuesday", room=here.room(room), reply_to="om_q7"))
    (post,) = here.feishu.posts(room)
    assert (post.text, post.reply_to) == ("Tuesday", None)


async def test_fs_out_03_a_message_an_owner_removed_is_answered_by_itself(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "spam?")
    here.feishu.tenant.messages[said].deleted = True
    event = here.feishu.tenant.event("im.message.recalled_v1", {
        "message_id": said, "chat_id": "oc_project", "recall_type": "group_owner",
    })  # fmt: skip
    await here.feishu.inject(event)
    await here.house.until(EventKind.RECALL)
    await here.chat.send(here.letter("No spam", reply_to=said))
    assert here.feishu.posts("project")[0].reply_to is None


async def test_fs_out_01_six_tables_arrive(here: Running) -> None:
    table = "| h1 | h2 |\n|---|---|\n| a | b |\n\n"
    await here.chat.send(here.letter(table * 6))
    (post,) = here.feishu.posts("project")
    assert post.text.count("h1") == 6


async def test_fs_out_01_a_refused_card_becomes_plain_text(here: Running) -> None:
    here.feishu.befall(Fault.UNFORMATTED)
    await here.chat.send(here.letter("# Plan\n\n- **one**\n- `two`"))
    (post,) = here.feishu.posts("project")
    assert "Plan" in post.text
    assert "two" in post.text
    assert here.feishu.rest.bodies[-1]["msg_type"] == "text"
    assert [body["msg_type"] for body in here.feishu.rest.bodies] == ["interactive", "text"]


async def test_what_is_refused_as_plain_text_too_is_refused(here: Running) -> None:
    here.feishu.rest.answers["messages.create"] = (230099, "never")
    with pytest.raises(Refused, match="230099"):
        await here.chat.send(here.letter("# Plan"))
    assert len(here.feishu.calls("messages.create")) == 2


async def test_fs_out_04_a_token_refused_is_dropped_fetched_once_and_tried_once(
    here: Running,
) -> None:
    await here.house.until_room("hiring")
    here.feishu.rest.calls.clear()
    here.feishu.befall(Fault.EXPIRED)
    await here.chat.send(here.letter("Hello"))
    assert here.feishu.rest.calls == ["messages.create", "token", "messages.create"]


async def test_fs_out_04_many_calls_with_a_dead_token_fetch_one_new_one(here: Running) -> None:
    await here.house.until_room("hiring")
    here.feishu.rest.calls.clear()
    here.feishu.rest.tokens.clear()
    letters = [here.letter(str(n), key=f"k{n}", room=here.room(room)) for n, room in enumerate(
        ["project", "general", "architecture", "hiring"]
    )]  # fmt: skip
    await asyncio.gather(*(here.chat.send(letter) for letter in letters))
    assert here.feishu.calls("token") == ["token"]
    assert len(here.feishu.posts()) == 4


async def test_a_token_is_renewed_before_its_end(here: Running) -> None:
    await here.house.until_room("hiring")
    here.time.now = here.time.now.replace(hour=12)  # two hours later, less its margin
    await here.chat.send(here.letter("Hello"))
    assert len(here.feishu.calls("token")) == 2


async def test_a_token_refused_twice_is_tried_later(here: Running) -> None:
    here.feishu.rest.answers["messages.create"] = (99991663, "Invalid access token")
    with pytest.raises(Retry, match="fresh token"):
        await here.chat.send(here.letter("Hello"))


async def test_a_revoked_secret_is_refused_at_sending(here: Running) -> None:
    await here.house.until_room("hiring")
    here.feishu.revoke()
    with pytest.raises(Refused, match="app_secret"):
        await here.chat.send(here.letter("Hello"))


async def test_a_rate_limit_names_its_wait_and_closes_the_door(here: Running) -> None:
    here.feishu.befall(Fault.LIMITED)
    with pytest.raises(Retry) as limited:
        await here.chat.send(here.letter("Hello"))
    assert limited.value.after == 1.0
    sending = asyncio.create_task(here.chat.send(here.letter("Hello")))
    await asyncio.sleep(0.02)
    assert len(here.feishu.calls("messages.create")) == 1  # it waits without being told again
    await here.time.advance(1)
    await sending


async def test_no_chat_gets_more_than_five_a_second(here: Running) -> None:
    letters = [here.letter(str(n), key=f"k{n}") for n in range(7)]
    sending = [asyncio.create_task(here.chat.send(letter)) for letter in letters]
    await here.feishu.until_posts("project", 5)
    await asyncio.sleep(0.02)
    assert len(here.feishu.posts("project")) == 5
    await here.time.advance(1)
    await asyncio.gather(*sending)


async def test_a_lost_answer_is_unknown_and_a_second_try_is_harmless(here: Running) -> None:
    here.feishu.befall(Fault.LOST)
    letter = here.letter("Hello")
    with pytest.raises(Unknown):
        await here.chat.send(letter)
    assert await here.chat.find(letter) is None  # Feishu knows the uuid for an hour
    await here.chat.send(letter)
    assert len(here.feishu.posts("project")) == 1


async def test_a_server_error_is_tried_later(here: Running) -> None:
    here.feishu.befall(Fault.BROKEN)
    with pytest.raises(Retry, match="internal error"):
        await here.chat.send(here.letter("Hello"))
    assert here.feishu.posts() == []


async def test_a_server_that_is_gone_is_tried_later(time: Time) -> None:
    async with FeishuApi(clock=time.clock) as gone:
        made = Running(gone, time)
        letter = made.letter("Hello")
    with pytest.raises(Retry, match="cannot be reached"):
        await made.chat.send(letter)
    await made.close()


async def test_a_bot_thrown_out_says_how_to_add_it(here: Running) -> None:
    here.feishu.befall(Fault.GONE)
    with pytest.raises(Refused, match="群机器人"):
        await here.chat.send(here.letter("Hello"))


@pytest.mark.parametrize(
    "text",
    [
        "Hello **there**, Tuesday it is",
        "# Title\n\n| a | b |\n|---|---|\n| `1` | [x](https://e.org) |",
        "好的，周二见",
        "🎉",
    ],
)
async def test_an_old_letter_is_looked_for_in_the_history(here: Running, text: str) -> None:
    letter = here.letter(text)
    receipt = await here.chat.send(letter)
    for number in range(60):
        here.feishu.tenant.add("oc_project", "ou_mo", "text", {"text": f"talk {number}"})
    here.time.now = here.time.now.replace(hour=13)
    found = await here.chat.find(letter)
    assert found is not None
    assert found.message == receipt.message


async def test_an_old_letter_that_is_not_in_the_history_did_not_arrive(here: Running) -> None:
    letter = here.letter("Hello")
    here.feishu.tenant.add("oc_project", "ou_mo", "text", {"text": "Hello"})
    await here.chat.send(here.letter("Something else", key="other"))
    here.time.now = here.time.now.replace(hour=13)
    assert await here.chat.find(letter) is None


async def test_an_old_letter_is_found_in_its_topic(here: Running) -> None:
    root = here.feishu.tenant.add("oc_project", "ou_mo", "text", {"text": "root"})
    thread = here.feishu.tenant.threaded(root)
    letter = here.letter("in here", room=here.room("project", thread))
    receipt = await here.chat.send(letter)
    here.time.now = here.time.now.replace(hour=13)
    found = await here.chat.find(letter)
    assert found is not None
    assert found.message == receipt.message


async def test_a_history_that_is_closed_can_never_tell(here: Running) -> None:
    here.feishu.rest.scopes -= {"im:message:readonly", "im:message.group_msg"}
    letter = here.letter("Hello")
    here.time.now = here.time.now.replace(hour=13)
    with pytest.raises(Unknown, match="permission"):
        await here.chat.find(letter)


async def test_a_history_that_does_not_answer_is_asked_later(here: Running) -> None:
    here.feishu.rest.answers["messages.list"] = (1500, "internal error")
    letter = here.letter("Hello")
    here.time.now = here.time.now.replace(hour=13)
    with pytest.raises(Retry):
        await here.chat.find(letter)


async def test_a_possible_repeat_is_marked_in_its_language(here: Running) -> None:
    await here.chat.send(here.letter("Tuesday", possible_repeat=True))
    await here.chat.send(here.letter("周二", key="k2", possible_repeat=True))
    english, chinese = here.feishu.posts("project")
    assert english.text.startswith("(possibly a repeat)")
    assert chinese.text.startswith("（可能重复）")


@pytest.mark.parametrize("text", ["@Ana please confirm", "# Plan\n\n@Ana please confirm"])
async def test_fs_out_06_a_name_becomes_a_mention(here: Running, text: str) -> None:
    people = (Author(id="ou_ana", name="Ana"), Author(id="ou_bo", name="Bo"))
    await here.chat.send(here.letter(text, people=people))
    (post,) = here.feishu.posts("project")
    assert post.mentions == ("ana",)
    assert "@Ana please confirm" in post.text


async def test_fs_out_06_a_name_of_two_people_stays_text(here: Running) -> None:
    people = (Author(id="ou_ana", name="Ana"), Author(id="ou_bo", name="Ana"))
    await here.chat.send(here.letter("@Ana please", people=people))
    assert here.feishu.posts("project")[0].mentions == ()


@pytest.mark.parametrize("text", ["@all lunch", '<at user_id="all">x</at> lunch', "@_all lunch"])
async def test_nothing_in_a_text_calls_everybody(here: Running, text: str) -> None:
    await here.chat.send(here.letter(text))
    here.feishu.befall(Fault.UNFORMATTED)
    await here.chat.send(here.letter(text, key="as plain text"))
    assert [post.mentions for post in here.feishu.posts("project")] == [(), ()]


async def test_a_pressed_button_comes_in_and_leaves_its_label_in_a_dm(here: Running) -> None:
    await here.feishu.say("mo", "direct", "hi")
    await here.house.until_text("hi")
    letter = here.letter("May I?", room=here.room("direct:mo"), buttons=YES_NO)
    receipt = await here.chat.send(letter)
    await here.feishu.press("mo", "direct", receipt.message, "Yes")
    pressed = (await here.house.until(EventKind.ACTION))[0]
    assert (pressed.text, pressed.author.id) == ("consent:1:yes", "ou_mo")
    assert pressed.address.message == receipt.message
    await here.feishu.until(lambda: not here.feishu.posts("direct:mo")[0].buttons)
    assert here.feishu.posts("direct:mo")[0].text == "May I?\n✓ Yes"


async def test_buttons_stay_in_a_group_where_others_may_choose(here: Running) -> None:
    receipt = await here.chat.send(here.letter("Who comes?", buttons=YES_NO))
    await here.feishu.press("ana", "project", receipt.message, "No")
    await here.house.until(EventKind.ACTION)
    assert here.feishu.posts("project")[0].buttons == ("Yes", "No")
    assert here.feishu.hub.deliveries[-1].answer["toast"]["content"] == "✓ No"


async def test_a_long_text_is_cut_into_parts_that_are_taken(here: Running) -> None:
    text = "\n\n".join(f"## Part {n}\n\n{'长文本 ' * 400}" for n in range(30))
    parts = here.chat.parts(text)
    assert len(parts) > 1
    for number, part in enumerate(parts):
        here.time.now = here.time.now.replace(minute=number)
        await here.chat.send(here.letter(part, key=f"k{number}"))
    assert len(here.feishu.posts("project")) == len(parts)
    assert {body["msg_type"] for body in here.feishu.rest.bodies} == {"interactive"}


async def test_the_sign_of_work_comes_and_goes(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "help")
    place = (await here.house.until_text("help")).address
    await here.chat.show_working(place, True)
    await here.chat.show_working(place, True)
    reactions = here.feishu.tenant.messages[said].reactions
    assert list(reactions.values()) == [("cli_limen", "Typing")]
    await here.chat.show_working(place, False)
    assert reactions == {}


async def test_a_sign_of_work_never_fails(here: Running) -> None:
    said = await here.feishu.say("mo", "project", "help")
    place = (await here.house.until_text("help")).address
    here.feishu.tenant.messages[said].deleted = True
    await here.chat.show_working(place, True)
    await here.chat.show_working(place, False)
    await here.chat.show_working(place.room, True)


async def test_progress_is_one_message_that_goes_away(here: Running) -> None:
    room = here.room("project")
    shown = await here.chat.show_progress(room, "reading …", None)
    assert [post.text for post in here.feishu.posts("project")] == ["reading …"]
    assert await here.chat.show_progress(room, "writing …", shown) == shown
    assert [post.text for post in here.feishu.posts("project")] == ["writing …"]
    assert await here.chat.show_progress(room, "", shown) is None
    assert here.feishu.posts("project") == []


async def test_progress_goes_on_in_another_message_after_twenty_edits(here: Running) -> None:
    room = here.room("project")
    shown = first = await here.chat.show_progress(room, "step 0", None)
    for step in range(1, 22):
        here.time.now = here.time.now.replace(minute=step)
        shown = await here.chat.show_progress(room, f"step {step}", shown)
    assert shown != first
    assert [post.text for post in here.feishu.posts("project")] == ["step 21"]


async def test_progress_that_is_not_taken_does_not_fail(here: Running) -> None:
    here.feishu.befall(Fault.BROKEN)
    assert await here.chat.show_progress(here.room("project"), "step", None) is None


async def test_an_open_id_of_another_app_is_refused_for_good(here: Running) -> None:
    here.feishu.rest.answers["messages.create"] = (99992361, "open_id cross app")
    with pytest.raises(Refused, match="another app"):
        await here.chat.send(here.letter("FS-IN-13"))


async def test_an_answer_that_is_no_json_is_unknown(here: Running) -> None:
    here.feishu.rest.broken_gateway = True
    with pytest.raises(Unknown, match="no JSON"):
        await here.chat.send(here.letter("Hello"))
    here.feishu.rest.broken_gateway = False


async def test_content_is_sent_as_a_string_of_json(here: Running) -> None:
    await here.chat.send(here.letter("Hi"))
    body = here.feishu.rest.bodies[0]
    assert isinstance(body["content"], str)
    assert json.loads(body["content"])
