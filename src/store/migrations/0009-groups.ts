/** Groups: who practises together, who coaches them, the addresses by which people join, and the lists that are given to them. */
import { type Migration, onBothEngines } from '../engine.ts';

export const groups: Migration = {
  name: 'groups',
  why: 'Groups: members join by a coach’s link, and coaches assign lists.',
  ...onBothEngines(`
    CREATE TABLE groups (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      zone TEXT NOT NULL,
      has_board INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE group_members (
      group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('member', 'coach')),
      joined_at TEXT NOT NULL,
      on_board INTEGER NOT NULL,
      PRIMARY KEY (group_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX group_members_by_member ON group_members (user_id, group_id);

    CREATE TABLE group_links (
      id INTEGER PRIMARY KEY,
      group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
      digest TEXT NOT NULL UNIQUE,
      uses_left INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX group_links_by_group ON group_links (group_id);

    CREATE TABLE group_lists (
      group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
      list_id INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      due_at TEXT,
      given_at TEXT NOT NULL,
      PRIMARY KEY (group_id, list_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX group_lists_by_list ON group_lists (list_id);
  `),
};
