-- What was sent along with an original, and what could be read of it.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    original_id INTEGER NOT NULL REFERENCES originals (id),
    locator TEXT NOT NULL,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size INTEGER,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'read', 'unreadable', 'gone', 'removed')),
    note TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '',
    picture TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL
);
CREATE INDEX files_original ON files (original_id);
CREATE INDEX files_waiting ON files (not_before) WHERE state = 'waiting';
CREATE INDEX files_gone ON files (id) WHERE state = 'gone';
