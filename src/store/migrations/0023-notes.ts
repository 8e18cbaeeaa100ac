/** A note stands on its own, with or without a star, and so does when a member asked for the editorial. */
import { type Migration, onBothEngines } from '../engine.ts';

export const notes: Migration = {
  name: 'notes',
  why: 'A note no longer sets the star, and the garden remembers who opened an editorial before they solved the problem.',
  ...onBothEngines(`
    ALTER TABLE bookmarks ADD COLUMN is_starred INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE bookmarks ADD COLUMN editorial_at TEXT;
  `),
};
