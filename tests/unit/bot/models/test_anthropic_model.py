"""The Messages API adapter, each end a call can come to, with the real client on the loopback."""

import asyncio
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import ContextTooLong, ModelRefused, ModelRetry
from bot.models.anthropic_errors import retry_after
from bot.models.anthropic_model import AnthropicModel, ModelSettings, mark_stable
from bot.models.model import Message, Request, Response, Stop, Tier, ToolSpec, Usage
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, Break, Failure, Foreign, Reply, calls, says

SAY = ToolSpec(
    name="say",
    description="Speaks in this chat.",
    input_schema={"type": "object", "properties": {"text": {"type": "string"}}},
)
THOUGHT = {"type": "thinking", "thinking": "Ana waits for 发布脚本. ", "signature": "c2lnbmVk+/=="}
EVENTS_BEFORE_TEXT = 4  # message_start, ping, content_block_start, the first delta


def request(*messages: Message, **changes: Any) -> Request:
    base = Request(
        role="conversation",
        purpose="foreground",
        tier=Tier.MAIN,
        system="You are Limen.",
        messages=messages or (user("hello"),),
        tools=[SAY],
        max_tokens=1000,
    )
    return replace(base, **changes)


def user(*texts: str) -> Message:
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def model_of(api: MessagesApi, **changes: Any) -> AnthropicModel:
    return AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key, **changes))


async def ask(reply: Reply, asked: Request | None = None, **settings: Any) -> Response:
    async with MessagesApi([reply]) as api:
        model = model_of(api, **settings)
        try:
            return await model.complete(asked or request())
        finally:
            await model.aclose()
            assert len(api.requests) <= 1, "the runtime retries, not the client"


async def test_a_text_comes_back_whole() -> None:
    response = await ask(says("Hi Ana, 发布脚本 is still missing."))
    assert response.content == [{"type": "text", "text": "Hi Ana, 发布脚本 is still missing."}]
    assert response.stop is Stop.END_TURN
    assert response.model == "claude-sonnet-5-5"


async def test_tool_arguments_are_put_together_from_their_pieces() -> None:
    arguments = {"text": "Das Skript fehlt — 脚本还没有", "more": False, "reply_to": None}
    response = await ask(calls(("say", arguments), ("say", {}), text="One moment."))
    assert response.stop is Stop.TOOL_USE
    assert [block["type"] for block in response.content] == ["text", "tool_use", "tool_use"]
    assert response.content[1]["input"] == arguments
    assert response.content[2] == {"type": "tool_use", "id": "toolu_2", "name": "say", "input": {}}


async def test_usage_counts_the_cache_too() -> None:
    usage = Usage(input_tokens=3, output_tokens=5, cache_read_tokens=900, cache_write_tokens=40)
    assert (await ask(says("ok", usage=usage))).usage == usage


async def test_a_server_that_calls_every_end_end_turn_is_understood() -> None:
    response = await ask(calls(("say", {"text": "hi"}), stop="end_turn"))
    assert response.stop is Stop.TOOL_USE


@pytest.mark.parametrize(
    ("said", "stop"),
    [
        ("stop_sequence", Stop.END_TURN),
        ("max_tokens", Stop.MAX_TOKENS),
        ("model_context_window_exceeded", Stop.MAX_TOKENS),
        ("pause_turn", Stop.OTHER),
        ("something_new", Stop.OTHER),
    ],
)
async def test_each_stop_has_our_word(said: str, stop: Stop) -> None:
    assert (await ask(says("text", stop=said))).stop is stop


class TestRequest:
    async def sent(self, asked: Request, **settings: Any) -> dict[str, Any]:
        async with MessagesApi([says("ok")]) as api:
            model = model_of(api, **settings)
            await model.complete(asked)
            await model.aclose()
            return api.bodies[0]

    async def test_it_streams_and_sends_no_sampling_parameters(self) -> None:
        body = await self.sent(request())
        assert set(body) == {"model", "max_tokens", "messages", "system", "tools", "stream"}
        assert body["stream"] is True

    @pytest.mark.parametrize(
        ("tier", "name"), [(Tier.MAIN, "claude-sonnet-5-5"), (Tier.SMALL, "claude-haiku-5-5")]
    )
    async def test_a_tier_becomes_a_name(self, tier: Tier, name: str) -> None:
        assert (await self.sent(request(tier=tier)))["model"] == name

    async def test_the_stable_prefix_is_marked_for_the_cache(self) -> None:
        body = await self.sent(request(user("context", "inputs"), tools=[SAY, _tool("search")]))
        assert [("cache_control" in tool) for tool in body["tools"]] == [False, True]
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
        marks = ["cache_control" in block for block in body["messages"][0]["content"]]
        assert marks == [False, True]

    async def test_nothing_is_sent_where_there_is_nothing(self) -> None:
        body = await self.sent(request(tools=[], system=" "))
        assert "tools" not in body
        assert "system" not in body

    async def test_the_answer_is_no_longer_than_the_model_allows(self) -> None:
        body = await self.sent(request(max_tokens=99_000), output_tokens=8_000)
        assert body["max_tokens"] == 8_000

    async def test_a_broken_history_is_repaired_first(self) -> None:
        use = {"type": "tool_use", "id": "t1", "name": "say", "input": {"text": "x"}}
        body = await self.sent(request(user("hi", " "), {"role": "assistant", "content": [use]}))
        assert body["messages"][-1]["content"][0]["is_error"] is True

    async def test_a_base_url_may_end_in_v1(self) -> None:
        async with MessagesApi([says("ok")]) as api:
            model = AnthropicModel(ModelSettings(base_url=f"{api.url}/v1/", api_key=api.key))
            assert (await model.complete(request())).stop is Stop.END_TURN
            await model.aclose()

    async def test_a_local_server_needs_no_key(self) -> None:
        async with MessagesApi([says("ok")], key="none") as api:
            model = AnthropicModel(ModelSettings(base_url=api.url))
            assert (await model.complete(request())).stop is Stop.END_TURN
            await model.aclose()


def _tool(name: str) -> ToolSpec:
    return replace(SAY, name=name)


def test_marks_are_on_copies_and_never_on_an_assistant_turn() -> None:
    messages = [user("a"), {"role": "assistant", "content": [THOUGHT]}, user("b")]
    marked = mark_stable(messages)
    assert "cache_control" not in str(messages)
    assert [("cache_control" in str(message)) for message in marked] == [True, False, True]
    assert mark_stable([]) == []


class TestThinking:
    async def test_it_goes_back_as_it_came(self) -> None:
        call = calls(("say", {"text": "hi"}))
        call = replace(call, content=[THOUGHT, *call.content])
        async with MessagesApi([call, says("done")]) as api:
            model = model_of(api)
            first = await model.complete(request())
            assert first.content[0] == THOUGHT
            result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "said"}
            turns = (
                user("hello"),
                {"role": "assistant", "content": first.content},
                {"role": "user", "content": [result]},
            )
            assert (await model.complete(request(*turns))).stop is Stop.END_TURN
            assert api.bodies[1]["messages"][1]["content"] == first.content
            await model.aclose()

    async def test_thinking_the_endpoint_no_longer_takes_is_left_out_once(self) -> None:
        content = [THOUGHT, {"type": "text", "text": "I looked."}]
        turns = (user("hello"), {"role": "assistant", "content": content}, user("and?"))
        async with MessagesApi([says("ok")]) as api:
            model = model_of(api)
            assert (await model.complete(request(*turns))).stop is Stop.END_TURN
            assert [len(b["messages"][1]["content"]) for b in api.bodies] == [2, 1]
            await model.aclose()

    async def test_it_is_not_tried_again_where_there_was_no_thinking(self) -> None:
        with pytest.raises(ModelRefused):
            await ask(Failure(400, message="thinking: adaptive is not supported"))

    async def test_unknown_blocks_are_kept_out_of_the_way(self) -> None:
        new = {"type": "hologram", "data": [1, 2]}
        response = await ask(Answer(content=[new, {"type": "text", "text": "ok"}]))
        assert response.content == [{"type": "text", "text": "ok"}]


class TestCutByLength:
    async def test_the_last_tool_call_is_dropped_though_its_arguments_may_look_whole(self) -> None:
        for written in ('{"text": "I will tel', "", '{"text": "hi"}'):
            answer = calls(("say", {"text": "first"}), ("say", {}), stop="max_tokens")
            answer.content[1]["input"] = written
            response = await ask(answer)
            assert response.stop is Stop.MAX_TOKENS
            assert [block["id"] for block in response.content] == ["toolu_1"]

    async def test_a_text_stays(self) -> None:
        answer = says("half a sent", stop="max_tokens")
        assert (await ask(answer)).content == [{"type": "text", "text": "half a sent"}]


class TestBrokenStream:
    @pytest.mark.parametrize("after", [0, 1, EVENTS_BEFORE_TEXT, 7])
    @pytest.mark.parametrize("broken", [Break.CUT, Break.END, Break.ERROR, Break.GARBAGE])
    async def test_it_is_never_taken_for_whole(self, broken: Break, after: int) -> None:
        with pytest.raises(ModelRetry):
            await ask(says("a long enough text to be cut", broken=broken, after=after))

    @pytest.mark.parametrize(
        ("kind", "error"),
        [
            ("overloaded_error", ModelRetry),
            ("api_error", ModelRetry),
            ("something_new", ModelRetry),
            ("invalid_request_error", ModelRefused),
            ("authentication_error", ModelRefused),
        ],
    )
    async def test_an_error_event_is_named_by_its_type(
        self, kind: str, error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            await ask(says("text", broken=Break.ERROR, after=4, error_type=kind))

    async def test_arguments_that_are_no_json_are_asked_for_again(self) -> None:
        for written in ('{"text": "hal', "[1]"):
            answer = calls(("say", {}))
            answer.content[0]["input"] = written
            with pytest.raises(ModelRetry, match="arguments"):
                await ask(answer)

    async def test_an_answer_from_something_else_names_the_setting(self) -> None:
        with pytest.raises(ModelRefused, match="base_url"):
            await ask(Foreign("<html>Sign in</html>"))


class TestSilence:
    @pytest.mark.parametrize("after", [0, EVENTS_BEFORE_TEXT])
    async def test_a_silent_connection_is_given_up(self, after: int) -> None:
        with pytest.raises(ModelRetry, match="silent"):
            await ask(says("text", broken=Break.STALL, after=after), idle_timeout_s=0.05)

    async def test_pings_alone_are_no_progress(self) -> None:
        answer = says("text", broken=Break.PINGS, after=EVENTS_BEFORE_TEXT)
        with pytest.raises(ModelRetry, match="did not grow"):
            await ask(answer, idle_timeout_s=30, progress_timeout_s=0.05)

    async def test_a_slow_answer_outlives_the_idle_limit(self) -> None:
        answer = says("a slow answer of quite a few pieces " * 4, pause_s=0.03)
        response = await ask(answer, idle_timeout_s=0.5, progress_timeout_s=0.5)
        assert response.stop is Stop.END_TURN

    async def test_the_whole_has_a_limit_of_its_own(self) -> None:
        answer = says("text", broken=Break.PINGS, after=EVENTS_BEFORE_TEXT)
        with pytest.raises(ModelRetry, match="not whole after"):
            await ask(answer, total_timeout_s=0.1)

    async def test_cancelling_closes_the_stream(self) -> None:
        async with MessagesApi([says("text", broken=Break.STALL, after=4)]) as api:
            model = model_of(api)
            task = asyncio.create_task(model.complete(request()))
            await api.streaming.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await api.left.wait()
            await model.aclose()


class TestStatus:
    @pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
    async def test_what_may_pass_is_for_later(self, status: int) -> None:
        with pytest.raises(ModelRetry) as caught:
            await ask(Failure(status))
        assert caught.value.after is None

    @pytest.mark.parametrize(
        ("headers", "after"),
        [
            ({"retry-after": "17"}, 17.0),
            ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
            ({"retry-after": "-3"}, 0.0),
            ({"retry-after": "soon"}, None),
            ({"retry-after": "nan"}, None),
        ],
    )
    async def test_the_wait_is_as_the_endpoint_says(
        self, headers: dict[str, str], after: float | None
    ) -> None:
        with pytest.raises(ModelRetry) as caught:
            await ask(Failure(429, headers=headers))
        assert caught.value.after == after

    def test_a_date_is_read_against_the_date_of_the_answer(self) -> None:
        sent, until = "Mon, 30 Nov 2026 10:00:00 GMT", "Mon, 30 Nov 2026 10:01:30 GMT"
        assert retry_after({"retry-after": until, "date": sent}) == 90.0
        assert retry_after({"retry-after": until}) is None

    @pytest.mark.parametrize(
        "failure",
        [
            Failure(413),
            Failure(400, message="prompt is too long: 215000 tokens > 200000 maximum"),
            Failure(
                400,
                message="input length and `max_tokens` exceed context limit: 188240 + 21333",
            ),
            Failure(400, message="the request exceeds the available context size (8192 tokens)"),
            Failure(400, message="This model's maximum context length is 32768 tokens"),
        ],
    )
    async def test_too_long_has_a_name_of_its_own(self, failure: Failure) -> None:
        with pytest.raises(ContextTooLong):
            await ask(failure)

    @pytest.mark.parametrize(
        ("failure", "remedy"),
        [
            (Failure(401), r"\[model\] api_key .* ANTHROPIC_API_KEY"),
            (Failure(402), "billing"),
            (Failure(400, message="Your credit balance is too low"), "billing"),
            (Failure(403), "permissions"),
            (Failure(404), r"'claude-sonnet-5-5' .* \[model\] name"),
            (Failure(400, message="tools.0: wrong"), "tools.0: wrong"),
            (Failure(422), "not accepted"),
        ],
    )
    async def test_what_never_will_pass_names_setting_and_remedy(
        self, failure: Failure, remedy: str
    ) -> None:
        with pytest.raises(ModelRefused, match=remedy):
            await ask(failure)

    async def test_the_key_is_never_shown(self) -> None:
        with pytest.raises(ModelRefused) as caught:
            await ask(Failure(401, message="invalid key: test-key"))
        assert "test-key" not in str(caught.value)
        assert "test-key" not in repr(ModelSettings(api_key="test-key"))


class TestRefusal:
    async def test_it_tells_the_reason(self) -> None:
        details = {"type": "refusal", "category": "cyber", "explanation": "It looks like malware."}
        with pytest.raises(ModelRefused, match="cyber: It looks like malware"):
            await ask(Answer(content=[], stop="refusal", stop_details=details))

    async def test_it_may_be_empty(self) -> None:
        with pytest.raises(ModelRefused, match="no reason"):
            await ask(Answer(content=[], stop="refusal"))


class TestNoEndpoint:
    async def test_nobody_listens(self) -> None:
        async with MessagesApi([]) as api:
            settings = ModelSettings(base_url=api.url, api_key="k")
        model = AnthropicModel(settings)
        with pytest.raises(ModelRetry, match="broke"):
            await model.complete(request())
        await model.aclose()

    @pytest.mark.parametrize(
        ("url", "key", "setting"),
        [
            ("localhost:8080", "k", "base_url"),
            ("ftp://host", "k", "base_url"),
            ("http://127.0.0.1:1", "k\nx", "api_key"),
            ("http://127.0.0.1:1", "schlüssel", "api_key"),
        ],
    )
    async def test_a_setting_that_cannot_work_is_named(
        self, url: str, key: str, setting: str
    ) -> None:
        model = AnthropicModel(ModelSettings(base_url=url, api_key=key))
        with pytest.raises(ModelRefused, match=setting):
            await model.complete(request())
        await model.aclose()

    async def test_without_a_key_the_cloud_is_not_even_asked(self) -> None:
        with pytest.raises(ModelRefused, match="api_key is empty"):
            await AnthropicModel(ModelSettings()).complete(request())


async def test_one_connection_serves_many_calls_and_closing_twice_is_fine() -> None:
    async with MessagesApi(lambda body: says("ok")) as api:
        model = model_of(api)
        for _ in range(3):
            await model.complete(request())
        assert len(api.ports) == 1
        await model.aclose()
        await model.aclose()


def test_the_client_is_not_loaded_until_it_is_needed() -> None:
    check = "import sys, bot.models.anthropic_model; sys.exit('anthropic' in sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True, timeout=60)
