-- People and the accounts they use.
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    is_bot INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX people_email ON people (email) WHERE email IS NOT NULL;

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    person_id INTEGER NOT NULL REFERENCES people (id),
    platform TEXT NOT NULL,
    tenant TEXT NOT NULL,
    native_id TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (platform, tenant, native_id)
);
CREATE INDEX accounts_person ON accounts (person_id);

-- Who can hear a session. The session itself belongs to the bot.
CREATE TABLE audiences (
    session_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'group')),
    open INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    complete INTEGER NOT NULL,
    outsiders INTEGER NOT NULL,
    digest TEXT NOT NULL,
    updated_at INTEGER NOT NULL
);

CREATE TABLE members (
    session_id INTEGER NOT NULL REFERENCES audiences (session_id),
    person_id INTEGER NOT NULL REFERENCES people (id),
    PRIMARY KEY (session_id, person_id)
);
CREATE INDEX members_person ON members (person_id);

-- What was really said, word for word. An older version moves to `versions`.
CREATE TABLE originals (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('message', 'output', 'source')),
    address TEXT,
    person_id INTEGER REFERENCES people (id),
    author TEXT NOT NULL,
    body TEXT NOT NULL,
    version INTEGER NOT NULL,
    reply_to TEXT,
    run_id INTEGER,
    said_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    edited_at INTEGER,
    recalled_at INTEGER
);
CREATE UNIQUE INDEX originals_address ON originals (address) WHERE address IS NOT NULL;
CREATE INDEX originals_person ON originals (person_id, id) WHERE person_id IS NOT NULL;
CREATE INDEX originals_session ON originals (session_id, id);

CREATE TABLE versions (
    original_id INTEGER NOT NULL REFERENCES originals (id),
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (original_id, version)
);

CREATE VIRTUAL TABLE originals_text USING fts5 (
    body, content = '', tokenize = 'porter unicode61'
);

-- What was learnt, each fact with the originals it rests on.
CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    run_id INTEGER,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    subject TEXT NOT NULL,
    person_id INTEGER REFERENCES people (id),
    due_at INTEGER,
    learnt_at INTEGER NOT NULL,
    replaced_by INTEGER REFERENCES facts (id),
    key TEXT NOT NULL UNIQUE
);
CREATE INDEX facts_session ON facts (session_id, id) WHERE replaced_by IS NULL;
CREATE INDEX facts_run ON facts (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE fact_sources (
    fact_id INTEGER NOT NULL REFERENCES facts (id),
    original_id INTEGER NOT NULL REFERENCES originals (id),
    PRIMARY KEY (fact_id, original_id)
);
CREATE INDEX fact_sources_original ON fact_sources (original_id);

CREATE VIRTUAL TABLE facts_text USING fts5 (
    body, content = '', tokenize = 'porter unicode61'
);

-- One running summary a session, and how far its originals have been read.
CREATE TABLE summaries (
    session_id INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    covered INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
