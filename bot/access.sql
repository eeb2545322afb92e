-- grant --
-- An admin lets an account in, or keeps it out.
INSERT INTO grants (platform, native_id, allowed, by_person, at)
VALUES (:platform, :native_id, :allowed, :by, :now)
ON CONFLICT (platform, native_id) DO UPDATE SET
    allowed = excluded.allowed, by_person = excluded.by_person, at = excluded.at;

-- granted --
-- What an admin said of an account.
SELECT allowed FROM grants WHERE platform = :platform AND native_id = :native_id;

-- sweep_pairings --
-- Codes that are too old.
DELETE FROM pairings WHERE expires_at <= :now;

-- pairing_of --
-- The code of an account.
SELECT code FROM pairings WHERE platform = :platform AND native_id = :native_id;

-- count_pairings --
-- How many wait.
SELECT COUNT(*) AS n FROM pairings;

-- add_pairing --
-- Somebody waits for an admin's word.
INSERT INTO pairings (code, platform, native_id, name, session_id, expires_at)
VALUES (:code, :platform, :native_id, :name, :session, :expires);

-- pairing --
-- Who waits under a code.
SELECT platform, native_id, name, session_id FROM pairings
WHERE code = :code AND expires_at > :now;

-- end_pairing --
-- It was confirmed.
DELETE FROM pairings WHERE code = :code;

-- refuse --
-- Somebody was told no once more today, unless often enough.
INSERT INTO refusals (platform, native_id, day, times) VALUES (:platform, :native_id, :day, 1)
ON CONFLICT (platform, native_id, day) DO UPDATE SET times = refusals.times + 1
WHERE refusals.times < :most
RETURNING times;

-- person_spoke --
-- A person's word ends the row of runs that bots caused.
DELETE FROM bot_turns WHERE session_id = :session;

-- bot_turn --
-- One more run that a bot causes, unless there were too many in a row.
INSERT INTO bot_turns (session_id, turns) VALUES (:session, 1)
ON CONFLICT (session_id) DO UPDATE SET turns = bot_turns.turns + 1
WHERE bot_turns.turns < :most
RETURNING turns;

-- erase_grants --
-- What an admin said of an account.
DELETE FROM grants WHERE platform = :platform AND native_id = :native_id;

-- erase_pairings --
-- That an account waited.
DELETE FROM pairings WHERE platform = :platform AND native_id = :native_id;

-- clear_refusals --
-- Days that are over long since.
DELETE FROM refusals WHERE (platform, native_id, day) IN (
    SELECT platform, native_id, day FROM refusals WHERE day < :before LIMIT :limit
);

-- erase_refusals --
-- How often an account was told no.
DELETE FROM refusals WHERE platform = :platform AND native_id = :native_id;

-- drop_pairings --
-- Who waited in a chat that is erased.
DELETE FROM pairings WHERE session_id IN (SELECT value FROM json_each(:sessions));

-- grants_of --
-- What an admin said of an account.
SELECT * FROM grants WHERE platform = :platform AND native_id = :native_id;
