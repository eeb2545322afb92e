-- add --
-- A new entry; nothing when it is known.
INSERT INTO inbox (
    key, person_id, kind, subject, text, room_id, weight, cause, state, told_in, expires_at,
    created_at, updated_at
)
VALUES (
    :key, :person, :kind, :subject, :text, :room, :weight, :cause, :state, :told_in, :expires,
    :now, :now
)
ON CONFLICT (key) DO NOTHING
RETURNING id;

-- add_source --
-- What it rests on, as it stood then.
INSERT INTO inbox_sources (entry_id, original_id, version) VALUES (:entry, :original, :version)
ON CONFLICT DO NOTHING;

-- tell --
-- A letter tells it.
UPDATE inbox SET state = 'told', told_in = :letter, updated_at = :now
WHERE id = :id AND state = 'waiting';

-- see --
-- Its person looked it up or answered it.
UPDATE inbox SET state = 'seen', reason = :reason, updated_at = :now
WHERE id = :id AND state = 'waiting';

-- drop --
-- It is not to be told any more.
UPDATE inbox SET state = 'dropped', reason = :reason, updated_at = :now
WHERE id = :id AND state = 'waiting';

-- by_id --
-- One entry.
SELECT * FROM inbox WHERE id = :id;

-- waiting --
-- What waits for a person.
SELECT * FROM inbox WHERE person_id = :person AND state = 'waiting' ORDER BY weight DESC, id;

-- of_cause --
-- What came from one thing.
SELECT * FROM inbox WHERE cause = :cause ORDER BY id;

-- waiting_for --
-- Whose digest is still to tell of it.
SELECT person_id FROM inbox
WHERE cause = :cause AND kind = 'digest' AND state = 'waiting'
ORDER BY id;

-- told_in --
-- What a letter told.
SELECT * FROM inbox WHERE told_in = :letter AND told_in <> '' ORDER BY weight DESC, id;

-- heard_of --
-- What a person was told that rests on all of some originals.
SELECT i.id FROM inbox i
JOIN inbox_sources s ON s.entry_id = i.id
WHERE i.person_id = :person AND i.state IN ('told', 'seen') AND i.updated_at >= :since
    AND s.original_id IN (SELECT value FROM json_each(:originals))
GROUP BY i.id
HAVING COUNT(*) = :count
LIMIT 1;

-- latest --
-- The newest.
SELECT * FROM inbox
WHERE id < :before AND person_id = COALESCE(:person, person_id)
ORDER BY id DESC
LIMIT :limit;

-- awaited --
-- Whose digest has something to tell.
SELECT person_id, MIN(created_at) AS at FROM inbox
WHERE state = 'waiting' AND kind = 'digest'
GROUP BY person_id
ORDER BY person_id;

-- overdue --
-- What nobody was told in time.
SELECT * FROM inbox WHERE state = 'waiting' AND expires_at <= :now ORDER BY id;

-- next_expiry --
-- When the next one expires.
SELECT MIN(expires_at) AS at FROM inbox WHERE state = 'waiting';

-- sources --
-- What one rests on.
SELECT original_id, version FROM inbox_sources WHERE entry_id = :id ORDER BY original_id;

-- untell --
-- Its letter was taken back before it was posted.
UPDATE inbox SET state = 'waiting', told_in = '', updated_at = :now
WHERE told_in = :letter AND state = 'told';

-- digests_resting_on --
-- The letters that told something which rests on an original.
SELECT DISTINCT i.told_in FROM inbox_sources s
JOIN inbox i ON i.id = s.entry_id
WHERE s.original_id = :original AND i.state = 'told' AND i.kind = 'digest';

-- give --
-- A person gets the digest of a day, unless they had it.
INSERT INTO digests (person_id, day, n, given, updated_at) VALUES (:person, :day, 1, 1, :now)
ON CONFLICT (person_id, day) DO UPDATE SET
    n = digests.n + 1, given = 1, updated_at = excluded.updated_at
WHERE digests.given = 0
RETURNING n;

-- take_back --
-- They did not get it after all.
UPDATE digests SET given = 0, updated_at = :now WHERE person_id = :person AND day = :day;

-- given --
-- Whether they had the digest of a day.
SELECT n FROM digests WHERE person_id = :person AND day = :day AND given = 1;

-- switch_off --
-- A person wants no digest.
INSERT INTO digests_off (person_id, updated_at) VALUES (:person, :now)
ON CONFLICT (person_id) DO UPDATE SET updated_at = excluded.updated_at;

-- switch_on --
-- A person wants one after all.
DELETE FROM digests_off WHERE person_id = :person AND updated_at <= :now;

-- is_off --
-- Whether a person wants none.
SELECT person_id FROM digests_off WHERE person_id = :person;

-- rehome --
-- Two people turned out to be one.
UPDATE inbox SET person_id = :kept WHERE person_id = :gone;

-- rehome_digests --
-- What either had of a day, that one had.
INSERT INTO digests (person_id, day, n, given, updated_at)
SELECT :kept, day, n, given, updated_at FROM digests WHERE person_id = :gone
ON CONFLICT (person_id, day) DO UPDATE
SET given = CASE WHEN excluded.given > digests.given THEN excluded.given ELSE digests.given END;

-- rehome_off --
-- What one of them did not want, they do not want.
INSERT INTO digests_off (person_id, updated_at)
SELECT :kept, updated_at FROM digests_off WHERE person_id = :gone
ON CONFLICT (person_id) DO NOTHING;

-- touched --
-- Those of some people, or that rest on some originals.
SELECT id FROM inbox
WHERE person_id IN (SELECT value FROM json_each(:people)) OR id IN (
    SELECT entry_id FROM inbox_sources
    WHERE original_id IN (SELECT value FROM json_each(:originals))
)
ORDER BY id;

-- letters --
-- The letters that told some.
SELECT DISTINCT told_in FROM inbox WHERE id IN (SELECT value FROM json_each(:ids)) AND told_in <> '';

-- words --
-- What they say.
SELECT id, subject || ' ' || text || ' ' || reason AS text FROM inbox;

-- blank --
-- What rests on erased words says nothing any more, and is not told.
UPDATE inbox SET
    subject = CASE WHEN subject = '' THEN '' ELSE :mark END, text = :mark,
    reason = CASE WHEN reason = '' THEN '' ELSE :mark END,
    state = CASE WHEN state = 'waiting' THEN 'dropped' ELSE state END
WHERE id IN (SELECT value FROM json_each(:ids));

-- forget_digests --
-- When somebody had their digests.
DELETE FROM digests WHERE person_id = :person;

-- forget_off --
-- That somebody wanted none.
DELETE FROM digests_off WHERE person_id = :person;

-- digests_of --
-- When somebody had their digests.
SELECT * FROM digests WHERE person_id = :person ORDER BY day;

-- whole --
-- Some of them.
SELECT * FROM inbox WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
