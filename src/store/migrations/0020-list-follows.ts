/** Lists that follow an address: when it was asked, how that went, and which problems were there. */
import { type Migration, onBothEngines } from '../engine.ts';

export const listFollows: Migration = {
  name: 'list-follows',
  why: 'A list can follow an address: what is added there comes in, and what is removed is shown.',
  ...onBothEngines(`
    CREATE TABLE list_follows (
      list_id INTEGER PRIMARY KEY REFERENCES lists (id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      entity_tag TEXT,
      due_at INTEGER NOT NULL,
      tried_at TEXT,
      good_at TEXT,
      fault TEXT,
      missing TEXT NOT NULL
    ) STRICT;
    CREATE INDEX list_follows_by_due ON list_follows (due_at);

    CREATE TABLE followed_items (
      list_id INTEGER NOT NULL REFERENCES list_follows (list_id) ON DELETE CASCADE,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      came_at TEXT,
      is_gone INTEGER NOT NULL,
      PRIMARY KEY (list_id, problem_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX followed_items_by_problem ON followed_items (problem_id);
  `),
};
