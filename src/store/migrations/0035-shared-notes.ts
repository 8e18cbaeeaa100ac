/** Notes that members share with groups. A choice goes with its note, and when its member leaves the group. */
import { type Migration, onBothEngines } from '../engine.ts';

export const sharedNotes: Migration = {
  name: 'shared-notes',
  why: 'Members share a note with a group: its people read it once they and the writer have solved the problem.',
  ...onBothEngines(`
    CREATE TABLE shared_notes (
      problem_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      group_id INTEGER NOT NULL,
      shared_at TEXT NOT NULL,
      PRIMARY KEY (problem_id, user_id, group_id),
      FOREIGN KEY (user_id, problem_id) REFERENCES bookmarks (user_id, problem_id) ON DELETE CASCADE,
      FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shared_notes_by_person ON shared_notes (group_id, user_id);
  `),
};
