/** Keys of coaches to private gyms, of which only their own browser can read the sealed text; and how long problems take. */
import { type Migration, onBothEngines } from '../engine.ts';

export const gymKeys: Migration = {
  name: 'gym-keys',
  why: 'A coach assigns a private gym with a key of their own, and problems of AtCoder say how long they take people.',
  ...onBothEngines(`
    CREATE TABLE gym_keys (
      group_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      sealed TEXT NOT NULL,
      made_at TEXT NOT NULL,
      PRIMARY KEY (group_id, user_id),
      FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX gym_keys_by_session ON gym_keys (session_id);

    CREATE TABLE time_models (
      problem_id INTEGER PRIMARY KEY REFERENCES problems (id) ON DELETE CASCADE,
      slope INTEGER NOT NULL,
      intercept INTEGER NOT NULL
    ) STRICT;
  `),
};
