-- people --
-- Everybody, in the order they came.
SELECT id, name, about FROM web_people ORDER BY created_at, name;

-- person --
-- One person.
SELECT id, name, about FROM web_people WHERE id = :id;

-- room --
-- One room.
SELECT id, title, access FROM web_rooms WHERE id = :id;

-- members --
-- The people in one room, in the order they came into it.
SELECT p.id, p.name, p.about
FROM web_members m
JOIN web_people p ON p.id = m.person_id
WHERE m.room_id = :room
ORDER BY m.joined_at, p.created_at, p.name;

-- visible_members --
-- The people in every room that a person may see.
SELECT m.room_id, p.id, p.name, p.about
FROM web_rooms r
JOIN web_members m ON m.room_id = r.id
JOIN web_people p ON p.id = m.person_id
WHERE r.access = 'open'
    OR r.id IN (SELECT room_id FROM web_members WHERE person_id = :person)
ORDER BY m.joined_at, p.created_at, p.name;

-- visible_rooms --
-- The rooms a person may see, with what is new in them; counting stops at 100.
SELECT r.id, r.title, r.access, m.person_id IS NOT NULL AS joined,
    CASE WHEN m.person_id IS NULL THEN 0 ELSE (
        SELECT COUNT(*) FROM (
            SELECT 1 FROM web_posts p
            WHERE p.room_id = r.id AND p.id > m.read_post AND p.deleted_at IS NULL
                AND (p.author_id IS NULL OR p.author_id <> :person)
            LIMIT 100
        ) AS news
    ) END AS unread,
    (SELECT p.at FROM web_posts p WHERE p.room_id = r.id ORDER BY p.id DESC LIMIT 1) AS last_at
FROM web_rooms r
LEFT JOIN web_members m ON m.room_id = r.id AND m.person_id = :person
WHERE r.access = 'open' OR m.person_id IS NOT NULL
ORDER BY r.created_at, r.title;

-- in_room --
-- Posts of the room itself before an id, newest first.
SELECT p.*, a.name AS author_name, c.name AS chosen_name, q.author_id AS quote_author,
    qa.name AS quote_name, q.body AS quote_body
FROM web_posts p
LEFT JOIN web_people a ON a.id = p.author_id
LEFT JOIN web_people c ON c.id = p.chosen_by
LEFT JOIN web_posts q ON q.id = p.reply_to
LEFT JOIN web_people qa ON qa.id = q.author_id
WHERE p.room_id = :room AND p.thread_id IS NULL AND p.id < :before
ORDER BY p.id DESC
LIMIT :limit;

-- in_thread --
-- Posts under a root before an id, newest first.
SELECT p.*, a.name AS author_name, c.name AS chosen_name, q.author_id AS quote_author,
    qa.name AS quote_name, q.body AS quote_body
FROM web_posts p
LEFT JOIN web_people a ON a.id = p.author_id
LEFT JOIN web_people c ON c.id = p.chosen_by
LEFT JOIN web_posts q ON q.id = p.reply_to
LEFT JOIN web_people qa ON qa.id = q.author_id
WHERE p.thread_id = :thread AND p.id < :before
ORDER BY p.id DESC
LIMIT :limit;

-- post --
-- One post with what is shown around it.
SELECT p.*, a.name AS author_name, c.name AS chosen_name, q.author_id AS quote_author,
    qa.name AS quote_name, q.body AS quote_body
FROM web_posts p
LEFT JOIN web_people a ON a.id = p.author_id
LEFT JOIN web_people c ON c.id = p.chosen_by
LEFT JOIN web_posts q ON q.id = p.reply_to
LEFT JOIN web_people qa ON qa.id = q.author_id
WHERE p.id = :id;

-- post_of_letter --
-- The post of a key.
SELECT id FROM web_posts WHERE letter = :letter;

-- reactions --
-- The reactions under a stretch of a room's posts.
SELECT e.post_id, e.emoji, e.person_id
FROM web_posts p
JOIN web_reactions e ON e.post_id = p.id
WHERE p.room_id = :room AND p.id BETWEEN :low AND :high
ORDER BY e.post_id, e.at, e.person_id;

-- replies --
-- How long the threads under a stretch of a room's posts are.
SELECT r.thread_id, COUNT(*) AS replies, MAX(r.at) AS replied_at
FROM web_posts r
WHERE r.thread_id BETWEEN :low AND :high AND r.room_id = :room AND r.deleted_at IS NULL
GROUP BY r.thread_id;

-- visible_events --
-- The log as one person may see it. Who was put out of a room still learns that.
SELECT e.*
FROM web_events e
LEFT JOIN web_rooms r ON r.id = e.room_id
WHERE e.id > :after
    AND (e.room_id IS NULL OR r.access = 'open'
        OR (e.kind = 'members' AND e.person_id = :person)
        OR EXISTS (SELECT 1 FROM web_members m
            WHERE m.room_id = e.room_id AND m.person_id = :person))
ORDER BY e.id
LIMIT :limit;

-- last_event --
-- The newest sequence number.
SELECT COALESCE(MAX(id), 0) AS id FROM web_events;

-- due --
-- What the bot was not told: of every room but some its oldest, so many, and all oldest first.
WITH RECURSIVE heads(room) AS (
    SELECT MIN(room_id) FROM web_events WHERE due = 1
    UNION ALL
    SELECT (
        SELECT MIN(later.room_id) FROM web_events later
        WHERE later.due = 1 AND later.room_id > heads.room
    )
    FROM heads WHERE heads.room IS NOT NULL
)
SELECT e.* FROM heads JOIN web_events e ON e.id IN (
    SELECT one.id FROM web_events one
    WHERE one.due = 1 AND one.room_id = heads.room
    ORDER BY one.id
    LIMIT :share
)
WHERE heads.room NOT IN (SELECT value FROM json_each(:but, '$'))
ORDER BY e.id
LIMIT :limit;
