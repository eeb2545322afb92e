-- How the connection of each platform was when the running process looked last.
CREATE TABLE platforms (
    name TEXT PRIMARY KEY,
    up INTEGER NOT NULL,
    note TEXT NOT NULL,
    since INTEGER NOT NULL,
    heard_at INTEGER,
    event_at INTEGER,
    seen_at INTEGER NOT NULL
);
