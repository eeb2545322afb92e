"""What broke other bots at the Messages API: the same histories and answers, on the real wire."""

from typing import Any

import pytest

from bot.errors import ContextTooLong, ModelRefused, ModelRetry
from bot.models import transcript
from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.model import Block, Message, Request, Response, Tier, ToolSpec
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, Break, Failure, Reply, says

ALTERED = (
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant "
    "message cannot be modified"
)
TOO_LONG = "prompt is too long: 205321 tokens > 200000 maximum"
UNPAID = "Your credit balance is too low to access the API"
TEXT = "If you see '402 payment required' or 'context overflow', increase the limit…"
TOOL = ToolSpec(name="ls", description="Lists.", input_schema={"type": "object", "properties": {}})


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def user(*blocks: Block | str) -> Message:
    return {"role": "user", "content": [text(b) if isinstance(b, str) else b for b in blocks]}


def bot(*blocks: Block) -> Message:
    return {"role": "assistant", "content": list(blocks)}


def use(id: str, name: str = "ls") -> Block:
    return {"type": "tool_use", "id": id, "name": name, "input": {}}


def result(id: str, content: Any = "done") -> Block:
    return {"type": "tool_result", "tool_use_id": id, "content": content}


def asked(*messages: Message) -> Request:
    return Request(
        role="conversation",
        purpose="foreground",
        tier=Tier.MAIN,
        system="You are Limen.",
        messages=messages,
        tools=[TOOL],
        max_tokens=1000,
    )


class Exchange:
    """One call, and what went over the wire."""

    def __init__(self, *replies: Reply, **settings: Any) -> None:
        self._replies = replies
        self._settings = settings
        self.bodies: list[dict[str, Any]] = []

    async def ask(self, *messages: Message) -> Response:
        async with MessagesApi(self._replies) as api:
            model = AnthropicModel(
                ModelSettings(base_url=api.url, api_key=api.key, **self._settings)
            )
            try:
                return await model.complete(asked(*messages))
            finally:
                self.bodies = api.bodies
                await model.aclose()

    def sent(self, index: int = -1) -> list[Message]:
        """The messages of a request, without cache marks."""
        messages: list[Message] = self.bodies[index]["messages"]
        return [
            {
                **message,
                "content": [
                    {key: value for key, value in block.items() if key != "cache_control"}
                    for block in message["content"]
                ],
            }
            for message in messages
        ]


async def test_llm_01_a_call_that_a_crash_cut_off_is_told_as_unknown_right_after_it() -> None:
    exchange = Exchange(says("Here I am."))
    history = (
        {"role": "user", "content": "list files"},
        bot(use("toolu_01A")),
        {"role": "user", "content": "hello?"},
    )
    response = await exchange.ask(*history)
    assert response.content == [text("Here I am.")]
    unknown = result("toolu_01A", "interrupted, outcome unknown") | {"is_error": True}
    assert exchange.sent() == [
        user("list files"),
        bot(use("toolu_01A")),
        user(unknown, "hello?"),
    ]
    assert len(exchange.bodies) == 1, "it is mended before it is sent, not after a refusal"


async def test_llm_01_a_result_whose_call_was_trimmed_away_is_dropped() -> None:
    exchange = Exchange(says("ok"))
    await exchange.ask(user(result("toolu_01A"), "hello?"))
    assert exchange.sent() == [user("hello?")]


async def test_llm_01_every_later_request_passes_too() -> None:
    """It is mended each time anew: what is stored stays as it was."""
    history = [user("list files"), bot(use("toolu_01A")), user("hello?")]
    for later in ("still there?", "好了吗？"):
        history += [bot(text("yes")), user(later)]
        exchange = Exchange(says("yes"))
        await exchange.ask(*history)
        assert len(exchange.sent()) == len(history)


@pytest.mark.parametrize("blank", ["", " ", "\n", "\u2063", "\u200b", "\ufeff \u3000"])
async def test_llm_02_no_blank_text_is_ever_sent(blank: str) -> None:
    """However it came into the history: a sticker, an empty answer, a tool without output."""
    exchange = Exchange(says("ok"))
    await exchange.ask(
        user(blank),
        bot(text(blank)),
        user("first", blank),
        bot(text(blank), use("t1"), use("t2")),
        user(result("t1", blank), result("t2", [text(blank)]), blank),
        bot(text(blank)),
        user(blank, "and now?"),
    )
    assert exchange.sent() == [
        user("first"),
        bot(use("t1"), use("t2")),
        user(result("t1", "(no output)"), result("t2", "(no output)"), "and now?"),
    ]


async def test_llm_02_an_answer_of_nothing_leaves_no_empty_turn() -> None:
    empty = await Exchange(Answer(content=[text("")])).ask(user("hello"))
    exchange = Exchange(says("ok"))
    await exchange.ask(user("hello"), bot(*empty.content), user("again"))
    assert exchange.sent() == [user("hello", "again")]


async def test_llm_04_a_stream_that_stalls_is_given_up_after_a_short_silence() -> None:
    stalled = says("an answer of some length", broken=Break.STALL, after=6)
    with pytest.raises(ModelRetry, match="silent"):
        await Exchange(stalled, idle_timeout_s=0.1, total_timeout_s=3600).ask(user("hello"))


async def test_llm_04_pings_keep_a_connection_alive_and_are_no_progress() -> None:
    pinged = says("an answer of some length", broken=Break.PINGS, after=6)
    settings = {"idle_timeout_s": 3600, "progress_timeout_s": 0.1, "total_timeout_s": 3600}
    with pytest.raises(ModelRetry, match="did not grow"):
        await Exchange(pinged, **settings).ask(user("hello"))


async def test_llm_04_a_long_answer_that_grows_is_not_cut_by_those_limits() -> None:
    slow = says("a long answer " * 20, pause_s=0.02)
    settings = {"idle_timeout_s": 0.3, "progress_timeout_s": 0.3, "total_timeout_s": 3600}
    assert (await Exchange(slow, **settings).ask(user("hello"))).content == slow.content


async def test_llm_05_the_refusal_of_a_long_prompt_has_a_name_of_its_own() -> None:
    exchange = Exchange(Failure(400, message=TOO_LONG), says("never asked"))
    with pytest.raises(ContextTooLong):
        await exchange.ask(user("hello"))
    assert len(exchange.bodies) == 1, "whoever asked makes it shorter, not the wire"


def test_llm_05_what_is_cut_is_cut_between_turns_and_told() -> None:
    """No summary is asked for, so none can overflow: 205,000 tokens are cut by rule."""
    history = [user("the question")]
    for n in range(100):
        history += [bot(use(f"t{n}")), user(result(f"t{n}", f"{n} " + "word " * 1_500))]
    assert transcript.estimate_tokens(history) > 180_000
    for budget in (150_000, 50_000, 2_000):
        fitted = transcript.fit(history, budget)
        assert transcript.estimate_tokens(fitted) <= budget
        assert transcript.repair(fitted) == fitted, "calls and results are still in pairs"
        assert fitted[-2]["content"] == history[-2]["content"]
        assert "left out" in str(fitted)
    assert len(history) == 201, "what is stored is as it was"


THOUGHT = {"type": "thinking", "thinking": "<altered>", "signature": "sig=="}


async def test_llm_09_altered_thinking_is_left_out_whole_after_its_refusal() -> None:
    """The API signed other words than those that come back, and says so as in the case."""
    signed = {**THOUGHT, "thinking": "as it was"}
    call = Answer(content=[signed, use("toolu_03")], stop="tool_use")
    async with MessagesApi([call, says("ok")]) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        await model.complete(asked(user("hi")))
        history = (user("hi"), bot(THOUGHT, use("toolu_03")), user(result("toolu_03")))
        assert (await model.complete(asked(*history))).content == [text("ok")]
        await model.aclose()
        kinds = [[block["type"] for block in b["messages"][1]["content"]] for b in api.bodies[1:]]
        assert kinds == [["thinking", "tool_use"], ["tool_use"]]


@pytest.mark.parametrize("replies", [1, 2])
async def test_llm_09_it_is_tried_once_more_and_not_for_ever(replies: int) -> None:
    hidden = {"type": "redacted_thinking", "data": "x"}
    history = (user("hi"), bot(hidden, use("toolu_03")), user(result("toolu_03")))
    exchange = Exchange(*[Failure(400, message=ALTERED)] * replies, says("ok"))
    if replies == 1:
        assert (await exchange.ask(*history)).content == [text("ok")]
    else:
        with pytest.raises(ModelRefused):
            await exchange.ask(*history)
    assert len(exchange.bodies) == 2


async def test_llm_09_within_a_tool_loop_it_goes_back_byte_for_byte() -> None:
    thought = {"type": "thinking", "thinking": " 看一下…\n\tfirst ", "signature": "c2ln+/=="}
    call = Answer(content=[thought, use("toolu_03")], stop="tool_use")
    async with MessagesApi([call, says("done")]) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        first = await model.complete(asked(user("hi")))
        turns = (user("hi"), bot(*first.content), user(result("toolu_03")))
        await model.complete(asked(*turns))
        await model.aclose()
        assert api.bodies[1]["messages"][1]["content"] == [thought, use("toolu_03")]


def test_llm_09_cutting_trims_no_thinking() -> None:
    turns = [user("hi")]
    for n in range(40):
        thought = {"type": "thinking", "thinking": f"{n} " * 200, "signature": "s"}
        turns += [bot(thought, use(f"t{n}")), user(result(f"t{n}", "x" * 2_000))]
    kept = [m["content"][0] for m in transcript.fit(turns, 8_000) if m["role"] == "assistant"]
    whole = [m["content"][0] for m in turns if m["role"] == "assistant"]
    assert 0 < len(kept) < len(whole)
    assert all(block in whole for block in kept)


async def test_llm_10_a_refusal_is_known_by_its_kind_and_says_what_to_do() -> None:
    with pytest.raises(ModelRefused, match="billing"):
        await Exchange(Failure(400, message=UNPAID)).ask(user("hello"))


async def test_llm_10_text_about_errors_is_no_error() -> None:
    assert (await Exchange(says(TEXT)).ask(user("why?"))).content == [text(TEXT)]


async def test_llm_13_what_is_thought_and_what_is_said_stay_apart() -> None:
    thought = {"type": "thinking", "thinking": "The user is annoying…", "signature": "s"}
    aside = text("Let me check her calendar first, she probably forgot.")
    call = Answer(content=[thought, aside, use("toolu_04", "calendar")], stop="tool_use")
    response = await Exchange(call).ask(user("when is she free?"))
    assert response.content == [thought, aside, use("toolu_04", "calendar")]
