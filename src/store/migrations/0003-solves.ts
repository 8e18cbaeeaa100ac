/** The facts that judges tell one by one: handles, the submissions sent under them, contests and their problems. */
import { type Migration, onBothEngines } from '../engine.ts';

export const solves: Migration = {
  name: 'solves',
  why: 'Submissions are stored, and unlinking a handle removes what came with it.',
  ...onBothEngines(`
    CREATE TABLE handles (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      source TEXT NOT NULL,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      created_at TEXT NOT NULL,
      brought_at TEXT,
      UNIQUE (user_id, source, name_key)
    ) STRICT;

    CREATE TABLE solves (
      handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
      submission_id TEXT NOT NULL,
      problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
      key TEXT NOT NULL,
      verdict_class TEXT NOT NULL CHECK (verdict_class IN ('pending', 'void', 'tried', 'solved')),
      verdict TEXT,
      submitted_at TEXT NOT NULL,
      contest TEXT,
      participation TEXT CHECK (participation IN ('contest', 'virtual', 'practice', 'team')),
      language TEXT,
      way TEXT NOT NULL CHECK (way IN ('server', 'browser', 'file')),
      PRIMARY KEY (handle_id, submission_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX solves_by_problem ON solves (problem_id, handle_id, verdict_class, submitted_at);

    ALTER TABLE statuses ADD COLUMN overtaken_status TEXT;
    ALTER TABLE statuses ADD COLUMN overtaken_at TEXT;

    CREATE TABLE solved_counts (
      problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
      solved_by INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE contests (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      key TEXT NOT NULL,
      title TEXT NOT NULL,
      starts_at TEXT,
      duration_s INTEGER NOT NULL,
      phase TEXT,
      search_text TEXT NOT NULL,
      UNIQUE (source, key)
    ) STRICT;

    CREATE TABLE imports (
      what TEXT PRIMARY KEY,
      made_at TEXT NOT NULL,
      user_id INTEGER,
      read INTEGER NOT NULL,
      added INTEGER NOT NULL,
      changed INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE contest_problems (
      contest_id INTEGER NOT NULL REFERENCES contests (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      position TEXT NOT NULL,
      problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
      PRIMARY KEY (contest_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX contest_problems_by_problem ON contest_problems (problem_id, contest_id);
  `),
};
