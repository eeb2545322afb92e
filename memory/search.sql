-- originals --
-- Originals by rank; their words are read only where they are wanted.
SELECT o.id, o.session_id FROM originals_text t
JOIN originals o ON o.id = t.rowid
WHERE originals_text MATCH :match
ORDER BY bm25(originals_text), t.rowid DESC;

-- originals (postgres) --
-- The server's own rank does not know that a rare word tells more. `OFFSET 0` has each match looked
-- up: by a plan for any words, which expects thousands of them, all there is would be read instead.
WITH terms AS (SELECT term FROM limen_terms(:match)),
hits AS (
    SELECT terms.term, t.id, ts_rank(t.words, terms.term, 1) AS rank,
        COUNT(*) OVER (PARTITION BY terms.term) AS found
    FROM terms JOIN originals_text t ON t.words @@ terms.term
),
ranked AS (
    SELECT id,
        SUM(rank * LN(1 + (SELECT MAX(id) FROM originals_text) / CAST(found AS float8))) AS telling
    FROM hits
    GROUP BY id
)
SELECT ranked.id, o.session_id
FROM ranked
CROSS JOIN LATERAL (
    SELECT session_id FROM originals WHERE id = ranked.id OFFSET 0
) AS o
ORDER BY ranked.telling DESC, ranked.id DESC;

-- facts --
-- Facts by rank.
SELECT f.id, f.session_id FROM facts_text t
JOIN facts f ON f.id = t.rowid
WHERE facts_text MATCH :match AND f.replaced_by IS NULL
ORDER BY bm25(facts_text), t.rowid DESC;

-- facts (postgres) --
-- The server's own rank does not know that a rare word tells more.
WITH terms AS (SELECT term FROM limen_terms(:match)),
hits AS (
    SELECT terms.term, t.id, ts_rank(t.words, terms.term, 1) AS rank,
        COUNT(*) OVER (PARTITION BY terms.term) AS found
    FROM terms JOIN facts_text t ON t.words @@ terms.term
),
ranked AS (
    SELECT id,
        SUM(rank * LN(1 + (SELECT MAX(id) FROM facts_text) / CAST(found AS float8))) AS telling
    FROM hits
    GROUP BY id
)
SELECT ranked.id, f.session_id
FROM ranked
CROSS JOIN LATERAL (
    SELECT session_id FROM facts WHERE id = ranked.id AND replaced_by IS NULL OFFSET 0
) AS f
ORDER BY ranked.telling DESC, ranked.id DESC;

-- originals_with --
-- The newest originals with one term.
SELECT rowid AS id FROM originals_text WHERE originals_text MATCH :term
ORDER BY rowid DESC
LIMIT :limit;

-- originals_with (postgres) --
-- Of a rare word the index gives all; through the newest rows only a common one is looked for.
-- A server that plans for any word does either for both, and reads every row there is.
WITH few AS MATERIALIZED (
    SELECT id FROM originals_text WHERE words @@ (SELECT term FROM limen_terms(:term)) LIMIT 5000
)
SELECT newest.id FROM (
    SELECT id FROM few WHERE (SELECT COUNT(*) FROM few) < 5000
    UNION ALL
    (
        SELECT id FROM originals_text
        WHERE (SELECT COUNT(*) FROM few) >= 5000
            AND words @@ (SELECT term FROM limen_terms(:term))
        ORDER BY id DESC
        LIMIT :limit
    )
) AS newest
ORDER BY newest.id DESC
LIMIT :limit;

-- facts_with --
-- The newest facts with one term.
SELECT rowid AS id FROM facts_text WHERE facts_text MATCH :term
ORDER BY rowid DESC
LIMIT :limit;

-- facts_with (postgres) --
-- As above.
WITH few AS MATERIALIZED (
    SELECT id FROM facts_text WHERE words @@ (SELECT term FROM limen_terms(:term)) LIMIT 5000
)
SELECT newest.id FROM (
    SELECT id FROM few WHERE (SELECT COUNT(*) FROM few) < 5000
    UNION ALL
    (
        SELECT id FROM facts_text
        WHERE (SELECT COUNT(*) FROM few) >= 5000
            AND words @@ (SELECT term FROM limen_terms(:term))
        ORDER BY id DESC
        LIMIT :limit
    )
) AS newest
ORDER BY newest.id DESC
LIMIT :limit;

-- original --
-- One original.
SELECT * FROM originals WHERE id = :id;

-- some_originals --
-- Several originals.
SELECT * FROM originals WHERE id IN (SELECT value FROM json_each(:ids));

-- some_facts --
-- Those of several facts that stand.
SELECT * FROM facts WHERE id IN (SELECT value FROM json_each(:ids)) AND replaced_by IS NULL;

-- fact --
-- One fact that stands.
SELECT * FROM facts WHERE id = :id AND replaced_by IS NULL;

-- said_by_others --
-- Whether others said it, and elsewhere.
SELECT 1 FROM originals_text t
JOIN originals o ON o.id = t.rowid
WHERE originals_text MATCH :match AND o.kind = 'message'
    AND (o.person_id IS NULL OR o.person_id NOT IN (SELECT value FROM json_each(:people)))
    AND o.session_id NOT IN (SELECT value FROM json_each(:sessions))
LIMIT 1;

-- said_by_others (postgres) --
-- As above.
SELECT 1 FROM originals_text t
JOIN originals o ON o.id = t.id
WHERE t.words @@ (SELECT term FROM limen_terms(:match)) AND o.kind = 'message'
    AND (o.person_id IS NULL OR o.person_id NOT IN (SELECT value FROM json_each(:people)))
    AND o.session_id NOT IN (SELECT value FROM json_each(:sessions))
LIMIT 1;
