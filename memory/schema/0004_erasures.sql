-- Whose words were erased: a record without words, by which an older copy is cleaned again.
CREATE TABLE erasures (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'chat')),
    subject_id INTEGER NOT NULL,
    marks TEXT NOT NULL,
    counts TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (kind, subject_id, at)
);

-- Somebody whose words were erased is a number that old records point at.
ALTER TABLE people ADD COLUMN erased_at INTEGER;
