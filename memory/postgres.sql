-- words --
-- English word forms come to one, and no word is left out.
DO $$ BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_ts_dict
        WHERE dictname = 'limen_words' AND dictnamespace = current_schema()::regnamespace
    ) THEN
        CREATE TEXT SEARCH DICTIONARY limen_words (TEMPLATE = snowball, LANGUAGE = english);
        CREATE TEXT SEARCH CONFIGURATION limen (PARSER = "default");
        ALTER TEXT SEARCH CONFIGURATION limen
            ADD MAPPING FOR
                asciiword, word, numword, int, uint, float, sfloat, version, host, url, url_path,
                file, email, hword, asciihword, numhword, hword_part, hword_asciipart, hword_numpart
            WITH limen_words;
    END IF;
END $$;

-- each --
-- The numbers of a list.
CREATE OR REPLACE FUNCTION limen_each(list TEXT) RETURNS TABLE (value BIGINT)
LANGUAGE SQL IMMUTABLE STRICT ROWS 20
AS $$ SELECT jsonb_array_elements_text(list::jsonb)::bigint $$;

-- each_word --
-- The words of a list; `path` is always the whole of it.
CREATE OR REPLACE FUNCTION limen_each(list TEXT, path TEXT) RETURNS TABLE (value TEXT)
LANGUAGE SQL IMMUTABLE STRICT ROWS 20
AS $$ SELECT jsonb_array_elements_text(list::jsonb) $$;

-- fold --
-- Small letters without accents.
CREATE OR REPLACE FUNCTION limen_fold(said TEXT) RETURNS TEXT
LANGUAGE SQL IMMUTABLE STRICT
AS $$
    SELECT normalize(
        regexp_replace(normalize(lower(said COLLATE "default"), NFD), U&'[\0300-\036F]', '', 'g'), NFC
    )
$$;

-- vector --
-- What is found of a prepared text; the index takes no more than a million bytes of one.
CREATE OR REPLACE FUNCTION limen_vector(said TEXT) RETURNS TSVECTOR
LANGUAGE SQL IMMUTABLE STRICT
AS $$ SELECT to_tsvector('limen', left(limen_fold(said), 150000)) $$;

-- terms --
-- The terms of a MATCH expression: `"two words" OR "beginn" *`.
CREATE OR REPLACE FUNCTION limen_terms(match TEXT) RETURNS TABLE (term TSQUERY)
LANGUAGE SQL IMMUTABLE STRICT ROWS 5
AS $$
    SELECT CASE
        WHEN found[2] = ' *' THEN to_tsquery('limen', quote_literal(limen_fold(found[1])) || ':*')
        ELSE phraseto_tsquery('limen', limen_fold(found[1]))
    END
    FROM regexp_matches(match, '"([^"]*)"( \*)?', 'g') AS found
$$;

-- at_once --
-- Full-text indexes made by an older version: what waits to be sorted in is read by every search.
DO $$ DECLARE made TEXT; BEGIN
    FOR made IN
        SELECT indexname FROM pg_indexes
        WHERE schemaname = current_schema() AND indexdef LIKE '% USING gin %'
            AND indexdef NOT LIKE '%fastupdate%'
    LOOP
        EXECUTE format('ALTER INDEX %I SET (fastupdate = off)', made);
    END LOOP;
END $$;

-- every_table --
-- Those whose rows are counted, full text among them.
SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename;

-- letters --
-- Whether the server knows which signs are letters, and their small ones.
SELECT length(limen_vector('冰箱')) > 0 AND limen_fold('É') = 'e' AS known;

-- tables --
-- Every table with its columns, without full-text indexes.
SELECT c.relname, a.attname
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND a.attnum > 0 AND NOT a.attisdropped AND NOT EXISTS (
        SELECT FROM pg_attribute t
        WHERE t.attrelid = c.oid AND t.atttypid = 'tsvector'::regtype
    )
ORDER BY c.oid, a.attnum;

-- identities --
-- The columns whose values the server gives.
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND is_identity = 'YES';
