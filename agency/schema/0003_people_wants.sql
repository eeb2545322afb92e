-- What a person wants, wherever they are met: one row a person.
CREATE TABLE wants (
    person_id INTEGER PRIMARY KEY,
    zone TEXT,
    zone_shown TEXT,
    quiet_from TEXT,
    quiet_to TEXT,
    digest_at TEXT,
    paused_until INTEGER,
    quota INTEGER,
    updated_at INTEGER NOT NULL
);

-- Subjects that a chat, or a person anywhere, does not want to be told of.
CREATE TABLE mutes (
    id INTEGER PRIMARY KEY,
    session_id INTEGER,
    person_id INTEGER,
    subject TEXT NOT NULL,
    terms TEXT NOT NULL,
    until INTEGER,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    CHECK ((session_id IS NULL) <> (person_id IS NULL))
);
CREATE INDEX mutes_session ON mutes (session_id) WHERE session_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX mutes_person ON mutes (person_id) WHERE person_id IS NOT NULL AND ended_at IS NULL;

-- A chat that wants answers, and nothing unasked, before this moment.
ALTER TABLE preferences ADD COLUMN answers_until INTEGER;

-- A condition that a chat was told of, for as long as it holds: told again at growing intervals.
CREATE TABLE conditions (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    told INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    handoff_id INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session_id, key)
);
CREATE INDEX conditions_handoff ON conditions (handoff_id);

-- What was told lately, whoever it concerned.
CREATE INDEX handoffs_told ON handoffs (updated_at)
    WHERE state IN ('admitted', 'delivered', 'spoken');
