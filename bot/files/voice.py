"""Has a voice note, a recording or a film put into words by the transcriber that is configured."""

import asyncio
import os
import re
import shlex
import signal
import tempfile
from pathlib import Path, PurePath

from adapters.chat import legible
from bot.files.found import Found, Unreadable, Why, written

PLACE = "{file}"
PATIENCE_S = 300.0  # seconds; several minutes of talk on a slow machine
_MOST = 1_000_000  # bytes of what it prints
_KEPT_BACK = ("LIMEN_", "ANTHROPIC_")
"""Variables that hold secrets of ours and are none of its business."""


async def transcribe(command: str, name: str, data: bytes, *, patience_s: float) -> Found:
    """What is said in a recording: what the command prints for a file of it.

    The command is run as it stands, without a shell; `{file}` in it is the file, which otherwise
    comes last. Cancelled or late, it is killed with whatever it has started.
    """
    if not command.strip():
        raise Unreadable(Why.VOICE, "no transcriber is configured")
    suffix = PurePath(name).suffix
    with tempfile.NamedTemporaryFile(
        prefix="limen-", suffix=suffix if re.fullmatch(r"\.\w{1,8}", suffix) else ".ogg"
    ) as recording:
        await asyncio.to_thread(Path(recording.name).write_bytes, data)
        said = await _run(_filled(command, recording.name), patience_s)
    if not said.strip():
        raise Unreadable(Why.VOICE, "the transcriber heard no words in it")
    return written(legible(said))


def _filled(command: str, file: str) -> list[str]:
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise Unreadable(Why.VOICE, f"[files] transcriber is no command ({error})") from None
    filled = [part.replace(PLACE, file) for part in parts]
    return filled if filled != parts else [*parts, file]


async def _run(command: list[str], patience_s: float) -> str:
    env = {k: v for k, v in os.environ.items() if not k.upper().startswith(_KEPT_BACK)}
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        why = f"the transcriber {command[0]!r} cannot be started ({error.strerror})"
        raise Unreadable(Why.VOICE, why) from error
    try:
        async with asyncio.timeout(patience_s):
            said, complaint = await asyncio.gather(_head(process.stdout), _head(process.stderr))
            code = await process.wait()
    except TimeoutError:
        raise Unreadable(Why.VOICE, f"it took longer than {patience_s:g} s") from None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if code:
        last = complaint.strip().rpartition("\n")[2][:200]
        raise Unreadable(Why.VOICE, f"the transcriber failed with {code}: {last}")
    return said


async def _head(stream: asyncio.StreamReader | None) -> str:
    """The beginning of what comes, read to the end, so that nobody hangs on a full pipe."""
    kept = bytearray()
    while stream is not None and (more := await stream.read(65_536)):
        kept += more[: _MOST - len(kept)]
    return kept.decode("utf-8", errors="replace")
