/** The language of the messages to a group. */
import { type Migration, onBothEngines } from '../engine.ts';

export const groupLanguage: Migration = {
  name: 'group-language',
  why: 'A group says in which language its messages are.',
  ...onBothEngines('ALTER TABLE groups ADD COLUMN language TEXT;'),
};
