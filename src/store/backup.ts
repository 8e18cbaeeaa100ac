/** Backups: one state of a database as a compressed SQLite file with a checksum beside it. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  link,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError, badFile } from '../errors.ts';
import { type CopyProgress, copyStore } from './copy.ts';
import { engineOf, listTables } from './engine.ts';
import { codeOf } from './errors.ts';
import { countRows } from './listings.ts';
import { isOlder, schemaVersion } from './migrate.ts';
import { fileOf, lockTimeouts, openStore, usingStore } from './open.ts';
import { countOverview } from './overview.ts';
import { databaseIn, withExclusiveUse } from './sqlite/connection.ts';
import { giveToOwner, makeFolder } from './sqlite/files.ts';
import type { ReadableStore } from './store.ts';
import type { Tables } from './tables.ts';

const lockTimeoutMs = lockTimeouts.workMs;
const checksumSuffix = '.sha256';

/** No file has this path before it is complete and synced. `folder` is for temporary files. */
export async function writeBackup(
  source: ReadableStore,
  path: string,
  folder: string,
  progress: CopyProgress,
): Promise<{ rows: number; sha256: string }> {
  const fault = await folderFault(dirname(path), 'choose another place');
  if (fault !== undefined) throw new AppError('fileUnwritable', fault);
  const copyPath = join(folder, 'garden.db');
  const partialPath = partialOf(path);
  const rows = await (source.copyPages ? copyPages(source, copyPath) : copyRows(source, copyPath, progress));
  try {
    makeFolder(dirname(path));
    const output = createWriteStream(partialPath, { mode: 0o600, flush: true });
    await pipeline(createReadStream(copyPath), createGzip(), output);
    const sha256 = await digestOf(partialPath);
    await writeFile(`${path}${checksumSuffix}`, `${sha256}  ${basename(path)}\n`, {
      mode: 0o600,
      flush: true,
    });
    giveToOwner(partialPath);
    giveToOwner(`${path}${checksumSuffix}`);
    await rename(partialPath, path);
    await syncFolder(dirname(path));
    return { rows, sha256 };
  } catch (error) {
    throw toUnwritable(error, path);
  } finally {
    await rm(partialPath, { force: true }).catch(() => {});
  }
}

/**
 * Why nothing can be written into a folder, which need not exist yet. A file system such as /proc permits what it cannot
 * do, so a folder is made there for a moment. A full disk is not a fault of the folder.
 */
export async function folderFault(path: string, advice: string): Promise<string | undefined> {
  const folder = existingFolder(path);
  const start = folder === path ? folder : `${path}: ${folder}`;
  if (!statSync(folder).isDirectory()) return `${start} is not a folder; ${advice}.`;
  try {
    await rmdir(await mkdtemp(join(folder, '.garden-')));
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOSPC', 'EDQUOT'].includes(code)) return undefined;
    return `${start} cannot be written (${code}); make it writable or ${advice}.`;
  }
}

export function existingFolder(path: string): string {
  return existsSync(path) ? path : existingFolder(dirname(path));
}

/** Two processes that update one schema may write one backup. */
export const partialOf = (path: string): string => `${path}.${process.pid}.partial`;

async function copyRows(source: ReadableStore, path: string, progress: CopyProgress): Promise<number> {
  const opening = openStore(`sqlite:${path}`, { create: true, lockTimeoutMs });
  const tables = await usingStore(opening, (copy) => copyStore(source, copy, progress));
  return tables.reduce((sum, table) => sum + table.rows, 0);
}

/** Throws databaseBusy if another process updated the schema meanwhile. */
async function copyPages({ reader, copyPages }: ReadableStore, path: string): Promise<number> {
  await copyPages?.(path);
  if (!isOlder(await schemaVersion(reader)))
    throw new AppError('databaseBusy', 'Another process updated the schema meanwhile.');
  let rows = 0n;
  for (const table of await listTables(reader))
    rows += await countRows(reader.selectFrom(table as keyof Tables));
  return Number(rows);
}

/** Throws badFile, databaseCorrupt, databaseNewer or databaseTooOld. */
export async function verifyBackup(path: string, folder: string) {
  await access(path, constants.R_OK).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw badFile(`There is no file ${path}; garden backup creates one.`);
    throw badFile(`${path} cannot be read (${cause.code}); run the command as the owner of the file.`, cause);
  });
  const checksum = await readFile(`${path}${checksumSuffix}`, 'utf8').catch(() => undefined);
  if (checksum !== undefined && checksum.split(' ', 1)[0] !== (await digestOf(path))) {
    throw badFile(
      `${path} does not match its checksum in ${path}${checksumSuffix}; it was changed or damaged: use another backup.`,
    );
  }
  const file = join(folder, 'garden.db');
  try {
    await pipeline(createReadStream(path), createGunzip(), createWriteStream(file, { mode: 0o600 }));
  } catch (cause) {
    await assertNoDatabase(path, cause);
    throw badFile(
      `${path} cannot be unpacked (${(cause as NodeJS.ErrnoException).code}); it is damaged or not a backup: use another one.`,
      cause,
    );
  }
  if ((await databaseIn(file)) !== 'garden')
    throw badFile(`${path} is no backup of Practice Garden; use a file that garden backup wrote.`);
  const damaged = (fault: string, cause?: unknown) =>
    new AppError('databaseCorrupt', `${path} is damaged (${fault}): use another backup.`, { cause });
  const opening = openStore(`sqlite:${file}`, { create: false, lockTimeoutMs }).catch((error) => {
    // Its sentence names the unpacked file, which nobody gave.
    throw error.code === 'databaseCorrupt' ? damaged(codeOf(error.cause), error) : error;
  });
  return usingStore(opening, async ({ reader }) => {
    const [fault] = await engineOf(reader).checkIntegrity(reader);
    if (fault !== undefined) throw damaged(fault);
    return { file, ...(await countOverview(reader)) };
  });
}

async function assertNoDatabase(path: string, cause: unknown): Promise<void> {
  const found = await databaseIn(path);
  if (found === 'garden')
    throw badFile(
      `${path} is a database and no backup; a server opens it with DATABASE_URL=sqlite:${path}, and garden backup makes a backup of it.`,
      cause,
    );
  if (found === 'foreign')
    throw badFile(`${path} is a database of another program; use a file that garden backup wrote.`, cause);
}

/** The replaced file stays, under the returned path. */
export async function restoreBackup(
  file: string,
  databaseUrl: string,
  progress: CopyProgress,
): Promise<string | undefined> {
  const target = fileOf(databaseUrl);
  if (target === undefined) {
    await usingStore(openStore(`sqlite:${file}`, { create: false, lockTimeoutMs }), (backup) =>
      usingStore(openStore(databaseUrl, { create: true, lockTimeoutMs, migratesEmpty: true }), (database) =>
        copyStore(backup, database, progress),
      ),
    );
    return undefined;
  }
  const replacedPath = `${target}.before-${fileTimestamp()}`;
  const targetExists = existsSync(target);
  const newPath = `${target}.restoring`;
  async function replaceTarget(): Promise<void> {
    // SQLite would take the log of a damaged or missing file for that of the new one.
    if (existsSync(`${target}-wal`)) await rename(`${target}-wal`, `${replacedPath}-wal`);
    await rename(newPath, target as string);
  }
  try {
    makeFolder(dirname(target));
    await pipeline(createReadStream(file), createWriteStream(newPath, { mode: 0o600, flush: true }));
    giveToOwner(newPath);
    if (targetExists) {
      await withExclusiveUse(target, async () => {
        await link(target, replacedPath).catch(() => copyFile(target, replacedPath, constants.COPYFILE_EXCL));
        await replaceTarget();
      });
    } else {
      await replaceTarget();
    }
    await syncFolder(dirname(target));
  } catch (error) {
    throw toUnwritable(error, target);
  } finally {
    await rm(newPath, { force: true }).catch(() => {});
  }
  return targetExists ? replacedPath : undefined;
}

/** Such as 2026-11-21T083000Z; these names sort by time. */
export function fileTimestamp(): string {
  return `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as Readable) hash.update(chunk);
  return hash.digest('hex');
}

/** A new name in the folder survives a crash after this. Windows cannot sync folders. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function toUnwritable(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined || code.startsWith('SQLITE')) return error;
  const sentence = `${path} cannot be written (${code}); choose another place or free some space.`;
  return new AppError('fileUnwritable', sentence, { cause: error });
}
