-- ask --
-- A question; nothing when the same use of a tool asked it before.
INSERT INTO approvals (
    key, subject, question, session_id, run_id, person_id, state, asked_at, expires_at
)
VALUES (:key, :subject, :question, :session, :run, :person, 'asked', :now, :expires)
ON CONFLICT (key) DO NOTHING
RETURNING id;

-- add_approver --
-- Somebody who may answer, and where and when they are asked.
INSERT INTO approvers (approval_id, person_id, session_id, due_at)
VALUES (:id, :person, :session, :due)
ON CONFLICT DO NOTHING;

-- answer --
-- The first word of somebody who may give it.
UPDATE approvals
SET state = :state, holds = :holds, note = :note, answered_by = :person, answered_at = :now
WHERE id = :id AND state = 'asked' AND EXISTS (
    SELECT 1 FROM approvers a WHERE a.approval_id = approvals.id AND a.person_id = :person
);

-- revoke --
-- Taken back by who gave it.
UPDATE approvals SET state = 'revoked', answered_at = :now
WHERE id = :id AND answered_by = :person AND state = 'granted';

-- withdraw --
-- No longer wanted.
UPDATE approvals SET state = 'expired', note = :note, answered_at = :now
WHERE id = :id AND state = 'asked';

-- overdue --
-- Questions nobody answered in time.
SELECT * FROM approvals WHERE state = 'asked' AND expires_at <= :now ORDER BY expires_at, id;

-- expire --
-- No answer counts as no.
UPDATE approvals SET state = 'expired', answered_at = :now WHERE id = :id AND state = 'asked';

-- put --
-- The question was put to somebody.
UPDATE approvers SET put_at = :now, remind_at = :remind
WHERE approval_id = :id AND person_id = :person;

-- put_later --
-- They are asleep, or want silence.
UPDATE approvers SET due_at = :due WHERE approval_id = :id AND person_id = :person;

-- remind_later --
-- They are asleep, or want silence.
UPDATE approvers SET remind_at = :due WHERE approval_id = :id AND person_id = :person;

-- reminded --
-- Once is enough.
UPDATE approvers SET remind_at = NULL WHERE approval_id = :id AND person_id = :person;

-- excuse --
-- Somebody who may not know of it any more.
DELETE FROM approvers WHERE approval_id = :id AND person_id = :person;

-- due --
-- Whom to ask or to remind by now.
SELECT p.* FROM approvals a
JOIN approvers p ON p.approval_id = a.id
WHERE a.state = 'asked' AND (
    (p.put_at IS NULL AND p.due_at <= :now) OR p.remind_at <= :now
)
ORDER BY p.due_at, p.approval_id, p.person_id;

-- next_moment --
-- When there is something to do next.
SELECT MIN(at) AS at FROM (
    SELECT MIN(expires_at) AS at FROM approvals WHERE state = 'asked'
    UNION ALL
    SELECT MIN(CASE WHEN p.put_at IS NULL THEN p.due_at ELSE p.remind_at END)
    FROM approvals a
    JOIN approvers p ON p.approval_id = a.id
    WHERE a.state = 'asked'
) AS moments;

-- by_id --
-- One approval.
SELECT * FROM approvals WHERE id = :id;

-- by_key --
-- What one use of a tool asked for.
SELECT * FROM approvals WHERE key = :key;

-- approvers --
-- Who may answer one.
SELECT * FROM approvers WHERE approval_id = :id ORDER BY person_id;

-- standing --
-- What holds every time in a session.
SELECT * FROM approvals
WHERE session_id = :session AND state = 'granted' AND holds = 'always'
ORDER BY id DESC;

-- of_run --
-- What a run asked for.
SELECT * FROM approvals WHERE run_id = :run ORDER BY id;

-- waiting_on --
-- What a person may answer.
SELECT a.* FROM approvers p
JOIN approvals a ON a.id = p.approval_id
WHERE p.person_id = :person AND a.state = 'asked'
ORDER BY a.id;

-- asked_for --
-- What a person waits for.
SELECT * FROM approvals WHERE person_id = :person AND state = 'asked' ORDER BY id;

-- given_by --
-- What a person agreed to for every time.
SELECT * FROM approvals
WHERE answered_by = :person AND state = 'granted' AND holds = 'always'
ORDER BY id;

-- open_in --
-- What was put in a session and is not answered.
SELECT DISTINCT a.* FROM approvers p
JOIN approvals a ON a.id = p.approval_id
WHERE p.session_id = :session AND p.put_at IS NOT NULL AND a.state = 'asked'
ORDER BY a.id;

-- asked --
-- The newest open questions.
SELECT * FROM approvals WHERE state = 'asked' ORDER BY id DESC LIMIT :limit;

-- latest --
-- The newest.
SELECT * FROM approvals WHERE id < :before ORDER BY id DESC LIMIT :limit;

-- rehome_approver --
-- Two people turned out to be one.
UPDATE approvers SET person_id = :kept
WHERE person_id = :gone AND NOT EXISTS (
    SELECT 1 FROM approvers other
    WHERE other.approval_id = approvers.approval_id AND other.person_id = :kept
);

-- drop_approver --
-- Both were asked the same.
DELETE FROM approvers WHERE person_id = :gone;

-- rehome_asker --
-- Who wanted it asked.
UPDATE approvals SET person_id = :kept WHERE person_id = :gone;

-- rehome_answer --
-- Who answered.
UPDATE approvals SET answered_by = :kept WHERE answered_by = :gone;

-- touched --
-- Those some runs or people asked for, or that were asked for in some sessions.
SELECT id FROM approvals
WHERE run_id IN (SELECT value FROM json_each(:runs))
    OR person_id IN (SELECT value FROM json_each(:people))
    OR session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY id;

-- words --
-- What was asked and answered.
SELECT id, subject || ' ' || question || ' ' || note AS text FROM approvals;

-- blank --
-- What was asked is gone, and so is what holds because of it.
UPDATE approvals SET
    subject = :mark, question = :mark, note = CASE WHEN note = '' THEN '' ELSE :mark END,
    answered_at = CASE WHEN state = 'asked' THEN :now ELSE answered_at END,
    state = CASE
        WHEN state = 'asked' THEN 'expired'
        WHEN state = 'granted' AND holds = 'always' THEN 'revoked' ELSE state
    END
WHERE id IN (SELECT value FROM json_each(:ids));

-- blank_notes --
-- What somebody answered others.
UPDATE approvals SET note = :mark WHERE answered_by = :person AND note <> '';

-- answered --
-- What somebody asked for or answered.
SELECT id FROM approvals WHERE person_id = :person OR answered_by = :person ORDER BY id;

-- whole --
-- Some of them.
SELECT * FROM approvals WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
