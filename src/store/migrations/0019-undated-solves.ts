/** A status may say that a problem is solved without saying when; SQLite drops no condition of a table, so the table is made anew. */
import { type Migration, onBothEngines } from '../engine.ts';

const made = onBothEngines(`
    CREATE TABLE statuses_anew (
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      self_status TEXT, self_at TEXT,
      judge_status TEXT, judge_at TEXT,
      how TEXT CHECK (how IN ('alone', 'hint', 'editorial')),
      overtaken_status TEXT, overtaken_at TEXT,
      listed_by TEXT,
      PRIMARY KEY (user_id, problem_id),
      CHECK (self_at IS NULL OR self_status IS NOT NULL),
      CHECK (self_at IS NOT NULL OR self_status IS NULL OR self_status = 'complete'),
      CHECK (judge_at IS NULL OR judge_status IS NOT NULL),
      CHECK (judge_at IS NOT NULL OR judge_status IS NULL OR judge_status = 'complete'),
      CHECK (self_status IS NOT NULL OR judge_status IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO statuses_anew (user_id, problem_id, self_status, self_at, judge_status, judge_at, how, overtaken_status, overtaken_at)
    SELECT user_id, problem_id, self_status, self_at, judge_status, judge_at, how, overtaken_status, overtaken_at
    FROM statuses ORDER BY user_id, problem_id;
    DROP TABLE statuses;
    ALTER TABLE statuses_anew RENAME TO statuses;
    CREATE INDEX statuses_by_problem ON statuses (problem_id, user_id);
`);

export const undatedSolves: Migration = {
  name: 'undated-solves',
  why: 'Lists of solved problems from other sites say that a problem is solved, and not on which day.',
  ...made,
};
