/** Lists: chosen problems in an order, in sections. */
import { type Migration, onBothEngines } from '../engine.ts';

export const lists: Migration = {
  name: 'lists',
  why: 'Members make lists of problems: private, for all members, or behind a secret link.',
  ...onBothEngines(`
    CREATE TABLE lists (
      id INTEGER PRIMARY KEY,
      owner_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      visibility TEXT NOT NULL CHECK (visibility IN ('private', 'garden', 'secret')),
      secret_digest TEXT UNIQUE,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      version INTEGER NOT NULL,
      CHECK ((visibility = 'secret') = (secret_digest IS NOT NULL))
    ) STRICT;
    CREATE INDEX lists_by_owner ON lists (owner_id, updated_at);
    CREATE INDEX lists_of_garden ON lists (updated_at) WHERE visibility = 'garden';

    CREATE TABLE list_sections (
      list_id INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (list_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE list_items (
      list_id INTEGER NOT NULL,
      section INTEGER NOT NULL,
      position INTEGER NOT NULL,
      problem_id INTEGER NOT NULL REFERENCES problems (id) ON DELETE CASCADE,
      memo TEXT,
      added_at TEXT NOT NULL,
      PRIMARY KEY (list_id, problem_id),
      FOREIGN KEY (list_id, section) REFERENCES list_sections (list_id, position) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_items_by_problem ON list_items (problem_id, list_id);
    CREATE INDEX list_items_by_section ON list_items (list_id, section, position);
  `),
};
