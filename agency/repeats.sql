-- of_chat --
-- How often a chat was told.
SELECT * FROM conditions WHERE session_id = :chat AND key = :key;

-- note --
-- Told, for the first time or once more.
INSERT INTO conditions (session_id, key, told, told_at, handoff_id)
VALUES (:chat, :key, 1, :now, :handoff)
ON CONFLICT (session_id, key) DO UPDATE SET
    told = conditions.told + 1, told_at = excluded.told_at, handoff_id = excluded.handoff_id;

-- acknowledge --
-- They know: nothing more of it while it holds.
UPDATE conditions SET acknowledged = 1, told_at = :now
WHERE handoff_id = :handoff AND acknowledged = 0;

-- put_off --
-- Later.
UPDATE conditions SET told = told + 1, told_at = :now
WHERE handoff_id = :handoff AND acknowledged = 0;
