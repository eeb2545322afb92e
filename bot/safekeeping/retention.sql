-- note --
-- How far a kind has come.
INSERT INTO clearings (kind, night, done, passed, cleared, at)
VALUES (:kind, :night, :done, :passed, :cleared, :now)
ON CONFLICT (kind) DO UPDATE SET
    night = excluded.night, done = excluded.done, passed = excluded.passed,
    cleared = excluded.cleared, at = excluded.at;

-- all --
-- Every kind.
SELECT * FROM clearings ORDER BY kind;
