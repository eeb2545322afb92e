-- The web chat's own people, rooms and posts: the platform's side, which the bot sees only
-- through the adapter.
CREATE TABLE web_people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    about TEXT NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE web_rooms (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    access TEXT NOT NULL CHECK (access IN ('open', 'private', 'direct')),
    created_at INTEGER NOT NULL
);

CREATE TABLE web_members (
    room_id TEXT NOT NULL REFERENCES web_rooms (id),
    person_id TEXT NOT NULL REFERENCES web_people (id),
    joined_at INTEGER NOT NULL,
    read_post INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (room_id, person_id)
);
CREATE INDEX web_members_person ON web_members (person_id);

-- A NULL author is the bot. A deleted post keeps its row and loses its text.
CREATE TABLE web_posts (
    id INTEGER PRIMARY KEY,
    room_id TEXT NOT NULL REFERENCES web_rooms (id),
    thread_id INTEGER REFERENCES web_posts (id),
    author_id TEXT REFERENCES web_people (id),
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    edited_at INTEGER,
    deleted_at INTEGER,
    reply_to INTEGER REFERENCES web_posts (id),
    buttons TEXT NOT NULL DEFAULT '[]',
    chosen TEXT,
    chosen_by TEXT REFERENCES web_people (id),
    letter TEXT UNIQUE
);
CREATE INDEX web_posts_room ON web_posts (room_id, id);
CREATE INDEX web_posts_thread ON web_posts (thread_id, id) WHERE thread_id IS NOT NULL;

CREATE TABLE web_reactions (
    post_id INTEGER NOT NULL REFERENCES web_posts (id),
    person_id TEXT NOT NULL REFERENCES web_people (id),
    emoji TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (post_id, emoji, person_id)
);

-- What happened, in order. `due` is 1 until the bot committed it, then 0.
CREATE TABLE web_events (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL
        CHECK (kind IN ('new', 'edit', 'recall', 'reaction', 'action', 'members', 'person')),
    room_id TEXT REFERENCES web_rooms (id),
    post_id INTEGER REFERENCES web_posts (id),
    person_id TEXT REFERENCES web_people (id),
    body TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 1,
    at INTEGER NOT NULL,
    due INTEGER NOT NULL
);
CREATE INDEX web_events_due ON web_events (id) WHERE due = 1;
