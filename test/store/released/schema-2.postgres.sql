-- Schema 2 as it was released, written by npm run freeze:schema; never changed. A token of ada's: pgt_FP2I8hjtevNmJWEECc6trEXeGnydyz0mntDW
CREATE FUNCTION public.added_problems_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.added_problems_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.added_problems_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT member_id AS user_id, 'problem' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.bookmarks_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.bookmarks_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.bookmarks_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN false THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.lists_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.lists_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.lists_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT owner_id AS user_id, 'list' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.problems_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.problems_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id, kind, thing_id, 'import' AS by_kind FROM changed INNER JOIN program_feed_items ON thing_id = changed.id AND kind IN ('mark', 'problem') UNION SELECT owner_id, 'list', list_id, 'import' FROM changed INNER JOIN list_items ON problem_id = changed.id INNER JOIN lists ON lists.id = list_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.reviews_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.reviews_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.reviews_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'review' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.solutions_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.solutions_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.solutions_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'solution' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.statuses_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.statuses_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.statuses_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'mark' AS kind, problem_id AS thing_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END AS by_kind FROM changed UNION SELECT member_id, 'problem', added_problems.problem_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM changed INNER JOIN added_problems ON added_problems.problem_id = changed.problem_id AND member_id = user_id UNION SELECT owner_id, 'list', list_id, CASE WHEN EXISTS (SELECT 1 FROM former WHERE former.user_id = changed.user_id AND former.problem_id = changed.problem_id AND former.self_status IS NOT DISTINCT FROM (changed.self_status) AND former.self_at IS NOT DISTINCT FROM (changed.self_at) AND former.how IS NOT DISTINCT FROM (changed.how)) THEN 'judge' ELSE 'website' END FROM changed INNER JOIN list_items ON list_items.problem_id = changed.problem_id INNER JOIN lists ON lists.id = list_id AND owner_id = user_id) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.timers_delete_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.timers_insert_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN false THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE FUNCTION public.timers_update_in_feed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM 1 FROM program_feeds WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN NOT EXISTS (SELECT 1 FROM former WHERE former.id = changed.id AND former.solved_at IS NOT DISTINCT FROM (changed.solved_at)) THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things) ORDER BY user_id FOR UPDATE; IF NOT FOUND THEN RETURN NULL; END IF; INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind) SELECT feeds.user_id, kind, thing_id, place + row_number() OVER (PARTITION BY feeds.user_id ORDER BY kind, thing_id), to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), by_kind FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN NOT EXISTS (SELECT 1 FROM former WHERE former.id = changed.id AND former.solved_at IS NOT DISTINCT FROM (changed.solved_at)) THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things INNER JOIN program_feeds AS feeds ON feeds.user_id = things.user_id WHERE true ON CONFLICT (user_id, kind, thing_id) DO UPDATE SET place = excluded.place, at = excluded.at, by_kind = excluded.by_kind, token_id = NULL, change_id = NULL; UPDATE program_feeds SET place = ( SELECT max(place) FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id) WHERE user_id IN (SELECT user_id FROM (SELECT user_id AS user_id, 'time' AS kind, id AS thing_id, CASE WHEN NOT EXISTS (SELECT 1 FROM former WHERE former.id = changed.id AND former.solved_at IS NOT DISTINCT FROM (changed.solved_at)) THEN 'judge' ELSE 'website' END AS by_kind FROM changed WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL OR EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = changed.user_id AND kind = 'time' AND thing_id = id)) AS things) AND EXISTS (SELECT 1 FROM program_feed_items AS items WHERE items.user_id = program_feeds.user_id AND items.place > program_feeds.place); RETURN NULL; END $$;
CREATE TABLE public.added_problems (
    problem_id bigint NOT NULL,
    member_id bigint,
    added_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.arrivals (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    channel text NOT NULL COLLATE pg_catalog."C",
    batch text COLLATE pg_catalog."C",
    list_id bigint,
    makes_list bigint NOT NULL,
    unmatched bigint NOT NULL,
    over_limit bigint NOT NULL,
    unmatched_text text COLLATE pg_catalog."C",
    arrived_at text NOT NULL COLLATE pg_catalog."C",
    undone_at text COLLATE pg_catalog."C",
    waiting text COLLATE pg_catalog."C"
);
CREATE TABLE public.arrived_problems (
    arrival_id bigint NOT NULL,
    "position" bigint NOT NULL,
    problem_id bigint,
    title text NOT NULL COLLATE pg_catalog."C",
    is_new bigint NOT NULL,
    is_listed bigint NOT NULL,
    status_change bigint,
    note_change bigint,
    minutes bigint,
    solution_id bigint
);
CREATE TABLE public.attempts (
    digest text NOT NULL COLLATE pg_catalog."C",
    tries bigint NOT NULL,
    expires_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.bookmarks (
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    note text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    is_starred bigint DEFAULT 1 NOT NULL,
    editorial_at text COLLATE pg_catalog."C",
    labels text COLLATE pg_catalog."C"
);
CREATE TABLE public.changes (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    batch_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    before text NOT NULL COLLATE pg_catalog."C",
    after text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    undone_at text COLLATE pg_catalog."C",
    CONSTRAINT changes_kind_check CHECK ((kind = ANY (ARRAY['status'::text, 'how'::text, 'bookmark'::text, 'note'::text])))
);
CREATE TABLE public.contest_problems (
    contest_id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    problem_id bigint
);
CREATE TABLE public.contests (
    id bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    starts_at text COLLATE pg_catalog."C",
    duration_s bigint NOT NULL,
    phase text COLLATE pg_catalog."C",
    search_text text NOT NULL COLLATE pg_catalog."C",
    is_gym bigint DEFAULT 0 NOT NULL,
    difficulty bigint
);
CREATE TABLE public.deleted_plants (
    id bigint NOT NULL
);
CREATE TABLE public.entry_links (
    id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    user_id bigint,
    role text NOT NULL COLLATE pg_catalog."C",
    uses_left bigint NOT NULL,
    made_by bigint,
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT entry_links_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'invitation'::text, 'reset'::text, 'demo'::text]))),
    CONSTRAINT entry_links_role_check CHECK ((role = ANY (ARRAY['member'::text, 'staff'::text])))
);
CREATE TABLE public.expected_people (
    id bigint NOT NULL,
    group_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    student_number text COLLATE pg_catalog."C"
);
CREATE TABLE public.first_solves (
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    at text NOT NULL COLLATE pg_catalog."C",
    tries bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.followed_items (
    list_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    came_at text COLLATE pg_catalog."C",
    is_gone bigint NOT NULL
);
CREATE TABLE public.group_links (
    id bigint NOT NULL,
    group_id bigint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    uses_left bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    made_by bigint,
    expected_id bigint
);
CREATE TABLE public.group_lists (
    group_id bigint NOT NULL,
    list_id bigint NOT NULL,
    due_at text COLLATE pg_catalog."C",
    given_at text NOT NULL COLLATE pg_catalog."C",
    changed_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.group_members (
    group_id bigint NOT NULL,
    user_id bigint NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    joined_at text NOT NULL COLLATE pg_catalog."C",
    on_board bigint NOT NULL,
    in_season bigint,
    student_number text COLLATE pg_catalog."C",
    expected_id bigint,
    CONSTRAINT group_members_role_check CHECK ((role = ANY (ARRAY['member'::text, 'coach'::text])))
);
CREATE TABLE public.group_removals (
    group_id bigint NOT NULL,
    user_id bigint NOT NULL,
    removed_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.groups (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    zone text NOT NULL COLLATE pg_catalog."C",
    has_board bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    language text COLLATE pg_catalog."C",
    archived_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.gym_keys (
    group_id bigint NOT NULL,
    user_id bigint NOT NULL,
    session_id bigint NOT NULL,
    sealed text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.handle_proofs (
    handle_id bigint NOT NULL,
    method text NOT NULL COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    proved_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT handle_proofs_way_check CHECK ((method = ANY (ARRAY['submission'::text, 'openid'::text, 'confirmation'::text])))
);
CREATE TABLE public.handle_renames (
    handle_id bigint NOT NULL,
    before text NOT NULL COLLATE pg_catalog."C",
    renamed_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.handles (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    imported_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.id_counters (
    table_name text NOT NULL COLLATE pg_catalog."C",
    last_id bigint NOT NULL
);
CREATE TABLE public.imports (
    what text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    user_id bigint,
    read bigint NOT NULL,
    added bigint NOT NULL,
    changed bigint NOT NULL
);
CREATE TABLE public.inboxes (
    user_id bigint NOT NULL,
    secret_digest text NOT NULL COLLATE pg_catalog."C",
    beginning text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    minute bigint NOT NULL,
    requests bigint NOT NULL
);
CREATE TABLE public.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    ends_at bigint NOT NULL
);
CREATE TABLE public.list_follows (
    list_id bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    entity_tag text COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    tried_at text COLLATE pg_catalog."C",
    good_at text COLLATE pg_catalog."C",
    fault text COLLATE pg_catalog."C",
    missing text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.list_items (
    list_id bigint NOT NULL,
    section bigint NOT NULL,
    "position" bigint NOT NULL,
    problem_id bigint NOT NULL,
    memo text COLLATE pg_catalog."C",
    added_at text NOT NULL COLLATE pg_catalog."C",
    extras text COLLATE pg_catalog."C"
);
CREATE TABLE public.list_sections (
    list_id bigint NOT NULL,
    "position" bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    extras text COLLATE pg_catalog."C"
);
CREATE TABLE public.lists (
    id bigint NOT NULL,
    owner_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    visibility text NOT NULL COLLATE pg_catalog."C",
    secret_digest text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    extras text COLLATE pg_catalog."C",
    CONSTRAINT lists_check CHECK (((visibility = 'secret'::text) = (secret_digest IS NOT NULL))),
    CONSTRAINT lists_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'garden'::text, 'secret'::text])))
);
CREATE TABLE public.live_feeds (
    source text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.member_settings (
    user_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.members (
    id bigint NOT NULL,
    username text NOT NULL COLLATE pg_catalog."C",
    username_key text NOT NULL COLLATE pg_catalog."C",
    first_name text COLLATE pg_catalog."C",
    last_name text COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    phone text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    city text COLLATE pg_catalog."C",
    state text COLLATE pg_catalog."C",
    zipcode text COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    search_text text NOT NULL COLLATE pg_catalog."C",
    is_disabled bigint DEFAULT 0 NOT NULL,
    is_sample bigint DEFAULT 0 NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    password_hash text COLLATE pg_catalog."C",
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['member'::text, 'staff'::text])))
);
CREATE TABLE public.openid_accounts (
    provider text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    user_id bigint NOT NULL,
    label text COLLATE pg_catalog."C",
    joined_at text NOT NULL COLLATE pg_catalog."C",
    used_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.openid_providers (
    key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    client_secret text NOT NULL COLLATE pg_catalog."C",
    admits text NOT NULL COLLATE pg_catalog."C",
    claim text NOT NULL COLLATE pg_catalog."C",
    wanted text NOT NULL COLLATE pg_catalog."C",
    makes_members bigint NOT NULL,
    name_claim text NOT NULL COLLATE pg_catalog."C",
    changed_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT openid_providers_admits_check CHECK ((admits = ANY (ARRAY['nobody'::text, 'everyone'::text, 'domain'::text, 'claim'::text, 'joined'::text])))
);
CREATE TABLE public.openid_visits (
    browser text NOT NULL COLLATE pg_catalog."C",
    user_id bigint,
    provider text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    nonce text NOT NULL COLLATE pg_catalog."C",
    verifier text NOT NULL COLLATE pg_catalog."C",
    goes_to text NOT NULL COLLATE pg_catalog."C",
    invitation_id bigint,
    joins_group bigint NOT NULL,
    begun_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT openid_visits_purpose_check CHECK ((purpose = ANY (ARRAY['sign-in'::text, 'join'::text, 'proof'::text])))
);
CREATE TABLE public.passkey_challenges (
    browser text NOT NULL COLLATE pg_catalog."C",
    user_id bigint,
    challenge text NOT NULL COLLATE pg_catalog."C",
    begun_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.passkeys (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    credential_id text NOT NULL COLLATE pg_catalog."C",
    host text NOT NULL COLLATE pg_catalog."C",
    public_key text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    transports text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    used_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.plants (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    tag text COLLATE pg_catalog."C",
    target bigint NOT NULL,
    planted_at text NOT NULL COLLATE pg_catalog."C",
    species text COLLATE pg_catalog."C",
    list_id bigint,
    list_name text COLLATE pg_catalog."C",
    edits text COLLATE pg_catalog."C",
    source text COLLATE pg_catalog."C",
    rating_min bigint,
    rating_max bigint,
    by_date text COLLATE pg_catalog."C",
    CONSTRAINT plants_target_check CHECK ((target > 0))
);
CREATE TABLE public.problem_keys (
    source text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    problem_id bigint NOT NULL
);
CREATE TABLE public.problem_tags (
    tag text NOT NULL COLLATE pg_catalog."C",
    problem_id bigint NOT NULL
);
CREATE TABLE public.problems (
    id bigint NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    source_key text NOT NULL COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C",
    rating bigint,
    tags text NOT NULL COLLATE pg_catalog."C",
    aliases text NOT NULL COLLATE pg_catalog."C",
    editorial_url text COLLATE pg_catalog."C",
    video_url text COLLATE pg_catalog."C",
    search_text text NOT NULL COLLATE pg_catalog."C",
    is_sample bigint DEFAULT 0 NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    is_gym bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.program_changes (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    token_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    undone_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.program_feed_items (
    user_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    thing_id bigint NOT NULL,
    place bigint NOT NULL,
    at text NOT NULL COLLATE pg_catalog."C",
    by_kind text NOT NULL COLLATE pg_catalog."C",
    token_id bigint,
    change_id bigint
);
CREATE TABLE public.program_feeds (
    user_id bigint NOT NULL,
    place bigint NOT NULL
);
CREATE TABLE public.program_keys (
    token_id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    answer text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    made_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.program_parts (
    change_id bigint NOT NULL,
    "position" bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    part_id bigint NOT NULL,
    before text COLLATE pg_catalog."C",
    after text COLLATE pg_catalog."C"
);
CREATE TABLE public.program_writes (
    user_id bigint NOT NULL,
    minute bigint NOT NULL,
    writes bigint NOT NULL
);
CREATE TABLE public.proof_tasks (
    user_id bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    handle_id bigint,
    problem_id bigint NOT NULL,
    drawn_at text NOT NULL COLLATE pg_catalog."C",
    begun_at text NOT NULL COLLATE pg_catalog."C",
    asked_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.ratings (
    handle_id bigint NOT NULL,
    contest text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    place bigint,
    rating bigint NOT NULL,
    rated_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.real_fields (
    round_id bigint NOT NULL,
    due_at bigint,
    failures bigint DEFAULT 0 NOT NULL,
    title text COLLATE pg_catalog."C",
    field text COLLATE pg_catalog."C"
);
CREATE TABLE public.removed_problems (
    id bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    source_key text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    merged_into bigint,
    before text NOT NULL COLLATE pg_catalog."C",
    removed_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.request_slots (
    host text NOT NULL COLLATE pg_catalog."C",
    next_at bigint NOT NULL
);
CREATE TABLE public.review_cards (
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    begun_day bigint NOT NULL,
    first_grade text NOT NULL COLLATE pg_catalog."C",
    due_day bigint,
    turn bigint NOT NULL,
    last_review bigint,
    CONSTRAINT review_cards_first_grade_check CHECK ((first_grade = ANY (ARRAY['again'::text, 'hard'::text, 'good'::text, 'easy'::text])))
);
CREATE TABLE public.reviews (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    grade text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    undone_at text COLLATE pg_catalog."C",
    CONSTRAINT reviews_grade_check CHECK ((grade = ANY (ARRAY['again'::text, 'hard'::text, 'good'::text, 'easy'::text, 'later'::text, 'never'::text])))
);
CREATE TABLE public.revisions (
    scope text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL
);
CREATE TABLE public.round_invitations (
    round_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_declined bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.round_people (
    round_id bigint NOT NULL,
    user_id bigint NOT NULL,
    joined_at text NOT NULL COLLATE pg_catalog."C",
    hours_from text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    hours_until text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    has_same_problems bigint DEFAULT 1 NOT NULL
);
CREATE TABLE public.round_problems (
    round_id bigint NOT NULL,
    "position" bigint NOT NULL,
    problem_id bigint NOT NULL,
    points bigint NOT NULL
);
CREATE TABLE public.rounds (
    id bigint NOT NULL,
    made_by bigint NOT NULL,
    group_id bigint,
    secret text COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    rule text NOT NULL COLLATE pg_catalog."C",
    starts_at text NOT NULL COLLATE pg_catalog."C",
    ends_at text NOT NULL COLLATE pg_catalog."C",
    freeze_minutes bigint NOT NULL,
    is_shown bigint NOT NULL,
    updated_at text NOT NULL COLLATE pg_catalog."C",
    teams_day text COLLATE pg_catalog."C",
    duel_source text COLLATE pg_catalog."C",
    duel_band text COLLATE pg_catalog."C",
    accepted_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.schema_migrations (
    version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    applied_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.season_contests (
    season_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    item_id bigint NOT NULL,
    added_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT season_contests_kind_check CHECK ((kind = ANY (ARRAY['contest'::text, 'round'::text])))
);
CREATE TABLE public.season_points (
    id bigint NOT NULL,
    season_id bigint NOT NULL,
    group_id bigint NOT NULL,
    user_id bigint NOT NULL,
    halves bigint NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.seasons (
    id bigint NOT NULL,
    group_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    first_day text NOT NULL COLLATE pg_catalog."C",
    last_day text NOT NULL COLLATE pg_catalog."C",
    upsolve_days bigint NOT NULL,
    points text NOT NULL COLLATE pg_catalog."C",
    best bigint,
    rule_since text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT seasons_points_check CHECK ((points = ANY (ARRAY['problem'::text, 'band'::text])))
);
CREATE TABLE public.sessions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    browser text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    seen_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.shared_addresses (
    secret text NOT NULL COLLATE pg_catalog."C",
    user_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    used_at text COLLATE pg_catalog."C",
    CONSTRAINT shared_addresses_kind_check CHECK ((kind = ANY (ARRAY['garden'::text, 'year'::text, 'calendar'::text])))
);
CREATE TABLE public.shared_notes (
    problem_id bigint NOT NULL,
    user_id bigint NOT NULL,
    group_id bigint NOT NULL,
    shared_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.solutions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    file text NOT NULL COLLATE pg_catalog."C",
    about text COLLATE pg_catalog."C",
    submission text COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    sha256 text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C",
    added_at text NOT NULL COLLATE pg_catalog."C",
    removed_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.solved_counts (
    problem_id bigint NOT NULL,
    solved_by bigint NOT NULL
);
CREATE TABLE public.solves (
    handle_id bigint NOT NULL,
    submission_id text NOT NULL COLLATE pg_catalog."C",
    problem_id bigint,
    key text NOT NULL COLLATE pg_catalog."C",
    verdict_class text NOT NULL COLLATE pg_catalog."C",
    verdict text COLLATE pg_catalog."C",
    submitted_at text NOT NULL COLLATE pg_catalog."C",
    contest text COLLATE pg_catalog."C",
    participation text COLLATE pg_catalog."C",
    language text COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    is_team bigint DEFAULT 0 NOT NULL,
    virtual_began_at text COLLATE pg_catalog."C",
    judge_team text COLLATE pg_catalog."C",
    CONSTRAINT solves_participation_check CHECK ((participation = ANY (ARRAY['contest'::text, 'virtual'::text, 'practice'::text, 'team'::text]))),
    CONSTRAINT solves_verdict_class_check CHECK ((verdict_class = ANY (ARRAY['pending'::text, 'void'::text, 'tried'::text, 'solved'::text]))),
    CONSTRAINT solves_way_check CHECK ((origin = ANY (ARRAY['server'::text, 'browser'::text, 'file'::text])))
);
CREATE TABLE public.staff_log (
    id bigint NOT NULL,
    made_at text NOT NULL COLLATE pg_catalog."C",
    actor_id bigint NOT NULL,
    what text NOT NULL COLLATE pg_catalog."C",
    member_id bigint
);
CREATE TABLE public.statuses (
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    self_status text COLLATE pg_catalog."C",
    self_at text COLLATE pg_catalog."C",
    judge_status text COLLATE pg_catalog."C",
    judge_at text COLLATE pg_catalog."C",
    how text COLLATE pg_catalog."C",
    earlier_status text COLLATE pg_catalog."C",
    earlier_at text COLLATE pg_catalog."C",
    solved_list_source text COLLATE pg_catalog."C",
    CONSTRAINT statuses_check CHECK (((self_at IS NULL) OR (self_status IS NOT NULL))),
    CONSTRAINT statuses_check1 CHECK (((self_at IS NOT NULL) OR (self_status IS NULL) OR (self_status = 'complete'::text))),
    CONSTRAINT statuses_check2 CHECK (((judge_at IS NULL) OR (judge_status IS NOT NULL))),
    CONSTRAINT statuses_check3 CHECK (((judge_at IS NOT NULL) OR (judge_status IS NULL) OR (judge_status = 'complete'::text))),
    CONSTRAINT statuses_check4 CHECK (((self_status IS NOT NULL) OR (judge_status IS NOT NULL))),
    CONSTRAINT statuses_how_check CHECK ((how = ANY (ARRAY['alone'::text, 'hint'::text, 'editorial'::text])))
);
CREATE TABLE public.syncs (
    name text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    task text NOT NULL COLLATE pg_catalog."C",
    handle_id bigint,
    cursor text COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    tried_at text COLLATE pg_catalog."C",
    good_at text COLLATE pg_catalog."C",
    news bigint NOT NULL,
    skipped text COLLATE pg_catalog."C",
    fault text COLLATE pg_catalog."C",
    fault_text text COLLATE pg_catalog."C",
    fault_since text COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    judge_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.team_authors (
    team_id bigint NOT NULL,
    group_id bigint NOT NULL,
    user_id bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.team_members (
    team_id bigint NOT NULL,
    group_id bigint NOT NULL,
    user_id bigint NOT NULL,
    first_day text NOT NULL COLLATE pg_catalog."C",
    last_day text COLLATE pg_catalog."C",
    has_agreed bigint NOT NULL
);
CREATE TABLE public.teams (
    id bigint NOT NULL,
    group_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.time_models (
    problem_id bigint NOT NULL,
    slope bigint NOT NULL,
    intercept bigint NOT NULL
);
CREATE TABLE public.timers (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    started_at text NOT NULL COLLATE pg_catalog."C",
    pauses text NOT NULL COLLATE pg_catalog."C",
    stopped_at text COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    solved_at text COLLATE pg_catalog."C",
    grade text COLLATE pg_catalog."C",
    change_id bigint,
    undone_at text COLLATE pg_catalog."C",
    CONSTRAINT timers_grade_check CHECK ((grade = ANY (ARRAY['again'::text, 'hard'::text, 'good'::text, 'easy'::text]))),
    CONSTRAINT timers_outcome_check CHECK ((outcome = ANY (ARRAY['solved'::text, 'editorial'::text, 'unsolved'::text])))
);
CREATE TABLE public.tokens (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    scopes text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C",
    last_used_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.upcoming_contests (
    id bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C",
    starts_at text NOT NULL COLLATE pg_catalog."C",
    duration_s bigint NOT NULL,
    told_by text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    changed_at text NOT NULL COLLATE pg_catalog."C",
    cancelled_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.upcoming_listings (
    contest_id bigint NOT NULL,
    feed text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.uploads (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    asked text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    report text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    started_at text COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT uploads_room_check CHECK ((room = ANY (ARRAY['member'::text, 'staff'::text])))
);
CREATE TABLE public.uprooted_plants (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    tag text COLLATE pg_catalog."C",
    target bigint NOT NULL,
    planted_at text NOT NULL COLLATE pg_catalog."C",
    species text COLLATE pg_catalog."C",
    list_id bigint,
    list_name text COLLATE pg_catalog."C",
    edits text COLLATE pg_catalog."C",
    uprooted_at text NOT NULL COLLATE pg_catalog."C",
    source text COLLATE pg_catalog."C",
    rating_min bigint,
    rating_max bigint,
    by_date text COLLATE pg_catalog."C"
);
CREATE TABLE public.webhook_deliveries (
    id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    occasion text NOT NULL COLLATE pg_catalog."C",
    message text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    tries bigint NOT NULL,
    answer text COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    tried_at text COLLATE pg_catalog."C",
    next_at bigint,
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'spared'::text])))
);
CREATE TABLE public.webhooks (
    id bigint NOT NULL,
    group_id bigint,
    user_id bigint,
    url text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    sends_weeks bigint NOT NULL,
    sends_dues bigint NOT NULL,
    made_at text NOT NULL COLLATE pg_catalog."C",
    plans_at bigint NOT NULL,
    is_off bigint NOT NULL,
    made_by bigint,
    sends_contests bigint DEFAULT 0 NOT NULL,
    CONSTRAINT webhooks_check CHECK (((group_id IS NULL) <> (user_id IS NULL)))
);
-- Here go the rows.
ALTER TABLE ONLY public.added_problems
    ADD CONSTRAINT added_problems_pkey PRIMARY KEY (problem_id);
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT arrivals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.arrived_problems
    ADD CONSTRAINT arrived_problems_pkey PRIMARY KEY (arrival_id, "position");
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.bookmarks
    ADD CONSTRAINT bookmarks_pkey PRIMARY KEY (user_id, problem_id);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contest_problems
    ADD CONSTRAINT contest_problems_pkey PRIMARY KEY (contest_id, key);
ALTER TABLE ONLY public.contests
    ADD CONSTRAINT contests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contests
    ADD CONSTRAINT contests_source_key_key UNIQUE (source, key);
ALTER TABLE ONLY public.deleted_plants
    ADD CONSTRAINT deleted_plants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.entry_links
    ADD CONSTRAINT entry_links_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.entry_links
    ADD CONSTRAINT entry_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.expected_people
    ADD CONSTRAINT expected_people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.first_solves
    ADD CONSTRAINT first_solves_pkey PRIMARY KEY (user_id, problem_id);
ALTER TABLE ONLY public.followed_items
    ADD CONSTRAINT followed_items_pkey PRIMARY KEY (list_id, problem_id);
ALTER TABLE ONLY public.group_links
    ADD CONSTRAINT group_links_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.group_links
    ADD CONSTRAINT group_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.group_lists
    ADD CONSTRAINT group_lists_pkey PRIMARY KEY (group_id, list_id);
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id);
ALTER TABLE ONLY public.group_removals
    ADD CONSTRAINT group_removals_pkey PRIMARY KEY (group_id, user_id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.gym_keys
    ADD CONSTRAINT gym_keys_pkey PRIMARY KEY (group_id, user_id);
ALTER TABLE ONLY public.handle_proofs
    ADD CONSTRAINT handle_proofs_pkey PRIMARY KEY (handle_id);
ALTER TABLE ONLY public.handle_renames
    ADD CONSTRAINT handle_renames_pkey PRIMARY KEY (handle_id, before);
ALTER TABLE ONLY public.handles
    ADD CONSTRAINT handles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.handles
    ADD CONSTRAINT handles_user_id_source_name_key_key UNIQUE (user_id, source, name_key);
ALTER TABLE ONLY public.id_counters
    ADD CONSTRAINT id_counters_pkey PRIMARY KEY (table_name);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (what);
ALTER TABLE ONLY public.inboxes
    ADD CONSTRAINT inboxes_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.inboxes
    ADD CONSTRAINT inboxes_secret_digest_key UNIQUE (secret_digest);
ALTER TABLE ONLY public.request_slots
    ADD CONSTRAINT judge_gates_pkey PRIMARY KEY (host);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.list_follows
    ADD CONSTRAINT list_follows_pkey PRIMARY KEY (list_id);
ALTER TABLE ONLY public.list_items
    ADD CONSTRAINT list_items_pkey PRIMARY KEY (list_id, problem_id);
ALTER TABLE ONLY public.list_sections
    ADD CONSTRAINT list_sections_pkey PRIMARY KEY (list_id, "position");
ALTER TABLE ONLY public.lists
    ADD CONSTRAINT lists_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists
    ADD CONSTRAINT lists_secret_digest_key UNIQUE (secret_digest);
ALTER TABLE ONLY public.live_feeds
    ADD CONSTRAINT live_feeds_pkey PRIMARY KEY (source);
ALTER TABLE ONLY public.member_settings
    ADD CONSTRAINT member_settings_pkey PRIMARY KEY (user_id, name);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_username_key_key UNIQUE (username_key);
ALTER TABLE ONLY public.openid_accounts
    ADD CONSTRAINT openid_accounts_pkey PRIMARY KEY (provider, subject);
ALTER TABLE ONLY public.openid_providers
    ADD CONSTRAINT openid_providers_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.openid_visits
    ADD CONSTRAINT openid_visits_pkey PRIMARY KEY (browser);
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (browser);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plants
    ADD CONSTRAINT plants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.problem_keys
    ADD CONSTRAINT problem_keys_pkey PRIMARY KEY (source, key);
ALTER TABLE ONLY public.problem_tags
    ADD CONSTRAINT problem_tags_pkey PRIMARY KEY (tag, problem_id);
ALTER TABLE ONLY public.problems
    ADD CONSTRAINT problems_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.program_changes
    ADD CONSTRAINT program_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.program_feed_items
    ADD CONSTRAINT program_feed_items_pkey PRIMARY KEY (user_id, kind, thing_id);
ALTER TABLE ONLY public.program_feeds
    ADD CONSTRAINT program_feeds_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.program_keys
    ADD CONSTRAINT program_keys_pkey PRIMARY KEY (token_id, key);
ALTER TABLE ONLY public.program_parts
    ADD CONSTRAINT program_parts_pkey PRIMARY KEY (change_id, "position");
ALTER TABLE ONLY public.program_writes
    ADD CONSTRAINT program_writes_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.proof_tasks
    ADD CONSTRAINT proof_tasks_pkey PRIMARY KEY (user_id, source);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_pkey PRIMARY KEY (handle_id, contest);
ALTER TABLE ONLY public.real_fields
    ADD CONSTRAINT real_fields_pkey PRIMARY KEY (round_id);
ALTER TABLE ONLY public.removed_problems
    ADD CONSTRAINT removed_problems_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.review_cards
    ADD CONSTRAINT review_cards_pkey PRIMARY KEY (user_id, problem_id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (scope);
ALTER TABLE ONLY public.round_invitations
    ADD CONSTRAINT round_invitations_pkey PRIMARY KEY (round_id, user_id);
ALTER TABLE ONLY public.round_people
    ADD CONSTRAINT round_people_pkey PRIMARY KEY (round_id, user_id);
ALTER TABLE ONLY public.round_problems
    ADD CONSTRAINT round_problems_pkey PRIMARY KEY (round_id, problem_id);
ALTER TABLE ONLY public.rounds
    ADD CONSTRAINT rounds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rounds
    ADD CONSTRAINT rounds_secret_key UNIQUE (secret);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.season_contests
    ADD CONSTRAINT season_contests_pkey PRIMARY KEY (season_id, kind, item_id);
ALTER TABLE ONLY public.season_points
    ADD CONSTRAINT season_points_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT seasons_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.shared_addresses
    ADD CONSTRAINT shared_addresses_pkey PRIMARY KEY (secret);
ALTER TABLE ONLY public.shared_addresses
    ADD CONSTRAINT shared_addresses_user_id_kind_key UNIQUE (user_id, kind);
ALTER TABLE ONLY public.shared_notes
    ADD CONSTRAINT shared_notes_pkey PRIMARY KEY (problem_id, user_id, group_id);
ALTER TABLE ONLY public.solutions
    ADD CONSTRAINT solutions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.solved_counts
    ADD CONSTRAINT solved_counts_pkey PRIMARY KEY (problem_id);
ALTER TABLE ONLY public.solves
    ADD CONSTRAINT solves_pkey PRIMARY KEY (handle_id, submission_id);
ALTER TABLE ONLY public.staff_log
    ADD CONSTRAINT staff_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.statuses
    ADD CONSTRAINT statuses_pkey PRIMARY KEY (user_id, problem_id);
ALTER TABLE ONLY public.syncs
    ADD CONSTRAINT syncs_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.team_authors
    ADD CONSTRAINT team_authors_pkey PRIMARY KEY (team_id, source, key, user_id);
ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_pkey PRIMARY KEY (team_id, user_id, first_day);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.time_models
    ADD CONSTRAINT time_models_pkey PRIMARY KEY (problem_id);
ALTER TABLE ONLY public.timers
    ADD CONSTRAINT timers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.upcoming_contests
    ADD CONSTRAINT upcoming_contests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.upcoming_contests
    ADD CONSTRAINT upcoming_contests_source_key_key UNIQUE (source, key);
ALTER TABLE ONLY public.upcoming_listings
    ADD CONSTRAINT upcoming_listings_pkey PRIMARY KEY (contest_id, feed);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.uprooted_plants
    ADD CONSTRAINT uprooted_plants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_webhook_id_occasion_key UNIQUE (webhook_id, occasion);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_group_id_key UNIQUE (group_id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_user_id_key UNIQUE (user_id);
CREATE INDEX added_problems_by_member ON public.added_problems USING btree (member_id, added_at);
CREATE INDEX added_problems_by_time ON public.added_problems USING btree (added_at, problem_id);
CREATE INDEX arrivals_by_list ON public.arrivals USING btree (list_id);
CREATE INDEX arrivals_by_member ON public.arrivals USING btree (user_id, id);
CREATE INDEX arrivals_waiting ON public.arrivals USING btree (user_id) WHERE (waiting IS NOT NULL);
CREATE INDEX arrived_problems_by_problem ON public.arrived_problems USING btree (problem_id);
CREATE INDEX attempts_by_end ON public.attempts USING btree (expires_at);
CREATE INDEX bookmarks_by_problem ON public.bookmarks USING btree (problem_id, user_id);
CREATE INDEX bookmarks_labelled ON public.bookmarks USING btree (user_id, problem_id) WHERE (labels IS NOT NULL);
CREATE INDEX changes_by_batch ON public.changes USING btree (user_id, batch_id);
CREATE INDEX changes_by_member ON public.changes USING btree (user_id, id);
CREATE INDEX changes_by_problem ON public.changes USING btree (problem_id, user_id, id);
CREATE INDEX contest_problems_by_problem ON public.contest_problems USING btree (problem_id, contest_id);
CREATE INDEX contests_by_start ON public.contests USING btree (source, COALESCE(starts_at, ''::text), id);
CREATE INDEX expected_people_by_group ON public.expected_people USING btree (group_id, id);
CREATE INDEX first_solves_by_problem ON public.first_solves USING btree (problem_id);
CREATE INDEX first_solves_by_time ON public.first_solves USING btree (user_id, at, problem_id);
CREATE INDEX followed_items_by_problem ON public.followed_items USING btree (problem_id);
CREATE UNIQUE INDEX group_links_by_expected ON public.group_links USING btree (expected_id);
CREATE INDEX group_links_by_group ON public.group_links USING btree (group_id);
CREATE INDEX group_lists_by_list ON public.group_lists USING btree (list_id);
CREATE UNIQUE INDEX group_members_by_expected ON public.group_members USING btree (expected_id);
CREATE INDEX group_members_by_member ON public.group_members USING btree (user_id, group_id);
CREATE INDEX group_removals_by_member ON public.group_removals USING btree (user_id);
CREATE INDEX gym_keys_by_session ON public.gym_keys USING btree (session_id);
CREATE INDEX handles_by_name ON public.handles USING btree (source, name_key);
CREATE INDEX list_follows_by_due ON public.list_follows USING btree (due_at);
CREATE INDEX list_items_by_problem ON public.list_items USING btree (problem_id, list_id);
CREATE INDEX list_items_by_section ON public.list_items USING btree (list_id, section, "position");
CREATE INDEX lists_by_owner ON public.lists USING btree (owner_id, updated_at);
CREATE INDEX lists_of_garden ON public.lists USING btree (updated_at) WHERE (visibility = 'garden'::text);
CREATE UNIQUE INDEX openid_accounts_by_member ON public.openid_accounts USING btree (user_id, provider);
CREATE INDEX openid_visits_by_age ON public.openid_visits USING btree (begun_at);
CREATE INDEX openid_visits_by_member ON public.openid_visits USING btree (user_id);
CREATE INDEX openid_visits_by_provider ON public.openid_visits USING btree (provider);
CREATE INDEX passkey_challenges_by_age ON public.passkey_challenges USING btree (begun_at);
CREATE INDEX passkey_challenges_by_member ON public.passkey_challenges USING btree (user_id);
CREATE INDEX passkeys_by_member ON public.passkeys USING btree (user_id);
CREATE INDEX plants_by_list ON public.plants USING btree (list_id) WHERE (list_id IS NOT NULL);
CREATE INDEX plants_by_member ON public.plants USING btree (user_id, id);
CREATE INDEX problems_by_filters ON public.problems USING btree (source, rating) WHERE (is_gym <= 0);
CREATE INDEX problems_by_key ON public.problems USING btree (source_key, id) WHERE (is_gym < 1);
CREATE INDEX problems_by_rating ON public.problems USING btree (rating, id) WHERE (is_gym < 1);
CREATE INDEX problems_by_rating_down ON public.problems USING btree (rating DESC NULLS LAST, id) WHERE (is_gym < 1);
CREATE INDEX problems_by_update ON public.problems USING btree (updated_at, id);
CREATE INDEX problems_by_url ON public.problems USING btree (url) WHERE (url IS NOT NULL);
CREATE INDEX problems_of_gyms ON public.problems USING btree (id) WHERE (is_gym = 1);
CREATE INDEX program_changes_by_member ON public.program_changes USING btree (user_id, id);
CREATE INDEX program_changes_by_token ON public.program_changes USING btree (token_id);
CREATE UNIQUE INDEX program_feed_items_by_place ON public.program_feed_items USING btree (user_id, place);
CREATE INDEX program_feed_items_by_thing ON public.program_feed_items USING btree (thing_id, kind);
CREATE INDEX program_keys_by_age ON public.program_keys USING btree (token_id, made_at, key, bytes);
CREATE INDEX program_parts_by_part ON public.program_parts USING btree (kind, part_id);
CREATE INDEX program_parts_contents ON public.program_parts USING btree (part_id, change_id) WHERE ((kind = 'content'::text) AND (before IS NOT NULL));
CREATE INDEX proof_tasks_by_handle ON public.proof_tasks USING btree (handle_id);
CREATE INDEX proof_tasks_by_problem ON public.proof_tasks USING btree (problem_id);
CREATE INDEX removed_problems_by_key ON public.removed_problems USING btree (source, source_key);
CREATE INDEX removed_problems_by_time ON public.removed_problems USING btree (removed_at);
CREATE INDEX review_cards_by_problem ON public.review_cards USING btree (problem_id);
CREATE INDEX review_cards_by_turn ON public.review_cards USING btree (user_id, turn, due_day, problem_id);
CREATE INDEX reviews_by_problem ON public.reviews USING btree (problem_id, user_id);
CREATE INDEX reviews_by_time ON public.reviews USING btree (user_id, made_at);
CREATE INDEX round_invitations_by_member ON public.round_invitations USING btree (user_id);
CREATE INDEX round_people_by_member ON public.round_people USING btree (user_id);
CREATE INDEX round_problems_by_problem ON public.round_problems USING btree (problem_id);
CREATE INDEX rounds_by_end ON public.rounds USING btree (ends_at);
CREATE INDEX rounds_by_group ON public.rounds USING btree (group_id);
CREATE INDEX rounds_by_maker ON public.rounds USING btree (made_by);
CREATE INDEX season_points_by_person ON public.season_points USING btree (group_id, user_id);
CREATE INDEX season_points_by_season ON public.season_points USING btree (season_id, user_id);
CREATE INDEX seasons_by_group ON public.seasons USING btree (group_id, id);
CREATE INDEX sessions_by_member ON public.sessions USING btree (user_id, id);
CREATE INDEX shared_notes_by_person ON public.shared_notes USING btree (group_id, user_id);
CREATE INDEX solutions_by_member ON public.solutions USING btree (user_id, problem_id);
CREATE INDEX solutions_by_problem ON public.solutions USING btree (problem_id);
CREATE INDEX solutions_removed ON public.solutions USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX solves_by_contest ON public.solves USING btree (handle_id, contest, participation, submitted_at, is_team, verdict_class, problem_id) WHERE ((participation IS NULL) OR (participation <> 'practice'::text));
CREATE INDEX solves_by_problem ON public.solves USING btree (problem_id, handle_id, verdict_class, submitted_at);
CREATE INDEX solves_by_time ON public.solves USING btree (handle_id, submitted_at, submission_id, verdict_class, problem_id);
CREATE INDEX statuses_by_problem ON public.statuses USING btree (problem_id, user_id);
CREATE INDEX syncs_by_handle ON public.syncs USING btree (handle_id);
CREATE INDEX team_authors_by_person ON public.team_authors USING btree (group_id, user_id);
CREATE INDEX team_members_by_person ON public.team_members USING btree (group_id, user_id);
CREATE INDEX teams_by_group ON public.teams USING btree (group_id);
CREATE INDEX timers_by_problem ON public.timers USING btree (problem_id, user_id);
CREATE INDEX timers_by_time ON public.timers USING btree (user_id, started_at);
CREATE UNIQUE INDEX timers_open ON public.timers USING btree (user_id) WHERE ((stopped_at IS NULL) AND (undone_at IS NULL));
CREATE INDEX tokens_by_member ON public.tokens USING btree (user_id, id);
CREATE INDEX upcoming_contests_by_start ON public.upcoming_contests USING btree (starts_at);
CREATE INDEX upcoming_listings_by_feed ON public.upcoming_listings USING btree (feed);
CREATE INDEX uploads_by_member ON public.uploads USING btree (user_id, id);
CREATE INDEX uprooted_plants_by_member ON public.uprooted_plants USING btree (user_id);
CREATE INDEX uprooted_plants_by_time ON public.uprooted_plants USING btree (uprooted_at);
CREATE INDEX webhook_deliveries_by_turn ON public.webhook_deliveries USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX webhooks_by_plan ON public.webhooks USING btree (plans_at);
CREATE TRIGGER added_problems_delete_in_feed AFTER DELETE ON public.added_problems REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.added_problems_delete_in_feed();
CREATE TRIGGER added_problems_insert_in_feed AFTER INSERT ON public.added_problems REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.added_problems_insert_in_feed();
CREATE TRIGGER added_problems_update_in_feed AFTER UPDATE ON public.added_problems REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.added_problems_update_in_feed();
CREATE TRIGGER bookmarks_delete_in_feed AFTER DELETE ON public.bookmarks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.bookmarks_delete_in_feed();
CREATE TRIGGER bookmarks_insert_in_feed AFTER INSERT ON public.bookmarks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.bookmarks_insert_in_feed();
CREATE TRIGGER bookmarks_update_in_feed AFTER UPDATE ON public.bookmarks REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.bookmarks_update_in_feed();
CREATE TRIGGER lists_delete_in_feed AFTER DELETE ON public.lists REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.lists_delete_in_feed();
CREATE TRIGGER lists_insert_in_feed AFTER INSERT ON public.lists REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.lists_insert_in_feed();
CREATE TRIGGER lists_update_in_feed AFTER UPDATE ON public.lists REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.lists_update_in_feed();
CREATE TRIGGER problems_insert_in_feed AFTER INSERT ON public.problems REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.problems_insert_in_feed();
CREATE TRIGGER problems_update_in_feed AFTER UPDATE ON public.problems REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.problems_update_in_feed();
CREATE TRIGGER reviews_delete_in_feed AFTER DELETE ON public.reviews REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.reviews_delete_in_feed();
CREATE TRIGGER reviews_insert_in_feed AFTER INSERT ON public.reviews REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.reviews_insert_in_feed();
CREATE TRIGGER reviews_update_in_feed AFTER UPDATE ON public.reviews REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.reviews_update_in_feed();
CREATE TRIGGER solutions_delete_in_feed AFTER DELETE ON public.solutions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.solutions_delete_in_feed();
CREATE TRIGGER solutions_insert_in_feed AFTER INSERT ON public.solutions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.solutions_insert_in_feed();
CREATE TRIGGER solutions_update_in_feed AFTER UPDATE ON public.solutions REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.solutions_update_in_feed();
CREATE TRIGGER statuses_delete_in_feed AFTER DELETE ON public.statuses REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.statuses_delete_in_feed();
CREATE TRIGGER statuses_insert_in_feed AFTER INSERT ON public.statuses REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.statuses_insert_in_feed();
CREATE TRIGGER statuses_update_in_feed AFTER UPDATE ON public.statuses REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.statuses_update_in_feed();
CREATE TRIGGER timers_delete_in_feed AFTER DELETE ON public.timers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.timers_delete_in_feed();
CREATE TRIGGER timers_insert_in_feed AFTER INSERT ON public.timers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.timers_insert_in_feed();
CREATE TRIGGER timers_update_in_feed AFTER UPDATE ON public.timers REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.timers_update_in_feed();
ALTER TABLE ONLY public.added_problems
    ADD CONSTRAINT added_problems_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.members(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.added_problems
    ADD CONSTRAINT added_problems_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT arrivals_list_id_fkey FOREIGN KEY (list_id) REFERENCES public.lists(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT arrivals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.arrived_problems
    ADD CONSTRAINT arrived_problems_arrival_id_fkey FOREIGN KEY (arrival_id) REFERENCES public.arrivals(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.arrived_problems
    ADD CONSTRAINT arrived_problems_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.bookmarks
    ADD CONSTRAINT bookmarks_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.bookmarks
    ADD CONSTRAINT bookmarks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.contest_problems
    ADD CONSTRAINT contest_problems_contest_id_fkey FOREIGN KEY (contest_id) REFERENCES public.contests(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.contest_problems
    ADD CONSTRAINT contest_problems_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.entry_links
    ADD CONSTRAINT entry_links_made_by_fkey FOREIGN KEY (made_by) REFERENCES public.members(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.entry_links
    ADD CONSTRAINT entry_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.expected_people
    ADD CONSTRAINT expected_people_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.first_solves
    ADD CONSTRAINT first_solves_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.first_solves
    ADD CONSTRAINT first_solves_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.followed_items
    ADD CONSTRAINT followed_items_list_id_fkey FOREIGN KEY (list_id) REFERENCES public.list_follows(list_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.followed_items
    ADD CONSTRAINT followed_items_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_links
    ADD CONSTRAINT group_links_expected_id_fkey FOREIGN KEY (expected_id) REFERENCES public.expected_people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_links
    ADD CONSTRAINT group_links_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_links
    ADD CONSTRAINT group_links_made_by_fkey FOREIGN KEY (made_by) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_lists
    ADD CONSTRAINT group_lists_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_lists
    ADD CONSTRAINT group_lists_list_id_fkey FOREIGN KEY (list_id) REFERENCES public.lists(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_expected_id_fkey FOREIGN KEY (expected_id) REFERENCES public.expected_people(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_removals
    ADD CONSTRAINT group_removals_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_removals
    ADD CONSTRAINT group_removals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.gym_keys
    ADD CONSTRAINT gym_keys_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES public.group_members(group_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.gym_keys
    ADD CONSTRAINT gym_keys_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handle_proofs
    ADD CONSTRAINT handle_proofs_handle_id_fkey FOREIGN KEY (handle_id) REFERENCES public.handles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handle_renames
    ADD CONSTRAINT handle_renames_handle_id_fkey FOREIGN KEY (handle_id) REFERENCES public.handles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handles
    ADD CONSTRAINT handles_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.inboxes
    ADD CONSTRAINT inboxes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.list_follows
    ADD CONSTRAINT list_follows_list_id_fkey FOREIGN KEY (list_id) REFERENCES public.lists(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.list_items
    ADD CONSTRAINT list_items_list_id_section_fkey FOREIGN KEY (list_id, section) REFERENCES public.list_sections(list_id, "position") ON DELETE CASCADE;
ALTER TABLE ONLY public.list_items
    ADD CONSTRAINT list_items_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.list_sections
    ADD CONSTRAINT list_sections_list_id_fkey FOREIGN KEY (list_id) REFERENCES public.lists(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lists
    ADD CONSTRAINT lists_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.member_settings
    ADD CONSTRAINT member_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.openid_accounts
    ADD CONSTRAINT openid_accounts_provider_fkey FOREIGN KEY (provider) REFERENCES public.openid_providers(key) ON DELETE CASCADE;
ALTER TABLE ONLY public.openid_accounts
    ADD CONSTRAINT openid_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.openid_visits
    ADD CONSTRAINT openid_visits_provider_fkey FOREIGN KEY (provider) REFERENCES public.openid_providers(key) ON DELETE CASCADE;
ALTER TABLE ONLY public.openid_visits
    ADD CONSTRAINT openid_visits_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plants
    ADD CONSTRAINT plants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_changes
    ADD CONSTRAINT program_changes_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_changes
    ADD CONSTRAINT program_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_feed_items
    ADD CONSTRAINT program_feed_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.program_feeds(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_feeds
    ADD CONSTRAINT program_feeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_keys
    ADD CONSTRAINT program_keys_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_parts
    ADD CONSTRAINT program_parts_change_id_fkey FOREIGN KEY (change_id) REFERENCES public.program_changes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.program_writes
    ADD CONSTRAINT program_writes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.proof_tasks
    ADD CONSTRAINT proof_tasks_handle_id_fkey FOREIGN KEY (handle_id) REFERENCES public.handles(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.proof_tasks
    ADD CONSTRAINT proof_tasks_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.proof_tasks
    ADD CONSTRAINT proof_tasks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_handle_id_fkey FOREIGN KEY (handle_id) REFERENCES public.handles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.real_fields
    ADD CONSTRAINT real_fields_round_id_fkey FOREIGN KEY (round_id) REFERENCES public.rounds(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.removed_problems
    ADD CONSTRAINT removed_problems_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_cards
    ADD CONSTRAINT review_cards_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_cards
    ADD CONSTRAINT review_cards_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_invitations
    ADD CONSTRAINT round_invitations_round_id_fkey FOREIGN KEY (round_id) REFERENCES public.rounds(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_invitations
    ADD CONSTRAINT round_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_people
    ADD CONSTRAINT round_people_round_id_fkey FOREIGN KEY (round_id) REFERENCES public.rounds(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_people
    ADD CONSTRAINT round_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_problems
    ADD CONSTRAINT round_problems_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_problems
    ADD CONSTRAINT round_problems_round_id_fkey FOREIGN KEY (round_id) REFERENCES public.rounds(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rounds
    ADD CONSTRAINT rounds_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rounds
    ADD CONSTRAINT rounds_made_by_fkey FOREIGN KEY (made_by) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.season_contests
    ADD CONSTRAINT season_contests_season_id_fkey FOREIGN KEY (season_id) REFERENCES public.seasons(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.season_points
    ADD CONSTRAINT season_points_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES public.group_members(group_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.season_points
    ADD CONSTRAINT season_points_season_id_fkey FOREIGN KEY (season_id) REFERENCES public.seasons(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT seasons_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_addresses
    ADD CONSTRAINT shared_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_notes
    ADD CONSTRAINT shared_notes_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES public.group_members(group_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_notes
    ADD CONSTRAINT shared_notes_user_id_problem_id_fkey FOREIGN KEY (user_id, problem_id) REFERENCES public.bookmarks(user_id, problem_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.solutions
    ADD CONSTRAINT solutions_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.solutions
    ADD CONSTRAINT solutions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.solved_counts
    ADD CONSTRAINT solved_counts_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.solves
    ADD CONSTRAINT solves_handle_id_fkey FOREIGN KEY (handle_id) REFERENCES public.handles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.solves
    ADD CONSTRAINT solves_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.statuses
    ADD CONSTRAINT statuses_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.statuses
    ADD CONSTRAINT statuses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.syncs
    ADD CONSTRAINT syncs_handle_id_fkey FOREIGN KEY (handle_id) REFERENCES public.handles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.team_authors
    ADD CONSTRAINT team_authors_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES public.group_members(group_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.team_authors
    ADD CONSTRAINT team_authors_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES public.group_members(group_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.team_members
    ADD CONSTRAINT team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.time_models
    ADD CONSTRAINT time_models_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.timers
    ADD CONSTRAINT timers_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.timers
    ADD CONSTRAINT timers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.upcoming_listings
    ADD CONSTRAINT upcoming_listings_contest_id_fkey FOREIGN KEY (contest_id) REFERENCES public.upcoming_contests(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.uprooted_plants
    ADD CONSTRAINT uprooted_plants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_made_by_fkey FOREIGN KEY (made_by) REFERENCES public.members(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
