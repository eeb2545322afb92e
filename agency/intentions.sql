-- hold --
-- Keep something to come back to.
INSERT INTO intentions (body, terms, due_at, state, created_at, updated_at)
VALUES (:body, :terms, :due, 'held', :now, :now)
RETURNING id;

-- ripen --
-- Its trigger came.
UPDATE intentions SET state = 'ripe', updated_at = :now WHERE id = :id AND state = 'held';

-- close --
-- Acted on, or no longer of interest.
UPDATE intentions SET state = :state, reason = :reason, updated_at = :now
WHERE id = :id AND state IN ('held', 'ripe') AND (:state <> 'done' OR state = 'ripe');

-- due --
-- Held ones whose time has come.
SELECT * FROM intentions WHERE state = 'held' AND due_at <= :now ORDER BY due_at, id;

-- next_moment --
-- When the next held one is due.
SELECT MIN(due_at) AS at FROM intentions WHERE state = 'held';

-- awaiting_words --
-- Held ones that wait for words.
SELECT * FROM intentions WHERE state = 'held' AND terms <> '[]' ORDER BY id;

-- current --
-- Held and ripe ones.
SELECT * FROM intentions WHERE state IN ('held', 'ripe') ORDER BY id LIMIT :limit;
