-- observe --
-- Queue what happened; nothing when it is known.
INSERT INTO fires (
    kind, session_id, run_id, original_id, payload, dedupe_key, priority, salience, origin, hop,
    state, created_at
)
VALUES (
    :kind, :session, :run, :original, :payload, :key, :priority, :salience, :origin, :hop,
    'pending', :now
)
ON CONFLICT (dedupe_key) DO NOTHING
RETURNING id;

-- unread --
-- Whose words nobody has weighed.
SELECT id, original_id FROM fires WHERE salience IS NULL ORDER BY id LIMIT :limit;

-- weigh --
-- How likely it matters elsewhere.
UPDATE fires SET salience = :salience WHERE id = :id;

-- pending --
-- What to hand over next.
SELECT * FROM fires WHERE state = 'pending' ORDER BY priority, id LIMIT :limit;

-- waiting --
-- What the coalescer needs to know of the pending fires.
SELECT kind, COUNT(*) AS n, MIN(created_at) AS oldest, MAX(created_at) AS newest,
    MIN(CASE WHEN salience >= :urgent THEN created_at END) AS urgent
FROM fires
WHERE state = 'pending'
GROUP BY kind;

-- bring_near --
-- The clock was set back: the quiet while is counted from now.
UPDATE fires SET created_at = :now WHERE state = 'pending' AND created_at > :now;

-- hand_over --
-- Give a fire to an agency run.
UPDATE fires SET state = :how, agency_run_id = :run WHERE id = :id AND state = 'pending';

-- set_aside --
-- What was said is weighed, and nobody puts it before the agency.
UPDATE fires SET state = 'consumed', settled_at = :now
WHERE state = 'pending' AND salience IS NOT NULL
    AND kind IN ('message_observed', 'run_output_observed', 'memory_session_completed');

-- lay_down --
-- Nobody puts it before the agency any more.
UPDATE fires SET state = 'consumed', error = :error, settled_at = :now
WHERE state IN ('pending', 'submitted', 'merged', 'steered');

-- consume --
-- The run succeeded.
UPDATE fires SET state = 'consumed', settled_at = :now
WHERE agency_run_id = :run AND state IN ('submitted', 'merged', 'steered');

-- bury --
-- The run died once too often for these.
UPDATE fires SET state = 'dead', attempts = attempts + 1, error = :error, settled_at = :now
WHERE agency_run_id = :run AND state IN ('submitted', 'merged', 'steered')
    AND attempts + 1 >= :limit;

-- release --
-- The run died; these wait again.
UPDATE fires SET state = 'pending', attempts = attempts + 1, error = :error, agency_run_id = NULL
WHERE agency_run_id = :run AND state IN ('submitted', 'merged', 'steered');

-- retry --
-- A person gives a dead fire a fresh start.
UPDATE fires SET state = 'pending', attempts = 0, agency_run_id = NULL, settled_at = NULL
WHERE id = :id AND state = 'dead';

-- retry_all --
-- A person gives every dead fire a fresh start.
UPDATE fires SET state = 'pending', attempts = 0, agency_run_id = NULL, settled_at = NULL
WHERE state <> 'consumed' AND state = 'dead';

-- of_run --
-- What an agency run was given.
SELECT * FROM fires WHERE agency_run_id = :run ORDER BY id;

-- by_id --
-- One fire.
SELECT * FROM fires WHERE id = :id;

-- of_original --
-- What an original caused.
SELECT * FROM fires WHERE original_id = :original ORDER BY id;

-- latest --
-- The newest fires.
SELECT * FROM fires WHERE id < :before ORDER BY id DESC LIMIT :limit;

-- counts --
-- The open and the dead.
SELECT state, COUNT(*) AS n FROM fires WHERE state <> 'consumed' GROUP BY state;

-- backlog --
-- The open and the dead, and since when the oldest of each has been there.
SELECT state, COUNT(*) AS n, MIN(created_at) AS oldest FROM fires WHERE state <> 'consumed'
GROUP BY state;

-- heartbeats --
-- The last times the agency looked around by itself, newest first.
SELECT * FROM fires WHERE kind = 'heartbeat' ORDER BY created_at DESC LIMIT :limit;

-- newest --
-- The newest fire that is not a heartbeat.
SELECT id, created_at FROM fires WHERE kind <> 'heartbeat' ORDER BY id DESC LIMIT 1;

-- tally --
-- What kinds an agency run was given, and how pressing they were.
SELECT kind, COUNT(*) AS n, MAX(COALESCE(salience, 0.0)) AS salience FROM fires
WHERE agency_run_id = :run
GROUP BY kind;

-- dead --
-- Those that wait for a person.
SELECT * FROM fires WHERE state <> 'consumed' AND state = 'dead' ORDER BY +id DESC LIMIT :limit;

-- sessions_of_run --
-- Where what an agency run was given had happened.
SELECT DISTINCT session_id FROM fires WHERE agency_run_id = :run;

-- after --
-- Those behind one, in order.
SELECT * FROM fires WHERE id > :id ORDER BY id LIMIT :limit;

-- clear --
-- That it happened stays.
UPDATE fires SET payload = '{}'
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'consumed' AND payload <> '{}';

-- noticed --
-- What of a stretch of time the agency was given.
SELECT session_id, COUNT(*) AS n FROM fires
WHERE id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM fires WHERE created_at < :since ORDER BY id DESC LIMIT 1
    ) AS before
) AND created_at >= :since AND created_at < :until
    AND agency_run_id IS NOT NULL
GROUP BY session_id;

-- touched --
-- What some originals, sessions or runs caused.
SELECT id FROM fires
WHERE original_id IN (SELECT value FROM json_each(:originals))
    OR session_id IN (SELECT value FROM json_each(:sessions))
    OR run_id IN (SELECT value FROM json_each(:runs))
ORDER BY id;

-- readers --
-- The agency runs that were given some.
SELECT DISTINCT agency_run_id AS id FROM fires
WHERE id IN (SELECT value FROM json_each(:ids)) AND agency_run_id IS NOT NULL;

-- words --
-- What is told with them.
SELECT id, payload || ' ' || error AS text FROM fires WHERE payload <> '{}' OR error <> '';

-- blank --
-- Nothing is told with them any more, nor are they put before the agency.
UPDATE fires SET
    payload = '{}', error = CASE WHEN error = '' THEN '' ELSE :mark END,
    state = CASE
        WHEN state IN ('pending', 'submitted', 'merged', 'steered') THEN 'consumed' ELSE state
    END,
    settled_at = COALESCE(settled_at, :now)
WHERE id IN (SELECT value FROM json_each(:ids));
