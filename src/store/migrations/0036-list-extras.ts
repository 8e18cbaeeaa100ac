/** Members of a file about a list, its sections and problems beyond what the garden knows. */
import { type Migration, onBothEngines } from '../engine.ts';

export const listExtras: Migration = {
  name: 'list-extras',
  why: 'A list that came as a file keeps the members that the garden does not know, such as its licence.',
  ...onBothEngines(`
    ALTER TABLE lists ADD COLUMN extras TEXT;
    ALTER TABLE list_sections ADD COLUMN extras TEXT;
    ALTER TABLE list_items ADD COLUMN extras TEXT;
  `),
};
