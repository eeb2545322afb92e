-- Everything that happened in a session, queued for the agency.
CREATE TABLE fires (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN (
        'message_observed', 'run_output_observed', 'memory_session_completed', 'heartbeat',
        'report', 'intention'
    )),
    session_id INTEGER,
    run_id INTEGER,
    original_id INTEGER,
    payload TEXT NOT NULL,
    dedupe_key TEXT NOT NULL UNIQUE,
    priority INTEGER NOT NULL,
    salience REAL,
    origin TEXT NOT NULL,
    hop INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'pending', 'submitted', 'merged', 'steered', 'consumed', 'dead'
    )),
    attempts INTEGER NOT NULL DEFAULT 0,
    agency_run_id INTEGER,
    error TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    settled_at INTEGER
);
CREATE INDEX fires_unread ON fires (id) WHERE salience IS NULL;
CREATE INDEX fires_pending ON fires (priority, id) WHERE state = 'pending';
CREATE INDEX fires_open ON fires (state) WHERE state <> 'consumed';
CREATE INDEX fires_heartbeat ON fires (created_at) WHERE kind = 'heartbeat';
CREATE INDEX fires_by_run ON fires (agency_run_id, id) WHERE agency_run_id IS NOT NULL;
CREATE INDEX fires_original ON fires (original_id) WHERE original_id IS NOT NULL;

-- What the agency wants a session to know.
CREATE TABLE handoffs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    agency_run_id INTEGER NOT NULL,
    target_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_state TEXT NOT NULL,
    body TEXT NOT NULL,
    grade TEXT NOT NULL CHECK (grade IN ('major', 'minor', 'none')),
    confidence REAL NOT NULL,
    metadata TEXT NOT NULL,
    hop INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'proposed', 'admitted', 'held', 'asking', 'digest', 'silent', 'refused', 'delivered',
        'spoken', 'declined', 'dropped', 'expired'
    )),
    reason TEXT NOT NULL DEFAULT '',
    not_before INTEGER,
    expires_at INTEGER NOT NULL,
    input_id INTEGER,
    run_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX handoffs_waiting ON handoffs (not_before) WHERE state IN ('held', 'digest');
CREATE INDEX handoffs_open ON handoffs (expires_at)
    WHERE state IN ('held', 'asking', 'digest', 'admitted', 'delivered');
CREATE INDEX handoffs_expiring ON handoffs (expires_at)
    WHERE state IN ('held', 'asking', 'digest', 'admitted');
CREATE INDEX handoffs_target ON handoffs (target_id, id);
CREATE INDEX handoffs_run ON handoffs (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX handoffs_agency_run ON handoffs (agency_run_id);

CREATE TABLE handoff_sources (
    handoff_id INTEGER NOT NULL REFERENCES handoffs (id),
    original_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (handoff_id, original_id)
);
CREATE INDEX handoff_sources_original ON handoff_sources (original_id);

-- What each gate said, in the order they were passed.
CREATE TABLE gate_records (
    id INTEGER PRIMARY KEY,
    handoff_id INTEGER NOT NULL REFERENCES handoffs (id),
    gate TEXT NOT NULL,
    passed INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX gate_records_handoff ON gate_records (handoff_id, id);

-- A person's word on whether something they said in private may be told elsewhere.
CREATE TABLE consents (
    id INTEGER PRIMARY KEY,
    handoff_id INTEGER NOT NULL REFERENCES handoffs (id),
    person_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    target_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('asked', 'granted', 'denied', 'expired', 'revoked')),
    note TEXT NOT NULL DEFAULT '',
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    expires_at INTEGER NOT NULL,
    UNIQUE (handoff_id, person_id)
);
CREATE INDEX consents_asked ON consents (source_id) WHERE state = 'asked';
CREATE INDEX consents_expiring ON consents (expires_at) WHERE state = 'asked';

CREATE TABLE consent_originals (
    consent_id INTEGER NOT NULL REFERENCES consents (id),
    original_id INTEGER NOT NULL,
    PRIMARY KEY (consent_id, original_id)
);
CREATE INDEX consent_originals_original ON consent_originals (original_id);

-- Something to come back to.
CREATE TABLE intentions (
    id INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    terms TEXT NOT NULL,
    due_at INTEGER,
    state TEXT NOT NULL CHECK (state IN ('held', 'ripe', 'done', 'dropped')),
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX intentions_held ON intentions (due_at) WHERE state = 'held';
CREATE INDEX intentions_open ON intentions (id) WHERE state IN ('held', 'ripe');
