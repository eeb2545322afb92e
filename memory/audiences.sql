-- digest --
-- What was last recorded, to skip writing it again.
SELECT digest FROM audiences WHERE session_id = :session;

-- record --
-- The room as its platform shows it now.
INSERT INTO audiences (
    session_id, title, kind, open, workspace, complete, outsiders, digest, updated_at
)
VALUES (
    :session, :title, :kind, :open, :workspace, :complete, :outsiders, :digest, :now
)
ON CONFLICT (session_id) DO UPDATE SET
    title = excluded.title,
    kind = excluded.kind,
    open = excluded.open,
    workspace = excluded.workspace,
    complete = excluded.complete,
    outsiders = excluded.outsiders,
    digest = excluded.digest,
    updated_at = excluded.updated_at;

-- clear_members --
-- Before the present list is written.
DELETE FROM members WHERE session_id = :session;

-- add_member --
-- Somebody who hears this session.
INSERT INTO members (session_id, person_id) VALUES (:session, :person)
ON CONFLICT DO NOTHING;

-- join_members --
-- One person is where another was.
INSERT INTO members (session_id, person_id)
SELECT session_id, :kept FROM members WHERE person_id = :gone
ON CONFLICT DO NOTHING;

-- leave --
-- Somebody is in no room any more.
DELETE FROM members WHERE person_id = :person;

-- by_session --
-- One audience, a row for each who hears it; one row where nobody is known to.
SELECT a.*, m.person_id
FROM audiences a LEFT JOIN members m ON m.session_id = a.session_id
WHERE a.session_id = :session
ORDER BY m.person_id;

-- by_sessions --
-- Several audiences, a row for each who hears one.
SELECT a.*, m.person_id
FROM audiences a LEFT JOIN members m ON m.session_id = a.session_id
WHERE a.session_id IN (SELECT value FROM json_each(:sessions))
ORDER BY a.session_id, m.person_id;

-- open_among --
-- The open rooms of a workspace; who is in them is not read.
SELECT session_id FROM audiences
WHERE session_id IN (SELECT value FROM json_each(:sessions))
    AND open = 1 AND kind = 'group' AND workspace = :workspace;

-- titled --
-- Rooms by what people call them.
SELECT session_id FROM audiences WHERE title IN (:title, '#' || :title) ORDER BY session_id;

-- sessions_of --
-- The sessions a person is in.
SELECT session_id FROM members WHERE person_id = :person;

-- direct_with --
-- The DMs of a person.
SELECT m.session_id FROM members m
JOIN audiences a ON a.session_id = m.session_id
WHERE m.person_id = :person AND a.kind = 'direct'
ORDER BY m.session_id;

-- blank --
-- Nobody hears what is erased, and nobody is to read what it was called.
UPDATE audiences SET title = :mark, digest = '', open = 0, complete = 0, workspace = ''
WHERE session_id IN (SELECT value FROM json_each(:ids));

-- empty --
-- Nobody is in it.
DELETE FROM members WHERE session_id IN (SELECT value FROM json_each(:ids));
