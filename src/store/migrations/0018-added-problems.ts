/** Which problems members added by their addresses, and who did. */
import { type Migration, onBothEngines } from '../engine.ts';

export const addedProblems: Migration = {
  name: 'added-problems',
  why: 'Members add problems of any site; their limits and the staff’s list need to know who added which.',
  ...onBothEngines(`
    CREATE TABLE added_problems (
      problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
      member_id INTEGER REFERENCES members (id) ON DELETE SET NULL,
      added_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX added_problems_by_member ON added_problems (member_id, added_at);
    CREATE INDEX problems_by_url ON problems (url) WHERE url IS NOT NULL;
    CREATE INDEX added_problems_by_time ON added_problems (added_at, problem_id);
  `),
};
