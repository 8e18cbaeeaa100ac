/** The pages of lists: those of one's own and of the garden, one list, its editing, and adding problems to it. */
import { listAddPages } from './add-page.ts';
import { listEditPages } from './edit-page.ts';
import { listIndexPages } from './index-page.ts';
import { listPages } from './list-page.ts';
import { newListPages } from './new-page.ts';

export { sharedListPages } from './shared-page.ts';
export const allListPages = [
  ...listIndexPages,
  ...newListPages,
  ...listAddPages,
  ...listPages,
  ...listEditPages,
];
