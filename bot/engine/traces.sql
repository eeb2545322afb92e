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

-- steps --
-- The turns of a run.
SELECT * FROM steps WHERE run_id = :run ORDER BY n;

-- results --
-- What its tools answered.
SELECT * FROM tool_results WHERE run_id = :run ORDER BY n, started_at, use_id;

-- spent --
-- Where the tokens went.
SELECT * FROM spending ORDER BY day DESC, purpose, model LIMIT :limit;

-- totals --
-- How long a run is, and what it cost.
SELECT COUNT(CASE WHEN role = 'assistant' THEN 1 END) AS answers,
    COALESCE(SUM(input_tokens), 0) AS input, COALESCE(SUM(output_tokens), 0) AS output
FROM steps
WHERE run_id = :run;

-- step_words --
-- What models answered and were told.
SELECT run_id AS id, content AS text FROM steps;

-- blank_steps --
-- That there was a turn stays.
UPDATE steps SET content = :content WHERE run_id IN (SELECT value FROM json_each(:ids));

-- result_words --
-- What tools answered.
SELECT run_id AS id, body || ' ' || reason AS text FROM tool_results;

-- blank_results --
-- That a tool was used stays.
UPDATE tool_results SET body = :mark, reason = CASE WHEN reason = '' THEN '' ELSE :mark END
WHERE run_id IN (SELECT value FROM json_each(:ids));

-- clear_steps --
-- That there was a turn stays, and what it cost.
UPDATE steps SET content = :content WHERE run_id IN (SELECT value FROM json_each(:runs));

-- clear_results --
-- That a tool was used stays, and why.
UPDATE tool_results SET body = :body WHERE run_id IN (SELECT value FROM json_each(:runs));
