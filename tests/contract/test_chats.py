"""What comes in: the law of `adapters.chat`, kept by all four chats on their platforms' wires."""

from collections.abc import Callable

from adapters.chat import EventKind, RoomKind
from bot.app import system_sleep
from tests.contract.conftest import Has
from tests.fakes.four_chats import Kind, Lack
from tests.fakes.live import Line
from tests.fakes.telegram_api import TelegramApi


async def test_an_event_is_acknowledged_only_after_it_was_taken(line: Line) -> None:
    line.heard.gate.clear()
    message = await line.platform.say("ana", "project", "keep this")
    await line.platform.until(lambda: line.heard.tries > 0)
    assert not line.platform.acknowledged(message)

    line.heard.gate.set()

    await line.platform.until(lambda: line.platform.acknowledged(message))
    assert line.heard.said("keep this")


async def test_what_cannot_be_taken_now_comes_again(line: Line) -> None:
    line.heard.broken = True
    message = await line.platform.say("ana", "project", "keep this")
    await line.platform.until(lambda: line.heard.tries > 0)
    assert not line.platform.acknowledged(message)

    line.heard.broken = False
    await line.platform.redeliver(message)

    await line.hear("keep this")
    await line.platform.until(lambda: line.platform.acknowledged(message))


async def test_what_can_never_be_taken_is_given_up_and_blocks_nothing(
    line: Line, kind: Kind
) -> None:
    line.heard.poison = "poison"
    message = await line.platform.say("ana", "project", "poison")
    await line.platform.say("ana", "project", "behind it")
    for _ in range(0 if kind.insists else 8):
        tries = line.heard.tries

        def moved(before: int = tries) -> bool:
            return line.platform.acknowledged(message) or line.heard.tries > before

        await line.platform.until(moved)
        if line.platform.acknowledged(message):
            break
        await line.platform.redeliver(message)
    await line.hear("behind it")
    await line.platform.until(lambda: line.platform.acknowledged(message))
    assert line.heard.said("poison") is None
    assert line.chat.health.up


async def test_the_order_of_a_room_is_kept(line: Line) -> None:
    said = [f"message {number}." for number in range(12)]
    for text in said:
        await line.platform.say("ana", "project", text)
    await line.hear(said[-1])
    order = [event.text for event in line.heard.of(EventKind.NEW)]
    assert list(dict.fromkeys(order)) == said


async def test_a_message_says_where_it_is_from_and_by_whom(line: Line) -> None:
    message = await line.platform.say("ana", "project", "We ship on Friday. 周五发布 🚀")
    await line.platform.say("bo", "project", "Fine.")
    event, other = await line.hear("We ship on Friday"), await line.hear("Fine.")
    assert event.text == "We ship on Friday. 周五发布 🚀"
    assert event.address.platform == line.platform.name
    assert event.address.message == message
    assert event.address.thread is None and event.address.parent is None
    assert event.room.kind is RoomKind.GROUP
    assert event.author.id != other.author.id and not event.author.is_bot
    assert event.address.room == other.address.room


async def test_a_direct_chat_is_one_persons_and_always_addressed(line: Line) -> None:
    for who in ("ana", "mo"):
        await line.platform.say(who, "direct", f"only for you, says {who}")
    ana, mo = await line.hear("says ana"), await line.hear("says mo")
    assert ana.address.chat != mo.address.chat
    for event in (ana, mo):
        assert event.addressed
        assert event.room.kind is RoomKind.DIRECT and not event.room.open


async def test_a_thread_has_its_own_address_and_the_chat_as_its_parent(line: Line) -> None:
    root = await line.platform.say("ana", "project", "Shall we?")
    await line.platform.say("bo", "project", "We shall.", thread=root)
    await line.platform.say("ana", "project", "So be it.", thread=root)
    above = await line.hear("Shall we?")
    inside, again = await line.hear("We shall."), await line.hear("So be it.")
    assert inside.address.thread is not None
    assert inside.address.room == again.address.room
    assert inside.address.parent == above.address.room
    assert not inside.addressed, "people who talk to each other do not talk to the bot"


async def test_the_bot_is_addressed_by_mention_and_by_reply_and_not_else(line: Line) -> None:
    await line.platform.say("ana", "project", "when do we ship?", mention=True)
    await line.platform.say("ana", "project", "never mind")
    asked, other = await line.hear("when do we ship?"), await line.hear("never mind")
    assert asked.addressed and not other.addressed
    assert f"@{line.platform.bot_name}" in asked.text


async def test_who_replies_to_the_bot_speaks_to_it(line: Line, has: Has) -> None:
    has(Lack.QUOTES)
    receipt = await line.chat.send(await line.letter("bo", "project", "On Friday."))
    await line.platform.say("ana", "project", "which Friday?", reply_to=receipt.message)
    event = await line.hear("which Friday?")
    assert event.addressed and event.reply_to == receipt.message
    assert event.address.thread is None, "a quoted reply is no topic"


async def test_who_speaks_in_a_thread_of_the_bots_speaks_to_it(line: Line, has: Has) -> None:
    has(Lack.THREADS)
    receipt = await line.chat.send(await line.letter("bo", "project", "On Friday."))
    await line.platform.say("ana", "project", "are you sure?", thread=receipt.message)
    event = await line.hear("are you sure?")
    assert event.addressed and event.address.thread is not None


async def test_an_edit_brings_the_whole_new_text(line: Line) -> None:
    message = await line.platform.say("ana", "project", "with legacy-release")
    await line.hear("legacy-release")
    await line.platform.edit("ana", "project", message, "with canary-release")
    await line.kind(EventKind.EDIT)
    await system_sleep(0.002)  # versions are moments, and nobody edits twice in a millisecond
    await line.platform.edit("ana", "project", message, "with canary-release, on Friday")
    first, second = await line.kind(EventKind.EDIT, 2)
    assert (first.text, second.text) == ("with canary-release", "with canary-release, on Friday")
    assert second.version > first.version > 0
    assert first.address.message == message
    assert first.author.id == line.heard.of(EventKind.NEW)[0].author.id


async def test_a_recall_names_the_message_that_is_gone(line: Line, has: Has) -> None:
    has(Lack.RECALLS)
    message = await line.platform.say("ana", "project", "forget this")
    said = await line.hear("forget this")
    await line.platform.recall("ana", "project", message)
    (event,) = await line.kind(EventKind.RECALL)
    assert (event.address, event.text) == (said.address, "")


async def test_a_reaction_names_its_message_and_its_author(line: Line) -> None:
    message = await line.platform.say("ana", "project", "We ship.")
    author = await line.person("bo", "project")
    await line.platform.react("bo", "project", message, "👍")
    (event,) = await line.kind(EventKind.REACTION)
    assert (event.text, event.author.id, event.address.message) == ("👍", author.id, message)


async def test_who_comes_and_goes_changes_the_room(line: Line) -> None:
    person = await line.person("kai", "general")
    await line.room("ana", "project")
    await line.platform.join("kai", "project")

    def there(here: bool) -> Callable[[], bool]:
        def holds() -> bool:
            told = [e.room for e in line.heard.of(EventKind.MEMBERS) if "project" in e.room.title]
            return bool(told) and here is any(one.id == person.id for one in told[-1].members)

        return holds

    await line.platform.until(there(True))
    await line.platform.leave("kai", "project")
    await line.platform.until(there(False))


async def test_a_room_that_moves_says_where_it_was(line: Line, has: Has) -> None:
    has(Lack.MOVES)
    assert isinstance(line.platform, TelegramApi)
    before = await line.room("ana", "project")
    await line.platform.upgrade("ana", "project")
    event = (await line.kind(EventKind.MOVED))[0]
    assert event.moved_from == before
    assert event.address.room == await line.room("bo", "project") != before


async def test_what_nobody_may_be_asked_before_is_learnt_after(line: Line, has: Has) -> None:
    has(Lack.IGNORANCE)
    line.heard.gate.clear()
    await line.platform.say("ana", "project", "hello")
    await line.platform.until(lambda: line.heard.tries > 0)
    line.heard.gate.set()
    first = await line.hear("hello")

    def whole() -> bool:
        told = [e.room for e in line.heard.of(EventKind.MEMBERS) if not e.room.partial]
        return any("project" in room.title for room in told)

    await line.platform.until(whole)
    room = next(e.room for e in line.heard.of(EventKind.MEMBERS) if "project" in e.room.title)
    assert room.workspace == first.room.workspace
    assert first.author.id in {member.id for member in room.members}


async def test_a_whole_room_names_everybody_in_it(line: Line, kind: Kind, has: Has) -> None:
    has(Lack.LISTS)
    await line.room("ana", "project")
    await line.room("lin", "hiring")

    def known(title: str) -> list[str]:
        rooms = [event.room for event in line.heard.events if title in event.room.title]
        whole = [room for room in rooms if room.complete and not room.partial]
        return sorted(member.name for member in whole[-1].members) if whole else []

    await line.platform.until(lambda: known("project") == ["Ana", "Bo", "Wei"])
    await line.platform.until(lambda: known("hiring") == ["Kai", "Lin"])
    for title, open in (("project", True), ("hiring", False)):
        room = [event.room for event in line.heard.events if title in event.room.title][-1]
        assert room.kind is RoomKind.GROUP
        assert room.open is open or Lack.PRIVACY in kind.lacks


async def test_people_come_with_their_addresses(line: Line, has: Has) -> None:
    has(Lack.EMAILS)
    await line.room("ana", "project")

    def addresses() -> set[str | None]:
        told = [event.room for event in line.heard.of(EventKind.MEMBERS)]
        return {member.email for room in told for member in room.members}

    wanted = {f"{who}@example.org" for who in ("ana", "bo", "wei")}
    await line.platform.until(lambda: wanted <= addresses())


async def test_the_bots_own_words_never_come_in(line: Line) -> None:
    await line.chat.send(await line.letter("ana", "project", "I am the bot."))
    await line.platform.say("ana", "project", "after that")
    await line.hear("after that")
    assert line.heard.said("I am the bot.") is None
    assert not any(event.author.is_bot for event in line.heard.of(EventKind.NEW))
