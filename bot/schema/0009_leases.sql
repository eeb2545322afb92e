-- What one process at a time may do: a platform's connection, the agency. A new epoch is a new
-- owner; each renewal is counted, so that whoever waits for it sees by its own clock that none came.
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    renewals INTEGER NOT NULL,
    taken_at INTEGER NOT NULL
);
