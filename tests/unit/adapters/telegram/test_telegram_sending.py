"""How letters go out: at Telegram's pace, in its form, and honest about what is in doubt."""

from pathlib import Path

import pytest

from adapters.chat import Address, Author, Button, EventKind, File
from adapters.errors import Refused, Retry, Unknown
from adapters.telegram.chat import TelegramChat
from tests.fakes.platform import DIRECT, Fault
from tests.fakes.telegram_api import TelegramApi
from tests.fakes.telegram_house import House
from tests.fakes.telegram_rules import DOWNLOAD, ApiError, units
from tests.fakes.telegram_world import BOT, GROUPS, PEOPLE

MO = PEOPLE["mo"]
PROJECT = GROUPS["project"]


async def test_markdown_becomes_entities_and_nothing_is_escaped_tg_out_02(api: TelegramApi) -> None:
    text = "Use `snake_case`, cost is 5.0! (approx) — see https://x.test/a_b_c *unclosed"
    async with House(api) as house:
        await house.chat.send(house.letter(MO, text))
    (post,) = api.posts("direct:mo")
    assert post.text == "Use snake_case, cost is 5.0! (approx) — see https://x.test/a_b_c *unclosed"
    sent = next(given for name, given in api.received if name == "sendMessage")
    assert "parse_mode" not in sent
    assert {entity["type"] for entity in sent["entities"]} >= {"code"}
    assert sent["link_preview_options"] == {"is_disabled": True}


async def test_rejected_formatting_is_sent_once_more_as_plain_text_tg_out_02(
    api: TelegramApi,
) -> None:
    api.befall(Fault.UNFORMATTED)
    async with House(api) as house:
        await house.chat.send(house.letter(MO, "this is **bold** and 5.0!"))
    (post,) = api.posts("direct:mo")
    assert post.text == "this is bold and 5.0!"
    assert api.calls("sendMessage") == ["sendMessage"] * 2


@pytest.mark.parametrize("text", ["🙂" * 3000, "a.b-c!" * 680], ids=["emoji", "escapable"])
async def test_long_letters_are_cut_in_utf_16_units_tg_out_01(api: TelegramApi, text: str) -> None:
    async with House(api) as house:
        parts = house.chat.parts(text)
        for number, part in enumerate(parts):
            await house.chat.send(house.letter(MO, part, key=f"part-{number}"))
    posts = api.posts("direct:mo")
    assert "".join(post.text for post in posts) == text
    assert all(0 < units(post.text) <= 4096 for post in posts)


async def test_a_long_text_beside_a_picture_arrives_whole_tg_out_09(api: TelegramApi) -> None:
    """A caption holds 1,024 signs: a picture is a link in a message of words, never its bearer."""
    words = "测试 results " * 150
    async with House(api) as house:
        await house.chat.send(
            house.letter(MO, f"![chart](https://example.org/chart.png)\n\n{words}")
        )
    (post,) = api.posts("direct:mo")
    assert "chart" in post.text
    assert " ".join(words.split()) in " ".join(post.text.split())
    assert api.calls("sendPhoto") == []


async def test_a_letter_longer_than_a_message_is_refused_with_a_word(api: TelegramApi) -> None:
    async with House(api) as house:
        error = await house.refusal(house.letter(MO, "🙂" * 3000))
    assert isinstance(error, Refused)
    assert "too long" in str(error)


async def test_a_reply_names_its_message_and_survives_its_loss(api: TelegramApi) -> None:
    async with House(api) as house:
        message = await api.say("mo", "project", "who?")
        await house.chat.send(house.letter(PROJECT, "me", reply_to=message))
        await api.recall("mo", "project", message)
        await house.chat.send(house.letter(PROJECT, "me too", reply_to=message))
    assert [post.reply_to for post in api.posts("project")] == [message, None]


async def test_a_lost_answer_is_unknown_and_not_sent_again_tg_out_07(api: TelegramApi) -> None:
    api.befall(Fault.LOST)
    async with House(api) as house:
        error = await house.refusal(house.letter(MO, "hello"))
    assert isinstance(error, Unknown)
    assert len(api.posts("direct:mo")) == 1


async def test_a_server_that_cannot_be_reached_is_tried_later_tg_out_07(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.__aexit__()
        error = await house.refusal(house.letter(MO, "hello"))
    assert isinstance(error, Retry)
    assert "cannot be reached" in str(error)


async def test_a_server_error_is_tried_later(api: TelegramApi) -> None:
    api.befall(Fault.BROKEN)
    async with House(api) as house:
        error = await house.refusal(house.letter(MO, "hello"))
    assert isinstance(error, Retry)
    assert api.posts() == []


async def test_a_limit_closes_that_chat_alone_tg_out_04(api: TelegramApi) -> None:
    pause = ApiError(429, "Too Many Requests: retry after 38", retry_after=38)
    async with House(api) as house:
        api.refusals["sendMessage"].append(pause)
        error = await house.refusal(house.letter(MO, "hello"))
        assert isinstance(error, Retry)
        assert error.after == 38.0
        await house.chat.send(house.letter(PEOPLE["wei"], "hello"))
        assert house.slept == []
        await house.chat.send(house.letter(MO, "hello"))
        assert sum(house.slept) == 38.0


async def test_a_group_gets_twenty_messages_a_minute(api: TelegramApi) -> None:
    async with House(api) as house:
        for number in range(21):
            await house.chat.send(house.letter(PROJECT, str(number)))
        assert sum(house.slept) == pytest.approx(60.0)


@pytest.mark.parametrize(
    ("chat", "word"), [(MO, "blocked the bot"), (PROJECT, "was removed from this chat")]
)
async def test_a_closed_door_is_refused_with_a_word(api: TelegramApi, chat: int, word: str) -> None:
    api.world.blocked.add(chat)
    async with House(api) as house:
        error = await house.refusal(house.letter(chat, "hello"))
    assert isinstance(error, Refused)
    assert word in str(error)


async def test_an_unknown_chat_is_refused_with_what_to_do(api: TelegramApi) -> None:
    async with House(api) as house:
        error = await house.refusal(house.letter(42, "hello"))
    assert isinstance(error, Refused)
    assert "must write to it first" in str(error)


async def test_an_address_of_no_number_is_refused(api: TelegramApi) -> None:
    async with House(api) as house:
        room = Address(platform="telegram", account="1", chat="general")
        letter = house.letter(MO, "hello")
        error = await house.refusal(type(letter)(key="k", room=room, text="hello"))
    assert "'general'" in str(error)


async def test_names_become_mentions_by_user_id(api: TelegramApi) -> None:
    people = (Author(id=str(MO), name="Mo"), Author(id=str(PEOPLE["ana"]), name="Ana"))
    async with House(api) as house:
        await house.chat.send(
            house.letter(PROJECT, "@Mo and @Ana, but `@Mo` and @Zoe not", people=people)
        )
    (post,) = api.posts("project")
    assert (post.mentions, post.text) == (("mo", "ana"), "@Mo and @Ana, but @Mo and @Zoe not")


@pytest.mark.parametrize(
    ("text", "mark"), [("The answer", "(possibly a repeat)"), ("答案在这里", "（可能重复）")]
)
async def test_a_possible_repeat_is_marked(api: TelegramApi, text: str, mark: str) -> None:
    async with House(api) as house:
        await house.chat.send(house.letter(MO, text, possible_repeat=True))
    (post,) = api.posts("direct:mo")
    assert post.text.split("\n")[0] == mark
    assert post.text.endswith(text)


async def test_whether_a_letter_arrived_can_never_be_told(api: TelegramApi) -> None:
    async with House(api) as house:
        with pytest.raises(Unknown):
            await house.chat.find(house.letter(MO, "hello"))


async def test_an_answer_goes_into_the_topic_of_the_question_tg_in_02(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.say("mo", "project", "status?", thread="55")
        (event,) = await house.heard_new()
        assert event.address.thread == "55"
        await house.chat.send(house.letter(PROJECT, "fine", thread="55"))
    assert api.posts("project")[0].thread == "55"


async def test_the_general_topic_is_never_named_tg_in_02(api: TelegramApi) -> None:
    api.world.topics[PROJECT] = {55}
    async with House(api) as house:
        await house.chat.send(house.letter(PROJECT, "fine", thread="1"))
    assert api.posts("project")[0].thread is None


async def test_a_lost_thread_of_an_ordinary_group_does_without_tg_in_02(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.say("mo", "project", "numbers?")
        await house.heard_new()
        await house.chat.send(house.letter(PROJECT, "fine", thread="40"))
    assert api.calls("sendMessage") == ["sendMessage"] * 2
    assert api.posts("project")[0].thread is None


async def test_a_deleted_topic_is_refused_and_not_spilled_into_the_forum_tg_in_02(
    api: TelegramApi,
) -> None:
    async with House(api) as house:
        await api.say("mo", "project", "status?", thread="55")
        await house.heard_new()
        api.world.topics[PROJECT] = {77}
        error = await house.refusal(house.letter(PROJECT, "fine", thread="55"))
    assert isinstance(error, Refused)
    assert "topic" in str(error)
    assert api.posts() == []


async def test_a_letter_to_a_group_that_moved_tells_where_it_went_tg_in_04(
    api: TelegramApi,
) -> None:
    async with House(api) as house:
        await api.say("mo", "project", "hello")
        await house.heard_new()
        new = api.world.moved[PROJECT] = PROJECT - 500_000
        error = await house.refusal(house.letter(PROJECT, "fine"))
        assert isinstance(error, Retry)
        assert error.after == 0.0
        moved = house.events[-1]
        assert (moved.kind, moved.address.chat) == (EventKind.MOVED, str(new))
        assert moved.moved_from is not None
        assert moved.moved_from.chat == str(PROJECT)
        await house.chat.send(house.letter(PROJECT, "fine"))
    assert [post.text for post in api.posts("project")] == ["fine"]


BUTTONS = (Button(label="Yes", value="consent:12:yes"), Button(label="No", value="consent:12:no"))


async def test_a_press_comes_back_and_a_private_message_shows_the_choice(api: TelegramApi) -> None:
    async with House(api) as house:
        receipt = await house.chat.send(house.letter(MO, "May I **tell** them?", buttons=BUTTONS))
        assert api.posts("direct:mo")[0].buttons == ("Yes", "No")
        await api.press("mo", DIRECT, receipt.message, "Yes")
        (event,) = await house.heard(1)
        await api.until(lambda: api.posts("direct:mo")[0].buttons == ())
    assert (event.kind, event.text, event.author.name) == (
        EventKind.ACTION, "consent:12:yes", "Mo",
    )  # fmt: skip
    assert event.address.message == receipt.message
    assert api.posts("direct:mo")[0].text == "May I tell them?\n\n✓ Yes"
    assert len(api.methods.answered) == 1
    standing = api.world.messages[MO, int(receipt.message)]
    assert [entity["type"] for entity in standing["entities"]] == ["bold"]


async def test_a_press_in_a_group_is_only_acknowledged(api: TelegramApi) -> None:
    async with House(api) as house:
        receipt = await house.chat.send(house.letter(PROJECT, "Who comes?", buttons=BUTTONS))
        for presses, who in enumerate(("ana", "bo"), 1):
            await api.press(who, "project", receipt.message, "No")
            await api.until(lambda count=presses: len(api.methods.answered) == count)  # type: ignore[misc]
    assert api.calls("editMessage") == []
    assert api.posts("project")[0].buttons == ("Yes", "No")


async def test_a_press_is_acknowledged_only_once_it_is_stored(api: TelegramApi) -> None:
    async with House(api) as house:
        receipt = await house.chat.send(house.letter(PROJECT, "Who comes?", buttons=BUTTONS))
        house.failures = [Retry("not now")]
        await api.press("ana", "project", receipt.message, "No")
        await house.heard(1)
        await api.until(lambda: bool(api.methods.answered))
    assert house.offered >= 2
    assert len(api.methods.answered) == 1


async def test_a_press_too_old_to_be_acknowledged_counts_all_the_same(api: TelegramApi) -> None:
    old = ApiError(400, "Bad Request: query is too old and response timeout expired")
    api.refusals["answerCallbackQuery"].append(old)
    async with House(api) as house:
        receipt = await house.chat.send(house.letter(MO, "May I?", buttons=BUTTONS))
        await api.press("mo", DIRECT, receipt.message, "No")
        await api.until(lambda: api.posts("direct:mo")[0].buttons == ())
    assert api.posts("direct:mo")[0].text == "May I?\n\n✓ No"


async def test_a_value_telegram_cannot_carry_is_refused(api: TelegramApi) -> None:
    long = (Button(label="Yes", value="x" * 65),)
    async with House(api) as house:
        error = await house.refusal(house.letter(MO, "?", buttons=long))
    assert isinstance(error, Refused)
    assert "64 bytes" in str(error)
    assert api.calls("sendMessage") == []


async def test_a_file_is_fetched(api: TelegramApi) -> None:
    async with House(api) as house:
        name = "条款 #1 100%.pdf"
        await api.send_file("mo", DIRECT, name, "application/pdf", b"%PDF", "read this")
        (event,) = await house.heard_new()
        (file,) = event.files
        assert (file.name, file.mime, file.size) == (name, "application/pdf", 4)
        assert event.text == "read this"
        assert await house.chat.fetch(file, limit=100) == b"%PDF"


async def test_a_picture_is_fetched_after_a_restart(api: TelegramApi) -> None:
    async with House(api) as house:
        await api.send_file("mo", "project", "p.png", "image/png", b"png")
        (event,) = await house.heard_new()
    async with House(api) as house:
        assert await house.chat.fetch(event.files[0], limit=100) == b"png"


@pytest.mark.parametrize(
    ("size", "limit", "word"),
    [(50, 10, "at most 10 are read"), (DOWNLOAD + 1, 2 * DOWNLOAD, "20 MB")],
)
async def test_a_file_that_is_too_large_is_refused(
    api: TelegramApi, size: int, limit: int, word: str
) -> None:
    api.world.files["big"] = ("files/big.bin", b"x" * size)
    async with House(api) as house:
        with pytest.raises(Refused, match=word):
            await house.chat.fetch(File(id="big", name="big.bin"), limit=limit)


async def test_only_telegrams_files_are_read_and_none_of_this_machine(
    api: TelegramApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.txt").write_bytes(b"ours")
    async with House(api) as house:
        api.world.files["near"] = ("plan.txt", b"theirs")
        assert await house.chat.fetch(File(id="near", name="plan.txt"), limit=10) == b"theirs"
        for path in (str(tmp_path / "plan.txt"), "../plan.txt", "a/../../plan.txt"):
            api.world.files["far"] = (path, b"theirs")
            with pytest.raises(Refused, match="outside of its files"):
                await house.chat.fetch(File(id="far", name="plan.txt"), limit=10)


async def test_a_file_that_is_gone_is_refused(api: TelegramApi) -> None:
    async with House(api) as house:
        with pytest.raises(Refused, match=r"'old.txt' cannot be read"):
            await house.chat.fetch(File(id="gone", name="old.txt"), limit=10)


async def test_before_it_is_connected_a_letter_waits(api: TelegramApi) -> None:
    house = House(api)
    error = await house.refusal(house.letter(MO, "hello"))
    assert isinstance(error, Retry)
    assert house.chat.name == "telegram"
    assert isinstance(house.chat, TelegramChat)
    assert str(house.letter(MO, "x").room) == f"telegram:{BOT}/{MO}"


async def test_a_socks_proxy_without_its_package_is_told(api: TelegramApi) -> None:
    house = House(api, proxy="socks5://127.0.0.1:1080")
    with pytest.raises(Refused, match="socks"):
        async with house:
            pass
    await house.ended()


async def test_proxies_of_the_environment_are_ignored(
    api: TelegramApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with House(api) as house:
        await house.chat.send(house.letter(MO, "hello"))
    assert len(api.posts()) == 1


async def test_only_messages_of_supergroups_have_an_address(api: TelegramApi) -> None:
    async with House(api) as house:

        def link(chat: str, message: str | None = "45", thread: str | None = None) -> str:
            place = Address(
                platform="telegram", account="1", chat=chat, thread=thread, message=message
            )
            return house.chat.link(place)

        assert link("-1001234567") == "https://t.me/c/1234567/45"
        assert link("-1001234567", thread="7") == "https://t.me/c/1234567/7/45"
        assert link("-1001234567", message=None) == ""
        assert link("-4711") == link("70010001") == "", "a small group, and a DM"
