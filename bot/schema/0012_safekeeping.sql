-- The versions of Limen that have run on this database, so that an older one can name the later.
CREATE TABLE programs (
    version TEXT PRIMARY KEY,
    first_at INTEGER NOT NULL
);

-- Restores: of which backup, and what may have been said or done between it and the restore.
CREATE TABLE restores (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    doubts TEXT NOT NULL
);

-- What is cleared away night by night: up to which row, and what the last night came to.
CREATE TABLE clearings (
    kind TEXT PRIMARY KEY,
    night INTEGER NOT NULL,
    done INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    cleared INTEGER NOT NULL,
    at INTEGER NOT NULL
);
