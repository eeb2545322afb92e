"""Writes a first `limen.toml`: every key with its meaning, each at its default and commented out.

Asks for the few that people want to choose, and only when somebody sits at a terminal.
"""

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bot.errors import ConfigError
from bot.setup import config_errors, zones
from bot.setup.config import Config

_EXAMPLES = (
    Path(__file__).parents[2] / "config.example.toml",
    Path(sys.prefix) / "share/limen/config.example.toml",
)
"""Where the example lies in a clone, and where an installed wheel has it."""

Ask = Callable[[str, str], str]
"""Puts a question with its default answer to a person, and gives back what they chose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A key worth asking about."""

    section: str
    key: str
    text: str


NIGHT = "22:00-08:00"
"""The quiet hours a new house begins with."""
QUESTIONS = (
    Question(section="bot", key="name", text="What shall the team call me?"),
    Question(section="bot", key="language", text="Which language? (auto, en, zh)"),
    Question(section="bot", key="timezone", text="Which time zone is the team in?"),
    Question(
        section="speaking",
        key="quiet_hours",
        text="When must I not speak up unasked? (22:00-08:00, or empty for never)",
    ),
)


def write(path: Path, env: Mapping[str, str], ask: Ask | None = None) -> Path:
    """Write the file and give back its path; ConfigError when there is one already.

    Without `ask`, which is right when nobody sits at a terminal, every key keeps its default; only
    the time zone and a night's quiet hours are filled in.
    """
    suggested = {"timezone": zones.local(env), "quiet_hours": NIGHT}
    chosen = {
        ("bot", "timezone"): suggested["timezone"],
        ("speaking", "quiet_hours"): suggested["quiet_hours"],
    }
    example = next(path for path in _EXAMPLES if path.exists())
    shown = example.read_text(encoding="utf-8")
    if ask:
        for question in QUESTIONS:
            default = suggested.get(question.key, _default(shown, question))
            chosen[question.section, question.key] = _answer(ask, question, default)
    try:
        # for its owner only, because tokens may be written into it; and never over another file
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_filled(shown, chosen))
    except FileExistsError:
        raise ConfigError(
            f"{path}: exists already and was left as it is; edit it, or name another file "
            "with --config"
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be written ({error.strerror}); name a file in a folder of yours "
            "with --config"
        ) from error
    return path


def _answer(ask: Ask, question: Question, default: str) -> str:
    """Ask until the answer can be used."""
    text = question.text
    while True:
        answer = ask(text, default)
        try:
            Config(**{question.section: {question.key: answer}})  # type: ignore[arg-type]
        except ValidationError as error:
            problem = config_errors.Report(Config, None, {}).lines(error)[0]
            text = f"{problem.partition(': ')[2]}\n{question.text}"
        else:
            return answer


def _default(shown: str, question: Question) -> str:
    found = re.search(rf'^{question.key} = "(.*?)"', shown, re.M)
    return found[1] if found else ""


def _filled(shown: str, chosen: Mapping[tuple[str, str], str]) -> str:
    """Comment every key out but the chosen ones, which take their new value."""
    lines, section = [], ""
    for line in shown.splitlines():
        if head := re.match(r"\[(\w+)([\].])", line):
            # a table inside a section may not stand there without its keys
            section = head[1] if head[2] == "]" else ""
            line = line if section else f"# {line}"
        found = re.match(r'(\w+) = ("[^"]*"|\S+)\s*(#.*)?$', line)
        if found:
            key, _, note = found.groups()
            value = chosen.get((section, key))
            line = (
                f"# {line}" if value is None else f"{key} = {_quoted(value)}  {note or ''}".rstrip()
            )
        lines.append(line)
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char for char in escaped if char.isprintable()) + '"'
