/** Imports by staff: any file that `garden import` knows. */
import { uploadPages } from '../uploads/pages.ts';
import { staffFrame, staffPath } from './parts.ts';

export const importsPath = `${staffPath}imports/`;

export const importPages = uploadPages({
  room: 'staff',
  path: importsPath,
  frame: (visit, content, title) =>
    staffFrame(
      visit,
      title === undefined
        ? {
            title: 'Imports',
            room: 'imports/',
            sub: 'Files of judges, and rows of this garden or another. All of a file is imported, or nothing.',
          }
        : { title, room: 'imports/', above: 'Imports' },
      content,
    ),
});
