-- record --
-- That it was done.
INSERT INTO erasures (kind, subject_id, marks, counts, at)
VALUES (:kind, :subject, :marks, :counts, :at)
ON CONFLICT (kind, subject_id, at) DO NOTHING;

-- records --
-- Every one, in order.
SELECT kind, subject_id, marks, counts, at FROM erasures ORDER BY at, id;
