-- What people asked for at a time: reminders, said word for word, and tasks for a chat's agent.
CREATE TABLE schedules (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('reminder', 'task')),
    owner_id INTEGER NOT NULL,
    original_id INTEGER,
    session_id INTEGER NOT NULL,
    target_id INTEGER NOT NULL,
    person_id INTEGER,
    body TEXT NOT NULL,
    grid TEXT NOT NULL,
    zone TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
    state TEXT NOT NULL CHECK (state IN ('active', 'done', 'cancelled')),
    reason TEXT NOT NULL DEFAULT '',
    settled INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER,
    held_until INTEGER,
    last_slot INTEGER,
    missed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX schedules_due ON schedules (next_at) WHERE state = 'active';
CREATE INDEX schedules_owner ON schedules (owner_id, id);
CREATE INDEX schedules_target ON schedules (target_id) WHERE state = 'active';
CREATE INDEX schedules_original ON schedules (original_id) WHERE original_id IS NOT NULL;

-- What became of each turn of a schedule; one row a turn for ever.
CREATE TABLE schedule_turns (
    schedule_id INTEGER NOT NULL REFERENCES schedules (id),
    slot INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('given', 'skipped')),
    reason TEXT NOT NULL DEFAULT '',
    missed INTEGER NOT NULL DEFAULT 0,
    original_id INTEGER,
    input_id INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (schedule_id, slot)
);
CREATE INDEX schedule_turns_original ON schedule_turns (original_id) WHERE original_id IS NOT NULL;

-- What intentions rest on, so that it can be taken back; and those that a person asked for.
CREATE TABLE intention_sources (
    intention_id INTEGER NOT NULL REFERENCES intentions (id),
    original_id INTEGER NOT NULL,
    PRIMARY KEY (intention_id, original_id)
);
CREATE INDEX intention_sources_original ON intention_sources (original_id);

CREATE TABLE intention_wishes (
    intention_id INTEGER PRIMARY KEY REFERENCES intentions (id),
    person_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    condition TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
    said_by INTEGER,
    said_in INTEGER,
    expires_at INTEGER NOT NULL
);
CREATE INDEX intention_wishes_person ON intention_wishes (person_id);
CREATE INDEX intention_wishes_expiring ON intention_wishes (expires_at);
