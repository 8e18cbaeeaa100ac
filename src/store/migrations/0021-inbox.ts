/** The secret address to which a member sends problems, and what arrived there. */
import { type Migration, onBothEngines } from '../engine.ts';

export const inbox: Migration = {
  name: 'inbox',
  why: 'Members send problems from their browser, phone or tools to a secret address, and undo what arrived.',
  ...onBothEngines(`
    CREATE TABLE inboxes (
      user_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
      secret_digest TEXT NOT NULL UNIQUE,
      beginning TEXT NOT NULL,
      made_at TEXT NOT NULL,
      minute INTEGER NOT NULL,
      requests INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE arrivals (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      way TEXT NOT NULL,
      batch TEXT,
      list_id INTEGER REFERENCES lists (id) ON DELETE SET NULL,
      makes_list INTEGER NOT NULL,
      lost INTEGER NOT NULL,
      over_limit INTEGER NOT NULL,
      lost_text TEXT,
      arrived_at TEXT NOT NULL,
      undone_at TEXT
    ) STRICT;
    CREATE INDEX arrivals_by_member ON arrivals (user_id, id);
    CREATE INDEX arrivals_by_list ON arrivals (list_id);

    CREATE TABLE arrived_problems (
      arrival_id INTEGER NOT NULL REFERENCES arrivals (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      problem_id INTEGER REFERENCES problems (id) ON DELETE SET NULL,
      title TEXT NOT NULL,
      is_new INTEGER NOT NULL,
      is_listed INTEGER NOT NULL,
      status_change INTEGER,
      note_change INTEGER,
      minutes INTEGER,
      PRIMARY KEY (arrival_id, position)
    ) STRICT;
    CREATE INDEX arrived_problems_by_problem ON arrived_problems (problem_id);
  `),
};
