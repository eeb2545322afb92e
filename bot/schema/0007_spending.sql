-- Calls, tokens and money of a day of the team, by purpose and model; money in millionths.
CREATE TABLE spending (
    day TEXT NOT NULL,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    currency TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    PRIMARY KEY (day, purpose, model, currency)
);

-- What was booked before prices were known counted days in UTC, and no money.
INSERT INTO spending
SELECT day, purpose, model, '', calls, input_tokens, output_tokens, cache_read_tokens,
    cache_write_tokens, 0
FROM usage;
DROP TABLE usage;

-- What a run was given to think with when it started, which holds until it ends.
ALTER TABLE runs ADD COLUMN ration TEXT NOT NULL DEFAULT ''
    CHECK (ration IN ('', 'full', 'small', 'builtin', 'waits'));
