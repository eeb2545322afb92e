"""Logs: one line for each record, in text or JSON, whoever logs; and never a secret in them."""

import io
import json
import logging
import sqlite3
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import anthropic
import pytest
from slack_sdk.web.async_client import AsyncWebClient
from telegram import Bot
from telegram.error import TelegramError

from adapters.chat import Outgoing, Receipt
from adapters.errors import Retry
from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block, Message, Request, Tier
from bot.operating import logs
from bot.operating.discreet import Discreet
from bot.operating.redaction import GONE, Secrets, of_settings
from bot.plays.stage import DIRECT
from memory.db import Reader
from tests.conftest import MakeConfig, OpenStage
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat

Lines = Callable[[], list[str]]

KEYS = {
    "model__api_key": "sk-ant-limen-0123456789",
    "web__token": "garden-gate-9",
    "slack__bot_token": "xoxb-77-limen-secret",
    "slack__app_token": "xapp-1-A77-1-secret",
    "slack__proxy": "http://ana:wa%21ter-lily@127.0.0.1:3128",
    "telegram__token": "7001:AAlimen_telegram-token-of-a-test",
    "telegram__proxy": "socks5://ana:reed-mace@127.0.0.1:1080",
    "feishu__app_id": "cli_limen",
    "feishu__app_secret": "feishu-s3cret-of-the-app",
    "feishu__proxy": "http://ana:marsh%20tea@127.0.0.1:3129",
}
SECRETS = [
    KEYS["model__api_key"],
    KEYS["web__token"],
    KEYS["slack__bot_token"],
    KEYS["slack__app_token"],
    "wa!ter-lily",
    "wa%21ter-lily",
    KEYS["telegram__token"],
    "reed-mace",
    KEYS["feishu__app_secret"],
    "marsh tea",
    "marsh%20tea",
]
SHAPES = {
    "slack bot": ("xoxb-1234-5678-AbCdEf", "xoxb-1234-5678-AbCdEf"),
    "slack app": ("using xapp-1-A1-22-abcdef now", "xapp-1-A1-22-abcdef"),
    "slack refresh": ("xoxe.xoxp-1-Mi0yLT", "xoxe.xoxp-1-Mi0yLT"),
    "telegram": (
        "POST https://api.telegram.org/bot123456:AAH-x_yz0123456789abcdefghijk/getMe",
        "AAH-x_yz0123456789abcdefghijk",
    ),
    "model": ("key sk-ant-api03-abcdEFGH failed", "sk-ant-api03-abcdEFGH"),
    "bearer": ("Authorization: Bearer t-g1044ghj.KLM_5", "t-g1044ghj.KLM_5"),
    "basic": ("proxy-authorization: basic YW5hOnBvbmQ=", "YW5hOnBvbmQ="),
    "password of a url": ("postgresql://limen:pond@db.example:5432/limen", "pond"),
    "dsn": ("host=db user=limen password=pond7", "pond7"),
    "ticket": ("wss://wss.example/link/?ticket=abc-def&app_id=7", "abc-def"),
    "json": ('{"tenant_access_token": "t-g104abc", "expire": 7200}', "t-g104abc"),
    "headers": ("[(b'x-api-key', b'abcdef123456')]", "abcdef123456"),
}
PLAIN = (
    "o12 went to web:team/project#7 at 2026-12-01T10:00:00Z in 0:00:01.5",
    "run 7 (conversation) was given up: its token is wrong: invalid_auth",
    "web chat answers at http://127.0.0.1:8765/live?after=12",
    "把发布改到周五,谁来通知 #项目 里的人?",
)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Whatever a test does to the process's logging ends with it."""
    root = logging.getLogger()
    before, level, hooks = [*root.handlers], root.level, (sys.excepthook, threading.excepthook)
    levels = {name: logging.getLogger(name).level for name in ("httpx", "httpcore")}
    yield
    root.handlers[:] = before
    root.setLevel(level)
    sys.excepthook, threading.excepthook = hooks
    logging.captureWarnings(False)
    for name, old in levels.items():
        logging.getLogger(name).setLevel(old)


def begun(format: str, secrets: Secrets | None = None, level: str = "debug") -> Lines:
    stream = io.StringIO()
    logs.start(format, level, secrets or Secrets(), stream=stream)
    return lambda: stream.getvalue().splitlines()


def test_a_line_of_text_holds_time_level_logger_message_fields_and_the_way_of_an_error() -> None:
    lines = begun("text")
    try:
        try:
            raise OSError("the disk\nis gone")
        except OSError as error:
            raise ValueError("no row") from error
    except ValueError:
        logging.getLogger("bot.x").exception("run %d failed", 7, extra={"room": "the project"})
    [line] = lines()
    moment, rest = line.split(" ", 1)
    assert datetime.fromisoformat(moment).tzinfo == UTC
    assert rest.startswith('ERROR bot.x: run 7 failed room="the project" | ValueError: no row (')
    assert "bot/test_logs.py:" in rest
    assert ", from OSError: the disk is gone (" in rest


def test_a_line_of_json_holds_the_same_in_fields_of_their_own() -> None:
    lines = begun("json")
    try:
        raise ValueError("没有这一行")
    except ValueError:
        logging.getLogger("bot.x").exception(
            "run %d failed", 7, extra={"room": "项目", "level": "forged", "waits": 2.5}
        )
    told = json.loads(lines()[0])
    assert datetime.fromisoformat(told.pop("time")).tzinfo == UTC
    assert told.pop("exception").endswith("ValueError: 没有这一行")
    assert told == {
        "level": "error",
        "logger": "bot.x",
        "message": "run 7 failed",
        "room": "项目",
        "waits": 2.5,
    }


def test_errors_of_several_tasks_are_all_named() -> None:
    lines = begun("text")
    group = ExceptionGroup("two", [ValueError("the first"), OSError("the second")])
    logging.getLogger("bot").error("both", exc_info=group)
    assert "[ValueError: the first; OSError: the second]" in lines()[0]


@pytest.mark.parametrize("format", ["text", "json"])
def test_nobody_forges_a_line_by_what_they_say(format: str) -> None:
    lines = begun(format)
    logging.getLogger("bot").warning("said %s", "a\n2026 ERROR bot: b\u2028c\r\x1b[2J\ud83d")
    assert len(lines()) == 1
    assert "\x1b" not in lines()[0]


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_library_that_logs_wrongly_costs_no_line(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = begun(format)
    logging.getLogger("sdk").warning("%d of %d", "one")
    assert "%d of %d" in lines()[0] and "one" in lines()[0]
    assert capsys.readouterr().err == ""


def test_a_field_that_cannot_be_written_shows_nothing_of_the_others() -> None:
    class Broken:
        def __str__(self) -> str:
            raise RuntimeError

    lines = begun("text")
    logging.getLogger("sdk").warning("hush", extra={"value": Broken()})
    assert lines() == ["a line of sdk could not be written: RuntimeError"]


def test_the_level_is_kept_to() -> None:
    lines = begun("text", level="warning")
    logging.getLogger("bot").info("not this")
    logging.getLogger("bot").warning("but this")
    assert [line.rpartition(" ")[2] for line in lines()] == ["this"]
    assert "but" in lines()[0]


def test_what_ends_the_process_or_a_thread_is_logged_too() -> None:
    lines = begun("json", Secrets(["garden-gate-9"]))
    error = ValueError("garden-gate-9")
    sys.excepthook(ValueError, error, None)

    def die() -> None:
        raise error

    thread = threading.Thread(target=die, name="limen-write")
    thread.start()
    thread.join()
    told = [json.loads(line) for line in lines()]
    assert [one["level"] for one in told] == ["critical", "critical"]
    assert "limen-write" in told[1]["message"]
    assert all(GONE in one["exception"] for one in told)


def test_the_secrets_of_the_settings_are_all_known(make_config: MakeConfig) -> None:
    known = list(of_settings(make_config(**KEYS)))
    assert set(SECRETS) - {"wa%21ter-lily", "marsh%20tea"} <= set(known)


@pytest.mark.parametrize("format", ["text", "json"])
@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_in_a_message_a_field_or_an_exception(
    format: str, secret: str, make_config: MakeConfig
) -> None:
    lines = begun(format, Secrets(of_settings(make_config(**KEYS))))
    log = logging.getLogger("bot.x")
    log.warning("connecting with %s", secret)
    log.warning(f"plainly: {secret}")  # noqa: G004 - as a library may do it
    log.warning("fields", extra={"given": secret, "deep": {"a": [secret, 1]}, secret: 1})
    try:
        try:
            raise OSError(f"cannot reach it with {secret}")
        except OSError as error:
            raise RuntimeError("no") from error
    except RuntimeError:
        log.exception("it failed")
    assert len(lines()) == 4
    assert secret not in "\n".join(lines())
    assert "\n".join(lines()).count(GONE) >= 5


@pytest.mark.parametrize(("text", "secret"), SHAPES.values(), ids=SHAPES)
def test_what_looks_like_a_secret_is_struck_out_unknown_as_it_is(text: str, secret: str) -> None:
    hidden = Secrets().hide(text)
    assert secret not in hidden and GONE in hidden


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_stay(text: str) -> None:
    assert Secrets(["", "pond"]).hide(text) == text


async def ask_slack() -> None:
    client = AsyncWebClient(token=KEYS["slack__bot_token"], base_url="http://127.0.0.1:1/api/")
    await client.api_call("apps.connections.open", data={"token": KEYS["slack__app_token"]})


async def ask_telegram() -> None:
    bot = Bot(KEYS["telegram__token"], base_url="http://127.0.0.1:1/bot")
    async with bot:
        await bot.get_me()


async def ask_model() -> None:
    async with anthropic.AsyncAnthropic(
        api_key=KEYS["model__api_key"], base_url="http://127.0.0.1:1", max_retries=0
    ) as client:
        told = KEYS["feishu__app_secret"]
        await client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": told}]
        )


@pytest.mark.parametrize("ask", [ask_slack, ask_telegram, ask_model])
async def test_what_the_vendors_clients_log_holds_no_secret(
    ask: Callable[[], Awaitable[None]], make_config: MakeConfig
) -> None:
    lines = begun("text", Secrets(of_settings(make_config(**KEYS))))
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    with pytest.raises((OSError, TelegramError, anthropic.APIError)) as failed:
        await ask()
    logging.getLogger("bot").warning("it failed: %r", failed.value, exc_info=failed.value)
    seen = "\n".join(lines())
    assert len(lines()) > 1
    assert [secret for secret in SECRETS if secret in seen] == []


async def test_no_model_and_no_row_is_told_a_secret(
    stage: OpenStage,
) -> None:
    """Pasted by a person, what lets in is told to no model and stands in no trace."""
    token = KEYS["web__token"]
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model), web__token=token) as on:
        await on.say("ana", DIRECT, f"my link is /?token={token}")
        await on.wait(30)
        asked = json.dumps([list(one.messages) for one in model.calls], ensure_ascii=False)
        assert "my link is" in asked and token not in asked and GONE in asked
        steps = await on.house.db.read(_traces)
    assert steps and not any(token in one for one in steps)


ERRORS = """
SELECT error FROM runs WHERE error <> '' UNION ALL SELECT error FROM letters WHERE error <> ''
"""


class Leaky(ScriptedChat):
    """Its faults quote what lets it in."""

    async def send(self, letter: Outgoing) -> Receipt:
        raise OSError(f"https://slack.example/?token={KEYS['slack__bot_token']} does not answer")

    async def find(self, letter: Outgoing) -> Receipt | None:
        raise Retry("it cannot be told now")


def broken(_: Context) -> list[Block]:
    raise ValueError(f"cannot parse the answer to x-api-key {KEYS['model__api_key']}")


async def test_what_is_noted_of_an_error_holds_no_secret(stage: OpenStage, tmp_path: Path) -> None:
    """It is shown by `limen status`, on the page and to admins."""
    chat = Leaky(name="slack", deaths=[RuntimeError(f"no {KEYS['telegram__token']}")])
    around = Surroundings(model=ScriptedModel(conversation=broken), chats=(chat,))
    async with stage(around, **KEYS) as on:
        await on.wait(30)  # until it is started again
        await chat.say("mira", "how are you?")
        await on.wait(120)
        health = on.house.supervisor.health()["slack"]
    store = tmp_path / "home/limen.db"
    with closing(sqlite3.connect(store)) as database:
        noted = [row[0] for row in database.execute(ERRORS)]
    assert any("cannot parse the answer" in one for one in noted)
    assert any("does not answer" in one for one in noted)
    rows = [path.read_bytes().decode("utf-8", "replace") for path in store.parent.glob("limen.db*")]
    told = "\n".join([*noted, health.note, *rows])
    assert [secret for secret in SECRETS if secret in told] == []


def _traces(reader: Reader) -> list[str]:
    found = reader.all("SELECT content FROM steps UNION ALL SELECT body FROM tool_results")
    return [row[0] for row in found]


async def test_secrets_are_struck_wherever_a_request_holds_text_and_pictures_stay() -> None:
    model = ScriptedModel()
    picture = {"type": "image", "source": {"type": "base64", "data": "garden-gate-9"}}
    result = {"type": "tool_result", "content": [{"type": "text", "text": "via garden-gate-9"}]}
    told: list[Message] = [
        {"role": "user", "content": "garden-gate-9?"},
        {"role": "user", "content": [result]},
    ]
    plain: list[Message] = [
        {"role": "user", "content": [picture, {"type": "text", "text": "no gate"}]}
    ]
    discreet = Discreet(model, Secrets(["garden-gate-9"]).strike)
    for messages in (told, plain):
        await discreet.complete(
            Request(
                role="memory",
                purpose="memory",
                tier=Tier.SMALL,
                system="",
                messages=messages,
                tools=(),
                max_tokens=9,
            )
        )
    asked, kept = (one.messages for one in model.calls)
    assert json.dumps(list(asked)).count(GONE) == 2
    assert "garden-gate-9" not in json.dumps(list(asked))
    assert kept is plain, "nothing is made anew where there is nothing to strike"
    assert "garden-gate-9" in json.dumps(told), "what the house remembers is not changed"
