/** Timers: how long a member worked on a problem. */
import { type Migration, onBothEngines } from '../engine.ts';

export const timers: Migration = {
  name: 'timers',
  why: 'Members time how long a problem takes them; the timer survives a closed browser and stops at the accepted submission.',
  ...onBothEngines(`
    CREATE TABLE timers (
      id INTEGER PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      started_at TEXT NOT NULL,
      pauses TEXT NOT NULL,
      stopped_at TEXT,
      outcome TEXT CHECK (outcome IN ('solved', 'editorial', 'unsolved')),
      solved_at TEXT,
      grade TEXT CHECK (grade IN ('again', 'hard', 'good', 'easy')),
      change_id INTEGER,
      undone_at TEXT
    ) STRICT;
    CREATE UNIQUE INDEX timers_open ON timers (user_id) WHERE stopped_at IS NULL AND undone_at IS NULL;
    CREATE INDEX timers_by_time ON timers (user_id, started_at);
    CREATE INDEX timers_by_problem ON timers (problem_id, user_id);
  `),
};
