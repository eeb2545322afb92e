-- inputs --
-- What nobody has seen.
SELECT COUNT(*) AS n, MIN(created_at) AS oldest FROM inputs WHERE state = 'pending';

-- queued --
-- Runs that start when they are due; one for a later day is not late before.
SELECT COUNT(*) AS n, MIN(due_at) AS oldest FROM runs WHERE state = 'queued' AND held = 0;

-- held --
-- Runs that wait for their model.
SELECT COUNT(*) AS n, MIN(due_at) AS oldest FROM runs WHERE state = 'queued' AND held > 0;

-- running --
-- Runs in progress.
SELECT COUNT(*) AS n, MIN(started_at) AS oldest FROM runs WHERE state = 'running';

-- pending --
-- Letters to be posted; one that waits for its hour is not late before.
SELECT COUNT(*) AS n, MIN(not_before) AS oldest FROM letters WHERE state = 'pending';

-- doubtful --
-- Letters of which nobody knows whether they arrived, those being posted among them.
SELECT COUNT(*) AS n, MIN(created_at) AS oldest FROM letters WHERE state IN ('sending', 'unknown');
