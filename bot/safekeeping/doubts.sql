-- note --
-- A backup was put back.
INSERT INTO restores (source, made_at, at, doubts) VALUES (:source, :made, :at, :doubts);

-- last --
-- The last time one was.
SELECT * FROM restores ORDER BY id DESC LIMIT 1;

-- at --
-- The one of a moment.
SELECT id FROM restores WHERE at = :at;
