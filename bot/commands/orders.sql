-- take --
-- An order is carried out once, however often its message comes.
INSERT INTO commands (original_id, session_id, word, at) VALUES (:original, :session, :word, :now)
ON CONFLICT (original_id) DO NOTHING
RETURNING original_id;
