/** All pages of lists that members see. */
import { listAddPages } from './add-page.ts';
import { listEditPages } from './edit-page.ts';
import { listIndexPages } from './index-page.ts';
import { listPages } from './list-page.ts';
import { newListPages } from './new-page.ts';

export const allListPages = [
  ...listIndexPages,
  ...newListPages,
  ...listAddPages,
  ...listPages,
  ...listEditPages,
];
