-- learn --
-- A new fact; nothing when it is known.
INSERT INTO facts (session_id, run_id, kind, body, subject, person_id, due_at, learnt_at, key)
VALUES (:session, :run, :kind, :body, :subject, :person, :due, :now, :key)
ON CONFLICT (key) DO NOTHING
RETURNING id;

-- add_source --
-- The way back to an original.
INSERT INTO fact_sources (fact_id, original_id) VALUES (:fact, :original)
ON CONFLICT DO NOTHING;

-- index --
-- Make a fact findable; `text` is prepared.
INSERT INTO facts_text (rowid, body) VALUES (:id, :text);

-- index (postgres) --
-- As above.
INSERT INTO facts_text (id, words) VALUES (:id, limen_vector(:text));

-- page --
-- Some of them, in order.
SELECT id, subject, body FROM facts WHERE id > :after ORDER BY id LIMIT :limit;

-- unindex --
-- Take a fact out of the index; `text` must be what was indexed.
INSERT INTO facts_text (facts_text, rowid, body) VALUES ('delete', :id, :text);

-- unindex (postgres) --
-- As above; the words need not be told.
DELETE FROM facts_text WHERE id = :id AND CAST(:text AS text) IS NOT NULL;

-- resting_on --
-- The facts that rest on an original.
SELECT f.id, f.subject, f.body FROM fact_sources s
JOIN facts f ON f.id = s.fact_id
WHERE s.original_id = :original;

-- drop_sources --
-- Before a fact is dropped.
DELETE FROM fact_sources WHERE fact_id = :fact;

-- drop --
-- The words it rested on no longer stand.
DELETE FROM facts WHERE id = :fact;

-- rehome --
-- Two people turned out to be one.
UPDATE facts SET person_id = :kept WHERE person_id = :gone;

-- of_session --
-- The newest standing facts of a session, newest first.
SELECT * FROM facts
WHERE session_id = :session AND replaced_by IS NULL
ORDER BY id DESC
LIMIT :limit;

-- of_run --
-- What one memory run learnt.
SELECT * FROM facts WHERE run_id = :run ORDER BY id;

-- sources --
-- The originals of a fact.
SELECT original_id FROM fact_sources WHERE fact_id = :fact ORDER BY original_id;

-- summary --
-- The running summary of a session.
SELECT body, covered FROM summaries WHERE session_id = :session;

-- cover --
-- Move the checkpoint; an empty body keeps the old summary.
INSERT INTO summaries (session_id, body, covered, updated_at)
VALUES (:session, :body, :covered, :now)
ON CONFLICT (session_id) DO UPDATE SET
    body = CASE WHEN excluded.body = '' THEN summaries.body ELSE excluded.body END,
    covered = CASE
        WHEN excluded.covered > summaries.covered THEN excluded.covered ELSE summaries.covered
    END,
    updated_at = excluded.updated_at;

-- forget_summary --
-- A message it covers was taken back; how far was read stays.
UPDATE summaries SET body = '' WHERE session_id = :session AND covered >= :original;

-- tally --
-- How much was learnt in a stretch of time.
SELECT session_id, COUNT(*) AS n FROM facts
WHERE id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM facts WHERE learnt_at < :since ORDER BY id DESC LIMIT 1
    )
) AND learnt_at >= :since AND learnt_at < :until
GROUP BY session_id;

-- words --
-- What was learnt.
SELECT id, subject || ' ' || body AS text FROM facts;

-- of_originals --
-- Those that rest on some originals or were learnt in some sessions.
SELECT id FROM facts
WHERE session_id IN (SELECT value FROM json_each(:sessions)) OR id IN (
    SELECT fact_id FROM fact_sources
    WHERE original_id IN (SELECT value FROM json_each(:originals))
)
ORDER BY id;

-- whole --
-- Some of them.
SELECT * FROM facts WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- summary_words --
-- What sessions have been about.
SELECT session_id AS id, body AS text FROM summaries WHERE body <> '';

-- blank_summaries --
-- They rest on words that go; how far was read stays.
UPDATE summaries SET body = '' WHERE session_id IN (SELECT value FROM json_each(:ids)) AND body <> '';
