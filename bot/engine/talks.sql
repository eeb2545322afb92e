-- last --
-- The newest run of a session that a person waits for, or waited.
SELECT finished_at, due_at FROM runs
WHERE session_id = :session AND priority <= :priority
ORDER BY id DESC
LIMIT 1;
