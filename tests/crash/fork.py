"""Runs chains of lives side by side, each in processes forked from this one, which is warmed."""

import importlib
import os
import pickle
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tests.crash.chain import Outcome

WARM = ("PIL.PngImagePlugin", "pypdf", "pydantic.deprecated", "email.mime.text")
"""What lives import only once they use it."""

Chain = Callable[[], Outcome]


def side_by_side(chains: Iterable[Chain], jobs: int) -> Iterator[Outcome]:
    """The outcomes, as they come."""
    for name in WARM:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="limen-crash-") as folder:
        running: dict[int, Path] = {}
        try:
            for number, chain in enumerate(chains):
                if len(running) >= jobs:
                    yield _next(running)
                path = Path(folder) / str(number)
                child = os.fork()
                if child == 0:
                    _carry_out(chain, path)
                running[child] = path
            while running:
                yield _next(running)
        finally:
            for child in running:  # somebody broke it off: what has begun comes to its end
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)


def _carry_out(chain: Chain, path: Path) -> None:
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.SIG_IGN)  # the parent waits until this has come to its end
    try:
        path.write_bytes(pickle.dumps(chain()))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _next(running: dict[int, Path]) -> Outcome:
    """Wait for any of them."""
    child, _ = os.wait()
    path = running.pop(child)
    if not path.exists():
        raise RuntimeError("a chain of lives ended without an outcome; what it said is above")
    outcome: Outcome = pickle.loads(path.read_bytes())
    path.unlink()
    return outcome
