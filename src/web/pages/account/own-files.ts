/** A member's own data as files that the command line reads: the archive of everything, and single files. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Format, mediaTypes } from '../../../contract/rows.ts';
import { AppError } from '../../../errors.ts';
import type { PartName } from '../../../importing/archive-parts.ts';
import { writeArchive } from '../../../importing/archive-writer.ts';
import { exportRows } from '../../../importing/export.ts';
import type { Store } from '../../../store/store.ts';
import type { Db } from '../../../store/tables.ts';
import type { Download } from '../../road/sending.ts';

/** A file in a format, or the archive of all. */
export function fileName(what: PartName | undefined, format: Format | 'zip'): string {
  return `practice-garden${what === undefined ? '' : `-${what}`}.${format}`;
}

/**
 * The archive, of one state of the database. It waits on the disk for the browser, because a slow one could hold that
 * state for hours. Throws fileUnwritable.
 */
export async function archiveFile(store: Store, memberId: bigint): Promise<Download> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-')).catch(refuseUnwritable);
  try {
    const path = join(folder, 'archive.zip');
    const output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await store.snapshot((db) => pipeline(writeArchive(db, memberId), output));
    const { size } = await stat(path);
    const file = await open(path);
    return {
      file: file.createReadStream({ start: 0 }),
      ...{ name: fileName(undefined, 'zip'), type: 'application/zip', size },
    };
  } catch (error) {
    return refuseUnwritable(error);
  } finally {
    // The open file stays until it is closed.
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseUnwritable(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EACCES' && code !== 'EROFS' && code !== 'EDQUOT') throw error;
  const sentence = `The server has no space for the archive (${code}). Try again later, or tell an administrator.`;
  throw new AppError('fileUnwritable', sentence, { cause: error });
}

/**
 * One kind of rows, read piece by piece as the browser takes them. No state of the database is held meanwhile, because
 * a slow browser could hold it for hours.
 */
export function singleFile(db: Db, memberId: bigint, what: PartName, format: Format): Download {
  const file = exportRows(db, what, format, { memberId, isForElsewhere: true });
  return { file, name: fileName(what, format), type: mediaTypes[format] };
}
