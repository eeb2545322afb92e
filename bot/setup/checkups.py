"""The single check-ups of `limen doctor`: each looks at one thing and gives its findings."""

import asyncio
import errno
import os
import platform
import shlex
import shutil
import socket
import sqlite3
import ssl
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from adapters.findings import Finding, Level, fail, ok, warn
from bot import derived
from bot.errors import ModelRefused, ModelRetry
from bot.models.anthropic_model import AnthropicModel
from bot.setup import config, storage
from bot.setup.home import Home
from bot.setup.settings import Model, Web
from memory import migrations
from memory.db import Reader
from memory.engine import Engine
from memory.errors import StorageError
from memory.sqlite import SqliteSession

PYTHON = (3, 11)
SQLITE = (3, 37)  # the first with RETURNING, UPSERT and STRICT as we write them
SCARCE = 500 * 2**20  # bytes free on the disk
TOO_FEW = 20 * 2**20
CONNECT_S = 3.0
ANSWER_S = 10.0
ANTHROPIC = "https://api.anthropic.com"
PACKAGES = Path(__file__).parents[2]


def runtime(
    python: tuple[int, ...] = sys.version_info[:3],
    sqlite: tuple[int, ...] = sqlite3.sqlite_version_info,
) -> list[Finding]:
    """Look at Python, and at SQLite with its full-text search."""
    return [_python(python), _sqlite(sqlite)]


def _python(version: tuple[int, ...]) -> Finding:
    text = f"{platform.python_implementation()} {_dotted(version)}"
    if version[:2] < PYTHON:
        return fail("python", text, f"install Python {_dotted(PYTHON)} or newer")
    return ok("python", text)


def _sqlite(version: tuple[int, ...]) -> Finding:
    text = f"SQLite {_dotted(version)}"
    if version < SQLITE:
        remedy = f"use a Python built with SQLite {_dotted(SQLITE)} or newer"
        return fail("sqlite", text, remedy)
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(body)")
        except sqlite3.OperationalError:
            return fail("sqlite", f"{text} has no full-text search", "use a Python with FTS5")
    return ok("sqlite", f"{text} with full-text search")


def moment(now: datetime) -> list[Finding]:
    """Look at the clock: it cannot be before the files it runs from."""
    made = datetime.fromtimestamp(Path(__file__).stat().st_mtime, UTC)
    if now < made:
        text = f"it is {now:%Y-%m-%d %H:%M} UTC, before this program was installed"
        return [warn("clock", text, "set the machine's clock, for example with timedatectl")]
    return [ok("clock", f"{now:%Y-%m-%d %H:%M} UTC")]


def settings(file: Path | None, loaded: config.Config) -> list[Finding]:
    """Look at where the settings come from, and the team's zone."""
    source = str(file) if file else "no file: the defaults and the environment"
    found = [ok("settings", source), ok("timezone", loaded.bot.timezone)]
    if loaded.access.mode == "allowlist" and not (loaded.access.allow or loaded.access.admins):
        text = "[access] mode is 'allowlist', but nobody is on the list"
        found.append(warn("settings", text, "name people in [access] allow"))
    return found


def folder(home: Home) -> list[Finding]:
    """Look at the data folder: there or makeable, writable, with room, and whose it is."""
    path = home.folder
    remedy = "make it writable, or name another folder in [bot] data_dir"
    below = next((p for p in (path, *path.parents) if _there(p)), Path("/"))
    if not below.is_dir():
        return [fail("data folder", f"{below} is a file", "name another folder in [bot] data_dir")]
    if not os.access(below, os.W_OK | os.X_OK):
        return [fail("data folder", f"{below} cannot be written", remedy)]
    there = below == path
    found = [ok("data folder", f"{path}" if there else f"{path} is made at the first start")]
    if there and path.stat().st_mode & 0o007:
        text = f"everybody on this machine can look into {path}"
        found.append(warn("data folder", text, f"chmod o-rwx {path}"))
    found.append(_room(below))
    owner = home.owner()
    if owner is not None:
        found.append(ok("running", f"Limen runs on this folder as process {owner}"))
    return found


def _there(path: Path) -> bool:
    try:
        path.stat()
    except OSError:  # also where we may not look
        return False
    return True


def _room(path: Path) -> Finding:
    free = shutil.disk_usage(path).free
    text = f"{free / 2**30:.1f} GiB free"
    if free < TOO_FEW:
        return fail("disk", text, f"free space on the disk of {path}")
    if free < SCARCE:
        return warn("disk", text, f"free space on the disk of {path} soon")
    return ok("disk", text)


def database(path: Path) -> list[Finding]:
    """Look at the database, read-only: sound, and not of a later version."""
    if not path.exists() or not path.stat().st_size:
        return [ok("database", f"{path.name} is made at the first start")]
    remedy = f"put a copy back, or move {path} away to begin anew"
    try:
        with closing(_read_only(path)) as connection:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                return [fail("database", f"{path} is damaged: {verdict}", remedy)]
            return [_version(migrations.applied(Reader(SqliteSession(connection))), path)]
    except sqlite3.Error as error:
        return [fail("database", f"{path} cannot be read: {error}", remedy)]


def server(settings: config.Config) -> list[Finding]:
    """Look at the database on a server: it answers, and is not of a later version."""
    try:
        with storage.reading(settings) as reader:
            applied = migrations.applied(reader)
    except StorageError as error:
        return [fail("database", str(error), "start the server, or mend [database] url")]
    place = storage.place(settings)
    where = place.where if isinstance(place, Engine) else str(place)
    if (wrong := _later(applied, where)) is not None:
        return [wrong]
    missing = len(_known() - applied)
    state = f"; {missing} migrations at the next start" if missing else ""
    return [ok("database", f"{where} answers{state}")]


def _read_only(path: Path) -> sqlite3.Connection:
    uri = path.resolve().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True)
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        # a write-ahead log beside it cannot be opened in a read-only folder; then nobody writes
        connection.close()
        return sqlite3.connect(f"{uri}?immutable=1", uri=True)
    return connection


def _known() -> set[str]:
    packages = [PACKAGES / name for name in ("memory", "agency", "bot")]
    return {name for name, _ in migrations.steps(packages)}


def _later(applied: set[str], where: str) -> Finding | None:
    known = _known()
    if not applied - known:
        return None
    text = f"{where} was made by a later version (it has {', '.join(sorted(applied - known))})"
    return fail("database", text, "install that version, or name another folder in [bot] data_dir")


def _version(applied: set[str], path: Path) -> Finding:
    if (wrong := _later(applied, str(path))) is not None:
        return wrong
    if not applied:
        return fail("database", f"{path} is not a database of Limen's", "move it away")
    missing = len(_known() - applied)
    size = f"{path.stat().st_size / 2**20:.1f} MiB"
    text = f"{path.name}, {size}, sound"
    return ok("database", text + (f"; {missing} migrations at the next start" if missing else ""))


def web(wanted: Web, *, owner: int | None) -> list[Finding]:
    """Look whether the web chat's port is free, or taken by the Limen that runs here."""
    place = f"{wanted.host}:{wanted.port}"
    found = [] if wanted.loopback else [_open_to_others(place)]
    problem = _bind(wanted.host, wanted.port)
    if problem is None:
        return [*found, ok("web", f"{place} is free")]
    if problem == errno.EADDRINUSE and owner is not None:
        return [*found, ok("web", f"{place} is used by the running Limen")]
    text, remedy = {
        errno.EADDRINUSE: (
            f"{place} is used by another program",
            "stop that program, or choose another port: LIMEN_WEB__PORT=8766",
        ),
        errno.EACCES: (f"{place} may not be used", "choose a port above 1023 in [web] port"),
    }.get(problem, (f"{place} is no address of this machine", "correct [web] host"))
    return [*found, fail("web", text, remedy)]


def _open_to_others(place: str) -> Finding:
    text = f"{place} can be reached from other machines, without encryption"
    return warn("web", text, "put a proxy with TLS in front, or set [web] host = '127.0.0.1'")


def _bind(host: str, port: int) -> int | None:
    """Try to take a port for a moment; the error number when it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error.errno or errno.EADDRNOTAVAIL
    return None


def transcriber(command: str) -> list[Finding]:
    """Look whether the program that puts voice into words is there; nothing without one."""
    if not command.strip():
        return []
    program = shlex.split(command)[0]
    if found := shutil.which(program):
        return [ok("voice", f"put into words by {found}")]
    return [
        warn(
            "voice",
            f"[files] transcriber names {program!r}, and there is no such program",
            "install it, or write its whole path",
        )
    ]


def budget(wanted: config.Config) -> list[Finding]:
    """Look whether the models in use have a price; nothing where no day may cost only so much."""
    if wanted.model.chosen == "builtin" or not wanted.budget.daily_cost:
        return []
    rules = derived.budget(wanted)
    names = dict.fromkeys((wanted.model.name, wanted.model.small_name))
    if unknown := [name for name in names if rules.price(name) is None]:
        text = f"no price of {' and '.join(map(repr, unknown))} is known: the dearest one counts"
        return [warn("budget", text, f'write [budget.prices."{unknown[0]}"], input and output')]
    cost = f"{wanted.budget.daily_cost:g} {wanted.budget.currency}"
    return [ok("budget", f"{cost} a day, by prices that may have changed since they were written")]


async def model(wanted: Model, env: Mapping[str, str]) -> list[Finding]:
    """Look at the model: which one, whether its endpoint is there, takes the key and has it."""
    if wanted.chosen == "builtin":
        text = "the built-in, rule-based model"
        if wanted.provider == "auto":
            text += "; set ANTHROPIC_API_KEY for a language model"
        return [ok("model", text)]
    found = [ok("model", f"{wanted.name} at {wanted.base_url or 'the Anthropic API'}")]
    if not wanted.api_key.get_secret_value():
        text = "there is no key; only an endpoint of your own goes without"
        found.append(warn("model", text, "set ANTHROPIC_API_KEY if it asks for one"))
    if proxy := next((env[n] for n in ("HTTPS_PROXY", "https_proxy") if env.get(n)), ""):
        found.append(ok("model", f"asked through the proxy {urlsplit(proxy).hostname}; not tried"))
        return found
    reached = await _reach(wanted.base_url or ANTHROPIC)
    found.append(reached)
    return [*found, await _access(wanted)] if reached.level is Level.OK else found


async def _access(wanted: Model) -> Finding:
    soon = replace(derived.endpoint(wanted), connect_timeout_s=CONNECT_S, idle_timeout_s=ANSWER_S)
    asked = AnthropicModel(soon)
    try:
        if not await asked.known():
            text = "the endpoint keeps no list of models; the first question will tell"
            return ok("model", text)
    except ModelRefused as error:
        what, _, remedy = str(error).partition("; ")
        return fail("model", what, remedy or "look at [model] in the settings")
    except ModelRetry as error:
        return warn("model", str(error), "try again; questions wait until it answers")
    finally:
        await asked.aclose()
    return ok("model", f"the endpoint takes the key and has {wanted.name}")


async def _reach(url: str) -> Finding:
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    place = f"{parts.hostname}:{port}"
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(
                parts.hostname, port, ssl=ssl.create_default_context() if secure else None
            )
    except TimeoutError:
        problem = f"no answer within {CONNECT_S:g} s"
    except OSError as error:
        problem = error.strerror or str(error)
    else:
        writer.transport.abort()
        return ok("model", f"{place} can be reached")
    remedy = "check [model] base_url and the network; meanwhile provider = 'builtin' works offline"
    return fail("model", f"{place} cannot be reached: {problem}", remedy)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
