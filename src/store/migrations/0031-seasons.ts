/** Seasons of groups: their contests, the points that coaches give by hand, and who agreed to be shown in them. */
import { type Migration, onBothEngines } from '../engine.ts';

export const seasons: Migration = {
  name: 'seasons',
  why: 'A group has seasons: a table of people and contests, with points by a rule. People agree before they are shown.',
  ...onBothEngines(`
    ALTER TABLE group_members ADD COLUMN in_season INTEGER;

    CREATE TABLE seasons (
      id INTEGER PRIMARY KEY,
      group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      first_day TEXT NOT NULL,
      last_day TEXT NOT NULL,
      upsolve_days INTEGER NOT NULL,
      points TEXT NOT NULL CHECK (points IN ('problem', 'band')),
      best INTEGER,
      rule_since TEXT,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX seasons_by_group ON seasons (group_id, id);

    CREATE TABLE season_contests (
      season_id INTEGER NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('contest', 'round')),
      item_id INTEGER NOT NULL,
      added_at TEXT NOT NULL,
      PRIMARY KEY (season_id, kind, item_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE season_points (
      id INTEGER PRIMARY KEY,
      season_id INTEGER NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
      group_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      halves INTEGER NOT NULL,
      reason TEXT NOT NULL,
      made_at TEXT NOT NULL,
      FOREIGN KEY (group_id, user_id) REFERENCES group_members (group_id, user_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX season_points_by_season ON season_points (season_id, user_id);
    CREATE INDEX season_points_by_person ON season_points (group_id, user_id);
  `),
};
