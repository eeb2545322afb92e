-- A yes may be limited, and may stand for more than the telling it was asked for.
ALTER TABLE consents ADD COLUMN scope TEXT NOT NULL DEFAULT 'once'
    CHECK (scope IN ('once', 'fact', 'room'));
UPDATE consents SET scope = 'fact' WHERE state = 'denied';
ALTER TABLE consents ADD COLUMN until_at INTEGER;
ALTER TABLE consents ADD COLUMN remind_at INTEGER;
CREATE INDEX consents_reminding ON consents (remind_at)
    WHERE state = 'asked' AND remind_at IS NOT NULL;
CREATE INDEX consents_lapsing ON consents (until_at)
    WHERE state = 'granted' AND until_at IS NOT NULL;
CREATE INDEX consents_standing ON consents (target_id)
    WHERE state = 'granted' AND scope <> 'once';
CREATE INDEX consents_person ON consents (person_id, id);

-- Something that waits for somebody's yes.
CREATE TABLE approvals (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    question TEXT NOT NULL,
    session_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('asked', 'granted', 'denied', 'expired', 'revoked')),
    holds TEXT NOT NULL DEFAULT 'once' CHECK (holds IN ('once', 'always')),
    answered_by INTEGER,
    note TEXT NOT NULL DEFAULT '',
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    expires_at INTEGER NOT NULL
);
CREATE INDEX approvals_asked ON approvals (expires_at) WHERE state = 'asked';
CREATE INDEX approvals_standing ON approvals (session_id)
    WHERE state = 'granted' AND holds = 'always';
CREATE INDEX approvals_run ON approvals (run_id);
CREATE INDEX approvals_person ON approvals (person_id, id);

-- Who may answer, where they are asked, and when.
CREATE TABLE approvers (
    approval_id INTEGER NOT NULL REFERENCES approvals (id),
    person_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    put_at INTEGER,
    remind_at INTEGER,
    PRIMARY KEY (approval_id, person_id)
);
CREATE INDEX approvers_person ON approvers (person_id, approval_id);
CREATE INDEX approvers_session ON approvers (session_id, approval_id);
