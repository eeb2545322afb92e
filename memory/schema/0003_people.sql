-- Two accounts become one person: who is whose, and the codes by which people say so.
ALTER TABLE people ADD COLUMN joined_into INTEGER REFERENCES people (id);

CREATE TABLE joins (
    id INTEGER PRIMARY KEY,
    kept_id INTEGER NOT NULL REFERENCES people (id),
    gone_id INTEGER NOT NULL REFERENCES people (id),
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
);

CREATE TABLE link_codes (
    person_id INTEGER PRIMARY KEY REFERENCES people (id),
    code TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
);

-- Wrong codes of one person since a moment, so that nobody can guess for long.
CREATE TABLE link_tries (
    person_id INTEGER PRIMARY KEY REFERENCES people (id),
    tries INTEGER NOT NULL,
    since INTEGER NOT NULL
);

-- Said aside: the room's own history and nothing more, such as commands and the words of people
-- who may not talk with the bot.
ALTER TABLE originals ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
