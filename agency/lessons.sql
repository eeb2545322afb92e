-- add --
-- A subject somebody called not useful.
INSERT INTO lessons (person_id, telling_id, subject, terms, refusals, until, created_at)
VALUES (:person, :telling, :subject, :terms, :refusals, :until, :now)
RETURNING *;

-- of_person --
-- What somebody called not useful, over or not, the newest first.
SELECT * FROM lessons WHERE person_id = :person ORDER BY id DESC LIMIT :limit;

-- end --
-- It no longer holds.
UPDATE lessons SET ended_at = :now WHERE id = :id AND ended_at IS NULL;

-- end_of_telling --
-- What was learnt from one message.
UPDATE lessons SET ended_at = :now
WHERE telling_id = :telling AND person_id = :person AND ended_at IS NULL;

-- rehome --
-- Two people turned out to be one.
UPDATE lessons SET person_id = :kept WHERE person_id = :gone;

-- erase --
-- What was learnt from somebody.
DELETE FROM lessons WHERE person_id = :person;

-- of_tellings --
-- What was learnt of some tellings.
SELECT id FROM lessons WHERE telling_id IN (SELECT value FROM json_each(:tellings)) ORDER BY id;

-- words --
-- What people called not useful.
SELECT id, subject || ' ' || terms AS text FROM lessons;

-- blank --
-- What it was about is gone.
UPDATE lessons SET subject = :mark, terms = '[]', ended_at = COALESCE(ended_at, :now)
WHERE id IN (SELECT value FROM json_each(:ids));

-- every_of --
-- All that was learnt from somebody.
SELECT * FROM lessons WHERE person_id = :person ORDER BY id;
