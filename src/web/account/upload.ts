/** Uploading one's own files: what is read from them changes the rows of this member alone. */
import { uploadPages } from '../uploads/pages.ts';
import { words } from '../words.ts';
import { accountPage, accountPath } from './rooms.ts';

export const uploadPath = `${accountPath}data/upload/`;

export const ownUploadPages = uploadPages({
  room: 'member',
  path: uploadPath,
  frame: (visit, content, title = words('uploads.ownTitle')) =>
    accountPage(visit, { room: 'data/', title, sub: words('uploads.ownSub') }, content),
});
