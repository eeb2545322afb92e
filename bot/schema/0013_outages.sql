-- A time in which the model was away: asked again by one run for all of them, now and then.
CREATE TABLE outages (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('open', 'over')),
    error TEXT NOT NULL,
    probes INTEGER NOT NULL DEFAULT 0,
    pause INTEGER NOT NULL,
    probe_at INTEGER NOT NULL,
    began_at INTEGER NOT NULL,
    ended_at INTEGER
);
CREATE UNIQUE INDEX outages_open ON outages (state) WHERE state = 'open';

-- A queued run that waits for the model to come back; the more, the later it was tried.
ALTER TABLE runs ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
DROP INDEX runs_queued;
CREATE INDEX runs_queued ON runs (priority, due_at) WHERE state = 'queued' AND held = 0;
CREATE INDEX runs_held ON runs (held, priority, due_at) WHERE state = 'queued' AND held > 0;
