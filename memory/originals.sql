-- keep --
-- A new original; nothing when its address is known.
INSERT INTO originals (
    session_id, kind, address, person_id, author, body, version, reply_to, run_id, said_at,
    received_at, aside
)
VALUES (
    :session, :kind, :address, :person, :author, :body, :version, :reply_to, :run, :said, :now,
    :aside
)
ON CONFLICT DO NOTHING
RETURNING id;

-- place --
-- The platform's address of the bot's own words; nothing where another message has it.
UPDATE originals SET address = :address
WHERE id = :id AND address IS NULL
    AND NOT EXISTS (SELECT 1 FROM originals AS other WHERE other.address = :address);

-- index --
-- Make an original findable; `text` is prepared.
INSERT INTO originals_text (rowid, body) VALUES (:id, :text);

-- index (postgres) --
-- As above.
INSERT INTO originals_text (id, words) VALUES (:id, limen_vector(:text));

-- unindex --
-- Take an original out of the index; `text` must be what was indexed.
INSERT INTO originals_text (originals_text, rowid, body) VALUES ('delete', :id, :text);

-- unindex (postgres) --
-- As above; the words need not be told.
DELETE FROM originals_text WHERE id = :id AND CAST(:text AS text) IS NOT NULL;

-- findable --
-- What belongs into the index.
SELECT id, body FROM originals
WHERE id > :after AND aside = 0 AND recalled_at IS NULL
ORDER BY id
LIMIT :limit;

-- retire --
-- Keep a version that is about to be replaced.
INSERT INTO versions (original_id, version, body, until) VALUES (:id, :version, :body, :now)
ON CONFLICT DO NOTHING;

-- revise --
-- The newer words.
UPDATE originals SET body = :body, version = :version, edited_at = :now WHERE id = :id;

-- recall --
-- The message was deleted at its platform.
UPDATE originals SET body = '', recalled_at = :now WHERE id = :id;

-- put_aside --
-- It is its own room's alone from now on.
UPDATE originals SET aside = 1 WHERE id = :id;

-- name_author --
-- The name of somebody whose id alone was known.
UPDATE originals SET author = :new WHERE person_id = :person AND author = :old;

-- rehome --
-- Two people turned out to be one.
UPDATE originals SET person_id = :kept WHERE person_id = :gone;

-- by_id --
-- One original.
SELECT * FROM originals WHERE id = :id;

-- by_address --
-- The original with a platform address.
SELECT * FROM originals WHERE address = :address;

-- changed_since --
-- Whether one of them is not what it was at a moment.
SELECT 1 FROM originals
WHERE id IN (SELECT value FROM json_each(:ids))
    AND (recalled_at IS NOT NULL OR edited_at >= :since OR aside = 1)
LIMIT 1;

-- recalled_since --
-- Whether one of a session was taken back after a moment.
SELECT 1 FROM originals
WHERE session_id = :session AND recalled_at >= :since
    AND id > (SELECT MAX(id) FROM originals) - :looked
LIMIT 1;

-- recent --
-- The last originals of a session, newest first.
SELECT * FROM originals
WHERE session_id = :session AND id < :before AND recalled_at IS NULL AND aside <= :aside
ORDER BY id DESC
LIMIT :limit;

-- said_by --
-- The last originals of a person, newest first.
SELECT * FROM originals
WHERE person_id = :person AND recalled_at IS NULL AND aside = 0
ORDER BY id DESC
LIMIT :limit;

-- since --
-- What came after an original.
SELECT * FROM originals
WHERE session_id = :session AND id > :after AND recalled_at IS NULL AND aside = 0
ORDER BY id
LIMIT :limit;

-- latest --
-- The newest of any session.
SELECT * FROM originals WHERE recalled_at IS NULL AND aside = 0 ORDER BY id DESC LIMIT :limit;

-- latest_in --
-- Where the newest of any session were said.
SELECT session_id, MIN(id) AS oldest
FROM (
    SELECT id, session_id FROM originals
    WHERE recalled_at IS NULL AND aside = 0
    ORDER BY id DESC
    LIMIT :limit
)
GROUP BY session_id;

-- from_oldest --
-- What was said in some sessions from an original on, the newest of each first.
SELECT * FROM originals
WHERE session_id IN (SELECT value FROM json_each(:sessions)) AND id >= :oldest
    AND recalled_at IS NULL AND aside = 0
ORDER BY session_id, id DESC;

-- count_since --
-- How much came after an original; counting stops at a limit.
SELECT COUNT(*) AS n FROM (
    SELECT 1 FROM originals
    WHERE session_id = :session AND id > :after AND recalled_at IS NULL AND aside = 0
    LIMIT :limit
) AS few;

-- newest_id --
-- The end of the line.
SELECT MAX(id) AS id FROM originals;

-- count_of --
-- How many a session has; counting stops at a limit.
SELECT COUNT(*) AS n FROM (
    SELECT 1 FROM originals WHERE session_id = :session LIMIT :limit
) AS few;

-- tally --
-- How much was heard in a stretch of time; ids rise with it, so that no older row is read.
SELECT session_id, COUNT(*) AS n FROM originals
WHERE id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM originals WHERE received_at < :since ORDER BY id DESC LIMIT 1
    )
) AND received_at >= :since AND received_at < :until
    AND kind = 'message' AND aside = 0
GROUP BY session_id;

-- forget_versions --
-- Older words go for good.
DELETE FROM versions WHERE original_id = :id;

-- versions --
-- The older words of some.
SELECT original_id, version, body, until FROM versions
WHERE original_id IN (SELECT value FROM json_each(:ids))
ORDER BY original_id, version;

-- received --
-- When those behind one came, in order.
SELECT id, received_at FROM originals WHERE id > :after ORDER BY id LIMIT :limit;

-- let_go --
-- It is kept no longer; that something was said here stays.
UPDATE originals SET body = :body, recalled_at = COALESCE(recalled_at, :now) WHERE id = :id;

-- erase --
-- Nothing is left but that something was said here; no address leads to a chat that is erased.
UPDATE originals SET
    body = '', author = :mark, recalled_at = COALESCE(recalled_at, :now),
    address = CASE WHEN session_id IN (SELECT value FROM json_each(:sessions)) THEN NULL ELSE address END
WHERE id = :id;

-- of_people --
-- All that some people said anywhere.
SELECT id FROM originals
WHERE person_id IN (SELECT value FROM json_each(:people)) AND received_at <= :until
ORDER BY id;

-- of_sessions --
-- All that was said in some sessions.
SELECT id FROM originals
WHERE session_id IN (SELECT value FROM json_each(:sessions)) AND received_at <= :until
ORDER BY id;

-- outputs_of_runs --
-- What some runs said.
SELECT id FROM originals
WHERE kind = 'output' AND run_id IN (SELECT value FROM json_each(:runs))
ORDER BY id;

-- own_words --
-- What the bot itself said and was not taken back.
SELECT id, body AS text FROM originals WHERE kind = 'output' AND recalled_at IS NULL;

-- whole --
-- All there is of some.
SELECT * FROM originals WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
