-- A long letter goes out in pieces: each is a letter behind its head, before whatever came later.
ALTER TABLE letters ADD COLUMN head INTEGER;
