-- One row a conversation the bot is in, and a few inner ones.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('conversation', 'agency', 'memory', 'subagent')),
    key TEXT NOT NULL UNIQUE,
    parent_id INTEGER REFERENCES sessions (id),
    attention TEXT NOT NULL CHECK (attention IN ('addressed', 'all', 'observe', 'off')),
    created_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    stirred INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_stirred ON sessions (last_at) WHERE stirred = 1;
CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_off ON sessions (id) WHERE attention = 'off';
CREATE INDEX sessions_recent ON sessions (last_at) WHERE kind = 'conversation';

-- Everything that entered a session; kept for ever, so that a repeat is known.
CREATE TABLE inputs (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    trigger_type TEXT NOT NULL,
    parts TEXT NOT NULL,
    metadata TEXT NOT NULL,
    dedupe_key TEXT NOT NULL UNIQUE,
    original_id INTEGER,
    person_id INTEGER,
    origin TEXT NOT NULL,
    hop INTEGER NOT NULL,
    wakes INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'observed', 'withdrawn')),
    run_id INTEGER,
    step INTEGER,
    created_at INTEGER NOT NULL
);
CREATE INDEX inputs_pending ON inputs (session_id, id) WHERE state = 'pending';
CREATE INDEX inputs_run ON inputs (run_id, id) WHERE run_id IS NOT NULL;
CREATE INDEX inputs_original ON inputs (original_id) WHERE original_id IS NOT NULL;

-- One pass of the agent loop.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    role TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'queued', 'running', 'suspended', 'succeeded', 'failed', 'cancelled'
    )),
    priority INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    claimed_by TEXT NOT NULL DEFAULT '',
    leased_until INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER
);
CREATE UNIQUE INDEX runs_open ON runs (session_id) WHERE state IN ('queued', 'running');
CREATE INDEX runs_queued ON runs (priority, due_at) WHERE state = 'queued';
CREATE INDEX runs_queued_due ON runs (due_at) WHERE state = 'queued';
CREATE INDEX runs_running ON runs (leased_until) WHERE state = 'running';
CREATE INDEX runs_role ON runs (role, id);
CREATE INDEX runs_session ON runs (session_id, id);

-- The trace of a run: what the model was told after its context, and what it answered.
CREATE TABLE steps (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    n INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('assistant', 'user')),
    content TEXT NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    PRIMARY KEY (run_id, n)
);

CREATE TABLE tool_results (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    use_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    failed INTEGER NOT NULL,
    ends_run INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    PRIMARY KEY (run_id, n, use_id)
);

-- What is to be posted: the only way out.
CREATE TABLE letters (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    address TEXT NOT NULL,
    body TEXT NOT NULL,
    reply_to TEXT,
    buttons TEXT NOT NULL,
    run_id INTEGER,
    original_id INTEGER,
    proactive INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'sent', 'unknown', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL,
    possible_repeat INTEGER NOT NULL DEFAULT 0,
    message_id TEXT,
    error TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    settled_at INTEGER
);
CREATE INDEX letters_pending ON letters (not_before, id) WHERE state = 'pending';
CREATE INDEX letters_open ON letters (address, id) WHERE state IN ('pending', 'sending', 'unknown');
CREATE INDEX letters_doubt ON letters (id) WHERE state IN ('sending', 'unknown');
CREATE INDEX letters_unasked ON letters (session_id, id) WHERE proactive = 1;
CREATE INDEX letters_run ON letters (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX letters_original ON letters (original_id) WHERE original_id IS NOT NULL;

-- Tokens, by day (UTC), purpose and model.
CREATE TABLE usage (
    day TEXT NOT NULL,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, purpose, model)
);
