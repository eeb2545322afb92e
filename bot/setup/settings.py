"""Every setting: its section, its form and its default, checked and then frozen.

A duration is written `20s`, `2m` or `1h`; zero switches off what it times, where that makes sense.
"""

import re
import shlex
from datetime import time, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic import model_validator as check_whole
from pydantic_core import PydanticCustomError

from bot.setup import durations, sizes, zones

PLATFORMS = ("web", "slack", "telegram", "feishu")
_SLACK_PREFIX = re.compile(r"x[a-z]+(?:\.xox[a-z])?-")
_FEISHU = {"feishu": "https://open.feishu.cn", "lark": "https://open.larksuite.com"}
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def _split(value: object) -> object:
    """Let a list be written as one text with commas, as the environment has to."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _check_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.username or parts.password:
        raise ValueError("must not hold a user name or password; give a secret in its own key")
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("must be an address that starts with 'https://' or 'http://'")
    return url


def _check_proxy(proxy: SecretStr) -> SecretStr:
    parts = urlsplit(proxy.get_secret_value())
    known = parts.scheme in ("http", "https", "socks5") and parts.hostname
    if proxy.get_secret_value() and not known:
        raise ValueError("must be a proxy's address, for example 'http://127.0.0.1:3128'")
    return proxy


def _check_account(account: str) -> str:
    platform, colon, id = account.partition(":")
    if colon and id.strip() and platform in PLATFORMS:
        return account
    near = get_close_matches(platform, PLATFORMS, n=1)
    hint = f" Did you mean '{near[0]}:{id}'?" if near and id and platform != near[0] else ""
    raise ValueError(
        f"is no person; write 'platform:id', for example 'slack:U024BE7LH', "
        f"with one of {', '.join(PLATFORMS)}.{hint}"
    )


def _feishu_domain(value: object) -> object:
    return _FEISHU.get(value, value) if isinstance(value, str) else value


def _check_name(name: str) -> str:
    if not name.strip() or name != name.strip() or len(name) > 40 or not name.isprintable():
        raise ValueError("must be a name of 1 to 40 signs without spaces around it")
    return name


def _check_host(host: str) -> str:
    if not re.fullmatch(r"[\w.:\[\]-]+", host):
        raise ValueError("must be a host name or an IP address, for example '127.0.0.1'")
    return host


def _expand(folder: Path) -> Path:
    if folder == Path():
        raise ValueError("is empty; name a folder, for example '~/.local/share/limen'")
    try:
        return folder.expanduser()
    except RuntimeError:
        raise ValueError("starts with '~', but no home folder is known; write it out") from None


def _check_command(command: str) -> str:
    try:
        shlex.split(command)
    except ValueError as error:
        raise ValueError(
            f"is no command ({error}); write it as in a terminal, for example "
            "'whisper-cli -f {file}'"
        ) from None
    return command


Duration = Annotated[timedelta, BeforeValidator(durations.parse_duration), Field(ge=timedelta(0))]
TimeOfDay = Annotated[time, BeforeValidator(durations.parse_time)]
QuietHours = Annotated[durations.Hours | None, BeforeValidator(durations.parse_hours)]
Url = Annotated[str, AfterValidator(_check_url)]
Proxy = Annotated[SecretStr, AfterValidator(_check_proxy)]
"""Secret because it may hold a password. Proxies of the environment are not used for chats."""
Account = Annotated[str, AfterValidator(_check_account)]
Accounts = Annotated[tuple[Account, ...], BeforeValidator(_split)]
Size = Annotated[int, BeforeValidator(sizes.parse_size)]
Command = Annotated[str, AfterValidator(_check_command)]
Zone = Annotated[str, AfterValidator(zones.check)]
Folder = Annotated[Path, AfterValidator(_expand)]


def _at(key: str, what: str) -> PydanticCustomError:
    """Make an error of a whole section that `config` reports at one of its keys."""
    return PydanticCustomError("at_key", "{what}", {"key": key, "what": what})


class Section(BaseModel):
    """One table of the settings file."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class Bot(Section):
    """Who the bot is and where it keeps what it knows."""

    name: Annotated[str, AfterValidator(_check_name)] = "Limen"
    language: Literal["auto", "en", "zh"] = "auto"
    timezone: Zone = zones.AUTO
    """An IANA name; after `config.load` never `auto`."""
    data_dir: Folder = Path("~/.local/share/limen")
    debounce: Duration = timedelta(milliseconds=800)
    """How long a message that asks for an answer waits for the rest of a burst."""
    max_parallel_runs: int = Field(4, ge=1, le=100)
    behind_after: Duration = timedelta(minutes=1)
    """How long somebody waits for a run to begin before they are told so; zero tells nobody."""
    spare_room: Annotated[Size, Field(ge=0)] = 50_000_000
    """Bytes of the data folder's disk that files and background work leave for messages."""
    stop_within: Annotated[Duration, Field(le=timedelta(hours=1))] = timedelta(seconds=10)
    """How long a stop lets what is being done come to the end of its step; zero waits for none."""

    @property
    def zone(self) -> ZoneInfo:
        """The team's zone, ready for use."""
        return ZoneInfo("UTC" if self.timezone == zones.AUTO else self.timezone)


class Model(Section):
    """Which language model thinks."""

    provider: Literal["auto", "anthropic", "builtin"] = "auto"
    name: str = Field("claude-sonnet-5-5", min_length=1)
    small_name: str = Field("claude-haiku-5-5", min_length=1)
    base_url: Url = ""
    """Empty means the SDK's own default."""
    api_key: SecretStr = SecretStr("")
    max_tokens: int = Field(4096, ge=256, le=128_000)
    context_tokens: int = Field(200_000, ge=8_000, le=2_000_000)
    timeout: Duration = timedelta(minutes=3)
    """How long no new piece of an answer may come before the call counts as lost."""
    outage_patience: Duration = timedelta(hours=12)
    """How long what people ask waits for a model that is away, before they are told so."""

    @property
    def chosen(self) -> Literal["anthropic", "builtin"]:
        """The provider that `auto` comes to: anthropic once there is a key or an own endpoint."""
        if self.provider != "auto":
            return self.provider
        return "anthropic" if self.api_key.get_secret_value() or self.base_url else "builtin"

    @check_whole(mode="after")
    def _has_a_way_in(self) -> Self:
        if self.provider == "anthropic" and not (self.api_key.get_secret_value() or self.base_url):
            raise _at(
                "api_key",
                "is missing, though provider is 'anthropic'; set ANTHROPIC_API_KEY or "
                "[model] api_key, or provider = 'builtin' to go without a key",
            )
        if self.max_tokens >= self.context_tokens:
            raise _at("max_tokens", "must be smaller than context_tokens")
        return self


def _check_database(url: SecretStr) -> SecretStr:
    text = url.get_secret_value().strip()
    if text and not text.startswith(("postgresql://", "postgres://")):
        raise ValueError(
            "must look like 'postgresql://user:password@host/name', or be empty for SQLite"
        )
    return SecretStr(text)


class Database(Section):
    """Where the rows are."""

    url: Annotated[SecretStr, AfterValidator(_check_database)] = SecretStr("")
    """Empty means SQLite in the data folder; secret because it may hold a password."""


class Log(Section):
    """What is written to standard error while Limen runs; secrets never are."""

    format: Literal["text", "json"] = "text"
    level: Literal["debug", "info", "warning", "error"] = "warning"


class Operations(Section):
    """The server for those who watch over Limen: `/live`, `/ready` and `/metrics`."""

    host: Annotated[str, AfterValidator(_check_host)] = "127.0.0.1"
    port: int = Field(0, ge=0, le=65535)
    """Zero means that there is none."""


class Web(Section):
    """The built-in web chat."""

    enabled: bool = True
    host: Annotated[str, AfterValidator(_check_host)] = "127.0.0.1"
    port: int = Field(8765, ge=0, le=65535)
    """Zero takes any free port."""
    token: SecretStr = SecretStr("")
    """Empty means that one is made at the first start and kept in the data folder."""

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in _LOOPBACK or self.host.startswith("127.")

    @check_whole(mode="after")
    def _token_is_no_guess(self) -> Self:
        if 0 < len(self.token.get_secret_value()) < 8:
            raise _at("token", "is shorter than 8 signs; leave it empty and a good one is made")
        return self


class Slack(Section):
    """A Slack app in Socket Mode; on when both tokens are there."""

    bot_token: SecretStr = SecretStr("")
    app_token: SecretStr = SecretStr("")
    base_url: Url = "https://slack.com/api/"
    proxy: Proxy = SecretStr("")

    @property
    def configured(self) -> bool:
        """Whether its credentials are there."""
        return bool(self.bot_token.get_secret_value())

    @check_whole(mode="after")
    def _both_tokens(self) -> Self:
        for key, prefix in (("bot_token", "xoxb-"), ("app_token", "xapp-")):
            token = getattr(self, key).get_secret_value()
            if token and not token.startswith(prefix):
                found = _SLACK_PREFIX.match(token)
                seen = f"this one starts with {found[0]!r}" if found else "this one does not"
                raise _at(key, f"must start with {prefix!r}; {seen}")
        if bool(self.bot_token.get_secret_value()) != bool(self.app_token.get_secret_value()):
            absent = "app_token" if self.configured else "bot_token"
            raise _at(absent, "is missing: Slack needs both bot_token and app_token")
        return self


class Telegram(Section):
    """A Telegram bot; on when its token is there."""

    token: SecretStr = SecretStr("")
    base_url: Url = "https://api.telegram.org/bot"
    base_file_url: Url = "https://api.telegram.org/file/bot"
    proxy: Proxy = SecretStr("")

    @property
    def configured(self) -> bool:
        """Whether its credentials are there."""
        return bool(self.token.get_secret_value())

    @check_whole(mode="after")
    def _token_form(self) -> Self:
        if self.configured and not re.fullmatch(r"\d+:\S+", self.token.get_secret_value()):
            raise _at("token", "must look like '123456:ABC…', as BotFather gives it")
        return self


class Feishu(Section):
    """A Feishu or Lark app; on when id and secret are there."""

    app_id: str = ""
    app_secret: SecretStr = SecretStr("")
    domain: Annotated[Url, BeforeValidator(_feishu_domain)] = "https://open.feishu.cn"
    """An address; `feishu` and `lark` stand for the two public ones."""
    proxy: Proxy = SecretStr("")

    @property
    def configured(self) -> bool:
        """Whether its credentials are there."""
        return bool(self.app_id)

    @check_whole(mode="after")
    def _both_parts(self) -> Self:
        if bool(self.app_id) != bool(self.app_secret.get_secret_value()):
            absent = "app_secret" if self.app_id else "app_id"
            raise _at(absent, "is missing: Feishu needs both app_id and app_secret")
        return self


class Files(Section):
    """What people send along."""

    enabled: bool = True
    """Off leaves files unread; that one was sent is known all the same."""
    max_size: Annotated[Size, Field(ge=1_000, le=100_000_000)] = 20_000_000
    """The most bytes of one file; a larger one is not fetched."""
    transcriber: Command = ""
    """Prints what is said in a recording, which it is given as `{file}` or last."""


class Access(Section):
    """Who may talk with the bot, and who runs it."""

    mode: Literal["open", "pairing", "allowlist"] = "open"
    admins: Accounts = ()
    allow: Accounts = ()


class Agency(Section):
    """When the agency wakes."""

    enabled: bool = True
    quiet_window: Duration = timedelta(seconds=20)
    max_wait: Duration = timedelta(minutes=2)
    early_wake: Duration = timedelta(seconds=3)
    """How long even an urgent fire waits, so that a correction can still arrive."""
    heartbeat: Duration = timedelta(hours=1)
    """Zero means no heartbeat."""
    max_fires: int = Field(200, ge=1, le=5000)
    """The most fires one agency run is given."""
    memory: bool = True
    """Whether facts are drawn from talk that has come to rest."""
    wait_silence: Annotated[Duration, Field(ge=timedelta(hours=1))] = timedelta(hours=48)
    """After how long without a word a promise without a date, or a question, is overdue."""

    @check_whole(mode="after")
    def _waits_in_order(self) -> Self:
        if self.max_wait < self.quiet_window:
            raise _at("max_wait", "must not be shorter than quiet_window")
        return self


class Speaking(Section):
    """How often the bot may speak unasked."""

    enabled: bool = True
    quiet_hours: QuietHours = None
    minor: Literal["now", "digest", "silent"] = "now"
    """What becomes of news that is good to know and changes nothing."""
    daily_quota: int = Field(5, ge=0, le=1000)
    """Unasked messages a chat and a day, threads included; what is more waits for the digest."""
    person_quota: int = Field(8, ge=0, le=1000)
    """Unasked messages a day that concern one person, in all chats together."""
    cooldown: Duration = timedelta(0)
    """The least time between two unasked messages of one chat, save for what is major."""
    settle: Duration = timedelta(seconds=20)
    """How long after a person's talk with the bot something else may be said there."""
    digest_at: TimeOfDay = time(9, 0)


class Duties(Section):
    """What Limen does beside answering; what happens instead is told in docs/duties.md."""

    relay: bool = True
    """Tells one room what it needs from another."""
    waits: bool = True
    """Asks once about a question or promise that is overdue."""
    intentions: bool = True
    """Keeps in mind what is to be said once something happens."""
    digest: bool = True
    """Tells people once a day what could wait."""
    reminders: bool = True
    """Reminders and schedules that people ask for."""
    approvals: bool = True
    """Asks the right person for a yes before something is done."""
    learning: bool = True
    """Says less of what people do not care for."""


class Privacy(Section):
    """What may be told where."""

    groups: Literal["open", "closed"] = "open"
    dm: Literal["ask", "never", "allow"] = "ask"
    one_team: Annotated[
        tuple[Literal["web", "slack", "telegram", "feishu"], ...], BeforeValidator(_split)
    ] = (
        "web",
        "slack",
        "feishu",
    )
    """The platforms whose workspaces are one team's: their open rooms are open to each other."""
