-- note --
-- A level changed.
INSERT INTO budget_levels (day, purpose, level, used, at)
VALUES (:day, :purpose, :level, :used, :now);

-- lately --
-- How the levels changed since a moment, in order.
SELECT * FROM budget_levels WHERE at >= :since ORDER BY at, rowid;

-- lately (postgres) --
-- Rows are only ever added, so where they lie tells their order.
SELECT * FROM budget_levels WHERE at >= :since ORDER BY at, ctid;

-- changes --
-- How the levels of a day changed, in order.
SELECT * FROM budget_levels WHERE day = :day ORDER BY at, rowid;

-- changes (postgres) --
-- As above.
SELECT * FROM budget_levels WHERE day = :day ORDER BY at, ctid;
