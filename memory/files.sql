-- keep --
-- A file that was sent with an original.
INSERT INTO files (original_id, locator, name, mime, size, state, not_before)
VALUES (:original, :locator, :name, :mime, :size, 'waiting', :now);

-- begin --
-- Another try begins; counted before it, so that a file that kills the process is given up once.
UPDATE files SET attempts = attempts + 1 WHERE id = :id AND state = 'waiting';

-- read --
-- What it holds is known.
UPDATE files SET state = 'read', text = :text, picture = :picture, note = :note
WHERE id = :id AND state = 'waiting';

-- refuse --
-- It will not be read, for the reason noted.
UPDATE files SET state = 'unreadable', note = :note WHERE id = :id AND state = 'waiting';

-- put_off --
-- It could not be fetched now.
UPDATE files SET not_before = :due WHERE id = :id AND state = 'waiting';

-- forget --
-- Its message was taken back, or goes on without it.
UPDATE files SET state = 'gone', name = '', locator = '', text = '', note = ''
WHERE id = :id AND state IN ('waiting', 'read', 'unreadable');

-- remove --
-- Its picture is off the disk.
UPDATE files SET state = 'removed', picture = '' WHERE id = :id AND state = 'gone';

-- of_originals --
-- The files some originals have now.
SELECT * FROM files
WHERE original_id IN (SELECT value FROM json_each(:originals))
    AND state IN ('waiting', 'read', 'unreadable')
ORDER BY id;

-- words_of --
-- What files of some originals are called and say.
SELECT original_id, name, text FROM files
WHERE original_id IN (SELECT value FROM json_each(:originals))
    AND state IN ('waiting', 'read', 'unreadable')
ORDER BY id;

-- due --
-- Those to be fetched now.
SELECT * FROM files WHERE state = 'waiting' AND not_before <= :now
ORDER BY not_before, id
LIMIT :limit;

-- bring_near --
-- The clock was set back.
UPDATE files SET not_before = not_before - :by
WHERE state = 'waiting' AND not_before > :now AND not_before <= :until;

-- next_due --
-- When the next one that is not due yet may be fetched.
SELECT MIN(not_before) AS due FROM files WHERE state = 'waiting' AND not_before > :now;

-- backlog --
-- Those to be fetched, and since when the first of them could be.
SELECT COUNT(*) AS n, MIN(not_before) AS oldest FROM files WHERE state = 'waiting';

-- expected --
-- The originals with a file that may be read before a moment.
SELECT DISTINCT original_id FROM files WHERE state = 'waiting' AND not_before < :until;

-- gone --
-- Those that may have left a picture on the disk.
SELECT id, picture FROM files WHERE state = 'gone' ORDER BY id LIMIT :limit;

-- pictures --
-- What lies on the disk.
SELECT picture FROM files WHERE state = 'read' AND picture <> '' ORDER BY id;

-- tally --
-- How many files of a stretch of time were read.
SELECT o.session_id, COUNT(*) AS n FROM files f
JOIN originals o ON o.id = f.original_id
WHERE f.original_id > (
    SELECT COALESCE(MAX(id), 0) FROM (
        SELECT id FROM originals WHERE received_at < :since ORDER BY id DESC LIMIT 1
    )
) AND o.received_at >= :since AND o.received_at < :until
    AND f.state = 'read'
GROUP BY o.session_id;
