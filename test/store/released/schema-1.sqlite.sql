-- Schema 1 as it was released. Written by npm run freeze:schema; never changed.
PRAGMA page_size = 8192;
PRAGMA journal_mode = wal;
PRAGMA application_id = 1196573774;
CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;
CREATE TABLE members (
      id INTEGER PRIMARY KEY,
      username TEXT NOT NULL,
      username_key TEXT NOT NULL UNIQUE,
      first_name TEXT, last_name TEXT, email TEXT, phone TEXT,
      address TEXT, city TEXT, state TEXT, zipcode TEXT,
      role TEXT NOT NULL CHECK (role IN ('member', 'staff')),
      search_text TEXT NOT NULL,
      is_disabled INTEGER NOT NULL DEFAULT 0,
      is_sample INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
CREATE TABLE problems (
      id INTEGER PRIMARY KEY,
      title TEXT NOT NULL,
      source TEXT NOT NULL,
      source_key TEXT NOT NULL,
      url TEXT,
      rating INTEGER,
      tags TEXT NOT NULL,
      aliases TEXT NOT NULL,
      editorial_url TEXT,
      video_url TEXT,
      search_text TEXT NOT NULL,
      is_sample INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
CREATE TABLE problem_keys (
      source TEXT NOT NULL,
      key TEXT NOT NULL,
      problem_id INTEGER NOT NULL,
      PRIMARY KEY (source, key)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE problem_tags (
      tag TEXT NOT NULL,
      problem_id INTEGER NOT NULL,
      PRIMARY KEY (tag, problem_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE statuses (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      self_status TEXT, self_at TEXT,
      judge_status TEXT, judge_at TEXT,
      PRIMARY KEY (user_id, problem_id),
      CHECK ((self_status IS NULL) = (self_at IS NULL)),
      CHECK ((judge_status IS NULL) = (judge_at IS NULL)),
      CHECK (self_status IS NOT NULL OR judge_status IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE bookmarks (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      note TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (user_id, problem_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE plants (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      tag TEXT,
      target INTEGER NOT NULL CHECK (target > 0),
      planted_at TEXT NOT NULL
    ) STRICT;
CREATE TABLE deleted_plants (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE tokens (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      scopes TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      revoked_at TEXT,
      last_used_at TEXT
    ) STRICT;
CREATE TABLE id_counters (table_name TEXT PRIMARY KEY, last_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE revisions (scope TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Here go the rows.
CREATE INDEX problems_by_update ON problems (updated_at, id);
CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);
CREATE INDEX bookmarks_by_problem ON bookmarks (problem_id, user_id);
CREATE INDEX plants_by_member ON plants (user_id, id);
CREATE INDEX tokens_by_member ON tokens (user_id, id);
