-- of_person --
-- What a person said, and what a platform shows of them.
SELECT * FROM wants WHERE person_id = :person;

-- set_zone --
-- Their own word.
INSERT INTO wants (person_id, zone, updated_at) VALUES (:person, :zone, :now)
ON CONFLICT (person_id) DO UPDATE SET zone = excluded.zone, updated_at = excluded.updated_at;

-- show_zone --
-- What a platform says of them.
INSERT INTO wants (person_id, zone_shown, updated_at) VALUES (:person, :zone, :now)
ON CONFLICT (person_id) DO UPDATE SET
    zone_shown = excluded.zone_shown, updated_at = excluded.updated_at
WHERE COALESCE(wants.zone_shown, '') <> COALESCE(excluded.zone_shown, '');

-- set_quiet --
-- Their own quiet hours; the same time twice for none at all.
INSERT INTO wants (person_id, quiet_from, quiet_to, updated_at)
VALUES (:person, :start, :over, :now)
ON CONFLICT (person_id) DO UPDATE SET
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
    updated_at = excluded.updated_at;

-- set_digest --
-- The hour of their digest.
INSERT INTO wants (person_id, digest_at, updated_at) VALUES (:person, :at, :now)
ON CONFLICT (person_id) DO UPDATE SET
    digest_at = excluded.digest_at, updated_at = excluded.updated_at;

-- set_pause --
-- Nothing unasked before a moment, or at once again.
INSERT INTO wants (person_id, paused_until, updated_at) VALUES (:person, :until, :now)
ON CONFLICT (person_id) DO UPDATE SET
    paused_until = excluded.paused_until, updated_at = excluded.updated_at;

-- set_quota --
-- Unasked messages a day.
INSERT INTO wants (person_id, quota, updated_at) VALUES (:person, :quota, :now)
ON CONFLICT (person_id) DO UPDATE SET quota = excluded.quota, updated_at = excluded.updated_at;

-- join --
-- What either account said holds for the one person.
INSERT INTO wants (
    person_id, zone, zone_shown, quiet_from, quiet_to, digest_at, paused_until, quota, updated_at
)
SELECT
    :kept, zone, zone_shown, quiet_from, quiet_to, digest_at, paused_until, quota, updated_at
FROM wants WHERE person_id = :gone
ON CONFLICT (person_id) DO UPDATE SET
    zone = COALESCE(wants.zone, excluded.zone),
    zone_shown = COALESCE(wants.zone_shown, excluded.zone_shown),
    quiet_to = CASE WHEN wants.quiet_from IS NULL THEN excluded.quiet_to ELSE wants.quiet_to END,
    quiet_from = COALESCE(wants.quiet_from, excluded.quiet_from),
    digest_at = COALESCE(wants.digest_at, excluded.digest_at),
    paused_until = COALESCE(wants.paused_until, excluded.paused_until),
    quota = COALESCE(wants.quota, excluded.quota);

-- forget --
-- The person is another one now.
DELETE FROM wants WHERE person_id = :person;
