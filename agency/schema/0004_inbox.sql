-- What is for one person: told in their digest, said to them, or waiting for their word.
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    person_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('notify', 'digest', 'approval', 'alert', 'report')),
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    room_id INTEGER,
    weight REAL NOT NULL,
    cause TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'told', 'seen', 'dropped')),
    reason TEXT NOT NULL DEFAULT '',
    told_in TEXT NOT NULL DEFAULT '',
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX inbox_waiting ON inbox (person_id, kind) WHERE state = 'waiting';
CREATE INDEX inbox_expiring ON inbox (expires_at) WHERE state = 'waiting';
CREATE INDEX inbox_person ON inbox (person_id, id);
CREATE INDEX inbox_cause ON inbox (cause);
CREATE INDEX inbox_told_in ON inbox (told_in) WHERE told_in <> '';

-- What an entry rests on, as it stood then.
CREATE TABLE inbox_sources (
    entry_id INTEGER NOT NULL REFERENCES inbox (id),
    original_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (entry_id, original_id)
);
CREATE INDEX inbox_sources_original ON inbox_sources (original_id);

-- The digests that were given: one a person and a day of theirs. One whose letter was taken back
-- before it was posted is not given, and may be given once more.
CREATE TABLE digests (
    person_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    n INTEGER NOT NULL,
    given INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (person_id, day)
);

-- The people who want no digest.
CREATE TABLE digests_off (
    person_id INTEGER PRIMARY KEY,
    updated_at INTEGER NOT NULL
);
