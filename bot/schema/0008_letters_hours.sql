-- A letter somebody timed themselves goes out at any hour; others nobody asked for wait for theirs.
ALTER TABLE letters ADD COLUMN timed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE letters ADD COLUMN waited_until INTEGER;
