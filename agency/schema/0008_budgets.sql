-- What a day's budget came to: each change of a level, kept so that the admins are told once.
CREATE TABLE budget_levels (
    day TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('foreground', 'agency', 'memory', 'background')),
    level TEXT NOT NULL CHECK (level IN ('ok', 'cheaper', 'builtin', 'paused')),
    used INTEGER NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX budget_levels_day ON budget_levels (day, at);
CREATE INDEX budget_levels_at ON budget_levels (at);
