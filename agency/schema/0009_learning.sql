-- What was told unasked: one row for each message of the bot and each handoff it told of.
CREATE TABLE tellings (
    id INTEGER PRIMARY KEY,
    original_id INTEGER NOT NULL,
    handoff_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    subject TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    UNIQUE (original_id, handoff_id)
);
CREATE INDEX tellings_session ON tellings (session_id, told_at);

-- How it was taken; silence leaves no row.
CREATE TABLE responses (
    telling_id INTEGER NOT NULL REFERENCES tellings (id),
    person_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN (
        'reply', 'reaction', 'liked', 'disliked', 'unwanted', 'useful', 'acted'
    )),
    evidence_id INTEGER,
    note TEXT NOT NULL DEFAULT '',
    at INTEGER NOT NULL,
    PRIMARY KEY (telling_id, person_id, kind)
);

-- Subjects that a person called not useful: told less, and not for ever.
CREATE TABLE lessons (
    id INTEGER PRIMARY KEY,
    person_id INTEGER NOT NULL,
    telling_id INTEGER NOT NULL REFERENCES tellings (id),
    subject TEXT NOT NULL,
    terms TEXT NOT NULL,
    refusals INTEGER NOT NULL,
    until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
);
CREATE INDEX lessons_person ON lessons (person_id, id);
