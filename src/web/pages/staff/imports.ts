/** Imports by staff: any file that `garden import` knows. */

import { uploadPages } from '../../kit/uploads/upload-pages.ts';
import { importsPath } from '../../paths.ts';
import { words } from '../../words/words.ts';
import { staffFrame } from './frame.ts';

export const importPages = uploadPages({
  room: 'staff',
  path: importsPath,
  frame: (visit, content, title) =>
    staffFrame(
      visit,
      title === undefined
        ? {
            title: words('staff.imports'),
            room: 'imports/',
            sub: words('uploads.staffSub'),
          }
        : { title, room: 'imports/', above: words('staff.imports') },
      content,
    ),
});
