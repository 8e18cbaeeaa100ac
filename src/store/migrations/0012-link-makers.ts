/** The maker of an address by which people join a group, so that the address ends with the right to make one. */
import { type Migration, onBothEngines } from '../engine.ts';

export const linkMakers: Migration = {
  name: 'link-makers',
  why: 'A link works only while the person who created it may still create it: a group’s link ends with its coach.',
  // Only administrators make reset links. Where the maker is missing, their account was deleted.
  ...onBothEngines(`
    ALTER TABLE group_links ADD COLUMN made_by INTEGER REFERENCES members (id) ON DELETE CASCADE;
    DELETE FROM entry_links WHERE kind = 'reset' AND made_by IS NULL;
  `),
};
