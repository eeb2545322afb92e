"""Looks over everything Limen needs and says what is wrong with it; changes nothing."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.findings import Finding, Level, fail
from bot import errors, platforms
from bot.engine.waits import Clock
from bot.setup import checkups, config, storage
from bot.setup.home import Home

_MARKS = {Level.OK: "ok", Level.WARN: "warn", Level.FAIL: "FAIL"}


async def examine(path: Path | None, env: Mapping[str, str], *, clock: Clock) -> list[Finding]:
    """Look over the machine, the settings and what they name.

    Broken settings are findings too; then what depends on them is left out. Configured platforms
    are asked about themselves, a configured Anthropic endpoint whether it has the model.
    """
    found = [*checkups.runtime(), *checkups.moment(clock())]
    try:
        settings = config.load(path, env)
    except errors.ConfigError as error:
        lines = str(error).splitlines()
        return found + [fail("settings", line, "") for line in lines]  # each names its remedy
    found += checkups.settings(config.find(path), settings)
    home = Home(settings.bot.data_dir)
    of_folder = checkups.folder(home)
    found += of_folder
    if storage.shared(settings):
        found += await asyncio.to_thread(checkups.server, settings)
    elif not failed(of_folder):
        found += await asyncio.to_thread(checkups.database, home.database)
    if settings.web.enabled:
        found += checkups.web(settings.web, owner=home.owner())
    found += await checkups.model(settings.model, env)
    found += checkups.budget(settings)
    found += checkups.transcriber(settings.files.transcriber)
    found += await platforms.examine(settings, clock, running=home.owner() is not None)
    return found


def failed(findings: Sequence[Finding]) -> bool:
    """Tell whether anything keeps Limen from running: the command then exits with 1."""
    return any(finding.level is Level.FAIL for finding in findings)


def render(findings: Sequence[Finding]) -> str:
    """Write the findings as a table for a terminal; a remedy stands below what it remedies."""
    width = max((len(finding.area) for finding in findings), default=0)
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.level]:<4}  {finding.area:<{width}}  {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<4}  {'':<{width}}  → {finding.remedy}")
    counts = [sum(finding.level is level for finding in findings) for level in Level]
    lines.append("{} ok, {} to look at, {} failed".format(*counts))
    return "\n".join(lines)


def render_json(findings: Sequence[Finding]) -> str:
    """Write the findings as one JSON object for a program."""
    rows = [
        {"level": one.level.value, "area": one.area, "text": one.text, "remedy": one.remedy}
        for one in findings
    ]
    return json.dumps({"ok": not failed(findings), "findings": rows}, ensure_ascii=False, indent=2)
