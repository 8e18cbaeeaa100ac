/** All pages of lists that members see. */
import { listEditPages } from './edit.ts';
import { listIndexPages } from './index.ts';
import { listPages } from './list.ts';
import { newListPages } from './new.ts';

export const allListPages = [...listIndexPages, ...newListPages, ...listPages, ...listEditPages];
