/** Members' ratings at judges, one row for each rated contest of a handle. */
import { type Migration, onBothEngines } from '../engine.ts';

export const ratings: Migration = {
  name: 'ratings',
  why: 'Members see how their rating at a judge changed, beside what they practised before.',
  ...onBothEngines(`
    CREATE TABLE ratings (
      handle_id INTEGER NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
      contest TEXT NOT NULL,
      title TEXT NOT NULL,
      place INTEGER,
      rating INTEGER NOT NULL,
      rated_at TEXT NOT NULL,
      PRIMARY KEY (handle_id, contest)
    ) STRICT, WITHOUT ROWID;
  `),
};
