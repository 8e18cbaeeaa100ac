/** People in a browser: passwords, sessions, one-time links, and the history of what they mark. */
import { type Migration, onBothEngines } from '../engine.ts';

const tables = onBothEngines(`
    ALTER TABLE members ADD COLUMN password_hash TEXT;

    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      digest TEXT NOT NULL UNIQUE,
      browser TEXT NOT NULL,
      network TEXT NOT NULL,
      created_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_member ON sessions (user_id, id);

    CREATE TABLE entry_links (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset', 'demo')),
      digest TEXT NOT NULL UNIQUE,
      user_id INTEGER REFERENCES members (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('member', 'staff')),
      uses_left INTEGER NOT NULL,
      made_by INTEGER REFERENCES members (id) ON DELETE SET NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE attempts (
      digest TEXT PRIMARY KEY,
      tries INTEGER NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attempts_by_end ON attempts (expires_at);

    CREATE TABLE staff_log (
      id INTEGER PRIMARY KEY,
      made_at TEXT NOT NULL,
      actor_id INTEGER NOT NULL,
      what TEXT NOT NULL,
      member_id INTEGER
    ) STRICT;

    CREATE TABLE uploads (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      room TEXT NOT NULL CHECK (room IN ('member', 'staff')),
      name TEXT NOT NULL,
      asked TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      state TEXT NOT NULL,
      report TEXT,
      created_at TEXT NOT NULL,
      started_at TEXT,
      expires_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX uploads_by_member ON uploads (user_id, id);

    ALTER TABLE statuses ADD COLUMN how TEXT CHECK (how IN ('alone', 'hint', 'editorial'));

    CREATE TABLE changes (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      batch_id INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('status', 'how', 'bookmark', 'note')),
      before TEXT NOT NULL,
      after TEXT NOT NULL,
      made_at TEXT NOT NULL,
      undone_at TEXT
    ) STRICT;
    CREATE INDEX changes_by_member ON changes (user_id, id);
    CREATE INDEX changes_by_problem ON changes (problem_id, user_id, id);
    CREATE INDEX changes_by_batch ON changes (user_id, batch_id);

    CREATE TABLE member_settings (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (user_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE problem_counts (
      kind TEXT NOT NULL CHECK (kind IN ('source', 'tag')),
      name TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO problem_counts SELECT 'source', source, count(*) FROM problems GROUP BY source;
    INSERT INTO problem_counts SELECT 'tag', tag, count(*) FROM problem_tags GROUP BY tag;

    CREATE INDEX problems_by_key ON problems (source_key, id) WHERE is_sample > -1;
  `);

/**
 * Indexes of the numbered pages. Only a statement that says is_sample >= 0 can use the one for filters, and one that says
 * is_sample > -1 those for orders; both are always so. The windows of the interface are cut by ids, and without statistics
 * SQLite would rather take an index of sources for them.
 */
const indexes = {
  sqlite: `
    CREATE INDEX problems_by_filters ON problems (source, rating, search_text) WHERE is_sample >= 0;
    CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_sample > -1;
    CREATE INDEX problems_by_title ON problems (title, id) WHERE is_sample > -1;
  `,
  // An entry of an index has at most 2,704 bytes here, and titles may be longer. Nulls come last in both directions.
  postgres: `
    CREATE INDEX problems_by_filters ON problems (source, rating) WHERE is_sample >= 0;
    CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_sample > -1;
    CREATE INDEX problems_by_rating_down ON problems (rating DESC NULLS LAST, id) WHERE is_sample > -1;
  `,
};

export const signIn: Migration = {
  name: 'sign-in',
  why: 'Members sign in on the website with a password, mark problems and undo their changes.',
  sqlite: tables.sqlite + indexes.sqlite,
  postgres: tables.postgres + indexes.postgres,
};
