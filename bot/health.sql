-- record --
-- How a platform is now; it has been so since it last changed between up and down.
INSERT INTO platforms (name, up, note, since, heard_at, event_at, seen_at)
VALUES (:name, :up, :note, :now, :heard_at, :event_at, :now)
ON CONFLICT (name) DO UPDATE SET
    since = CASE WHEN platforms.up = excluded.up THEN platforms.since ELSE excluded.since END,
    up = excluded.up,
    note = excluded.note,
    heard_at = COALESCE(excluded.heard_at, platforms.heard_at),
    event_at = COALESCE(excluded.event_at, platforms.event_at),
    seen_at = excluded.seen_at;

-- forget --
-- A platform whose connection ended with its process, or that is configured no more.
DELETE FROM platforms WHERE name = :name;

-- every --
-- All platforms.
SELECT * FROM platforms ORDER BY name;

-- try --
-- A row that nobody sees: it shows that something can be written.
INSERT INTO platforms (name, up, note, since, seen_at) VALUES (:name, 0, '', 0, 0)
ON CONFLICT (name) DO NOTHING;
