-- hold --
-- Keep something to come back to.
INSERT INTO intentions (body, terms, due_at, state, created_at, updated_at)
VALUES (:body, :terms, :due, 'held', :now, :now)
RETURNING id;

-- ripen --
-- Its trigger came.
UPDATE intentions SET state = 'ripe', updated_at = :now WHERE id = :id AND state = 'held';

-- close --
-- Acted on, or no longer of interest.
UPDATE intentions SET state = :state, reason = :reason, updated_at = :now
WHERE id = :id AND state IN ('held', 'ripe') AND (:state <> 'done' OR state = 'ripe');

-- due --
-- Held ones whose time has come.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE i.state = 'held' AND i.due_at <= :now ORDER BY i.due_at, i.id;

-- next_moment --
-- When the next held one is due.
SELECT MIN(at) AS at FROM (
    SELECT MIN(due_at) AS at FROM intentions WHERE state = 'held'
    UNION ALL
    SELECT MIN(w.expires_at) AS at
    FROM intentions i JOIN intention_wishes w ON w.intention_id = i.id WHERE i.state = 'held'
);

-- awaiting_words --
-- Held ones that wait for words.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE i.state = 'held' AND (i.terms <> '[]' OR w.person_id IS NOT NULL) ORDER BY i.id;

-- current --
-- Held and ripe ones.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE i.state IN ('held', 'ripe') ORDER BY i.id LIMIT :limit;

-- grant --
-- A person wants to be told once something has come to pass.
INSERT INTO intention_wishes (
    intention_id, person_id, session_id, condition, language, said_by, said_in, expires_at
)
VALUES (:id, :person, :session, :condition, :language, :said_by, :said_in, :expires);

-- rest_on --
-- An original without which it does not stand.
INSERT INTO intention_sources (intention_id, original_id) VALUES (:id, :original);

-- by_id --
-- One of them.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE i.id = :id;

-- sources --
-- What one rests on.
SELECT original_id FROM intention_sources WHERE intention_id = :id ORDER BY original_id;

-- resting_on --
-- Those not acted on that rest on an original.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
JOIN intention_sources s ON s.intention_id = i.id
WHERE s.original_id = :original AND i.state IN ('held', 'ripe') ORDER BY i.id;

-- wished_by --
-- What a person waits to be told.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE w.person_id = :person AND i.state = 'held' ORDER BY i.id;

-- expired --
-- Held ones that nobody waits for any longer.
SELECT i.*, w.person_id, w.session_id, w.condition, w.language, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE i.state = 'held' AND w.expires_at <= :now ORDER BY i.id;

-- rehome --
-- Two people turned out to be one.
UPDATE intention_wishes
SET person_id = CASE WHEN person_id = :gone THEN :kept ELSE person_id END,
    said_by = CASE WHEN said_by = :gone THEN :kept ELSE said_by END
WHERE person_id = :gone OR said_by = :gone;

-- touched --
-- Those that rest on some originals, or that some people or some sessions wait for.
SELECT id FROM intentions
WHERE id IN (
    SELECT intention_id FROM intention_sources
    WHERE original_id IN (SELECT value FROM json_each(:originals))
) OR id IN (
    SELECT intention_id FROM intention_wishes
    WHERE person_id IN (SELECT value FROM json_each(:people))
        OR session_id IN (SELECT value FROM json_each(:sessions))
)
ORDER BY id;

-- words --
-- What the bot itself comes back to; what people wait for is in their own words.
SELECT i.id, i.body || ' ' || i.terms || ' ' || i.reason AS text
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE w.intention_id IS NULL;

-- blank --
-- Nothing comes back.
UPDATE intentions SET
    body = :mark, terms = '[]', reason = CASE WHEN reason = '' THEN '' ELSE :mark END,
    state = CASE WHEN state IN ('held', 'ripe') THEN 'dropped' ELSE state END
WHERE id IN (SELECT value FROM json_each(:ids));

-- blank_wishes --
-- What somebody waited for.
UPDATE intention_wishes SET condition = :mark
WHERE intention_id IN (SELECT value FROM json_each(:ids));

-- whole --
-- Some of them.
SELECT i.id, i.body, i.terms, i.due_at, i.state, i.reason, i.created_at, i.updated_at,
    w.person_id, w.session_id, w.condition, w.said_by, w.said_in, w.expires_at
FROM intentions i LEFT JOIN intention_wishes w ON w.intention_id = i.id
WHERE i.id IN (SELECT value FROM json_each(:ids))
ORDER BY i.id;
