"""Reads the settings: a TOML file, then the environment, which wins; checked as a whole, frozen.

limen.toml ──► TomlConfigSettingsSource ─┐
LIMEN_…    ──► Environment ──────────────┴─► Config, or one ConfigError naming every mistake
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.errors import ConfigError
from bot.setup import config_errors, settings, zones
from bot.setup.budget import Budget
from bot.setup.config_errors import PREFIX, Origins
from bot.setup.retention import Retention

DEFAULT_FILE = Path("limen.toml")
_LENT = {"api_key": "ANTHROPIC_API_KEY", "base_url": "ANTHROPIC_BASE_URL"}

Values = dict[str, Any]


class Config(BaseSettings):
    """All settings, one field a section."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, hide_input_in_errors=True
    )

    bot: settings.Bot = settings.Bot()
    model: settings.Model = settings.Model()
    database: settings.Database = settings.Database()
    log: settings.Log = settings.Log()
    operations: settings.Operations = settings.Operations()
    web: settings.Web = settings.Web()
    slack: settings.Slack = settings.Slack()
    telegram: settings.Telegram = settings.Telegram()
    feishu: settings.Feishu = settings.Feishu()
    files: settings.Files = settings.Files()
    access: settings.Access = settings.Access()
    agency: settings.Agency = settings.Agency()
    speaking: settings.Speaking = settings.Speaking()
    duties: settings.Duties = settings.Duties()
    privacy: settings.Privacy = settings.Privacy()
    budget: Budget = Budget()
    retention: Retention = Retention()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take only what is handed in, so that nothing reads the real environment unseen."""
        return (init_settings,)


class Environment(PydanticBaseSettingsSource):
    """The variables `LIMEN_<SECTION>__<KEY>` of a given environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        super().__init__(Config)
        self.origins: Origins = {}
        """Which variable set which key."""
        self.strays: list[str] = []
        """Variables with the prefix that name no key at all."""
        self._sections: Values = {}
        for name, value in env.items():
            if name.upper().startswith(PREFIX):
                self._take(name, value)

    def _take(self, name: str, value: str) -> None:
        section, two_lines, key = name[len(PREFIX) :].lower().partition("__")
        if not (two_lines and key) or section not in Config.model_fields:
            self.strays.append(name)
            return
        self._sections.setdefault(section, {})[key] = value
        self.origins[section, key] = name

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Give one section's variables."""
        return self._sections.get(field_name), field_name, False

    def __call__(self) -> Values:
        """Give every section's variables, unknown keys among them: they are refused later."""
        return self._sections


def load(path: Path | None, env: Mapping[str, str]) -> Config:
    """Read and check all settings; ConfigError has one line for each mistake.

    Without a path `limen.toml` in the working folder is read if it is there; a path that is given
    must exist.
    """
    file = find(path)
    in_file = read_file(file) if file else {}
    environment = Environment(env)
    values = _merge(in_file, environment())
    origins = environment.origins | _lend(values, env)
    report = config_errors.Report(Config, file, origins)
    lines = [report.stray(name) for name in environment.strays]
    try:
        config = Config(**values)
    except ValidationError as error:
        lines += report.lines(error)
    if lines:
        # the chain is cut because pydantic's own error may print secrets
        raise ConfigError("\n".join(sorted(set(lines)))) from None
    return config


def find(path: Path | None) -> Path | None:
    """Name the settings file to read: the one given, or the default one where it exists."""
    if path is not None:
        return path
    return DEFAULT_FILE if DEFAULT_FILE.exists() else None


def read_file(path: Path) -> Values:
    """Read the tables of a settings file, unchecked; ConfigError says what is wrong, and where."""
    try:
        # some editors put a byte order mark in front
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(
            f"{path}: there is no such file; write one with 'limen init --config {path}', "
            "or leave out --config to run on the defaults"
        ) from error
    except (OSError, ValueError) as error:
        raise ConfigError(config_errors.unreadable(path, error)) from error


def _merge(file: Values, environment: Values) -> Values:
    """Lay the environment over the file, key by key."""
    merged = dict(file)
    for section, keys in environment.items():
        below = file.get(section, {})
        merged[section] = {**below, **keys} if isinstance(below, dict) else below
    return merged


def _lend(values: Values, env: Mapping[str, str]) -> Origins:
    """Fill in what the settings leave open and the environment knows under other names."""
    bot, model = values.setdefault("bot", {}), values.setdefault("model", {})
    if isinstance(bot, dict) and bot.get("timezone", zones.AUTO) == zones.AUTO:
        bot["timezone"] = zones.local(env)
    if not isinstance(model, dict) or model.get("provider") == "builtin":
        return {}
    origins: Origins = {}
    for key, name in _LENT.items():
        # an endpoint alone, set for some other program, must not turn a paid model on
        welcome = key == "api_key" or model.get("api_key") or model.get("provider") == "anthropic"
        if env.get(name) and not model.get(key) and welcome:
            model[key] = env[name]
            origins["model", key] = name
    return origins
