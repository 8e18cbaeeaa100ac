/** Uploading one's own files: what is read from them changes the rows of this member alone. */

import { uploadPages } from '../../kit/uploads/upload-pages.ts';
import { uploadPath } from '../../paths.ts';
import { words } from '../../words/words.ts';
import { accountPage } from './frame.ts';

export const ownUploadPages = uploadPages({
  room: 'member',
  path: uploadPath,
  frame: (visit, content, title = words('uploads.ownTitle')) =>
    accountPage(visit, { room: 'data/', title, sub: words('uploads.ownSub') }, content),
});
