-- begin --
-- The model went away; nothing when that is known already.
INSERT INTO outages (state, error, pause, probe_at, began_at)
VALUES ('open', :error, :pause, :probe_at, :now)
ON CONFLICT (state) WHERE state = 'open' DO NOTHING;

-- current --
-- The one that goes on.
SELECT * FROM outages WHERE state = 'open';

-- latest --
-- The newest one.
SELECT * FROM outages ORDER BY id DESC LIMIT 1;

-- probing --
-- Somebody asks for all the others.
UPDATE outages SET probe_at = :until, pause = :pause WHERE id = :id;

-- failed --
-- It is still away.
UPDATE outages
SET probes = probes + 1, error = :error, pause = :pause, probe_at = :probe_at
WHERE id = :id AND state = 'open';

-- look_now --
-- Whatever it waited for, it is asked now.
UPDATE outages SET probe_at = :now WHERE state = 'open';

-- finish --
-- It answered.
UPDATE outages SET state = 'over', ended_at = :now WHERE state = 'open';
