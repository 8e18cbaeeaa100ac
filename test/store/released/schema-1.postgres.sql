-- Schema 1 as it was released. Written by npm run freeze:schema; never changed.
CREATE TABLE public.bookmarks (
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    note text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.deleted_plants (
    id bigint NOT NULL
);
CREATE TABLE public.id_counters (
    table_name text NOT NULL COLLATE pg_catalog."C",
    last_id bigint NOT NULL
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
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['member'::text, 'staff'::text])))
);
CREATE TABLE public.plants (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    tag text COLLATE pg_catalog."C",
    target bigint NOT NULL,
    planted_at text NOT NULL COLLATE pg_catalog."C",
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
    updated_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.revisions (
    scope text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL
);
CREATE TABLE public.schema_migrations (
    version bigint NOT NULL,
    name text NOT NULL,
    applied_at text NOT NULL
);
CREATE TABLE public.settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.statuses (
    user_id bigint NOT NULL,
    problem_id bigint NOT NULL,
    self_status text COLLATE pg_catalog."C",
    self_at text COLLATE pg_catalog."C",
    judge_status text COLLATE pg_catalog."C",
    judge_at text COLLATE pg_catalog."C",
    CONSTRAINT statuses_check CHECK (((self_status IS NULL) = (self_at IS NULL))),
    CONSTRAINT statuses_check1 CHECK (((judge_status IS NULL) = (judge_at IS NULL))),
    CONSTRAINT statuses_check2 CHECK (((self_status IS NOT NULL) OR (judge_status IS NOT NULL)))
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
-- Here go the rows.
ALTER TABLE ONLY public.bookmarks
    ADD CONSTRAINT bookmarks_pkey PRIMARY KEY (user_id, problem_id);
ALTER TABLE ONLY public.deleted_plants
    ADD CONSTRAINT deleted_plants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.id_counters
    ADD CONSTRAINT id_counters_pkey PRIMARY KEY (table_name);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_username_key_key UNIQUE (username_key);
ALTER TABLE ONLY public.plants
    ADD CONSTRAINT plants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.problem_keys
    ADD CONSTRAINT problem_keys_pkey PRIMARY KEY (source, key);
ALTER TABLE ONLY public.problem_tags
    ADD CONSTRAINT problem_tags_pkey PRIMARY KEY (tag, problem_id);
ALTER TABLE ONLY public.problems
    ADD CONSTRAINT problems_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (scope);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.statuses
    ADD CONSTRAINT statuses_pkey PRIMARY KEY (user_id, problem_id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
CREATE INDEX bookmarks_by_problem ON public.bookmarks USING btree (problem_id, user_id);
CREATE INDEX plants_by_member ON public.plants USING btree (user_id, id);
CREATE INDEX problems_by_update ON public.problems USING btree (updated_at, id);
CREATE INDEX statuses_by_problem ON public.statuses USING btree (problem_id, user_id);
CREATE INDEX tokens_by_member ON public.tokens USING btree (user_id, id);
ALTER TABLE ONLY public.bookmarks
    ADD CONSTRAINT bookmarks_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.bookmarks
    ADD CONSTRAINT bookmarks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plants
    ADD CONSTRAINT plants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.statuses
    ADD CONSTRAINT statuses_problem_id_fkey FOREIGN KEY (problem_id) REFERENCES public.problems(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.statuses
    ADD CONSTRAINT statuses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.members(id) ON DELETE CASCADE;
