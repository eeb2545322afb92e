-- add --
-- Something entered; nothing when it did before.
INSERT INTO inputs (
    session_id, trigger_type, parts, metadata, dedupe_key, original_id, person_id, origin, hop,
    wakes, state, created_at
)
VALUES (
    :session, :trigger, :parts, :metadata, :key, :original, :person, :origin, :hop, :wakes, :state,
    :now
)
ON CONFLICT (dedupe_key) DO NOTHING
RETURNING id;

-- upgrade --
-- A more telling event of the same message asks for a run after all.
UPDATE inputs SET wakes = 1, state = 'pending'
WHERE dedupe_key = :key AND wakes = 0 AND state = 'observed'
RETURNING id;

-- take --
-- Give the pending ones to the session's run.
UPDATE inputs SET state = 'delivered', run_id = :run, step = :step
WHERE session_id = :session AND state = 'pending'
RETURNING *;

-- waiting --
-- How many nobody has seen.
SELECT COUNT(*) AS n FROM inputs WHERE session_id = :session AND state = 'pending';

-- unread --
-- Those nobody has seen.
SELECT * FROM inputs WHERE session_id = :session AND state = 'pending' ORDER BY id;

-- of_run --
-- What a run was given.
SELECT * FROM inputs WHERE run_id = :run ORDER BY id;

-- of_original --
-- The inputs that carry an original.
SELECT * FROM inputs WHERE original_id = :original ORDER BY id;

-- by_id --
-- One input.
SELECT * FROM inputs WHERE id = :id;

-- withdraw --
-- Taken back before it was seen.
UPDATE inputs SET state = 'withdrawn' WHERE id = :id AND state = 'pending';

-- withdraw_of_run --
-- Its run died, and what it carried goes another way.
UPDATE inputs SET state = 'withdrawn'
WHERE (run_id = :run AND state = 'delivered') OR (session_id = :session AND state = 'pending');

-- rehome --
-- Two people turned out to be one.
UPDATE inputs SET person_id = :kept WHERE person_id = :gone;

-- rewrite --
-- The author edited the message before it was seen.
UPDATE inputs SET parts = :parts WHERE original_id = :original AND state = 'pending';

-- withdraw_all --
-- They may have been answered since this copy of them was made.
UPDATE inputs SET state = 'withdrawn' WHERE state = 'pending' AND trigger_type <> 'burst'
RETURNING id;

-- touched --
-- Those that carry some originals, are some people's, or entered some sessions.
SELECT id FROM inputs
WHERE original_id IN (SELECT value FROM json_each(:originals))
    OR person_id IN (SELECT value FROM json_each(:people))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- readers --
-- The runs that were given some.
SELECT DISTINCT run_id AS id FROM inputs WHERE id IN (SELECT value FROM json_each(:ids)) AND run_id IS NOT NULL;

-- bursts --
-- The stretches of talk that memory runs were given.
SELECT run_id, metadata FROM inputs
WHERE trigger_type = 'burst' AND run_id IS NOT NULL AND id > :after
ORDER BY id;

-- words --
-- What was handed to sessions beside what people said.
SELECT id, parts || ' ' || metadata AS text FROM inputs
WHERE trigger_type NOT IN ('message', 'reaction', 'burst', 'agency_fire', 'schedule', 'reminder');

-- blank --
-- Nothing is left but that something entered.
UPDATE inputs SET
    parts = '[]', metadata = :metadata, dedupe_key = :key,
    state = CASE WHEN state = 'pending' THEN 'withdrawn' ELSE state END
WHERE id = :id;

-- whole --
-- Some of them.
SELECT * FROM inputs WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- clear --
-- That something entered stays.
UPDATE inputs SET parts = '[]'
WHERE original_id IN (SELECT value FROM json_each(:originals)) AND state <> 'pending';

-- bursts_of --
-- The last stretches that the memory runs of one session were given.
SELECT i.run_id, i.metadata FROM runs r
JOIN inputs i ON i.run_id = r.id
WHERE r.session_id = :session AND i.trigger_type = 'burst'
ORDER BY r.id DESC
LIMIT :limit;
