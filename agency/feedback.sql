-- add --
-- Something was told.
INSERT INTO tellings (original_id, handoff_id, session_id, subject, told_at)
VALUES (:original, :handoff, :session, :subject, :now)
ON CONFLICT (original_id, handoff_id) DO NOTHING;

-- of_original --
-- What a message of the bot told of.
SELECT * FROM tellings WHERE original_id = :original ORDER BY id;

-- by_id --
-- One of them.
SELECT * FROM tellings WHERE id = :id;

-- recent --
-- The last ones of a chat, the newest first.
SELECT * FROM tellings
WHERE session_id = :session AND told_at >= :since AND told_at <= :until
ORDER BY told_at DESC, id DESC
LIMIT :limit;

-- respond --
-- Somebody took it in some way; the first of its kind stands.
INSERT INTO responses (telling_id, person_id, kind, evidence_id, note, at)
VALUES (:telling, :person, :kind, :evidence, :note, :now)
ON CONFLICT (telling_id, person_id, kind) DO NOTHING;

-- take_back --
-- A reaction was taken away, or a word.
DELETE FROM responses
WHERE telling_id = :telling AND person_id = :person
    AND kind IN (SELECT value FROM json_each(:kinds, '$'));

-- responses --
-- How one was taken, in order.
SELECT * FROM responses WHERE telling_id = :telling ORDER BY at, kind;

-- answered --
-- How many of a chat's tellings in a span anybody took up, and how many there were.
SELECT COUNT(*) AS told, COUNT(taken) AS taken
FROM (
    SELECT (SELECT 1 FROM responses WHERE telling_id = tellings.id LIMIT 1) AS taken
    FROM tellings
    WHERE session_id = :session AND told_at >= :since AND told_at <= :until
    ORDER BY told_at DESC, id DESC
    LIMIT :limit
) AS few;

-- rehome --
-- Two people turned out to be one; what both did counts once.
UPDATE responses SET person_id = :kept
WHERE person_id = :gone AND NOT EXISTS (
    SELECT 1 FROM responses AS other
    WHERE other.telling_id = responses.telling_id AND other.kind = responses.kind
        AND other.person_id = :kept
);

-- forget --
-- What is left of the one that is gone.
DELETE FROM responses WHERE person_id = :gone;

-- touched --
-- What some originals, handoffs or sessions told.
SELECT id FROM tellings
WHERE original_id IN (SELECT value FROM json_each(:originals))
    OR handoff_id IN (SELECT value FROM json_each(:handoffs))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- words --
-- What was told of.
SELECT id, subject AS text FROM tellings;

-- blank --
-- What it was about is gone.
UPDATE tellings SET subject = :mark WHERE id IN (SELECT value FROM json_each(:ids));

-- blank_notes --
-- What was noted of how it was taken.
UPDATE responses SET note = :mark
WHERE telling_id IN (SELECT value FROM json_each(:ids)) AND note <> '';

-- note_words --
-- What was noted of how something was taken.
SELECT telling_id AS id, note AS text FROM responses WHERE note <> '';

-- of_person --
-- How somebody took what they were told.
SELECT r.telling_id, t.original_id, t.subject, r.kind, r.note, r.at
FROM responses r JOIN tellings t ON t.id = r.telling_id
WHERE r.person_id = :person ORDER BY r.at, r.telling_id;
