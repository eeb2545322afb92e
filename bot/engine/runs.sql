-- queue --
-- A run to come.
INSERT INTO runs (session_id, chat, role, state, priority, due_at, created_at)
VALUES (
    :session, COALESCE((SELECT parent_id FROM sessions WHERE id = :session), :session), :role,
    'queued', :priority, :due, :now
)
RETURNING id;

-- open_of --
-- The one open run of a session.
SELECT * FROM runs WHERE session_id = :session AND state IN ('queued', 'running');

-- merge --
-- More came for it.
UPDATE runs
SET priority = CASE WHEN :priority < priority THEN :priority ELSE priority END, due_at = :due
WHERE id = :id AND state = 'queued';

-- next --
-- The most pressing due one: of a chat without a run of ours, or of one with fewer than its share.
SELECT found.id FROM (
    SELECT fresh.id, fresh.priority, 0 AS beside, fresh.due_at FROM (
        SELECT id, priority, due_at FROM runs
        WHERE state = 'queued' AND due_at <= :now
            AND priority >= :lowest AND priority < :below AND held = 0
            AND chat NOT IN (
                SELECT chat FROM runs
                WHERE state = 'running' AND claimed_by = :owner
                    AND priority >= :lowest AND priority < :below
            )
        ORDER BY priority, due_at
        LIMIT 1
    ) AS fresh
    UNION ALL
    SELECT q.id, q.priority, served.n, q.due_at
    FROM (
        SELECT chat, COUNT(*) AS n FROM runs
        WHERE state = 'running' AND claimed_by = :owner
            AND priority >= :lowest AND priority < :below
        GROUP BY chat
        HAVING COUNT(*) < :share
    ) AS served
    JOIN runs q ON q.id = (
        SELECT one.id FROM runs one
        WHERE one.state = 'queued' AND one.held = 0 AND one.chat = served.chat
            AND one.due_at <= :now
            AND one.priority >= :lowest AND one.priority < :below
        ORDER BY one.priority, one.due_at
        LIMIT 1
    )
) AS found
ORDER BY found.priority, found.beside, found.due_at, found.id
LIMIT 1;

-- claim --
-- Take it, unless somebody else did.
UPDATE runs
SET state = 'running', claimed_by = :owner, leased_until = :until, attempts = attempts + 1,
    started_at = COALESCE(started_at, :now)
WHERE id = :id AND state = 'queued'
RETURNING *;

-- carried_by --
-- Those a process carries out.
SELECT id, priority FROM runs WHERE state = 'running' AND claimed_by = :owner;

-- renew --
-- Keep a lease.
UPDATE runs SET leased_until = :until
WHERE id = :id AND state = 'running' AND claimed_by = :owner;

-- owned --
-- Whether it is still the same claim.
SELECT 1 FROM runs
WHERE id = :id AND state = 'running' AND claimed_by = :owner AND attempts = :attempts;

-- settle --
-- It ended.
UPDATE runs
SET state = :to, outcome = :outcome, reason = :reason, error = :error, finished_at = :now
WHERE id = :id AND state = 'running';

-- requeue --
-- Its lease was lost, or its model is away.
UPDATE runs SET state = 'queued', claimed_by = '', due_at = :due, error = :error
WHERE id = :id AND state = 'running';

-- rest --
-- Its process stops: that counts as no start, and it goes on from its last step.
UPDATE runs
SET state = 'queued', claimed_by = '', due_at = :now,
    attempts = CASE WHEN attempts > 1 THEN attempts - 1 ELSE attempts END
WHERE id = :id AND state = 'running' AND claimed_by = :owner;

-- rest_all --
-- The same for all that a process holds.
UPDATE runs
SET state = 'queued', claimed_by = '', due_at = :now,
    attempts = CASE WHEN attempts > 1 THEN attempts - 1 ELSE attempts END
WHERE state = 'running' AND claimed_by = :owner;

-- bring_near --
-- The clock was set back.
UPDATE runs SET due_at = due_at - :by
WHERE state = 'queued' AND ration <> 'waits' AND due_at > :now AND due_at <= :until;

-- give --
-- What it has to think with.
UPDATE runs SET ration = :ration WHERE id = :id;

-- put_back --
-- It may not start today.
UPDATE runs
SET state = 'queued', claimed_by = '', due_at = :due, attempts = attempts - 1, started_at = NULL,
    ration = 'waits'
WHERE id = :id AND state = 'running';

-- hold --
-- It waits for its model; a start that came to no answer was none, but what it did is kept.
UPDATE runs
SET state = 'queued', claimed_by = '', error = :error, held = :held,
    attempts = CASE WHEN attempts > :least THEN attempts - 1 ELSE attempts END,
    started_at = CASE WHEN attempts > 1 THEN started_at END
WHERE id = :id AND state = 'running';

-- let_one_out --
-- The one that was tried least lately asks its model for all the others.
UPDATE runs SET held = 0
WHERE id = (
    SELECT id FROM runs
    WHERE state = 'queued' AND held > 0 AND due_at <= :now
    ORDER BY held, priority, due_at
    LIMIT 1
);

-- let_out_older --
-- Those somebody has waited for long enough.
UPDATE runs SET held = 0
WHERE state = 'queued' AND held > 0 AND created_at <= :than AND priority < :below;

-- let_go_held --
-- The model is back.
UPDATE runs SET held = 0 WHERE state = 'queued' AND held > 0;

-- held --
-- Those that wait for their model, oldest first.
SELECT * FROM runs WHERE state = 'queued' AND held > 0 ORDER BY id LIMIT :limit;

-- count_held --
-- How many wait for their model.
SELECT COUNT(*) AS n FROM runs WHERE state = 'queued' AND held > 0;

-- let_go --
-- What waits for another day may be tried now.
UPDATE runs SET due_at = :now, ration = '' WHERE state = 'queued' AND ration = 'waits';

-- count_rationed --
-- Those in progress that cost something.
SELECT COUNT(*) AS n FROM runs WHERE state = 'running' AND ration IN ('full', 'small');

-- suspend --
-- It waits for somebody's word.
UPDATE runs SET state = 'suspended', claimed_by = '' WHERE id = :id AND state = 'running';

-- resume --
-- The word is there; it goes on from its last step.
UPDATE runs SET state = 'queued', due_at = :due, attempts = 1
WHERE id = :id AND state = 'suspended';

-- suspended --
-- Those that wait for somebody's word. The sign before the id keeps a planner from reading all runs
-- in their order, which it takes for cheaper than sorting the few.
SELECT * FROM runs
WHERE state = 'suspended' AND session_id = COALESCE(:session, session_id)
ORDER BY +id;

-- cancel_queued --
-- What it was for went away.
UPDATE runs SET state = 'cancelled', reason = :reason, finished_at = :now
WHERE id = :id AND state = 'queued';

-- abandon --
-- What it was to do may have been done since this copy of it was made.
UPDATE runs SET state = 'cancelled', reason = :reason, finished_at = :now
WHERE state IN ('queued', 'running', 'suspended') AND role <> 'memory'
RETURNING id;

-- lost --
-- Running ones nobody works on.
SELECT * FROM runs
WHERE state = 'running'
    AND (leased_until < :now OR claimed_by <> COALESCE(:owner, claimed_by));

-- is_due --
-- Whether one could begin now, were there a place.
SELECT 1 FROM runs WHERE state = 'queued' AND held = 0 AND due_at <= :now LIMIT 1;

-- next_due --
-- When to look again.
SELECT MIN(due_at) AS at FROM runs WHERE state = 'queued' AND due_at > :after;

-- by_id --
-- One run.
SELECT * FROM runs WHERE id = :id;

-- latest --
-- The newest.
SELECT * FROM runs
WHERE id < :before AND role = COALESCE(:role, role)
ORDER BY id DESC
LIMIT :limit;

-- still_open --
-- Those that wait or go on.
SELECT * FROM runs WHERE state IN ('queued', 'running') ORDER BY +id LIMIT :limit;

-- after --
-- Those behind one, in order.
SELECT * FROM runs WHERE id > :id ORDER BY id LIMIT :limit;

-- failed_lately --
-- Those of the last ones that were given up.
SELECT * FROM runs
WHERE state = 'failed' AND id > (SELECT MAX(id) FROM runs) - :back
ORDER BY id DESC
LIMIT :limit;

-- count_open --
-- How many wait or go on.
SELECT COUNT(*) AS n FROM runs WHERE state IN ('queued', 'running');

-- count_of --
-- How many a session had; counting stops at a limit.
SELECT COUNT(*) AS n FROM (
    SELECT 1 FROM runs WHERE session_id = :session LIMIT :limit
) AS few;

-- of_sessions --
-- The runs of some sessions.
SELECT id FROM runs WHERE session_id IN (SELECT value FROM json_each(:sessions)) ORDER BY id;

-- under_way --
-- Those somebody works on.
SELECT id FROM runs WHERE state = 'running' ORDER BY id;

-- ended_of --
-- Those of some that ended.
SELECT id FROM runs
WHERE id IN (SELECT value FROM json_each(:ids)) AND state IN ('succeeded', 'failed', 'cancelled')
ORDER BY id;

-- words --
-- Why they ended as they did.
SELECT id, reason || ' ' || error AS text FROM runs WHERE reason <> '' OR error <> '';

-- blank --
-- That they ended stays.
UPDATE runs SET
    reason = CASE WHEN reason = '' THEN '' ELSE :mark END,
    error = CASE WHEN error = '' THEN '' ELSE :mark END
WHERE id IN (SELECT value FROM json_each(:ids));

-- give_up --
-- What it was for is erased.
UPDATE runs SET state = 'cancelled', reason = :mark, finished_at = :now
WHERE id = :id AND state IN ('queued', 'suspended');

-- whole --
-- Some of them.
SELECT * FROM runs WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
