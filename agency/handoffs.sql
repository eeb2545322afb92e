-- propose --
-- A new handoff; nothing when the same subject and state was proposed to this session.
INSERT INTO handoffs (
    key, agency_run_id, target_id, kind, subject, subject_state, body, grade, confidence, metadata,
    hop, state, expires_at, created_at, updated_at
)
VALUES (
    :key, :agency_run, :target, :kind, :subject, :subject_state, :body, :grade, :confidence,
    :metadata, :hop, 'proposed', :expires, :now, :now
)
ON CONFLICT (key) DO NOTHING
RETURNING id;

-- by_key --
-- The earlier one.
SELECT id FROM handoffs WHERE key = :key;

-- add_source --
-- What it rests on, as it stood then.
INSERT INTO handoff_sources (handoff_id, original_id, version)
VALUES (:handoff, :original, :version)
ON CONFLICT DO NOTHING;

-- record_gate --
-- What a gate said.
INSERT INTO gate_records (handoff_id, gate, passed, reason, at)
VALUES (:id, :gate, :passed, :reason, :now);

-- move --
-- On to the next state.
UPDATE handoffs
SET state = :to, reason = :reason, not_before = :not_before, updated_at = :now
WHERE id = :id AND state = :state;

-- attach_input --
-- The input that carries it.
UPDATE handoffs SET input_id = :input WHERE id = :id;

-- attach_run --
-- The run that reads it.
UPDATE handoffs SET run_id = :run WHERE id = :id;

-- by_id --
-- One handoff.
SELECT * FROM handoffs WHERE id = :id;

-- due --
-- Held ones whose time has come.
SELECT * FROM handoffs
WHERE state = 'held' AND not_before <= :now
ORDER BY not_before, id;

-- held_for --
-- Those that wait for a moment to be told to a session; what is for its digest waits for that.
SELECT * FROM handoffs WHERE target_id = :target AND state = 'held' ORDER BY id;

-- untold_for --
-- Those to a session that passed the gates and are not told.
SELECT * FROM handoffs
WHERE target_id = :target AND state IN ('held', 'digest', 'admitted', 'delivered')
ORDER BY id;

-- overdue --
-- Open ones whose time has passed; inboxes look after what is for digests.
SELECT * FROM handoffs
WHERE state IN ('held', 'asking', 'digest', 'admitted') AND expires_at <= :now
    AND state <> 'digest'
ORDER BY expires_at, id;

-- next_moment --
-- When there is something to do next.
SELECT MIN(at) AS at FROM (
    SELECT MIN(not_before) AS at FROM handoffs WHERE state = 'held'
    UNION ALL
    SELECT MIN(expires_at) FROM handoffs
    WHERE state IN ('held', 'asking', 'digest', 'admitted') AND state <> 'digest'
) AS moments;

-- of_run --
-- What a session's run was given.
SELECT * FROM handoffs WHERE run_id = :run ORDER BY id;

-- by_agency_run --
-- What an agency run proposed.
SELECT * FROM handoffs WHERE agency_run_id = :run ORDER BY id;

-- latest --
-- The newest.
SELECT * FROM handoffs WHERE id < :before ORDER BY id DESC LIMIT :limit;

-- told_since --
-- How often and when last; one that waited counts for the day it was told. What digests told was
-- never said there.
SELECT COUNT(CASE WHEN updated_at >= :since THEN 1 END) AS n, MAX(updated_at) AS last
FROM handoffs
WHERE target_id IN (SELECT value FROM json_each(:sessions))
    AND state IN ('admitted', 'delivered', 'spoken') AND NOT EXISTS (
        SELECT 1 FROM inbox i
        WHERE i.cause = 'handoff:' || handoffs.id AND i.kind = 'digest' AND i.state = 'told'
    );

-- told_to --
-- How much was told lately that concerns a person.
SELECT COUNT(*) AS n FROM handoffs
WHERE updated_at >= :since AND state IN ('admitted', 'delivered', 'spoken') AND NOT EXISTS (
    SELECT 1 FROM inbox i
    WHERE i.cause = 'handoff:' || handoffs.id AND i.kind = 'digest' AND i.state = 'told'
) AND (
    target_id IN (SELECT value FROM json_each(:direct))
    OR :person IN (SELECT value FROM json_each(metadata, '$.person_ids'))
);

-- told_to (postgres) --
-- As above.
SELECT COUNT(*) AS n FROM handoffs
WHERE updated_at >= :since AND state IN ('admitted', 'delivered', 'spoken') AND NOT EXISTS (
    SELECT 1 FROM inbox i
    WHERE i.cause = 'handoff:' || handoffs.id AND i.kind = 'digest' AND i.state = 'told'
) AND (
    target_id IN (SELECT value FROM json_each(:direct))
    OR CAST(metadata AS jsonb) -> 'person_ids' @> to_jsonb(CAST(:person AS bigint))
);

-- standing --
-- Those to some sessions that were or may yet be told, newest first.
SELECT * FROM handoffs
WHERE target_id IN (SELECT value FROM json_each(:sessions)) AND id <> :id
    AND state IN ('held', 'asking', 'digest', 'admitted', 'delivered', 'spoken', 'declined')
ORDER BY id DESC
LIMIT :limit;

-- relaying --
-- Those that already rest on an original as it stands.
SELECT h.* FROM handoff_sources s
JOIN handoffs h ON h.id = s.handoff_id
WHERE s.original_id = :original AND s.version = :version
    AND h.target_id IN (SELECT value FROM json_each(:sessions)) AND h.id <> :id
    AND h.state IN ('held', 'asking', 'digest', 'admitted', 'delivered', 'spoken', 'declined')
ORDER BY h.id DESC;

-- resting_on --
-- Those not told yet that rest on an original.
SELECT h.* FROM handoff_sources s
JOIN handoffs h ON h.id = s.handoff_id
WHERE s.original_id = :original
    AND h.state IN ('held', 'asking', 'digest', 'admitted', 'delivered');

-- readers_of --
-- The runs that read something resting on an original.
SELECT DISTINCT h.run_id FROM handoff_sources s
JOIN handoffs h ON h.id = s.handoff_id
WHERE s.original_id = :original AND h.run_id IS NOT NULL;

-- sources --
-- What one rests on.
SELECT original_id, version FROM handoff_sources WHERE handoff_id = :id ORDER BY original_id;

-- gate_records --
-- What the gates said.
SELECT gate, passed, reason, at FROM gate_records WHERE handoff_id = :id ORDER BY id;

-- open --
-- The newest that are on their way.
SELECT * FROM handoffs
WHERE state IN ('held', 'asking', 'digest', 'admitted', 'delivered')
ORDER BY id DESC
LIMIT :limit;

-- count_open --
-- How many are on their way.
SELECT COUNT(*) AS n FROM handoffs
WHERE state IN ('held', 'asking', 'digest', 'admitted', 'delivered');

-- outcomes --
-- What became of those of a stretch of time; ids rise with it, so that no older row is read.
SELECT target_id, state, COUNT(*) AS n FROM handoffs
WHERE id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM handoffs WHERE created_at < :since ORDER BY id DESC LIMIT 1
    )
) AND created_at >= :since AND created_at < :until
GROUP BY target_id, state;

-- touched --
-- Those that rest on some originals or are for some sessions.
SELECT id FROM handoffs
WHERE target_id IN (SELECT value FROM json_each(:sessions)) OR id IN (
    SELECT handoff_id FROM handoff_sources
    WHERE original_id IN (SELECT value FROM json_each(:originals))
)
ORDER BY id;

-- carriers --
-- The inputs and the runs by which some were told.
SELECT input_id, run_id, agency_run_id FROM handoffs WHERE id IN (SELECT value FROM json_each(:ids));

-- words --
-- What they say, and why they went as they did.
SELECT id,
    subject || ' ' || subject_state || ' ' || body || ' ' || metadata || ' ' || reason AS text
FROM handoffs;

-- blank --
-- What rests on erased words says nothing any more, and is not told.
UPDATE handoffs SET
    subject = :mark, subject_state = '', body = :mark, metadata = '{}',
    reason = CASE WHEN reason = '' THEN '' ELSE :mark END,
    state = CASE
        WHEN state IN ('held', 'asking', 'digest', 'admitted') THEN 'dropped'
        WHEN state = 'delivered' THEN 'declined' ELSE state
    END,
    not_before = NULL
WHERE id IN (SELECT value FROM json_each(:ids));

-- gate_words --
-- Why gates let them pass or not.
SELECT handoff_id AS id, reason AS text FROM gate_records WHERE reason <> '';

-- blank_gates --
-- They name people and what they said.
UPDATE gate_records SET reason = :mark
WHERE handoff_id IN (SELECT value FROM json_each(:ids)) AND reason <> '';

-- whole --
-- Some of them.
SELECT * FROM handoffs WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- forget --
-- What was never told says nothing any more.
UPDATE handoffs SET subject = :mark, subject_state = '', body = :mark, metadata = '{}'
WHERE state IN ('dropped', 'expired', 'refused', 'silent', 'declined') AND id IN (
    SELECT handoff_id FROM handoff_sources WHERE original_id = :original
);

-- bring_near --
-- The clock was set back.
UPDATE handoffs SET not_before = not_before - :by
WHERE state = 'held' AND not_before > :now AND not_before <= :until;
