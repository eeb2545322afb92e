"""The files of docs/deploy: what they name is there, and what they promise the code does."""

import asyncio
import json
import re
import shutil
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.web.server import GRACE_S
from bot import serve
from bot.app import system_clock
from bot.cli import cli
from bot.operating import queues
from bot.operating.metrics import METRICS, PROCESS
from bot.operating.redaction import Secrets
from bot.operating.server import Operations
from bot.operating.tally import Tally
from bot.setup import config as configuration
from bot.setup.config import Config
from bot.setup.settings import Operations as Settings
from memory.moments import to_us
from tests.fakes.town import MONDAY, Town

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs/deploy"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
UNIT = (DEPLOY / "limen.service").read_text(encoding="utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
_SPAN = {"s": 1, "min": 60, "": 1}


def of_unit(section: str) -> dict[str, list[str]]:
    """The keys of a section with all their values, in order."""
    found: dict[str, list[str]] = {}
    now = ""
    for line in UNIT.splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line):
            now = head[1]
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals and re.fullmatch(r"[A-Z]\w+", key), line
            if now == section:
                found.setdefault(key, []).append(value)
    return found


def seconds(span: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(\w*)", span).groups()  # type: ignore[union-attr]
    return int(number) * _SPAN[unit]


def of_container(word: str) -> list[str]:
    """The instructions of one kind, with their lines joined."""
    whole = re.sub(r"\\\n\s*", "", CONTAINER)
    return re.findall(rf"^{word} (.+)$", whole, re.M)


def loaded(environment: dict[str, str]) -> Config:
    return configuration.load(None, environment)


def test_the_unit_gives_the_process_what_it_asks_for() -> None:
    service = of_unit("Service")
    stop = seconds(service["TimeoutStopSec"][0])
    closing = timedelta(seconds=serve.LETTERS_S + serve.HAND_BACK_S + GRACE_S)
    own = loaded({}).bot.stop_within + closing
    assert stop > own.total_seconds()
    assert service["Type"] == ["notify"] and seconds(service["WatchdogSec"][0]) >= 30
    assert service["Restart"] == ["on-failure"] and service["User"] == ["limen"]
    assert of_unit("Unit")["StartLimitIntervalSec"] == ["0"]
    assert of_unit("Install")["WantedBy"] == ["multi-user.target"]
    for key, value in {
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "PrivateTmp": "yes",
        "UMask": "0077",
        "CapabilityBoundingSet": "",
    }.items():
        assert service[key] == [value], key


def test_the_settings_of_the_unit_are_settings_and_fit_its_folder() -> None:
    service = of_unit("Service")
    config = loaded(dict(one.split("=", 1) for one in service["Environment"]))
    assert config.bot.data_dir == Path("/var/lib") / service["StateDirectory"][0]
    assert config.log.format == "json"
    assert config.operations.port


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd on this machine")
def test_systemd_reads_the_unit_without_a_word(tmp_path: Path) -> None:
    unit = tmp_path / "limen.service"
    unit.write_text(UNIT.replace("/opt/limen/bin/limen", sys.executable), encoding="utf-8")
    asked = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=20
    )
    assert (asked.returncode, asked.stderr.strip()) == (0, "")


@pytest.mark.parametrize("told", [UNIT, CONTAINER, README], ids=["unit", "container", "readme"])
def test_every_command_that_is_named_is_one(told: str) -> None:
    named = set(re.findall(r"bin/limen (\w+)|\blimen (\w+) --config|limen`? (retry)\b", told))
    words = {word for found in named for word in found if word}
    if "CMD [" in told:
        words |= set(json.loads(of_container("CMD")[-1]))
    there = {getattr(one.callback, "__name__", "") for one in cli.registered_commands}
    there |= {one.name or "" for one in cli.registered_commands}
    assert words and words <= there


def test_the_container_runs_as_nobody_special_on_images_without_a_host() -> None:
    for image in of_container("FROM"):
        name = image.split()[0]
        assert re.fullmatch(r"python:3\.\d+-slim", name)
    assert of_container("USER") == ["limen"]
    assert "useradd" in of_container("RUN")[-1]
    assert of_container("STOPSIGNAL") == ["SIGTERM"]
    assert json.loads(of_container("ENTRYPOINT")[0]) == ["limen"]


def test_the_settings_of_the_container_are_settings_and_fit_its_volume() -> None:
    environment = dict(one.split("=", 1) for one in of_container("ENV")[0].split())
    config = loaded({k: v for k, v in environment.items() if k.startswith("LIMEN_")})
    assert [str(config.bot.data_dir)] == of_container("VOLUME")
    assert of_container("EXPOSE") == [str(config.web.port)]
    assert f":{config.operations.port}/live" in of_container("HEALTHCHECK")[0]


def test_what_the_container_is_built_of_is_there() -> None:
    copies = [one.split() for one in of_container("COPY") if not one.startswith("--from")]
    named = [name for *names, _ in copies for name in names]
    assert [name for name in named if not (ROOT / name).exists()] == []
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert packages <= {name.rstrip("/") for name in named}


async def test_the_health_check_tells_whether_it_lives() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    check = json.loads(of_container("HEALTHCHECK")[0].partition("CMD ")[2])
    assert check[:2] == ["python", "-c"]
    code = check[2].replace("8766", str(port))

    async def run() -> int:
        # of its own folder and environment, in which a proxy must not be asked
        env = {"http_proxy": "http://127.0.0.1:1", "PATH": ""}
        asked = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, env=env, stderr=asyncio.subprocess.DEVNULL
        )
        return await asked.wait()

    settings = Settings(port=port)
    async with Operations(settings, Tally(), system_clock, Secrets().hide):
        assert await run() == 0
    assert await run() == 1


def test_every_metric_is_told_of_with_its_kind_and_labels() -> None:
    rows = re.findall(r"^\| `((?:limen|process)_\w+)` \| (\w+) \| (.+?) \| .+ \|$", README, re.M)
    told = {name: (kind, tuple(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    assert len(told) == len(rows)
    own = {one.name: (one.kind, one.labels) for one in METRICS}
    assert {name: one for name, one in told.items() if name.startswith("limen")} == own
    assert [name for name in told if name.startswith("process")] == [*PROCESS]


def test_every_queue_is_told_of(town: Town) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", README.partition("### Queues")[2], re.M)
    assert rows == [*queues.look(town.tx, now_us=to_us(MONDAY))]


def test_alarms_ask_for_metrics_that_there_are() -> None:
    alarms = README.partition("worth an alarm")[2]
    asked = set(re.findall(r"\blimen_\w+", alarms))
    assert asked and asked <= {one.name for one in METRICS}
    named = re.findall(r'queue=~?"([\w|]+)"', alarms)
    told = set(re.findall(r"^\| `(\w+)` \| [^|]+ \|$", README, re.M))
    assert {name for one in named for name in one.split("|")} <= told


def test_links_lead_somewhere() -> None:
    heads = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in
             re.findall(r"^#+ (.+)$", README, re.M)}  # fmt: skip
    for link in re.findall(r"\]\(([^)]+)\)", README):
        there = link[1:] in heads if link.startswith("#") else (DEPLOY / link).exists()
        assert there, link
