-- add --
-- A subject not to be told of.
INSERT INTO mutes (session_id, person_id, subject, terms, until, created_at)
VALUES (:session, :person, :subject, :terms, :until, :now)
RETURNING *;

-- same --
-- The same wish, said before.
SELECT id FROM mutes
WHERE COALESCE(session_id, 0) = COALESCE(:session, 0)
    AND COALESCE(person_id, 0) = COALESCE(:person, 0) AND ended_at IS NULL
    AND LOWER(subject) = LOWER(:subject);

-- end --
-- It may be told again.
UPDATE mutes SET ended_at = :now WHERE id = :id AND ended_at IS NULL;

-- of_chat --
-- What holds in a chat now.
SELECT * FROM mutes
WHERE session_id = :session AND ended_at IS NULL AND (until IS NULL OR until > :now)
ORDER BY id;

-- of_person --
-- What holds for a person now.
SELECT * FROM mutes
WHERE person_id = :person AND ended_at IS NULL AND (until IS NULL OR until > :now)
ORDER BY id;

-- rehome --
-- Two people turned out to be one.
UPDATE mutes SET person_id = :kept WHERE person_id = :gone;

-- erase --
-- What some people, or some chats, did not want to hear of.
DELETE FROM mutes
WHERE person_id IN (SELECT value FROM json_each(:people))
    OR session_id IN (SELECT value FROM json_each(:sessions));

-- every_of --
-- All that some people or some chats ever muted.
SELECT * FROM mutes
WHERE person_id IN (SELECT value FROM json_each(:people))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;
