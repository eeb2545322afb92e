-- book --
-- Add a call to its day.
INSERT INTO spending (
    day, purpose, model, currency, calls, input_tokens, output_tokens, cache_read_tokens,
    cache_write_tokens, cost
)
VALUES (:day, :purpose, :model, :currency, 1, :input, :output, :read, :write, :cost)
ON CONFLICT (day, purpose, model, currency) DO UPDATE SET
    calls = spending.calls + 1,
    input_tokens = spending.input_tokens + excluded.input_tokens,
    output_tokens = spending.output_tokens + excluded.output_tokens,
    cache_read_tokens = spending.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = spending.cache_write_tokens + excluded.cache_write_tokens,
    cost = spending.cost + excluded.cost;

-- since --
-- Where it went from a day on, newest day first.
SELECT * FROM spending WHERE day >= :day ORDER BY day DESC, purpose, model, currency;

-- of_day --
-- Where it went in one day.
SELECT * FROM spending WHERE day = :day ORDER BY purpose, model, currency;
