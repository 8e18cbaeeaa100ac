/** Contests to come, and which lists of contests have them; webhooks of groups that are told of them. */
import { type Migration, onBothEngines } from '../engine.ts';

export const upcoming: Migration = {
  name: 'upcoming',
  why: 'Members see which contests come next, in their calendar as well, where moved and cancelled ones stay the same events.',
  ...onBothEngines(`
    CREATE TABLE upcoming_contests (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      key TEXT NOT NULL,
      title TEXT NOT NULL,
      url TEXT,
      starts_at TEXT NOT NULL,
      duration_s INTEGER NOT NULL,
      told_by TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      changed_at TEXT NOT NULL,
      cancelled_at TEXT,
      UNIQUE (source, key)
    ) STRICT;
    CREATE INDEX upcoming_contests_by_start ON upcoming_contests (starts_at);

    CREATE TABLE upcoming_listings (
      contest_id INTEGER NOT NULL REFERENCES upcoming_contests (id) ON DELETE CASCADE,
      feed TEXT NOT NULL,
      PRIMARY KEY (contest_id, feed)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX upcoming_listings_by_feed ON upcoming_listings (feed);

    ALTER TABLE webhooks ADD COLUMN sends_contests INTEGER NOT NULL DEFAULT 0;
  `),
};
