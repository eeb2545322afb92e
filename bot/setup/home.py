"""The data folder: what lies where in it, and the lock that keeps it to one running Limen."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import DataFolderError

TOKEN_SIGNS = 8  # the least a token has; what is shorter was cut off


@dataclass(frozen=True, slots=True)
class Home:
    """A data folder."""

    folder: Path

    @property
    def database(self) -> Path:
        """The SQLite file, used unless `[database] url` names another database."""
        return self.folder / "limen.db"

    @property
    def backup(self) -> Path:
        """The database as it was before the last version that changed its tables."""
        return self.folder / "limen.before-update.db"

    @property
    def lock(self) -> Path:
        """Locked, and holding the process id, while a Limen runs here."""
        return self.folder / "limen.lock"

    @property
    def token(self) -> Path:
        """The web chat's token where none is configured."""
        return self.folder / "web-token"

    @property
    def files(self) -> Path:
        """Pictures people sent, by the number of the file; nothing else lies there."""
        return self.folder / "files"

    @property
    def erasures(self) -> Path:
        """What was erased, one a line and without a word of it, for copies older than that."""
        return self.folder / "erasures.jsonl"

    def kept_token(self, make: Callable[[], str]) -> str:
        """The web chat's token, made at the first start and anew where its file was cut short."""
        path = self.token
        if path.exists():
            kept = path.read_text(encoding="ascii", errors="replace").strip()
            if len(kept) >= TOKEN_SIGNS and kept.isascii():
                return kept
        token = make()
        fresh = path.with_name(f"{path.name}.new")
        fresh.touch(mode=0o600)
        fresh.write_text(token + "\n", encoding="ascii")
        fresh.replace(path)
        return token

    @contextmanager
    def hold(self, *, shared: bool = False) -> Iterator[None]:
        """Make the folder and keep it to this process; DataFolderError when that cannot be.

        With `shared` the processes of one Limen use it together, and keep others away.

        The lock ends with the process, however it ends, so nothing has to be cleaned up.
        """
        try:
            # what was said in DMs lies here, so the folder is for its owner only
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataFolderError(
                f"the data folder {self.folder} cannot be used ({error.strerror}); make it "
                "writable, or name another one in [bot] data_dir or LIMEN_BOT__DATA_DIR"
            ) from error
        try:
            self._claim(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """What is in the way of a file of ours is a DataFolderError with its path."""
        try:
            yield
        except OSError as error:
            raise DataFolderError(
                f"{error.filename or self.folder} cannot be used ({error.strerror}); move away "
                "what is there, free space, or name another folder in [bot] data_dir"
            ) from error

    def owner(self) -> int | None:
        """The process that runs on this folder; None when nobody does."""
        try:
            handle = os.open(self.lock, os.O_RDWR)
        except OSError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return _process(handle)
        finally:
            os.close(handle)
        return None

    def _claim(self, handle: int, lock: int) -> None:
        try:
            fcntl.flock(handle, lock | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataFolderError(
                f"another Limen (process {_process(handle)}) runs on {self.folder}; stop it, or "
                "give this one another folder with [bot] data_dir or LIMEN_BOT__DATA_DIR"
            ) from None
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        except OSError:
            pass  # on a full disk the number is missing from the message, and the lock still holds


def _process(handle: int) -> int:
    text = os.pread(handle, 20, 0)
    return int(text) if text.isdigit() else 0
