"""Letters to a loopback Slack by the real client: posted once, whatever happens on the way."""

import asyncio
from datetime import timedelta

import pytest

from adapters.chat import Author, Button
from adapters.errors import Refused, Retry, Unknown
from tests.fakes.platform import Fault
from tests.fakes.slack_world import World, connected

BUTTONS = (Button(label="Yes", value="consent:1:yes"), Button(label="No", value="consent:1:no"))


async def sent_within_pace(world: World, text: str, key: str) -> None:
    """Send although a letter went to the same room just now."""
    task = asyncio.create_task(world.chat.send(world.letter(text, key=key)))
    await world.clock.until_asleep(lambda nap: 0 < nap <= 1)
    await world.clock.advance(1)
    await task


async def test_a_letter_stands_in_its_room_as_it_was_meant() -> None:
    async with connected() as world:
        receipt = await world.chat.send(world.letter("**Deploy** is at `noon`."))
        posted = world.api.posts("project")
        assert [(post.id, post.text) for post in posted] == [
            (receipt.message, "Deploy is at noon.")
        ]
        assert abs(receipt.at - world.clock.now) < timedelta(seconds=30)


async def test_an_answer_hangs_in_the_thread_of_its_room() -> None:
    """SL-IN-15: the thread is the root's time stamp, never a reply's."""
    async with connected() as world:
        root = await world.api.say("wei", "project", "how much is it?")
        reply = await world.api.say("wei", "project", "and in euros?", thread=root)
        said = (await world.until_heard(count=2))[1]
        assert said.address.message == reply
        await world.chat.send(world.letter("ten euros", thread=said.address.thread))
        assert world.api.posts("project")[0].thread == root


async def test_people_are_really_mentioned_and_namesakes_are_not() -> None:
    async with connected() as world:
        people = (
            Author(id="U0ANA", name="Ana"),
            Author(id="U0BO", name="Bo"),
            Author(id="U0WEI", name="Bo"),
        )
        await world.chat.send(world.letter("@Ana and @Bo, please look", people=people))
        post = world.api.posts("project")[0]
        assert post.mentions == ("ana",)
        assert post.text == "@Ana and @Bo, please look"


async def test_text_never_pings_everybody() -> None:
    """SL-OUT-06"""
    quoted = "Quoting the alert: <!channel> db down. cc <@U0JON00001> <!subteam^S0ALL00001>"
    async with connected() as world:
        world.api.befall(Fault.UNFORMATTED)
        await world.chat.send(world.letter(f"{quoted} @here <!everyone>"))
        await sent_within_pace(world, f"{quoted} @here <!everyone>", key="letter-2")
        messages = [
            message
            for message in world.api.workspace.channels["C0PROJECT"].messages.values()
            if message.user == world.api.workspace.bot
        ]
        assert len(messages) == 2
        for message in messages:
            assert "<!" not in message.text
            assert "<@" not in message.text
            kinds = {leaf.get("type") for leaf in _leaves(message.blocks)}
            assert not kinds & {"broadcast", "user", "usergroup", "mrkdwn"}
        assert "db down" in world.api.posts("project")[0].text


def _leaves(node: object) -> list[dict[str, object]]:
    if isinstance(node, dict):
        return [node, *(leaf for value in node.values() for leaf in _leaves(value))]
    if isinstance(node, list):
        return [leaf for item in node for leaf in _leaves(item)]
    return []


async def test_rejected_formatting_falls_back_to_the_same_words() -> None:
    """SL-OUT-02: the words go out bare, and nobody is asked for new ones."""
    async with connected() as world:
        world.api.befall(Fault.UNFORMATTED)
        await world.chat.send(world.letter("**Deploy** is at `noon` & not *later*."))
        await world.api.until_posts("project")
        posts = world.api.posts("project")
        assert [post.text for post in posts] == ["Deploy is at noon & not later."]
        assert len(world.api.calls("chat.postMessage")) == 2


@pytest.mark.parametrize("code", ["invalid_blocks", "msg_blocks_too_long", "invalid_attachments"])
async def test_every_code_for_rejected_blocks_is_known(code: str) -> None:
    """SL-OUT-02"""
    detail = "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    async with connected() as world:
        world.api.fail("chat.postMessage", code, detail)
        await world.chat.send(world.letter("**60** short sections"))
        assert [post.text for post in world.api.posts("project")] == ["60 short sections"]


async def test_buttons_survive_the_fall_back() -> None:
    async with connected() as world:
        world.api.befall(Fault.UNFORMATTED)
        await world.chat.send(world.letter("May I **tell** Lin?", buttons=BUTTONS))
        post = world.api.posts("project")[0]
        assert (post.text, post.buttons) == ("May I tell Lin?", ("Yes", "No"))


async def test_long_text_goes_out_in_parts_that_slack_takes() -> None:
    """SL-OUT-01"""
    text = "Row with some detail.\n" * 2500
    async with connected() as world:
        parts = world.chat.parts(text)
        for number, part in enumerate(parts):
            task = asyncio.create_task(world.chat.send(world.letter(part, key=f"letter-{number}")))
            while not task.done():
                await world.clock.advance(1)
                await asyncio.sleep(0.001)
            await task
        words = " ".join(post.text for post in world.api.posts("project")).split()
        assert words == text.split()
        assert all(len(part) <= 4_000 for part in parts)


async def test_a_message_over_the_limit_is_refused_and_not_tried_for_ever() -> None:
    """SL-OUT-01"""
    async with connected() as world:
        world.api.fail("chat.postMessage", "msg_too_long")
        with pytest.raises(Refused, match="longer than Slack takes"):
            await world.chat.send(world.letter("long"))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("is_archived", "the channel is archived"),
        ("not_in_channel", "invite it there"),
        ("channel_not_found", "invite it there"),
        ("account_inactive", "the app was removed"),
        ("restricted_action", "does not let apps post there"),
        ("something_new", "something_new"),
    ],
)
async def test_what_slack_will_never_take_is_refused_in_words(code: str, words: str) -> None:
    """SL-OUT-04: an answer of HTTP 200 with `ok: false` is no delivery."""
    async with connected() as world:
        world.api.fail("chat.postMessage", code)
        with pytest.raises(Refused, match=words):
            await world.chat.send(world.letter("hello"))
        assert "conversations.join" not in world.api.calls()


async def test_a_missing_scope_is_named() -> None:
    async with connected() as world:
        world.api.web.scopes.discard("chat:write")
        with pytest.raises(Refused, match="lacks the scope chat:write"):
            await world.chat.send(world.letter("hello"))


async def test_retry_after_closes_the_room_for_so_long_and_no_other() -> None:
    async with connected() as world:
        world.api.fail("chat.postMessage", 12)
        with pytest.raises(Retry) as raised:
            await world.chat.send(world.letter("hello"))
        assert raised.value.after == 12
        await world.chat.send(world.letter("elsewhere", "C0GENERAL", key="letter-2"))
        again = asyncio.create_task(world.chat.send(world.letter("hello")))
        await world.clock.until_asleep(lambda nap: nap == 12)
        assert world.api.posts("project") == []
        await world.clock.advance(12)
        await again
        assert [post.text for post in world.api.posts("project")] == ["hello"]


async def test_one_letter_a_second_goes_to_a_room() -> None:
    async with connected() as world:
        await world.chat.send(world.letter("one", key="letter-1"))
        second = asyncio.create_task(world.chat.send(world.letter("two", key="letter-2")))
        await world.clock.until_asleep(lambda nap: nap == 1)
        assert len(world.api.posts("project")) == 1
        await world.clock.advance(1)
        await second


async def test_a_server_that_is_down_took_nothing() -> None:
    async with connected() as world:
        world.api.befall(Fault.BROKEN)
        with pytest.raises(Retry):
            await world.chat.send(world.letter("hello"))
        assert await world.chat.find(world.letter("hello")) is None


async def test_a_letter_whose_answer_was_lost_is_found_by_its_key() -> None:
    async with connected() as world:
        world.api.befall(Fault.LOST)
        letter = world.letter("hello")
        with pytest.raises(Unknown):
            await world.chat.send(letter)
        receipt = await world.chat.find(letter)
        assert receipt is not None
        assert [post.id for post in world.api.posts("project")] == [receipt.message]
        assert await world.chat.find(world.letter("hello", key="letter-10")) is None


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>502</html>", "text/html"),
        ("<html>502</html>", "application/json"),
        ("[1]", "application/json"),
        ("null", "application/json"),
        ("fine", "text/plain"),
        ('{"ok": true}', "application/json"),
        ('{"ok": true, "ts": 7}', "application/json"),
    ],
)
async def test_an_answer_that_is_not_slacks_leaves_the_letter_in_doubt(
    body: str, content_type: str
) -> None:
    async with connected() as world:
        world.api.strange["chat.postMessage"] = (body, content_type)
        letter = world.letter("hello")
        with pytest.raises(Unknown):
            await world.chat.send(letter)
        assert await world.chat.find(letter) is not None


async def test_an_internal_error_may_have_posted_it() -> None:
    async with connected() as world:
        world.api.fail("chat.postMessage", "fatal_error")
        with pytest.raises(Unknown):
            await world.chat.send(world.letter("hello"))


async def test_a_lost_letter_in_a_thread_is_found_in_it() -> None:
    async with connected() as world:
        root = await world.api.say("wei", "project", "who?")
        world.api.befall(Fault.LOST)
        letter = world.letter("me", thread=root)
        with pytest.raises(Unknown):
            await world.chat.send(letter)
        receipt = await world.chat.find(letter)
        assert receipt is not None
        assert world.api.posts("project")[0].id == receipt.message


async def test_a_letter_is_found_behind_many_others() -> None:
    async with connected() as world:
        world.api.befall(Fault.LOST)
        letter = world.letter("hello")
        with pytest.raises(Unknown):
            await world.chat.send(letter)
        for number in range(450):
            channel = world.api.workspace.channels["C0PROJECT"]
            world.api.workspace.post(channel, "U0WEI", f"message {number}")
        assert await world.chat.find(letter) is not None


async def test_where_history_may_not_be_read_a_letter_stays_in_doubt() -> None:
    async with connected() as world:
        world.api.web.scopes.discard("channels:history")
        with pytest.raises(Unknown, match="channels:history"):
            await world.chat.find(world.letter("hello"))


async def test_looking_again_later_is_asked_for_where_slack_is_busy() -> None:
    async with connected() as world:
        world.api.fail("conversations.history", 3)
        with pytest.raises(Retry) as raised:
            await world.chat.find(world.letter("hello"))
        assert raised.value.after == 3


async def test_an_answer_into_a_deleted_thread_is_taken_back() -> None:
    """SL-IN-17: Slack would leave it in the channel, before everybody."""
    async with connected() as world:
        root = await world.api.say("wei", "project", "what is Jon paid?", mention=True)
        await world.api.recall("wei", "project", root)
        with pytest.raises(Refused, match="was deleted"):
            await world.chat.send(world.letter("he is paid …", thread=root))
        assert world.api.posts("project") == []


async def test_a_stray_whose_answer_was_lost_is_taken_back_when_it_is_looked_for() -> None:
    async with connected() as world:
        root = await world.api.say("wei", "project", "what is Jon paid?")
        await world.api.recall("wei", "project", root)
        world.api.befall(Fault.LOST)
        letter = world.letter("he is paid …", thread=root)
        with pytest.raises(Unknown):
            await world.chat.send(letter)
        assert len(world.api.posts("project")) == 1
        assert await world.chat.find(letter) is None
        assert world.api.posts("project") == []


@pytest.mark.parametrize(
    ("text", "mark"), [("Done.", "(possibly a repeat)"), ("好了。", "（可能重复）")]
)
async def test_a_possible_repeat_is_marked_in_the_language_of_the_text(
    text: str, mark: str
) -> None:
    async with connected() as world:
        await world.chat.send(world.letter(text, possible_repeat=True))
        assert world.api.posts("project")[0].text.split() == f"{mark} {text}".split()


async def test_nothing_is_sent_before_the_connection_is_open() -> None:
    async with connected() as world:
        pass
    with pytest.raises(Retry):
        await world.chat.send(world.letter("hello"))


async def test_a_button_with_too_much_to_send_back_is_refused() -> None:
    async with connected() as world:
        huge = Button(label="Yes", value="x" * 2_001)
        with pytest.raises(Refused, match="'Yes' has 2001 signs"):
            await world.chat.send(world.letter("May I?", buttons=(huge,)))
