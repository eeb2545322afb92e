-- add --
-- Something asked for at a time; nothing when the same call made it before.
INSERT INTO schedules (
    key, kind, owner_id, original_id, session_id, target_id, person_id, body, grid, zone,
    language, state, next_at, created_at, updated_at
)
VALUES (
    :key, :kind, :owner, :original, :session, :target, :person, :body, :grid, :zone,
    :language, 'active', :next, :now, :now
)
ON CONFLICT (key) DO NOTHING
RETURNING id;

-- by_id --
-- One of them.
SELECT * FROM schedules WHERE id = :id;

-- by_key --
-- The one that a call made.
SELECT * FROM schedules WHERE key = :key;

-- due --
-- Active ones whose turn has come and that nothing holds up.
SELECT * FROM schedules
WHERE state = 'active' AND next_at <= :now AND COALESCE(held_until, 0) <= :now
ORDER BY next_at, id;

-- next_moment --
-- When the next one is due.
SELECT MIN(CASE WHEN held_until > next_at THEN held_until ELSE next_at END) AS at
FROM schedules WHERE state = 'active';

-- advance --
-- Its turn was given or left out, and it has another one.
UPDATE schedules
SET next_at = :next, held_until = NULL, last_slot = :slot, missed = missed + :missed,
    updated_at = :now
WHERE id = :id AND state = 'active';

-- finish --
-- Its last turn was given or left out.
UPDATE schedules
SET state = 'done', held_until = NULL, last_slot = :slot, missed = missed + :missed,
    updated_at = :now
WHERE id = :id AND state = 'active';

-- hold --
-- It is looked at again at a later moment.
UPDATE schedules SET held_until = :until, updated_at = :now WHERE id = :id AND state = 'active';

-- let_go --
-- Nothing holds up the reminders of a chat any more.
UPDATE schedules SET held_until = NULL WHERE state = 'active' AND held_until IS NOT NULL;

-- change --
-- Its time or its words are others now.
UPDATE schedules
SET body = :body, grid = :grid, next_at = :next, held_until = NULL, updated_at = :now,
    settled = CASE WHEN :settled > settled THEN :settled ELSE settled END
WHERE id = :id AND state = 'active';

-- cancel --
-- Nobody wants it any more.
UPDATE schedules SET state = 'cancelled', reason = :reason, updated_at = :now
WHERE id = :id AND state = 'active';

-- turn --
-- What became of a turn; nothing when it is written down already.
INSERT INTO schedule_turns (
    schedule_id, slot, outcome, reason, missed, original_id, input_id, at
)
VALUES (:id, :slot, :outcome, :reason, :missed, :original, :input, :now)
ON CONFLICT (schedule_id, slot) DO NOTHING
RETURNING slot;

-- turns --
-- What became of its turns, newest first.
SELECT * FROM schedule_turns WHERE schedule_id = :id ORDER BY slot DESC LIMIT :limit;

-- of_original --
-- Those that a message set.
SELECT * FROM schedules WHERE original_id = :original ORDER BY id;

-- said_as --
-- The one whose turn was said with these words.
SELECT s.* FROM schedules s JOIN schedule_turns t ON t.schedule_id = s.id
WHERE t.original_id = :original;

-- of_owner --
-- The active ones of a person, next first.
SELECT * FROM schedules
WHERE state = 'active' AND owner_id = :owner ORDER BY next_at, id LIMIT :limit;

-- of_sessions --
-- The active ones that were set in one of some sessions or are given there, next first.
SELECT * FROM schedules
WHERE state = 'active' AND (
    target_id IN (SELECT value FROM json_each(:sessions))
    OR session_id IN (SELECT value FROM json_each(:sessions))
)
ORDER BY next_at, id LIMIT :limit;

-- lately_given --
-- Those whose turn was given in a session since a moment, newest first.
SELECT s.* FROM schedules s JOIN schedule_turns t ON t.schedule_id = s.id
WHERE s.target_id = :session AND t.outcome = 'given' AND t.at >= :since
ORDER BY t.at DESC, s.id DESC LIMIT :limit;

-- open --
-- Every active one, next first.
SELECT * FROM schedules WHERE state = 'active' ORDER BY next_at, id LIMIT :limit;

-- same --
-- Active ones that say the same in the same session.
SELECT * FROM schedules WHERE state = 'active' AND target_id = :target AND kind = :kind;

-- count --
-- How many active ones a person has.
SELECT COUNT(*) AS n FROM schedules WHERE state = 'active' AND owner_id = :owner;

-- for_others --
-- How many a person set for others since a moment.
SELECT COUNT(*) AS n FROM schedules
WHERE owner_id = :owner AND person_id IS NOT NULL AND person_id <> :owner AND created_at >= :since;

-- rehome --
-- Two people turned out to be one.
UPDATE schedules
SET owner_id = CASE WHEN owner_id = :gone THEN :kept ELSE owner_id END,
    person_id = CASE WHEN person_id = :gone THEN :kept ELSE person_id END
WHERE owner_id = :gone OR person_id = :gone;

-- touched --
-- Those of some people, set by some originals, or set or given in some sessions.
SELECT id FROM schedules
WHERE owner_id IN (SELECT value FROM json_each(:people))
    OR original_id IN (SELECT value FROM json_each(:originals))
    OR session_id IN (SELECT value FROM json_each(:sessions))
    OR target_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- given_to --
-- The active ones that others set for somebody.
SELECT id FROM schedules WHERE person_id = :person AND state = 'active' ORDER BY id;

-- words --
-- What is said or done.
SELECT id, body || ' ' || reason AS text FROM schedules;

-- blank --
-- It comes no more.
UPDATE schedules SET
    body = :mark, reason = CASE WHEN reason = '' THEN '' ELSE :mark END, next_at = NULL,
    held_until = NULL, state = CASE WHEN state = 'active' THEN 'cancelled' ELSE state END
WHERE id IN (SELECT value FROM json_each(:ids));

-- blank_turns --
-- Why turns were left out.
UPDATE schedule_turns SET reason = :mark
WHERE schedule_id IN (SELECT value FROM json_each(:ids)) AND reason <> '';

-- carriers --
-- The inputs and the messages by which turns were given.
SELECT original_id, input_id FROM schedule_turns
WHERE schedule_id IN (SELECT value FROM json_each(:ids));

-- whole --
-- Some of them.
SELECT * FROM schedules WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
