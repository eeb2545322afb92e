-- Who was let in or kept out by an admin, beside those the settings name.
CREATE TABLE grants (
    platform TEXT NOT NULL,
    native_id TEXT NOT NULL,
    allowed INTEGER NOT NULL,
    by_person INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (platform, native_id)
);

-- Strangers who wrote in private and wait for an admin's word.
CREATE TABLE pairings (
    code TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    native_id TEXT NOT NULL,
    name TEXT NOT NULL,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    expires_at INTEGER NOT NULL,
    UNIQUE (platform, native_id)
);

-- How often a stranger was told no, so that nobody is told twice a day.
CREATE TABLE refusals (
    platform TEXT NOT NULL,
    native_id TEXT NOT NULL,
    day TEXT NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (platform, native_id, day)
);

-- Runs in a row that other bots caused in a chat; a person's word ends the row.
CREATE TABLE bot_turns (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id),
    turns INTEGER NOT NULL
);

-- What was ordered, once a message.
CREATE TABLE commands (
    original_id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    word TEXT NOT NULL,
    at INTEGER NOT NULL
);
