-- Which chat a run is for, so that its threads share the chat's places.
ALTER TABLE runs ADD COLUMN chat INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET chat = COALESCE(
    (SELECT s.parent_id FROM sessions s WHERE s.id = runs.session_id), runs.session_id
)
WHERE state IN ('queued', 'running', 'suspended');
CREATE INDEX runs_chat ON runs (chat, priority, due_at) WHERE state = 'queued';

-- What the bot was not told yet, room by room.
CREATE INDEX web_events_due_room ON web_events (room_id, id) WHERE due = 1;

-- When a chat was told last that its questions wait for their turn.
CREATE TABLE delays (
    chat INTEGER PRIMARY KEY,
    told_at INTEGER NOT NULL
);
