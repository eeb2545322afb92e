-- due --
-- When the next chat is to be told that its question waits: it does for so long, and the chat was
-- told nothing since it was asked, nor lately.
SELECT MIN(CASE
    WHEN told.told_at + :again > r.due_at + :after THEN told.told_at + :again
    ELSE r.due_at + :after
END) AS at
FROM runs r LEFT JOIN delays told ON told.chat = r.chat
WHERE r.state = 'queued' AND r.held = 0 AND r.priority <= :priority
    AND r.attempts = 0 AND r.ration <> 'waits'
    AND (told.told_at IS NULL OR told.told_at < r.created_at);

-- overdue --
-- Those that wait for that long now, the longest first.
SELECT r.id, r.chat, r.session_id, r.due_at
FROM runs r LEFT JOIN delays told ON told.chat = r.chat
WHERE r.state = 'queued' AND r.held = 0 AND r.priority <= :priority
    AND r.attempts = 0 AND r.ration <> 'waits' AND r.due_at + :after <= :now
    AND (told.told_at IS NULL OR (
        told.told_at < r.created_at AND told.told_at + :again <= :now
    ))
ORDER BY r.due_at, r.id
LIMIT :limit;

-- before --
-- How many questions were due sooner than one and wait too.
SELECT COUNT(*) AS n FROM runs
WHERE state = 'queued' AND held = 0 AND priority <= :priority AND due_at < :due;

-- told --
-- A chat knows.
INSERT INTO delays (chat, told_at) VALUES (:chat, :now)
ON CONFLICT (chat) DO UPDATE SET told_at = excluded.told_at;

-- lately --
-- Whether a chat was told not long ago.
SELECT 1 AS known FROM delays WHERE chat = :chat AND told_at > :since;
