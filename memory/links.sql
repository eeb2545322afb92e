-- offer --
-- A person's code; the last one counts.
INSERT INTO link_codes (person_id, code, expires_at) VALUES (:person, :code, :expires)
ON CONFLICT (person_id) DO UPDATE SET code = excluded.code, expires_at = excluded.expires_at;

-- by_code --
-- Whose code it is.
SELECT person_id FROM link_codes WHERE code = :code AND expires_at > :now;

-- spend --
-- A code is good once.
DELETE FROM link_codes WHERE person_id = :person;

-- forget --
-- Somebody turned out to be another person: a code of theirs would lead to nobody.
DELETE FROM link_codes WHERE person_id = :gone;

-- tries --
-- Wrong codes lately.
SELECT tries FROM link_tries WHERE person_id = :person AND since > :after;

-- tried --
-- One more wrong code; those of long ago no longer count.
INSERT INTO link_tries (person_id, tries, since) VALUES (:person, 1, :now)
ON CONFLICT (person_id) DO UPDATE SET
    tries = CASE WHEN link_tries.since > :after THEN link_tries.tries + 1 ELSE 1 END,
    since = CASE WHEN link_tries.since > :after THEN link_tries.since ELSE :now END;

-- forget_tries --
-- How often somebody was wrong.
DELETE FROM link_tries WHERE person_id = :gone;
