/** Imports by staff: any file that `garden import` knows. */
import { uploadPages } from '../uploads/pages.ts';
import { words } from '../words.ts';
import { importsPath, staffFrame } from './parts.ts';

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
