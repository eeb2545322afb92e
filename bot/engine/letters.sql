-- home --
-- Where the letters of a session go, and whose a run is.
SELECT s.key, (SELECT session_id FROM runs WHERE id = :run) AS run_session
FROM sessions s WHERE s.id = :session;

-- post --
-- A letter to come; nothing when its key is known.
INSERT INTO letters (
    key, session_id, address, body, reply_to, buttons, run_id, original_id, proactive, timed,
    about, state, not_before, created_at
)
VALUES (
    :key, :session, :address, :body, :reply_to, :buttons, :run, :original, :proactive, :timed,
    :about, 'pending', :not_before, :now
)
ON CONFLICT (key) DO NOTHING
RETURNING id;

-- claim --
-- Take the due ones that are first in their room; what waits for its hour holds nothing up.
-- Left alone are rooms that had their turn, and platforms of which enough is being posted.
UPDATE letters SET state = 'sending', attempts = attempts + 1
WHERE id IN (
    SELECT l.id FROM letters l
    WHERE l.state = 'pending' AND l.not_before <= :now
        AND l.address NOT IN (SELECT value FROM json_each(:served, '$'))
        AND NOT EXISTS (
            SELECT 1 FROM (SELECT value AS name FROM json_each(:full, '$')) AS busy
            WHERE SUBSTR(l.address, 1, LENGTH(busy.name) + 1) = busy.name || ':'
        )
        AND NOT EXISTS (
            SELECT 1 FROM letters e
            WHERE e.address = l.address
                AND (COALESCE(e.head, e.id), e.id) < (COALESCE(l.head, l.id), l.id)
                AND e.state IN ('pending', 'sending', 'unknown')
                AND NOT (
                    e.state = 'pending' AND COALESCE(e.waited_until, 0) > :now
                    AND COALESCE(e.head, e.id) <> COALESCE(l.head, l.id)
                )
        )
    ORDER BY l.not_before, l.id
    LIMIT :limit
)
RETURNING *;

-- shorten --
-- What a letter says once the rest of it goes out in letters of its own.
UPDATE letters SET body = :body, buttons = :buttons, head = id WHERE id = :id;

-- follow --
-- A further piece of a long letter.
INSERT INTO letters (
    key, session_id, address, body, buttons, run_id, proactive, timed, about, state,
    not_before, created_at, head, waited_until
)
SELECT
    :key, session_id, address, :body, :buttons, run_id, proactive, timed, about, 'pending',
    not_before, created_at, COALESCE(head, id), waited_until
FROM letters WHERE id = :id
ON CONFLICT (key) DO NOTHING;

-- readdress --
-- A room goes on elsewhere, and what waits for it goes there.
UPDATE letters SET
    address = :new,
    session_id = COALESCE((SELECT id FROM sessions WHERE key = :new), session_id)
WHERE address = :old AND state IN ('pending', 'sending', 'unknown');

-- sent --
-- The platform has it.
UPDATE letters SET state = 'sent', message_id = :message, error = '', settled_at = :now
WHERE id = :id AND state IN ('sending', 'unknown');

-- failed --
-- It will not be posted.
UPDATE letters SET state = 'failed', error = :error, settled_at = :now
WHERE id = :id AND state IN ('sending', 'unknown');

-- doubtful --
-- The platform may have it.
UPDATE letters SET state = 'unknown', error = :error WHERE id = :id AND state = 'sending';

-- doubt_waiting --
-- It may have been posted since this copy of it was made.
UPDATE letters SET state = 'unknown' WHERE state IN ('pending', 'sending');

-- note_doubts --
-- Why nobody knows.
UPDATE letters SET error = :error WHERE state = 'unknown' RETURNING id;

-- clear --
-- That it was posted stays.
UPDATE letters SET body = :body
WHERE original_id IN (SELECT value FROM json_each(:originals)) AND state IN ('sent', 'failed');

-- again --
-- Try again later.
UPDATE letters
SET state = 'pending', error = :error, not_before = :not_before,
    possible_repeat = CASE WHEN :repeat <> 0 THEN 1 ELSE possible_repeat END
WHERE id = :id AND state IN ('sending', 'unknown');

-- wait --
-- It is not its hour; nothing was tried.
UPDATE letters
SET state = 'pending', attempts = attempts - 1, not_before = :until, waited_until = :until
WHERE id = :id AND state = 'sending';

-- bring_near --
-- The clock was set back; what waits for an hour of the day goes on waiting for it.
UPDATE letters SET not_before = not_before - :by
WHERE state IN ('pending', 'unknown') AND waited_until IS NULL
    AND not_before > :now AND not_before <= :until;

-- look_again --
-- Its hour may have come sooner than was thought.
UPDATE letters SET not_before = :now, waited_until = :now
WHERE state = 'pending' AND waited_until > :now
    AND session_id = COALESCE(:session, session_id);

-- withdraw_of_run --
-- What it rests on was taken back.
UPDATE letters SET state = 'failed', error = :error, settled_at = :now
WHERE run_id = :run AND state = 'pending'
RETURNING original_id;

-- take_back --
-- What one letter rests on was taken back; pieces of it may be on their way.
UPDATE letters SET state = 'failed', error = :error, settled_at = :now
WHERE key = :key AND state = 'pending' AND head IS NULL
RETURNING *;

-- stop --
-- Somebody wants no more of it; answers to orders are no run's.
UPDATE letters SET state = 'failed', error = :error, settled_at = :now
WHERE session_id = :session AND run_id IS NOT NULL AND state = 'pending'
RETURNING original_id;

-- in_doubt --
-- Nobody knows whether they arrived.
SELECT * FROM letters WHERE state IN ('sending', 'unknown') ORDER BY id;

-- next_due --
-- When to look again.
SELECT MIN(not_before) AS at FROM letters WHERE state = 'pending';

-- of_run --
-- What a run said.
SELECT * FROM letters WHERE run_id = :run ORDER BY id;

-- of_original --
-- The letter that carried an output.
SELECT * FROM letters WHERE original_id = :original;

-- latest --
-- The newest.
SELECT * FROM letters WHERE id < :before ORDER BY id DESC LIMIT :limit;

-- last_unasked --
-- The last thing said in a session that nobody had asked for.
SELECT original_id FROM letters
WHERE session_id = :session AND proactive = 1 AND original_id IS NOT NULL
ORDER BY id DESC
LIMIT 1;

-- open --
-- Those on their way, oldest first.
SELECT * FROM letters WHERE state IN ('pending', 'sending', 'unknown') ORDER BY +id LIMIT :limit;

-- count_open --
-- How many are on their way.
SELECT COUNT(*) AS n FROM letters WHERE state IN ('pending', 'sending', 'unknown');

-- failed_lately --
-- Those of the last ones that will not be posted.
SELECT * FROM letters
WHERE state = 'failed' AND id > (SELECT MAX(id) FROM letters) - :back
ORDER BY id DESC
LIMIT :limit;

-- by_id --
-- One letter.
SELECT * FROM letters WHERE id = :id;

-- tally --
-- What was said in a stretch of time; further pieces of a long letter are no letters of their own.
SELECT session_id, proactive,
    MIN(SUBSTR(key, 1, INSTR(key || ':', ':') - 1)) AS word, COUNT(*) AS n
FROM letters
WHERE id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM letters WHERE created_at < :since ORDER BY id DESC LIMIT 1
    ) AS before
) AND created_at >= :since AND created_at < :until
    AND state <> 'failed' AND (head IS NULL OR head = id)
GROUP BY session_id, proactive, CASE
    WHEN run_id IS NULL THEN SUBSTR(key, 1, INSTR(key || ':', ':') - 1) ELSE ''
END;

-- tally (postgres) --
-- As above.
SELECT session_id, proactive,
    MIN(SPLIT_PART(key, ':', 1)) AS word, COUNT(*) AS n
FROM letters
WHERE id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM letters WHERE created_at < :since ORDER BY id DESC LIMIT 1
    ) AS before
) AND created_at >= :since AND created_at < :until
    AND state <> 'failed' AND (head IS NULL OR head = id)
GROUP BY session_id, proactive, CASE
    WHEN run_id IS NULL THEN SPLIT_PART(key, ':', 1) ELSE ''
END;

-- touched --
-- What some runs said, what carried some originals, what went to some sessions.
SELECT id FROM letters
WHERE run_id IN (SELECT value FROM json_each(:runs))
    OR original_id IN (SELECT value FROM json_each(:originals))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- about_any --
-- Letters no run wrote, and what each is about.
SELECT id, about FROM letters WHERE about <> '';

-- with_pieces --
-- Some letters, the further pieces of long ones, and the messages they carried.
SELECT id, original_id, key FROM letters
WHERE id IN (SELECT value FROM json_each(:ids))
    OR head IN (SELECT value FROM json_each(:ids))
ORDER BY id;

-- words --
-- What was said, on which buttons, and what went wrong.
SELECT id, body || ' ' || buttons || ' ' || error AS text FROM letters;

-- blank --
-- That something was said stays; what was not posted never is.
UPDATE letters SET
    body = :mark, buttons = '[]', error = CASE WHEN error = '' THEN '' ELSE :mark END,
    settled_at = CASE WHEN state IN ('sent', 'failed') THEN settled_at ELSE :now END,
    state = CASE WHEN state IN ('sent', 'failed') THEN state ELSE 'failed' END
WHERE id IN (SELECT value FROM json_each(:ids));

-- unlink --
-- Nothing leads to a chat that is erased.
UPDATE letters SET address = :address, reply_to = NULL, message_id = NULL, key = 'erased:' || id
WHERE session_id = :session;

-- whole --
-- Some of them.
SELECT * FROM letters WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- keyed --
-- The letter of a key.
SELECT id FROM letters WHERE key = :key;
