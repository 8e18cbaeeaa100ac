/** Which problems members added by their addresses, who did, and what staff removed or merged again. */
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
    CREATE TABLE removed_problems (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      source_key TEXT NOT NULL,
      title TEXT NOT NULL,
      merged_into INTEGER REFERENCES problems (id) ON DELETE CASCADE,
      before TEXT NOT NULL,
      removed_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX removed_problems_by_key ON removed_problems (source, source_key);
    CREATE INDEX removed_problems_by_time ON removed_problems (removed_at);
    CREATE INDEX problems_by_url ON problems (url) WHERE url IS NOT NULL;
    CREATE INDEX added_problems_by_time ON added_problems (added_at, problem_id);
  `),
};
