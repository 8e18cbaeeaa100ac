/** Which file systems may hold a database file: local disks, because the log needs locks that work (sqlite.org/wal.html). */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';

/** The file systems that are not local for certain, by their magic number in Linux's statfs(2). */
const notLocal: ReadonlyMap<number, string> = new Map([
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
const doubtful: ReadonlySet<string> = new Set(['FUSE', '9p']);

/** The name of the network file system that holds this file, or would hold it; only Linux and Windows say so. */
export function remoteFileSystem(path: string): string | undefined {
  if (process.platform === 'win32') return /^[\\/]{2}[^?.]/.test(path) ? 'SMB' : undefined;
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  return process.platform === 'linux' ? nameOfType(statfsSync(there).type) : undefined;
}

/** Some architectures sign-extend the 32-bit number. */
export function nameOfType(type: number): string | undefined {
  return notLocal.get(type >>> 0);
}

export function refuseNetwork(path: string, name = remoteFileSystem(path)): void {
  if (name === undefined || doubtful.has(name)) return;
  throw new AppError(
    'databaseUnavailable',
    `${path} is on a network file system (${name}), where SQLite’s locks do not work and rows get lost; move it to a local disk, or use a database server with DATABASE_URL=postgres://….`,
  );
}

/** Enough for the log of a few deletes. */
const leastFreeBytes = 256 * 1024;

/** Whether the disk has room for the next writes; true when statfs fails. */
export function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= leastFreeBytes;
  } catch {
    return true;
  }
}
