/** Rounds of members: when each is, which problems it has, and who joined. Its table is counted from submissions. */
import { type Migration, onBothEngines } from '../engine.ts';

export const rounds: Migration = {
  name: 'rounds',
  why: 'Members hold contests of their own, with problems of any judge, for a group or for whoever has the address.',
  ...onBothEngines(`
    CREATE TABLE rounds (
      id INTEGER PRIMARY KEY,
      made_by INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      group_id INTEGER REFERENCES groups (id) ON DELETE CASCADE,
      secret TEXT UNIQUE,
      name TEXT NOT NULL,
      rule TEXT NOT NULL,
      starts_at TEXT NOT NULL,
      ends_at TEXT NOT NULL,
      freeze_minutes INTEGER NOT NULL,
      is_shown INTEGER NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX rounds_by_maker ON rounds (made_by);
    CREATE INDEX rounds_by_group ON rounds (group_id);
    CREATE INDEX rounds_by_end ON rounds (ends_at);

    CREATE TABLE round_problems (
      round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      points INTEGER NOT NULL,
      PRIMARY KEY (round_id, problem_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX round_problems_by_problem ON round_problems (problem_id);

    CREATE TABLE round_people (
      round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      joined_at TEXT NOT NULL,
      PRIMARY KEY (round_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX round_people_by_member ON round_people (user_id);
  `),
};
