/** The first schema: members, problems, statuses, bookmarks, plants, tokens. */
import type { Migration } from '../migration.ts';

export const foundation: Migration = {
  name: 'foundation',
  why: 'The nine operations need members, problems, statuses, bookmarks, plants and tokens.',
  sqlite: `
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
    CREATE INDEX problems_by_update ON problems (updated_at, id);

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
    CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);

    CREATE TABLE bookmarks (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      note TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (user_id, problem_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bookmarks_by_problem ON bookmarks (problem_id, user_id);

    CREATE TABLE plants (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      tag TEXT,
      target INTEGER NOT NULL CHECK (target > 0),
      planted_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX plants_by_member ON plants (user_id, id);

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
    CREATE INDEX tokens_by_member ON tokens (user_id, id);

    CREATE TABLE id_counters (table_name TEXT PRIMARY KEY, last_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE revisions (scope TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // COLLATE "C" compares text by code point, as SQLite does, whatever the collation of the database is.
  postgres: `
    CREATE TABLE members (
      id BIGINT PRIMARY KEY,
      username TEXT COLLATE "C" NOT NULL,
      username_key TEXT COLLATE "C" NOT NULL UNIQUE,
      first_name TEXT COLLATE "C", last_name TEXT COLLATE "C", email TEXT COLLATE "C", phone TEXT COLLATE "C",
      address TEXT COLLATE "C", city TEXT COLLATE "C", state TEXT COLLATE "C", zipcode TEXT COLLATE "C",
      role TEXT COLLATE "C" NOT NULL CHECK (role IN ('member', 'staff')),
      search_text TEXT COLLATE "C" NOT NULL,
      is_disabled BIGINT NOT NULL DEFAULT 0,
      is_sample BIGINT NOT NULL DEFAULT 0,
      created_at TEXT COLLATE "C" NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL
    );

    CREATE TABLE problems (
      id BIGINT PRIMARY KEY,
      title TEXT COLLATE "C" NOT NULL,
      source TEXT COLLATE "C" NOT NULL,
      source_key TEXT COLLATE "C" NOT NULL,
      url TEXT COLLATE "C",
      rating BIGINT,
      tags TEXT COLLATE "C" NOT NULL,
      aliases TEXT COLLATE "C" NOT NULL,
      editorial_url TEXT COLLATE "C",
      video_url TEXT COLLATE "C",
      search_text TEXT COLLATE "C" NOT NULL,
      is_sample BIGINT NOT NULL DEFAULT 0,
      created_at TEXT COLLATE "C" NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL
    );
    CREATE INDEX problems_by_update ON problems (updated_at, id);

    CREATE TABLE problem_keys (
      source TEXT COLLATE "C" NOT NULL,
      key TEXT COLLATE "C" NOT NULL,
      problem_id BIGINT NOT NULL,
      PRIMARY KEY (source, key)
    );

    CREATE TABLE problem_tags (
      tag TEXT COLLATE "C" NOT NULL,
      problem_id BIGINT NOT NULL,
      PRIMARY KEY (tag, problem_id)
    );

    CREATE TABLE statuses (
      user_id BIGINT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id BIGINT NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      self_status TEXT COLLATE "C", self_at TEXT COLLATE "C",
      judge_status TEXT COLLATE "C", judge_at TEXT COLLATE "C",
      PRIMARY KEY (user_id, problem_id),
      CHECK ((self_status IS NULL) = (self_at IS NULL)),
      CHECK ((judge_status IS NULL) = (judge_at IS NULL)),
      CHECK (self_status IS NOT NULL OR judge_status IS NOT NULL)
    );
    CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);

    CREATE TABLE bookmarks (
      user_id BIGINT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id BIGINT NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      note TEXT COLLATE "C",
      created_at TEXT COLLATE "C" NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (user_id, problem_id)
    );
    CREATE INDEX bookmarks_by_problem ON bookmarks (problem_id, user_id);

    CREATE TABLE plants (
      id BIGINT PRIMARY KEY,
      user_id BIGINT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT COLLATE "C" NOT NULL,
      tag TEXT COLLATE "C",
      target BIGINT NOT NULL CHECK (target > 0),
      planted_at TEXT COLLATE "C" NOT NULL
    );
    CREATE INDEX plants_by_member ON plants (user_id, id);

    CREATE TABLE deleted_plants (id BIGINT PRIMARY KEY);

    CREATE TABLE tokens (
      id BIGINT PRIMARY KEY,
      user_id BIGINT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT COLLATE "C" NOT NULL,
      digest TEXT COLLATE "C" NOT NULL UNIQUE,
      scopes TEXT COLLATE "C" NOT NULL,
      created_at TEXT COLLATE "C" NOT NULL,
      expires_at TEXT COLLATE "C",
      revoked_at TEXT COLLATE "C",
      last_used_at TEXT COLLATE "C"
    );
    CREATE INDEX tokens_by_member ON tokens (user_id, id);

    CREATE TABLE id_counters (table_name TEXT COLLATE "C" PRIMARY KEY, last_id BIGINT NOT NULL);
    CREATE TABLE revisions (scope TEXT COLLATE "C" PRIMARY KEY, revision BIGINT NOT NULL);
    CREATE TABLE settings (name TEXT COLLATE "C" PRIMARY KEY, value TEXT COLLATE "C" NOT NULL);
  `,
};
