/** Makes a database readable for a user who may write neither the file nor its folder. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { openSqlite } from './connection.ts';

/** A file that SQLite can open: the database itself, or a temporary copy if SQLite may not put files beside it. */
export function readableFile(path: string): { file: string; release(): void } {
  try {
    openSqlite(path, 'look').close();
    return { file: path, release: () => {} };
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    if (!/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(String(cause?.code))) throw error;
    return copied(path, error);
  }
}

function copied(path: string, reason: unknown): { file: string; release(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'garden-'));
  const release = () => rmSync(folder, { recursive: true, force: true });
  const file = join(folder, 'garden.db');
  try {
    for (const end of ['', '-wal']) {
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${file}${end}`);
    }
    openSqlite(file, 'look').close();
    return { file, release };
  } catch (error) {
    release();
    if (error instanceof AppError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC') throw reason;
    throw new AppError(
      'databaseFull',
      `${path} is read from a copy, for which ${folder} has no room; name another place in TMPDIR.`,
      {
        cause: error,
      },
    );
  }
}
