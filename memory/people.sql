-- account --
-- Who an account belongs to.
SELECT person_id, name FROM accounts
WHERE platform = :platform AND tenant = :tenant AND native_id = :native_id;

-- of_native --
-- Who has an id on a platform, in whatever workspace.
SELECT DISTINCT person_id FROM accounts
WHERE platform = :platform AND native_id = :native_id
ORDER BY person_id;

-- rename_account --
-- Take over the name the platform shows now.
UPDATE accounts SET name = :name
WHERE platform = :platform AND tenant = :tenant AND native_id = :native_id;

-- rename_person --
-- People are called what their last used account is called.
UPDATE people SET name = :name WHERE id = :id;

-- learn_email --
-- A platform shows the address later than the name; nothing when it is another person's.
UPDATE people SET email = :email
WHERE id = :id AND email IS NULL AND is_bot = 0
    AND NOT EXISTS (SELECT 1 FROM people WHERE email = :email);

-- by_email --
-- The same address on two platforms is the same person.
SELECT id FROM people WHERE email = :email;

-- same_address --
-- Somebody else with it, where the person has none.
SELECT o.id FROM people o
JOIN people p ON p.id = :id AND p.email IS NULL AND p.is_bot = 0
WHERE o.email = :email AND o.id <> :id;

-- by_id --
-- One person.
SELECT id, name, is_bot FROM people WHERE id = :id;

-- add_person --
-- A person seen for the first time.
INSERT INTO people (name, email, is_bot, created_at)
VALUES (:name, :email, :is_bot, :now)
RETURNING id;

-- add_account --
-- An account seen for the first time.
INSERT INTO accounts (person_id, platform, tenant, native_id, name)
VALUES (:person, :platform, :tenant, :native_id, :name);

-- accounts --
-- Every account of a person.
SELECT platform, tenant, native_id, name FROM accounts WHERE person_id = :person ORDER BY id;

-- email --
-- Somebody's address.
SELECT email FROM people WHERE id = :id;

-- join_into --
-- Somebody turned out to be another person; what is left is a name in old records.
UPDATE people SET joined_into = :kept, email = NULL WHERE id = :gone;

-- move_accounts --
-- Whose accounts they are now.
UPDATE accounts SET person_id = :kept WHERE person_id = :gone;

-- record_join --
-- That it was done, and why.
INSERT INTO joins (gone_id, kept_id, reason, at) VALUES (:gone, :kept, :reason, :now);

-- everyone --
-- The people known, by name.
SELECT id, name, is_bot FROM people WHERE joined_into IS NULL AND erased_at IS NULL ORDER BY name, id LIMIT :limit;

-- mentioned --
-- Those whose names begin like words of a text, most words first, and those nobody filed yet.
SELECT p.id, p.name, p.is_bot
FROM (
    SELECT person_id AS id, COUNT(*) AS words FROM name_starts
    WHERE start IN (SELECT value FROM json_each(:starts, '$'))
    GROUP BY person_id
    UNION ALL
    SELECT id, 0 AS words FROM people
    WHERE filed = 0 AND joined_into IS NULL AND erased_at IS NULL
) AS found
JOIN people p ON p.id = found.id
WHERE p.joined_into IS NULL AND p.erased_at IS NULL
ORDER BY found.words DESC, p.name, p.id
LIMIT :limit;

-- called --
-- What some of those known are called.
SELECT id, name FROM people
WHERE id IN (SELECT value FROM json_each(:ids)) AND joined_into IS NULL AND erased_at IS NULL;

-- unfiled --
-- Who is known, but not yet by the words of the name.
SELECT id, name FROM people
WHERE filed = 0 AND joined_into IS NULL AND erased_at IS NULL
ORDER BY id;

-- add_start --
-- A word of a name.
INSERT INTO name_starts (start, person_id) VALUES (:start, :id);

-- drop_starts --
-- The words of a name that is another now, or nobody's.
DELETE FROM name_starts WHERE person_id = :id;

-- filed --
-- The words of the name are there.
UPDATE people SET filed = 1 WHERE id = :id;

-- erase --
-- What is left is a number that old records point at.
UPDATE people SET name = :mark, email = NULL, erased_at = COALESCE(erased_at, :now) WHERE id = :id;

-- drop_accounts --
-- Whoever speaks from there is somebody new.
DELETE FROM accounts WHERE person_id = :id;

-- forget_joins --
-- Why they were taken for one.
UPDATE joins SET reason = :mark WHERE kept_id = :id OR gone_id = :id;

-- joined --
-- Who turned out to be somebody.
SELECT id FROM people WHERE joined_into = :id ORDER BY id;

-- whole --
-- All that is known of somebody.
SELECT id, name, email, is_bot, created_at, joined_into, erased_at FROM people WHERE id = :id;

-- joins --
-- Which accounts were taken for one.
SELECT kept_id, gone_id, reason, at FROM joins WHERE kept_id = :id OR gone_id = :id ORDER BY id;

-- known_before --
-- Every account of those who were there at a moment.
SELECT a.person_id, a.platform, a.tenant, a.native_id FROM accounts a
JOIN people p ON p.id = a.person_id
WHERE p.created_at < :until
ORDER BY a.id;
