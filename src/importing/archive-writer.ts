/** Writing an archive: the same rows always become the same bytes. */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Db } from '../store/tables.ts';
import { partFile, partNames, readme, readmeFile } from './archive-parts.ts';
import { exportRows } from './export.ts';

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
      const rows = exportRows(db, name, 'ndjson', { onRows, memberId, isForElsewhere: true });
      take(null, Readable.from(rows));
    });
  }
  zip.end();
  zip.outputStream.pipe(output);
  return output;
}
