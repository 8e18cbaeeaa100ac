/**
 * The files of an open database, and their file systems. SQLite would go on writing to a removed file, and the next start
 * would miss the changes, so every request is refused then (50306).
 */
import { existsSync, lchownSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Notify } from '../store.ts';

const watchIntervalMs = 100;

export type FileWatch = ReturnType<typeof watchFiles>;

export function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    // A folder may have become unsearchable.
    return undefined;
  }
}

export function assertIdentity(path: string, identity: string): void {
  if (identityOf(path) !== identity) throw lostFile(path);
}

/** Requests are answered again once the same files are back, because this process served nothing in between. */
export function watchFiles(path: string, checkpoint: () => boolean, notify: Notify) {
  // SQLite keeps the log beside the file that a symbolic link names.
  const real = realpathSync(path);
  const [log, index] = [`${real}-wal`, `${real}-shm`];
  const identities = new Map([path, log, index].map((name) => [name, identityOf(name)]));
  const isSame = (name: string) => identityOf(name) === identities.get(name);
  let missing: string | undefined;
  let isCheckpointed = false;

  function checkFiles(): void {
    const previous = missing;
    missing = [...identities.keys()].find((name) => !isSame(name));
    watch.isLost = missing !== undefined;
    if (missing === undefined) {
      if (previous !== undefined) notify('info', `${previous} is back; requests are answered.`);
      return;
    }
    if (previous === undefined) {
      isCheckpointed = false;
      notify(
        'warn',
        `${missing} was removed or replaced while the database was served: every request is refused with 503. Put the very same file back, or stop the server, put the right file there (garden restore brings back a backup) and start it again.`,
      );
    }
    // SQLite would read a log left at the old path as that of a new file, so its commits move into the open one. Beside another
    // process's new -shm file, whose locks are not shared, a checkpoint would be unsafe.
    const isUnsafe = existsSync(index) && !isSame(index);
    if (!isCheckpointed) isCheckpointed = isUnsafe || checkpoint();
  }

  const timer = setInterval(checkFiles, watchIntervalMs);
  timer.unref();
  const watch = {
    isLost: false,
    assertFilesPresent: (): void => {
      // A stat of the log would make Linux write its times at each commit, a third of the cost of a delete. The next check finds
      // a log that was replaced.
      if (missing === undefined && isSame(path) && existsSync(log)) return;
      checkFiles();
      if (missing === undefined) return;
      throw new AppError(
        'databaseUncertain',
        'The database was lost while it confirmed the change; check whether the change was saved before you try again.',
      );
    },
    end: (): void => clearInterval(timer),
  };
  return watch;
}

export function lostFile(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `The database ${path} was removed or replaced while the server was running; stop the server, put the right file there, and start it again.`,
  );
}

/** What root makes belongs to the owner of its folder, whose server must be able to use it. */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  try {
    // The owner may have put a link to a file of root there.
    lchownSync(path, uid, gid);
  } catch {
    // Some file systems have no owners.
  }
}

export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { recursive: true });
  giveToOwner(path);
}

/* File systems. A database file needs a local disk, because the log needs locks that work (sqlite.org/wal.html). */

/** Network file systems by their magic number in statfs(2) of Linux. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
]);
/** Each of these may be a local disk of a container or virtual machine, or a network behind sshfs. */
const maybeLocal: ReadonlySet<string> = new Set(['FUSE', '9p']);

export function remoteFileSystem(path: string): string | undefined {
  if (process.platform === 'win32') return /^[\\/]{2}[^?.]/.test(path) ? 'SMB' : undefined;
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  return process.platform === 'linux' ? nameOfType(statfsSync(existing).type) : undefined;
}

/** `type` may be negative, because some architectures sign-extend the 32-bit number. */
export function nameOfType(type: number): string | undefined {
  return networkFileSystems.get(type >>> 0);
}

export function refuseNetwork(path: string, name = remoteFileSystem(path)): void {
  if (name === undefined || maybeLocal.has(name)) return;
  throw new AppError(
    'databaseUnavailable',
    `${path} is on a network file system (${name}), where SQLite’s locks do not work and rows get lost; move it to a local disk, or use a database server with DATABASE_URL=postgres://….`,
  );
}

/** The log of a few deletes fits in it. */
const leastFreeBytes = 256 * 1024;

export function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= leastFreeBytes;
  } catch {
    return true;
  }
}
