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
SELECT id, name, is_bot FROM people WHERE joined_into IS NULL ORDER BY name, id LIMIT :limit;
