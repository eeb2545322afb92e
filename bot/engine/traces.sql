-- add_step --
-- One turn.
INSERT INTO steps (
    run_id, n, role, content, model, input_tokens, output_tokens, started_at, finished_at
)
VALUES (:run, :n, :role, :content, :model, :input, :output, :started, :finished);

-- add_result --
-- What a tool answered; the first answer stands.
INSERT INTO tool_results (
    run_id, use_id, n, name, body, failed, ends_run, outcome, reason, started_at, finished_at
)
VALUES (
    :run, :use, :n, :name, :body, :failed, :ends_run, :outcome, :reason, :started, :finished
)
ON CONFLICT (run_id, n, use_id) DO NOTHING;

-- book --
-- Add a call to its day.
INSERT INTO usage (
    day, purpose, model, calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens
)
VALUES (:day, :purpose, :model, 1, :input, :output, :read, :write)
ON CONFLICT (day, purpose, model) DO UPDATE SET
    calls = usage.calls + 1,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    output_tokens = usage.output_tokens + excluded.output_tokens,
    cache_read_tokens = usage.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = usage.cache_write_tokens + excluded.cache_write_tokens;

-- steps --
-- The turns of a run.
SELECT * FROM steps WHERE run_id = :run ORDER BY n;

-- results --
-- What its tools answered.
SELECT * FROM tool_results WHERE run_id = :run ORDER BY n, started_at, use_id;

-- spent --
-- Where the tokens went.
SELECT * FROM usage ORDER BY day DESC, purpose, model LIMIT :limit;

-- totals --
-- How long a run is, and what it cost.
SELECT COUNT(CASE WHEN role = 'assistant' THEN 1 END) AS answers,
    COALESCE(SUM(input_tokens), 0) AS input, COALESCE(SUM(output_tokens), 0) AS output
FROM steps
WHERE run_id = :run;

-- of_day --
-- Where the tokens of one day went.
SELECT * FROM usage WHERE day = :day ORDER BY purpose, model;
