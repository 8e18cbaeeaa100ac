/** Writing an archive: the same rows always become the same bytes. */

import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Db } from '../store/tables.ts';
import { neededProblems } from './needed-problems.ts';
import { exportRows, memberKinds, type OwnKind, ownKinds, type ResourceName } from './own-kinds.ts';

/* The parts of an archive: one file for each kind of a member's data, and a text that explains the files. */

export type PartName = ResourceName;
export const parts: Readonly<Record<PartName, OwnKind>> = { ...ownKinds, problems: neededProblems };

/** In the order in which they are read: what a row names comes before it. */
export const partNames: readonly PartName[] = ['records', 'problems', ...memberKinds.slice(1)];

const contents: Readonly<Record<PartName, string>> = {
  records: 'the member: names, address, role',
  problems: 'the problems that the other files name, with their links',
  handles: 'the names of the member at judges',
  submissions: 'the kept submissions under those names, with the rulings of the judges',
  ratings: 'the ratings that judges gave the member after contests',
  statuses: 'how far the member is with each problem; the word of the judge stands behind their own',
  bookmarks: 'the problems that the member starred or has a note on, and where they asked for the editorial',
  plants: 'the goals in the garden',
  changes: 'the history of what the member marked; the same batch number means made together',
  reviews: 'what the member said of problems that came back',
  timers: 'how long the member worked on problems; an accepted submission ends a timer too',
  lists: 'the lists that the member made, with sections, problems and memos',
  preferences: 'what the problem list hides, the saved views, and who sees the public page',
};

export function partFile(name: PartName): string {
  return `${name}.ndjson`;
}

export const readmeFile = 'README.txt';

const longest = Math.max(...partNames.map((name) => partFile(name).length));

/** The same in every archive, as two archives of the same rows have the same bytes. */
export const readme = `This is an archive of Practice Garden: all that a garden has of one member.

Each file has one JSON object a line (NDJSON). Problems are named by their judge and its key, and
times are in UTC, so another garden reads all of it with

    garden import archive FILE.zip

It adds problems that it does not have where it knows the site of their links.

${partNames.map((name) => `${partFile(name).padEnd(longest)}  ${contents[name]}`).join('\n')}

Passwords, sessions and tokens are in no file: the garden keeps fingerprints of them alone.
`;

// The earliest time that a zip file can name: a fixed one, and the same in every time zone.
const fixed = { mtime: new Date(0), forceDosTimestamp: true, mode: 0o100644, compressionLevel: 6 };

/** All that the database has of a member, as the bytes of a zip file; rows are read as fast as the bytes are taken. */
export function writeArchive(db: Db, memberId: bigint, onRows: (count: number) => void = () => {}): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.on('error', (error: Error) => output.destroy(error));
  zip.addBuffer(Buffer.from(readme), readmeFile, fixed);
  for (const name of partNames) {
    zip.addReadStreamLazy(partFile(name), fixed, (take) => {
      const rows = exportRows(db, parts[name], 'ndjson', { onRows, memberId, isForElsewhere: true });
      take(null, Readable.from(rows));
    });
  }
  zip.end();
  zip.outputStream.pipe(output);
  return output;
}
