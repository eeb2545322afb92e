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

-- touched --
-- Those told of by some handoffs or in some sessions.
SELECT id FROM conditions
WHERE handoff_id IN (SELECT value FROM json_each(:handoffs))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- words --
-- What lasts, in the words that were told.
SELECT id, key AS text FROM conditions;

-- drop --
-- It is not known any more that it was told.
DELETE FROM conditions WHERE id IN (SELECT value FROM json_each(:ids));
