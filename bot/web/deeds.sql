-- person_named --
-- Whether a name is taken; letters of either case count as the same.
SELECT id FROM web_people WHERE LOWER(name) = LOWER(:name);

-- add_person --
-- A new person; nothing happens when the id is there.
INSERT INTO web_people (id, name, about, created_at)
VALUES (:id, :name, :about, :now)
ON CONFLICT DO NOTHING;

-- room_titled --
-- Whether a group title is taken; letters of either case count as the same.
SELECT id FROM web_rooms WHERE LOWER(title) = LOWER(:title) AND access <> 'direct';

-- add_room --
-- A new room; nothing happens when the id is there.
INSERT INTO web_rooms (id, title, access, created_at)
VALUES (:id, :title, :access, :now)
ON CONFLICT DO NOTHING;

-- add_member --
-- Somebody comes in; nothing happens when they are there. Old posts count as read.
INSERT INTO web_members (room_id, person_id, joined_at, read_post)
VALUES (:room, :person, :now,
    COALESCE((SELECT MAX(id) FROM web_posts WHERE room_id = :room), 0))
ON CONFLICT DO NOTHING;

-- drop_member --
-- Somebody goes.
DELETE FROM web_members WHERE room_id = :room AND person_id = :person;

-- mark_read --
-- Everything in the room was seen.
UPDATE web_members
SET read_post = COALESCE((SELECT MAX(p.id) FROM web_posts p WHERE p.room_id = :room), 0)
WHERE room_id = :room AND person_id = :person;

-- add_post --
-- A new post.
INSERT INTO web_posts
    (room_id, thread_id, author_id, body, at, reply_to, buttons, letter)
VALUES (:room, :thread, :author, :body, :now, :reply_to, :buttons, :letter)
RETURNING id;

-- edit_post --
-- The author's new text.
UPDATE web_posts SET body = :body, version = version + 1, edited_at = :now
WHERE id = :id AND deleted_at IS NULL;

-- delete_post --
-- The text goes, the row stays.
UPDATE web_posts
SET body = '', buttons = '[]', version = version + 1, deleted_at = :now
WHERE id = :id AND deleted_at IS NULL;

-- press --
-- The first press settles the row.
UPDATE web_posts
SET buttons = '[]', chosen = :label, chosen_by = :person
WHERE id = :id AND chosen IS NULL AND deleted_at IS NULL;

-- add_reaction --
-- A reaction; nothing happens when it is there.
INSERT INTO web_reactions (post_id, person_id, emoji, at)
VALUES (:post, :person, :emoji, :now)
ON CONFLICT DO NOTHING;

-- drop_reaction --
-- A reaction taken back.
DELETE FROM web_reactions WHERE post_id = :post AND person_id = :person AND emoji = :emoji;

-- add_event --
-- One line of the log.
INSERT INTO web_events (kind, room_id, post_id, person_id, body, version, at, due)
VALUES (:kind, :room, :post, :person, :body, :version, :now, :due)
RETURNING id;

-- told --
-- The bot has it; the text is then kept in the post alone.
UPDATE web_events SET due = 0, body = '' WHERE id = :id AND due = 1;

-- anonymous --
-- Somebody of whom nothing is left.
INSERT INTO web_people (id, name, about, created_at)
SELECT :new, :name, '', created_at FROM web_people WHERE id = :old;

-- anonymous_room --
-- Their DM, which nobody can enter.
INSERT INTO web_rooms (id, title, access, created_at)
SELECT :new, :title, access, created_at FROM web_rooms WHERE id = :old;

-- leave_all --
-- They are in no room.
DELETE FROM web_members WHERE person_id = :person;

-- leave_room --
-- Nobody is in it.
DELETE FROM web_members WHERE room_id = :room;

-- blank_of_author --
-- What they posted.
UPDATE web_posts SET
    author_id = :new, body = '', buttons = '[]', version = version + 1,
    deleted_at = COALESCE(deleted_at, :now)
WHERE author_id = :old;

-- blank_of_room --
-- What was posted in a room by a moment.
UPDATE web_posts SET
    body = '', buttons = '[]', chosen = NULL, version = version + 1,
    deleted_at = COALESCE(deleted_at, :now)
WHERE room_id = :room AND at <= :until;

-- blank_letters --
-- What the bot posted and is erased.
UPDATE web_posts SET
    body = :mark, buttons = '[]', version = version + 1, edited_at = :now
WHERE letter = :letter AND deleted_at IS NULL;

-- press_as --
-- Which button they pressed stays, not who they were.
UPDATE web_posts SET chosen_by = :new WHERE chosen_by = :old;

-- drop_reactions --
-- How they took what others posted.
DELETE FROM web_reactions WHERE person_id = :person;

-- drop_reactions_in --
-- How posts of a room were taken.
DELETE FROM web_reactions WHERE post_id IN (
    SELECT id FROM web_posts WHERE room_id = :room AND at <= :until
);

-- blank_events --
-- What they did, for whoever still reads the log.
UPDATE web_events SET body = '', person_id = :new WHERE person_id = :old;

-- blank_events_in --
-- What happened in a room by a moment.
UPDATE web_events SET body = '', due = 0 WHERE room_id = :room AND at <= :until;

-- move_posts --
-- To the room of which nothing is left.
UPDATE web_posts SET room_id = :new WHERE room_id = :old;

-- move_events --
-- As above.
UPDATE web_events SET room_id = :new WHERE room_id = :old;

-- drop_room --
-- All that was in it is elsewhere.
DELETE FROM web_rooms WHERE id = :room;

-- drop_person --
-- All that was theirs is somebody else's.
DELETE FROM web_people WHERE id = :person;

-- clear_events --
-- Of the oldest those that are old enough; the newest stays, for numbers go on after it.
DELETE FROM web_events WHERE id IN (
    SELECT id FROM (SELECT id, at, due FROM web_events ORDER BY id LIMIT :limit) AS oldest
    WHERE due = 0 AND at <= :until
) AND id < (SELECT MAX(id) FROM web_events);
