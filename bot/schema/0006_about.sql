-- What a letter is about that no run wrote, such as `approval:3`: the beginning of its why-chain.
ALTER TABLE letters ADD COLUMN about TEXT NOT NULL DEFAULT '';

CREATE INDEX runs_suspended ON runs (session_id, id) WHERE state = 'suspended';
