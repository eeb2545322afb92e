-- note --
-- A version runs here.
INSERT INTO programs (version, first_at) VALUES (:version, :now)
ON CONFLICT (version) DO NOTHING;

-- all --
-- The versions that ran here, the newest last.
SELECT * FROM programs ORDER BY first_at, version;

-- since --
-- When the first one came.
SELECT MIN(first_at) AS at FROM programs;
