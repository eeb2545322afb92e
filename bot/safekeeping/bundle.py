"""A backup as a file: a tar of the database and the files beside it, with a manifest at its end.

limen.db · files/… · AGENCY.md · agency/… · web-token · manifest.json
"""

import fcntl
import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self

from bot.errors import LimenError

DATABASE = "limen.db"
MANIFEST = "manifest.json"
FORMAT = 1
SUFFIX = ".backup"
_PART = ".part"
TOKEN = "web-token"
ALONE = (DATABASE, TOKEN, "AGENCY.md")
"""What lies in a backup beside folders; the names are those of the data folder."""
FOLDERS = ("files", "agency")
_CHUNK = 1 << 20


class BackupBroken(LimenError):
    """A file is no backup, or not the backup it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a backup says of itself."""

    format: int
    limen: str
    """The version that made it."""
    engine: str
    made: datetime
    at_rest: bool
    """Whether no Limen ran while it was made."""
    migrations: tuple[str, ...]
    rows: dict[str, int]
    """How many of each table."""
    members: dict[str, str]
    """The SHA-256 of each file in it."""

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Read one; ValueError, KeyError or TypeError when it is none."""
        raw = json.loads(text)
        made = datetime.fromisoformat(raw.pop("made")).astimezone(UTC)
        return cls(**raw | {"made": made, "migrations": tuple(raw["migrations"])})

    def written(self) -> bytes:
        """The form in the file."""
        raw: dict[str, Any] = asdict(self) | {"made": self.made.isoformat()}
        return json.dumps(raw, ensure_ascii=False, indent=1).encode()


def belongs(name: str) -> bool:
    """Whether a file of this name may lie in a backup; nothing that leads out of its folder."""
    folder, *below = name.split("/")
    if not below:
        return name in ALONE
    return folder in FOLDERS and not {"", ".", ".."} & set(below) and name.isprintable()


def named(made: datetime) -> str:
    """What a backup is called."""
    return f"limen-{made.astimezone(UTC):%Y-%m-%dT%H%M%SZ}{SUFFIX}"


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """A folder beside a backup to come, gone afterwards; what killed ones left is swept up."""
    for left in target.parent.glob(f"*{SUFFIX}{_PART}"):
        _sweep(left)
    folder = target.with_name(f"{target.name}{_PART}")
    folder.mkdir(mode=0o700)
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _sweep(left: Path) -> None:
    """Remove what a backup left behind that is not being made any more."""
    with suppress(OSError):
        lock = os.open(left, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left)
        finally:
            os.close(lock)


def pack(
    target: Path,
    folder: Path,
    members: Iterable[tuple[str, Path]],
    manifest: Callable[[dict[str, str]], Manifest],
) -> Manifest:
    """Write a backup in a workplace and put it where it belongs, whole or not at all.

    A file that is gone meanwhile is left out; `manifest` is given the checksums.
    """
    unfinished = folder / f"whole{SUFFIX}"
    sums: dict[str, str] = {}
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name, path in members:
                with suppress(FileNotFoundError), path.open("rb") as content:
                    known = os.fstat(content.fileno())
                    sums[name] = _add(tar, name, content, known.st_size, at=int(known.st_mtime))
            made = manifest(sums)
            text = made.written()
            _add(tar, MANIFEST, io.BytesIO(text), len(text), at=int(made.made.timestamp()))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(target)
    sync(target.parent)
    return made


def _add(tar: tarfile.TarFile, name: str, content: IO[bytes], size: int, *, at: int) -> str:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, 0o600, at
    summed = _Summed(content)
    tar.addfile(info, summed)
    return summed.digest.hexdigest()


class _Summed:
    """A file that adds up what is read of it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        read = self._file.read(size)
        self.digest.update(read)
        return read


def unpack(file: Path, folder: Path) -> Manifest:
    """Lay a backup out in an empty folder and check every file of it; BackupBroken if one is off.

    The whole backup is read before this returns, so nothing of a broken one is put to use.
    """
    try:
        with tarfile.open(file, "r:") as tar:
            sums = dict(_members(file, tar, folder))
    except (tarfile.TarError, EOFError) as error:
        raise BackupBroken(f"{file} is no backup, or was cut short ({error})") from error
    except OSError as error:
        raise BackupBroken(f"{file} cannot be read ({error.strerror or error})") from error
    written = folder / MANIFEST
    if sums.pop(MANIFEST, None) is None:
        raise BackupBroken(f"{file} has no manifest: it is no backup of Limen's, or was cut short")
    manifest = _manifest(file, written.read_bytes())
    written.unlink()
    if DATABASE not in manifest.members:
        raise BackupBroken(f"{file} has no database in it")
    for name in sorted(sums.keys() | manifest.members.keys()):
        if sums.get(name) != manifest.members.get(name):
            raise BackupBroken(f"{file} is not what it was: the checksum of {name} is another")
    return manifest


def _members(file: Path, tar: tarfile.TarFile, folder: Path) -> Iterator[tuple[str, str]]:
    for info in tar:
        if not info.isreg() or not (info.name == MANIFEST or belongs(info.name)):
            raise BackupBroken(f"{file} holds {info.name!r}, which belongs in no backup")
        content = tar.extractfile(info)
        path = folder / info.name
        if content is None or path.exists():
            raise BackupBroken(f"{file} holds {info.name!r} twice")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        summed = _Summed(content)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            while piece := summed.read(_CHUNK):
                out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        os.utime(path, (info.mtime, info.mtime))
        if path.stat().st_size != info.size:
            raise BackupBroken(f"{file} was cut short inside {info.name}")
        yield info.name, summed.digest.hexdigest()


def _manifest(file: Path, text: bytes) -> Manifest:
    try:
        if (form := json.loads(text)["format"]) != FORMAT:
            raise BackupBroken(
                f"{file} has the form {form}, and this version knows {FORMAT}; use the Limen "
                "that made it, or a later one"
            )
        return Manifest.parse(text)
    except (ValueError, KeyError, TypeError) as error:
        raise BackupBroken(f"the manifest of {file} cannot be read ({error})") from error


def sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
