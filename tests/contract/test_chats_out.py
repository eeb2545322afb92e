"""What goes out: the law of `adapters.chat`, kept by all four chats on their platforms' wires."""

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.chat import Button, EventKind, Outgoing, Receipt
from adapters.errors import Retry, Unknown
from tests.contract.conftest import Has
from tests.fakes.four_chats import Kind, Lack
from tests.fakes.live import Line
from tests.fakes.platform import Fault


async def test_a_letter_stands_where_its_receipt_says(line: Line) -> None:
    receipt = await line.chat.send(await line.letter("ana", "project", "The path is **canary**."))
    (post,) = await line.platform.until_posts("project")
    assert (post.id, post.text) == (receipt.message, "The path is canary.")
    assert receipt.at.tzinfo is not None
    await line.chat.send(await line.letter("mo", "direct", "只给你。"))
    assert [post.text for post in await line.platform.until_posts("direct:mo")] == ["只给你。"]


ITEMS, ROWS, LINES, WORDS = 120, 150, 200, 700
LONG = "\n\n".join(
    [
        "# 发布 plan",
        *(f"- step {n}: *do* the `thing {n}` 然后通知大家" for n in range(ITEMS)),
        "| who | what |\n|---|---|\n" + "\n".join(f"| p{n} | task {n} |" for n in range(ROWS)),
        "```python\n" + "\n".join(f"print({n})  # 行 {n}" for n in range(LINES)) + "\n```",
        " ".join(f"word{n}👍🏽" for n in range(WORDS)),
    ]
)


async def test_a_long_letter_goes_out_in_pieces_and_loses_nothing(line: Line) -> None:
    first = await line.letter("mo", "direct")
    parts = line.chat.parts(LONG)
    for number, part in enumerate(parts):
        await line.chat.send(replace(first, key=f"part-{number}", text=part))
    posts = await line.platform.until_posts("direct:mo", len(parts))
    assert len(posts) == len(parts)
    seen = " ".join(post.text for post in posts)
    at = 0
    for word in (
        *(f"thing {n}" for n in range(ITEMS)),
        *(f"print({n})" for n in range(LINES)),
        *(f"word{n}👍🏽" for n in range(WORDS)),
    ):
        at = seen.find(word, at)
        assert at >= 0, f"{word!r} is missing or out of order"


async def test_a_pressed_button_comes_back_with_its_value(line: Line) -> None:
    choices = (Button(label="Yes", value="consent:1:yes"), Button(label="No", value="consent:1:no"))
    letter = await line.letter("mo", "direct", "May I tell?", buttons=choices)
    receipt = await line.chat.send(letter)
    (post,) = await line.platform.until_posts("direct:mo")
    assert post.buttons == ("Yes", "No")

    await line.platform.press("mo", "direct", receipt.message, "Yes")

    (event,) = await line.kind(EventKind.ACTION)
    assert event.text == "consent:1:yes"
    assert event.address.message == receipt.message and event.address.room == letter.room
    assert event.author.id == line.heard.of(EventKind.NEW)[0].author.id
    await line.platform.until(lambda: not line.platform.posts("direct:mo")[0].buttons)
    assert "May I tell?" in line.platform.posts("direct:mo")[0].text


async def test_a_known_person_is_really_mentioned(line: Line) -> None:
    bo = await line.person("bo", "project")
    letter = await line.letter("ana", "project", "@Bo can you look? @Zoe cannot.", people=(bo,))
    await line.chat.send(letter)
    (post,) = await line.platform.until_posts("project")
    assert post.mentions == ("bo",)
    assert "@Zoe" in post.text and "can you look?" in post.text


async def test_nobody_is_called_by_a_broadcast_in_a_text(line: Line) -> None:
    text = '@channel @here @everyone @all <!channel> <!here> <at user_id="all">all</at>'
    await line.chat.send(await line.letter("ana", "project", text))
    (post,) = await line.platform.until_posts("project")
    assert post.mentions == ()
    assert "@channel" in post.text


async def test_an_answer_goes_to_the_message_it_answers(line: Line, has: Has) -> None:
    has(Lack.QUOTES)
    message = await line.platform.say("ana", "project", "when?")
    letter = await line.letter("bo", "project", "On Friday.", reply_to=message)
    await line.chat.send(letter)
    (post,) = await line.platform.until_posts("project")
    assert (post.reply_to, post.thread) == (message, None)


async def test_a_letter_to_a_thread_goes_into_it(line: Line) -> None:
    root = await line.platform.say("ana", "project", "Shall we?")
    await line.platform.say("bo", "project", "Ask the bot.", thread=root)
    thread = (await line.hear("Ask the bot.")).address.room
    letter = await line.letter("ana", "project", "You shall.")
    await line.chat.send(replace(letter, room=thread))
    (post,) = await line.platform.until_posts("project")
    assert post.thread == thread.thread


# once, and only once


async def test_the_same_key_posts_once(line: Line, has: Has) -> None:
    has(Lack.KEYS)
    letter = await line.letter("ana", "project", "only once")
    first = await line.chat.send(letter)
    again = await line.chat.send(letter)
    assert first.message == again.message
    assert len(line.platform.posts("project")) == 1


async def test_a_letter_is_found_once_it_stands_and_not_before(line: Line, has: Has) -> None:
    has(Lack.LOOKUP)
    letter = await line.letter("ana", "project", "where is it?")
    line.clock.skip(timedelta(hours=2))  # later than any key of a platform's is good
    other = replace(letter, key="another", text="and where is that?")
    assert await line.chat.find(letter) is None
    receipt = await line.chat.send(letter)
    found = await line.chat.find(letter)
    assert found is not None and found.message == receipt.message
    assert await line.chat.find(other) is None


async def test_a_lost_answer_leaves_one_post_or_an_honest_doubt(line: Line, kind: Kind) -> None:
    letter = await line.letter("ana", "project", "did it arrive?")
    line.platform.befall(Fault.LOST)
    with pytest.raises((Unknown, Retry)):
        await line.chat.send(letter)
    await settled(line, letter)
    posts = line.platform.posts("project")
    assert len(posts) <= (2 if Lack.LOOKUP in kind.lacks else 1)
    assert len(posts) >= 1
    for late in posts[1:]:
        assert "possibly a repeat" in late.text


async def test_a_clock_that_is_ahead_makes_nothing_come_twice(line: Line, has: Has) -> None:
    has(Lack.LOOKUP)
    written = line.clock() + timedelta(minutes=30)  # as our clock has it, half an hour too early
    letter = await line.letter("ana", "project", "did it arrive?", written=written)
    line.clock.skip(timedelta(minutes=30))
    line.platform.befall(Fault.LOST)
    with pytest.raises((Unknown, Retry)):
        await line.chat.send(letter)
    await settled(line, letter)
    assert len(line.platform.posts("project")) == 1


async def settled(line: Line, letter: Outgoing) -> Receipt:
    """What the outbox does with a letter in doubt."""
    try:
        found = await line.chat.find(letter)
    except Unknown:
        return await line.chat.send(marked(letter))
    return found or await line.chat.send(letter)


async def test_a_repeat_says_that_it_may_be_one(line: Line, has: Has) -> None:
    """Where the platform can tell, nothing is repeated, and nothing is marked."""
    letter = await line.letter("ana", "project", "It is Friday.")
    chinese = replace(letter, key="zh", text="是周五。")
    for one in (letter, chinese):
        await line.chat.send(marked(one))
    posts = await line.platform.until_posts("project", 2)
    assert "It is Friday." in posts[0].text and "是周五。" in posts[1].text
    has(Lack.CONNECTION)
    if line.platform.name == "telegram":
        assert "possibly a repeat" in posts[0].text and "可能重复" in posts[1].text


def marked(letter: Outgoing) -> Outgoing:
    return replace(letter, possible_repeat=True)
