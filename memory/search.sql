-- originals --
-- Originals by rank.
SELECT o.* FROM originals_text t
JOIN originals o ON o.id = t.rowid
WHERE originals_text MATCH :match AND t.rowid > :after
ORDER BY bm25(originals_text), t.rowid DESC;

-- facts --
-- Facts by rank.
SELECT f.* FROM facts_text t
JOIN facts f ON f.id = t.rowid
WHERE facts_text MATCH :match AND f.replaced_by IS NULL
ORDER BY bm25(facts_text), t.rowid DESC;
