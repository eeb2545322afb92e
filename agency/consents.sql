-- ask --
-- A question; nothing when it was asked before.
INSERT INTO consents (
    handoff_id, person_id, source_id, target_id, body, state, asked_at, expires_at, remind_at
)
VALUES (:handoff, :person, :source, :target, :body, 'asked', :now, :expires, :remind)
ON CONFLICT (handoff_id, person_id) DO NOTHING
RETURNING id;

-- add_original --
-- What would be told.
INSERT INTO consent_originals (consent_id, original_id) VALUES (:consent, :original)
ON CONFLICT DO NOTHING;

-- answer --
-- Only the person asked may answer, once.
UPDATE consents
SET state = :state, note = :note, scope = :scope, until_at = :until, answered_at = :now
WHERE id = :id AND person_id = :person AND state = 'asked';

-- revoke --
-- Taken back.
UPDATE consents SET state = 'revoked', answered_at = :now
WHERE id = :id AND person_id = :person AND state = 'granted';

-- withdraw --
-- What it was about is no longer to be told.
UPDATE consents SET state = 'expired', answered_at = :now
WHERE handoff_id = :handoff AND state = 'asked';

-- overdue --
-- Questions nobody answered in time.
SELECT * FROM consents WHERE state = 'asked' AND expires_at <= :now ORDER BY expires_at, id;

-- expire --
-- No answer counts as no.
UPDATE consents SET state = 'expired', answered_at = :now WHERE id = :id AND state = 'asked';

-- over --
-- Yeses whose time is over.
SELECT * FROM consents WHERE state = 'granted' AND until_at <= :now ORDER BY until_at, id;

-- lapse --
-- A yes ends when it said it would.
UPDATE consents SET state = 'expired' WHERE id = :id AND state = 'granted';

-- to_remind --
-- Open questions whose reminder is due.
SELECT * FROM consents WHERE state = 'asked' AND remind_at <= :now ORDER BY remind_at, id;

-- remind_at --
-- When to remind; never twice.
UPDATE consents SET remind_at = :at WHERE id = :id;

-- next_reminder --
-- When to remind somebody.
SELECT MIN(remind_at) AS at FROM consents WHERE state = 'asked' AND remind_at IS NOT NULL;

-- next_moment --
-- When there is something to do next.
SELECT MIN(at) AS at FROM (
    SELECT MIN(expires_at) AS at FROM consents WHERE state = 'asked'
    UNION ALL
    SELECT MIN(until_at) FROM consents WHERE state = 'granted' AND until_at IS NOT NULL
) AS moments;

-- by_id --
-- One consent.
SELECT * FROM consents WHERE id = :id;

-- rehome --
-- Two people turned out to be one.
UPDATE consents SET person_id = :kept
WHERE person_id = :gone AND NOT EXISTS (
    SELECT 1 FROM consents other
    WHERE other.handoff_id = consents.handoff_id AND other.person_id = :kept
);

-- of_handoff --
-- Everybody's word on one handoff.
SELECT * FROM consents WHERE handoff_id = :handoff ORDER BY id;

-- open_in --
-- The open questions of a DM, and what was granted there and is not told yet.
SELECT c.* FROM consents c
JOIN handoffs h ON h.id = c.handoff_id
WHERE c.source_id = :session AND (
    c.state = 'asked'
    OR (c.state = 'granted' AND (
        c.scope <> 'once'
        OR h.state IN ('held', 'asking', 'digest', 'admitted', 'delivered')
    ))
)
ORDER BY c.id;

-- told_in --
-- What was agreed to once in a DM and is told.
SELECT c.* FROM consents c
JOIN handoffs h ON h.id = c.handoff_id
WHERE c.source_id = :session AND c.state = 'granted' AND c.scope = 'once'
    AND h.state = 'spoken' AND h.updated_at >= :since
ORDER BY c.id;

-- waiting_on --
-- The open questions to a person.
SELECT * FROM consents WHERE person_id = :person AND state = 'asked' ORDER BY id;

-- given_by --
-- What a person agreed to and can take back.
SELECT c.* FROM consents c
JOIN handoffs h ON h.id = c.handoff_id
WHERE c.person_id = :person AND c.state = 'granted' AND (
    c.scope <> 'once' OR h.state IN ('held', 'asking', 'digest', 'admitted', 'delivered')
)
ORDER BY c.id;

-- latest --
-- The newest questions.
SELECT * FROM consents ORDER BY id DESC LIMIT :limit;

-- agreed --
-- Whether an original may be told by a handoff.
SELECT 1 FROM consent_originals o
JOIN consents c ON c.id = o.consent_id
WHERE o.original_id = :original AND c.handoff_id = :handoff AND c.state = 'granted'
LIMIT 1;

-- standing --
-- The yeses to the session of a handoff that reach beyond one telling.
SELECT c.* FROM handoffs h
JOIN consents c ON c.target_id = h.target_id
WHERE h.id = :handoff AND c.state = 'granted' AND c.scope <> 'once'
ORDER BY c.id;

-- of_original --
-- Whether an original was a part of the question.
SELECT 1 FROM consent_originals WHERE consent_id = :consent AND original_id = :original;

-- declined --
-- Whether its author did not want it told in a session.
SELECT 1 FROM consent_originals o
JOIN consents c ON c.id = o.consent_id
WHERE o.original_id = :original AND c.target_id = :target
    AND (c.state = 'revoked' OR (c.state = 'denied' AND c.scope <> 'once'))
LIMIT 1;

-- asked --
-- The newest open questions, whoever was asked.
SELECT * FROM consents WHERE state = 'asked' ORDER BY id DESC LIMIT :limit;

-- touched --
-- Those about some handoffs, of some people, or asked in or for some sessions.
SELECT id FROM consents
WHERE handoff_id IN (SELECT value FROM json_each(:handoffs))
    OR person_id IN (SELECT value FROM json_each(:people))
    OR source_id IN (SELECT value FROM json_each(:sessions))
    OR target_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- words --
-- What was asked and answered.
SELECT id, body || ' ' || note AS text FROM consents;

-- blank --
-- What was asked is gone, and so is what holds because of it.
UPDATE consents SET
    body = :mark, note = CASE WHEN note = '' THEN '' ELSE :mark END, remind_at = NULL,
    answered_at = CASE WHEN state = 'asked' THEN :now ELSE answered_at END,
    state = CASE state WHEN 'asked' THEN 'expired' WHEN 'granted' THEN 'revoked' ELSE state END
WHERE id IN (SELECT value FROM json_each(:ids));

-- whole --
-- Some of them.
SELECT * FROM consents WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
