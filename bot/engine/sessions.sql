-- by_key --
-- The session of a room, or an inner one by name.
SELECT * FROM sessions WHERE key = :key;

-- by_id --
-- One session.
SELECT * FROM sessions WHERE id = :id;

-- add --
-- A session seen for the first time; a thread begins with the attention of its chat.
INSERT INTO sessions (kind, key, parent_id, attention, created_at, last_at)
VALUES (
    :kind, :key, :parent,
    COALESCE(
        (SELECT attention FROM sessions WHERE id = :parent AND :kind = 'conversation'), 'addressed'
    ),
    :now, :now
)
RETURNING *;

-- touch --
-- Something happened in it.
UPDATE sessions SET last_at = :now, stirred = 1 WHERE id = :id;

-- move --
-- Its chat goes on under another address.
UPDATE sessions SET key = :key WHERE id = :id;

-- stirred --
-- Where something was said that no memory run was started for, longest ago first.
SELECT * FROM sessions
WHERE stirred = 1 AND kind = 'conversation' AND attention <> 'off'
ORDER BY last_at
LIMIT :limit;

-- bring_near --
-- The clock was set back: the quiet while is counted from now.
UPDATE sessions SET last_at = :now WHERE stirred = 1 AND last_at > :now;

-- rest --
-- A memory run was started for all of it, or there is nothing to read.
UPDATE sessions SET stirred = 0 WHERE id = :id;

-- kin --
-- The other sessions of the same chat.
SELECT id FROM sessions
WHERE kind = 'conversation' AND (id = :root OR parent_id = :root) AND id <> :id
ORDER BY id;

-- set_attention --
-- When the bot runs in it, and in its threads.
UPDATE sessions SET attention = :attention
WHERE kind = 'conversation' AND (id = :id OR parent_id = :id);

-- switched_off --
-- Those that want nothing passed on.
SELECT id FROM sessions WHERE attention = 'off';

-- recent --
-- Where something happened last.
SELECT * FROM sessions WHERE kind = 'conversation' ORDER BY last_at DESC LIMIT :limit;

-- count --
-- How many conversations there are.
SELECT COUNT(*) AS n FROM sessions WHERE kind = 'conversation';

-- erase --
-- Its chat begins anew when something is said there again.
UPDATE sessions SET key = :key, attention = 'off', stirred = 0 WHERE id = :id;

-- before --
-- The conversations that were there at a moment.
SELECT id, key FROM sessions WHERE kind = 'conversation' AND created_at < :until ORDER BY id;
