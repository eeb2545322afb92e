-- How the words of names begin: those that stand in a text are found among however many there are.
CREATE TABLE name_starts (
    start TEXT NOT NULL,
    person_id INTEGER NOT NULL REFERENCES people (id),
    PRIMARY KEY (start, person_id)
);
CREATE INDEX name_starts_person ON name_starts (person_id);

-- Whether somebody's name as it is now is among them; one that is not is looked at every time.
ALTER TABLE people ADD COLUMN filed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX people_unfiled ON people (id)
    WHERE filed = 0 AND joined_into IS NULL AND erased_at IS NULL;
