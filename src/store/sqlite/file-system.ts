/**
 * Which file systems may hold a database file. The log needs shared memory and working locks (sqlite.org/wal.html), so only
 * local disks do.
 */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';

export interface FileSystem {
  /** A doubtful one may be a local disk of a container or virtual machine, or a network behind sshfs. */
  kind: 'local' | 'doubtful' | 'network';
  /** Absent for a local one. */
  name?: string;
}

/** The file systems that are not local for certain, by their magic number in Linux's statfs(2). */
const notLocal: ReadonlyMap<number, FileSystem> = new Map([
  [0x6969, { kind: 'network', name: 'NFS' }],
  [0x517b, { kind: 'network', name: 'SMB' }],
  [0xff534d42, { kind: 'network', name: 'CIFS' }],
  [0xfe534d42, { kind: 'network', name: 'SMB' }],
  [0x5346414f, { kind: 'network', name: 'AFS' }],
  [0x73757245, { kind: 'network', name: 'Coda' }],
  [0x564c, { kind: 'network', name: 'NCP' }],
  [0x00c36400, { kind: 'network', name: 'Ceph' }],
  [0x0bd00bd0, { kind: 'network', name: 'Lustre' }],
  [0x47504653, { kind: 'network', name: 'GPFS' }],
  [0x19830326, { kind: 'network', name: 'BeeGFS' }],
  [0x65735546, { kind: 'doubtful', name: 'FUSE' }],
  [0x01021997, { kind: 'doubtful', name: '9p' }],
]);

/** The file system that a statfs(2) number of Linux stands for. Some architectures sign-extend the 32-bit number. */
export function placeOfType(type: number): FileSystem {
  return notLocal.get(type >>> 0) ?? { kind: 'local' };
}

/** The file system that holds this file, or that would hold it. Other systems than Linux and Windows count as local. */
export function placeOf(path: string): FileSystem {
  if (process.platform === 'win32') {
    return /^[\\/]{2}[^?.]/.test(path) ? { kind: 'network', name: 'SMB' } : { kind: 'local' };
  }
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  return process.platform === 'linux' ? placeOfType(statfsSync(there).type) : { kind: 'local' };
}

/** Enough room for the log of a few deletes. A log that is written over needs none. */
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

/** Throws databaseUnavailable for a file on a network file system. */
export function refuseNetwork(path: string, { kind, name } = placeOf(path)): void {
  if (kind !== 'network') return;
  throw new AppError(
    'databaseUnavailable',
    `${path} is on a network file system (${name}), where locks and the shared log of SQLite do not hold and rows get lost; put it on a local disk, or use a database server with DATABASE_URL=postgres://….`,
  );
}
