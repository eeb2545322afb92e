-- add --
-- Somebody waits for something.
INSERT INTO waits (
    original_id, version, kind, session_id, owner_id, said, dated, due_at, state, created_at, updated_at
)
VALUES (:original, :version, :kind, :session, :owner, :said, :dated, :due, 'open', :now, :now)
ON CONFLICT DO NOTHING
RETURNING id;

-- by_id --
-- One of them.
SELECT * FROM waits WHERE id = :id;

-- of_original --
-- Everything a message gave rise to.
SELECT * FROM waits WHERE original_id = :original ORDER BY id;

-- over --
-- Of some messages, those that nobody waits for any more.
SELECT original_id FROM waits
WHERE original_id IN (SELECT value FROM json_each(:originals))
GROUP BY original_id
HAVING COUNT(CASE WHEN state IN ('open', 'due') THEN 1 END) = 0;

-- due --
-- Open ones whose time has come.
SELECT * FROM waits WHERE state = 'open' AND due_at <= :now ORDER BY due_at, id;

-- next_moment --
-- When the next one is due.
SELECT MIN(due_at) AS at FROM waits WHERE state = 'open';

-- live --
-- What somebody still waits for, the newest first.
SELECT * FROM waits WHERE state IN ('open', 'due') AND due_at >= :since
ORDER BY id DESC
LIMIT :limit;

-- of_owner --
-- What others wait for from one person, the first due first.
SELECT * FROM waits WHERE owner_id = :owner AND state IN ('open', 'due') ORDER BY due_at, id;

-- move --
-- It moves on.
UPDATE waits
SET state = :to, reason = :reason, settled_by = COALESCE(:by, settled_by), updated_at = :now
WHERE id = :id AND state = :state;

-- rehome --
-- Two people turned out to be one.
UPDATE waits SET owner_id = :kept WHERE owner_id = :gone;

-- touched --
-- Those some originals gave rise to, what some people owe, and all of some sessions.
SELECT id FROM waits
WHERE original_id IN (SELECT value FROM json_each(:originals))
    OR owner_id IN (SELECT value FROM json_each(:people))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- words --
-- What is waited for.
SELECT id, said || ' ' || reason AS text FROM waits;

-- blank --
-- Nobody waits for it any more.
UPDATE waits SET
    said = :mark, reason = CASE WHEN reason = '' THEN '' ELSE :mark END,
    state = CASE WHEN state IN ('open', 'due') THEN 'dropped' ELSE state END
WHERE id IN (SELECT value FROM json_each(:ids));

-- whole --
-- Some of them.
SELECT * FROM waits WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- forget --
-- The words are gone; that somebody waited stays.
UPDATE waits SET said = :mark WHERE original_id = :original;
