"""Settings: where they come from, what they become, and how every mistake is told."""

import json
import subprocess
import sys
import tomllib
from datetime import time, timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.errors import ConfigError
from bot.setup import config, settings
from bot.setup.durations import Hours

ROOT = Path(__file__).parents[4]
EXAMPLE = ROOT / "config.example.toml"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(text: str) -> Path:
    path = Path("limen.toml")
    path.write_text(text, encoding="utf-8")
    return path


def refused(text: str = "", **env: str) -> list[str]:
    path = written(text) if text else None
    with pytest.raises(ConfigError) as caught:
        config.load(path, env)
    return str(caught.value).splitlines()


def test_no_file_and_no_environment_give_the_defaults() -> None:
    loaded = config.load(None, {})
    assert loaded.web.port == 8765
    assert loaded.web.host == "127.0.0.1"
    assert loaded.agency.quiet_window == timedelta(seconds=20)
    assert loaded.agency.max_wait == timedelta(minutes=2)
    assert loaded.agency.heartbeat == timedelta(hours=1)
    assert loaded.speaking.daily_quota == 5
    assert loaded.speaking.quiet_hours is None
    assert loaded.speaking.digest_at == time(9)
    assert loaded.model.chosen == "builtin"
    assert loaded.bot.data_dir == Path.home() / ".local/share/limen"


def test_example_holds_every_key_with_its_default() -> None:
    shown = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert {section: set(keys) for section, keys in shown.items()} == {
        section: set(field.annotation.model_fields)  # type: ignore[union-attr]
        for section, field in config.Config.model_fields.items()
    }
    assert config.load(EXAMPLE, {}) == config.load(None, {})


def test_a_proxy_must_be_an_address_and_is_kept_secret() -> None:
    loaded = config.load(None, {"LIMEN_SLACK__PROXY": "http://me:hush@127.0.0.1:3128"})
    assert "hush" not in repr(loaded)
    assert loaded.slack.proxy.get_secret_value() == "http://me:hush@127.0.0.1:3128"
    [line] = refused("[telegram]\nproxy = 'hush:3128'\n")
    assert "proxy" in line and "http://127.0.0.1:3128" in line
    assert "hush" not in line


def test_a_telegram_group_is_no_part_of_the_team_unless_said() -> None:
    assert "telegram" not in config.load(None, {}).privacy.one_team
    loaded = config.load(None, {"LIMEN_PRIVACY__ONE_TEAM": "web,telegram"})
    assert loaded.privacy.one_team == ("web", "telegram")
    [line] = refused("[privacy]\none_team = ['slak']\n")
    assert "slak" in line


def test_default_file_is_read_from_the_working_folder() -> None:
    written("[web]\nport = 9000\n")
    assert config.load(None, {}).web.port == 9000


def test_a_byte_order_mark_is_no_mistake() -> None:
    Path("limen.toml").write_bytes(b"\xef\xbb\xbf[web]\nport = 9000\n")
    assert config.load(None, {}).web.port == 9000


def test_environment_wins_over_the_file_key_by_key() -> None:
    path = written("[web]\nport = 9000\nhost = '0.0.0.0'\n")
    loaded = config.load(path, {"LIMEN_WEB__PORT": "9001", "PATH": "/bin"})
    assert (loaded.web.port, loaded.web.host) == (9001, "0.0.0.0")


def test_every_key_can_be_set_from_the_environment() -> None:
    shown = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    env = {
        f"LIMEN_{section}__{key}".upper(): ",".join(value)
        if isinstance(value, list)
        else json.dumps(value)
        if isinstance(value, dict)
        else str(value)
        for section, keys in shown.items()
        for key, value in keys.items()
    }
    assert config.load(None, env) == config.load(None, {})


def test_lists_are_written_with_commas_in_the_environment() -> None:
    loaded = config.load(None, {"LIMEN_ACCESS__ADMINS": "slack:U1, web:ana"})
    assert loaded.access.admins == ("slack:U1", "web:ana")


def test_a_given_file_must_exist() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: there is no such file; write one"):
        config.load(Path("nowhere.toml"), {})


def test_settings_are_frozen() -> None:
    loaded = config.load(None, {})
    with pytest.raises(ValidationError):
        loaded.web.port = 1  # type: ignore[misc]
    with pytest.raises(ValidationError):
        loaded.web = settings.Web()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("20s", timedelta(seconds=20)),
        ("0.8s", timedelta(milliseconds=800)),
        ("1h30m", timedelta(minutes=90)),
        ("500ms", timedelta(milliseconds=500)),
        ("2 m".replace(" ", ""), timedelta(minutes=2)),
        ("0", timedelta(0)),
    ],
)
def test_durations(text: str, span: timedelta) -> None:
    assert config.load(None, {"LIMEN_AGENCY__EARLY_WAKE": text}).agency.early_wake == span


def test_quiet_hours_wrap_past_midnight() -> None:
    loaded = config.load(None, {"LIMEN_SPEAKING__QUIET_HOURS": "22:00-08:00"})
    hours = loaded.speaking.quiet_hours
    assert hours == Hours(time(22), time(8))
    assert hours is not None
    assert hours.hold(time(23)) and hours.hold(time(7, 59))
    assert not hours.hold(time(8)) and not hours.hold(time(12))


@pytest.mark.parametrize(
    ("env", "chosen"),
    [
        ({}, "builtin"),
        ({"ANTHROPIC_API_KEY": "sk-1"}, "anthropic"),
        ({"ANTHROPIC_API_KEY": ""}, "builtin"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}, "builtin"),
        ({"LIMEN_MODEL__BASE_URL": "http://127.0.0.1:1"}, "anthropic"),
        ({"ANTHROPIC_API_KEY": "sk-1", "LIMEN_MODEL__PROVIDER": "builtin"}, "builtin"),
    ],
)
def test_provider_auto(env: dict[str, str], chosen: str) -> None:
    assert config.load(None, env).model.chosen == chosen


def test_borrowed_key_and_address_fill_only_what_is_open() -> None:
    env = {"ANTHROPIC_API_KEY": "sk-env", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    loaded = config.load(written('[model]\napi_key = ""\n'), env)
    assert loaded.model.api_key.get_secret_value() == "sk-env"
    assert loaded.model.base_url == "http://127.0.0.1:1"
    loaded = config.load(written('[model]\napi_key = "sk-file"\nbase_url = "http://own"\n'), env)
    assert loaded.model.api_key.get_secret_value() == "sk-file"
    assert loaded.model.base_url == "http://own"


def test_timezone_auto_is_this_machines() -> None:
    assert config.load(None, {"TZ": "Asia/Shanghai"}).bot.zone.key == "Asia/Shanghai"
    assert config.load(None, {"TZ": "nonsense"}).bot.timezone != "auto"


SECRET = "s3cr3t-value"
MISTAKES = [
    ("[web]\nport = 70000", "[web] port = 70000: must be less than or equal to 65535"),
    ("[web]\nport = 'abc'", "[web] port = 'abc': must be a valid integer; write a whole number"),
    ("[web]\nenabled = 'maybe'", "[web] enabled = 'maybe': must be a valid boolean; write true"),
    ("[web]\nhost = 'a b'", "[web] host = 'a b': must be a host name or an IP address"),
    ("[web]\nprt = 1", "[web] prt = 1: is no key of [web]; did you mean 'port'?"),
    (f"[web]\ntokn = '{SECRET}'", "[web] tokn = (hidden): is no key"),
    (f"[web]\ntoken = ['{SECRET}']", "[web] token = (hidden): must be a valid string"),
    ("[web]\ntoken = 'short'", "[web] token: is shorter than 8 signs; leave it empty"),
    ("[database]\nurl = 'mysql://u:s3cr3t-value@db/limen'", "must look like 'postgresql://"),
    ("[wbe]\nport = 1", "[wbe]: is no known section; did you mean 'web'?"),
    ("web = 1", "[web]: must be a table"),
    ("[bot]\nlanguage = 'de'", "[bot] language = 'de': must be 'auto', 'en' or 'zh'; did you"),
    (
        "[bot]\ntimezone = 'Berlin'",
        "= 'Berlin': is no IANA time zone; did you mean 'Europe/Berlin'",
    ),
    ("[bot]\ntimezone = '../x'", "= '../x': is no IANA time zone"),
    ("[bot]\nname = ' '", "[bot] name = ' ': must be a name"),
    ("[bot]\ndata_dir = ''", "[bot] data_dir = '': is empty; name a folder"),
    (
        "[model]\nprovider = 'openai'",
        "provider = 'openai': must be 'auto', 'anthropic' or 'builtin'",
    ),
    ("[model]\nprovider = 'anthropic'", "[model] api_key: is missing, though provider is"),
    ("[model]\nbase_url = 'here'", "base_url = 'here': must be an address that starts with"),
    ("[model]\nmax_tokens = 100000\ncontext_tokens = 90000", "[model] max_tokens: must be smaller"),
    (
        f"[slack]\nbot_token = 'xapp-{SECRET}'",
        "must start with 'xoxb-'; this one starts with 'xapp-'",
    ),
    (f"[slack]\nbot_token = 'xoxb-{SECRET}'", "[slack] app_token: is missing"),
    (f"[telegram]\ntoken = '{SECRET}'", "[telegram] token: must look like '123456:ABC…'"),
    ("[feishu]\napp_id = 'cli_1'", "[feishu] app_secret: is missing"),
    ("[access]\nadmins = ['slak:U1']", "admins = 'slak:U1': is no person; write 'platform:id'"),
    (
        "[access]\nmode = 'opn'",
        "mode = 'opn': must be 'open', 'pairing' or 'allowlist'; did you mean",
    ),
    ("[agency]\nquiet_window = 20", "a duration needs a unit: write '20s', '20m' or '20h'"),
    (
        "[agency]\nmax_wait = '2 minutes'",
        "max_wait = '2 minutes': must be a duration: write it like",
    ),
    ("[agency]\nmax_wait = '1s'", "[agency] max_wait: must not be shorter than quiet_window"),
    ("[speaking]\nquiet_hours = '22-8'", "quiet_hours = '22-8': must be two times of day"),
    ("[speaking]\nquiet_hours = '08:00-08:00'", "starts and ends at the same time"),
    ("[speaking]\ndigest_at = '25:00'", "digest_at = '25:00': must be a time of day"),
    ("[speaking]\ndaily_quota = -1", "daily_quota = -1: must be greater than or equal to 0"),
    ("[privacy]\ndm = 'sometimes'", "dm = 'sometimes': must be 'ask', 'never' or 'allow'"),
    ("[budget]\ncurrency = 'eur'", "currency = 'eur': must be three capital letters"),
    ("[budget]\ndaily_cost = nan", "daily_cost = nan: must be a finite number"),
    ("[budget]\nagency_share = 2", "agency_share = 2: must be less than or equal to 1"),
    ("[budget]\nfallback = 'non'", "fallback = 'non': must be 'builtin' or 'none'; did you mean"),
    ("[budget]\nprices = 3", "prices = 3: must be a table for each model: [budget.prices."),
    ("[budget.prices.m]\ninput = 1", "[budget] prices: of 'm': output must be given"),
    ("[budget.prices.m]\ninput = 1\noutput = -2", "of 'm': output = -2 must be a number from 0"),
    ("[budget.prices.m]\ninputs = 1", "of 'm': 'inputs' is none; write input, output, cache_read"),
    (
        "[budget]\ndaily_cost = 3\ncurrency = 'EUR'",
        "[budget] prices: is empty, and the list prices Limen knows are in USD; write [budget.",
    ),
]


@pytest.mark.parametrize(("text", "told"), MISTAKES)
def test_every_mistake_is_one_line_with_file_key_value_and_remedy(text: str, told: str) -> None:
    (line,) = refused(text)
    assert line.startswith("limen.toml: [")
    assert told in line
    assert SECRET not in line


def test_mistakes_in_the_environment_name_the_variable() -> None:
    (line,) = refused(LIMEN_WEB__PORT="abc")
    assert line.startswith("environment: LIMEN_WEB__PORT = 'abc': must be a valid integer")
    (line,) = refused(LIMEN_SLACK__BOT_TOKEN=f"xoxb-{SECRET}")
    assert line.startswith("environment: LIMEN_SLACK__APP_TOKEN: is missing")


@pytest.mark.parametrize("name", ["LIMEN_WEB_PORT", "LIMEN_WBE__PORT"])
def test_unknown_variables_are_refused_with_the_nearest_known_one(name: str) -> None:
    (line,) = refused(**{name: "1"})
    assert line.startswith(f"environment: {name}: is no setting")
    assert line.endswith("did you mean LIMEN_WEB__PORT?")


def test_all_mistakes_are_told_at_once() -> None:
    lines = refused("[web]\nport = 'x'\n[bot]\nlanguage = 'de'\n[nope]\n", LIMEN_FOO="1")
    assert len(lines) == 4


def test_no_secret_is_printed_by_settings_or_their_errors() -> None:
    loaded = config.load(written(f"[web]\ntoken = '{SECRET}'\n"), {"ANTHROPIC_API_KEY": SECRET})
    assert SECRET not in repr(loaded)
    assert SECRET not in str(loaded.model)
    with pytest.raises(ConfigError) as caught:
        config.load(written(f"[web]\ntoken = '{SECRET}'\nport = 'x'\n"), {})
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[web]\nport 1\n", "limen.toml, line 2, column 6: Expected '='"),
        (b"a = [\n", "limen.toml, at its end: Invalid value"),
        (b"[web]\n[web]\n", "limen.toml, line 2, column 5: Cannot declare"),
        (b"\xff\xfe", "limen.toml: is not a text in UTF-8 (byte 0); save it as UTF-8"),
    ],
)
def test_broken_files_say_where_and_what(content: bytes, told: str) -> None:
    Path("limen.toml").write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        config.load(None, {})
    assert str(caught.value).startswith(told)


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(tmp_path, {})


def test_feishu_domain_knows_its_two_public_names() -> None:
    loaded = config.load(None, {"LIMEN_FEISHU__DOMAIN": "lark"})
    assert loaded.feishu.domain == "https://open.larksuite.com"


def test_importing_the_settings_loads_no_heavy_library() -> None:
    heavy = "{'anthropic', 'starlette', 'uvicorn', 'jinja2', 'markdown_it'}"
    code = f"import sys, bot.setup.config; sys.exit(str({heavy} & set(sys.modules) or '') or 0)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
