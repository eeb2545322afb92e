-- originals --
-- Originals by rank; their words are read only where they are wanted.
SELECT o.id, o.session_id FROM originals_text t
JOIN originals o ON o.id = t.rowid
WHERE originals_text MATCH :match
ORDER BY bm25(originals_text), t.rowid DESC;

-- facts --
-- Facts by rank.
SELECT f.id, f.session_id FROM facts_text t
JOIN facts f ON f.id = t.rowid
WHERE facts_text MATCH :match AND f.replaced_by IS NULL
ORDER BY bm25(facts_text), t.rowid DESC;

-- originals_with --
-- The newest originals with one term.
SELECT rowid AS id FROM originals_text WHERE originals_text MATCH :term
ORDER BY rowid DESC
LIMIT :limit;

-- facts_with --
-- The newest facts with one term.
SELECT rowid AS id FROM facts_text WHERE facts_text MATCH :term
ORDER BY rowid DESC
LIMIT :limit;

-- original --
-- One original.
SELECT * FROM originals WHERE id = :id;

-- fact --
-- One fact that stands.
SELECT * FROM facts WHERE id = :id AND replaced_by IS NULL;
