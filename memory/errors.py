"""What can go wrong with what is stored.

StorageError
├── StorageFull     the disk took no more; nothing of the write was kept
├── StorageBroken   the database could not be read or written
├── NewerDatabase   a later version of Limen made this database
└── Closed          the database was closed before the write was taken
"""


class StorageError(Exception):
    """Something stored could not be read or written."""


class StorageFull(StorageError):
    """The disk is full or read-only; nothing of the write was kept."""


class StorageBroken(StorageError):
    """The database could not be read or written."""


class NewerDatabase(StorageError):
    """A later version of Limen made this database."""


class Closed(StorageError):
    """The database was closed before the write was taken."""
