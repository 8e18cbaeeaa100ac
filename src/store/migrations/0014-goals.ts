/** Goals: what of a topic a plant counts, by judge and rating, and the date of the goal. */
import { type Migration, onBothEngines } from '../engine.ts';

const columns = (table: string) => `
    ALTER TABLE ${table} ADD COLUMN source TEXT;
    ALTER TABLE ${table} ADD COLUMN rating_min INTEGER;
    ALTER TABLE ${table} ADD COLUMN rating_max INTEGER;
    ALTER TABLE ${table} ADD COLUMN by_date TEXT;`;

export const goals: Migration = {
  name: 'goals',
  why: 'A goal may count the problems of one judge or of a range of ratings alone, and may have a date.',
  ...onBothEngines(columns('plants') + columns('uprooted_plants')),
};
