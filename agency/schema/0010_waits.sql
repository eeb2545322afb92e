-- Promises and questions that somebody else waits for.
CREATE TABLE waits (
    id INTEGER PRIMARY KEY,
    original_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('promise', 'question')),
    session_id INTEGER NOT NULL,
    owner_id INTEGER NOT NULL,
    said TEXT NOT NULL,
    dated INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'due', 'settled', 'dropped')),
    settled_by INTEGER,
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (original_id, kind, version)
);
CREATE INDEX waits_due ON waits (due_at) WHERE state = 'open';
CREATE INDEX waits_owner ON waits (owner_id) WHERE state IN ('open', 'due');
CREATE INDEX waits_live ON waits (id) WHERE state IN ('open', 'due');
