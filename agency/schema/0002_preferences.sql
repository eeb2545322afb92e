-- What the people of a chat want: one row a session; the session 0 stands for the whole bot.
CREATE TABLE preferences (
    session_id INTEGER PRIMARY KEY,
    quiet_from TEXT,
    quiet_to TEXT,
    paused_until INTEGER,
    updated_at INTEGER NOT NULL
);
