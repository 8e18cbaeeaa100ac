/** Imports by staff: any file that `garden import` knows. */
import type { Html } from '../layout.ts';
import { uploadPages } from '../uploads/pages.ts';
import type { UploadRoom } from '../uploads/room.ts';
import { staffFrame, staffPath } from './parts.ts';

const room: UploadRoom = {
  room: 'staff',
  path: `${staffPath}imports/`,
  title: 'Imports',
  sub: 'Files of judges, and rows of this garden or another. Either all of a file is imported or nothing.',
  frame: (visit, content, title?: Html) =>
    staffFrame(
      visit,
      title === undefined
        ? { title: room.title, room: 'imports/', sub: room.sub }
        : { title: room.title, heading: title, room: 'imports/', above: room.title },
      content,
    ),
};

export const importPages = uploadPages(room);
