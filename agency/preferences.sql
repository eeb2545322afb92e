-- set_pause --
-- Nothing is said before a moment, or at once again.
INSERT INTO preferences (session_id, paused_until, updated_at) VALUES (:session, :until, :now)
ON CONFLICT (session_id) DO UPDATE SET
    paused_until = excluded.paused_until, updated_at = excluded.updated_at;

-- set_answers --
-- Only answers before a moment, or anything again.
INSERT INTO preferences (session_id, answers_until, updated_at) VALUES (:session, :until, :now)
ON CONFLICT (session_id) DO UPDATE SET
    answers_until = excluded.answers_until, updated_at = excluded.updated_at;

-- set_quiet --
-- The chat's own quiet hours; the same time twice for none at all.
INSERT INTO preferences (session_id, quiet_from, quiet_to, updated_at)
VALUES (:session, :start, :over, :now)
ON CONFLICT (session_id) DO UPDATE SET
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
    updated_at = excluded.updated_at;

-- inherit --
-- A thread begins with what its chat wants.
INSERT INTO preferences (
    session_id, quiet_from, quiet_to, paused_until, answers_until, updated_at
)
SELECT :session, quiet_from, quiet_to, paused_until, answers_until, updated_at
FROM preferences WHERE session_id = :parent
ON CONFLICT (session_id) DO NOTHING;

-- of_session --
-- What holds in a session: its own row, and that of the whole bot.
SELECT session_id, quiet_from, quiet_to, paused_until, answers_until FROM preferences
WHERE session_id IN (0, :session);

-- erase --
-- What some chats want.
DELETE FROM preferences WHERE session_id IN (SELECT value FROM json_each(:sessions));

-- row_of --
-- What a chat wants.
SELECT * FROM preferences WHERE session_id = :session;

-- rehome --
-- The chat goes on in another session.
UPDATE preferences SET session_id = :kept WHERE session_id = :gone;
