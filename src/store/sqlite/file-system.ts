/** Where a database file may stand: its log needs memory shared by all processes and locks that hold, so one machine's own disk. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';

/** By the number that Linux's statfs(2) tells of them. */
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
]);
/** Local in a container or a virtual machine, a network behind sshfs and its like: the number does not tell which. */
const doubtfulFileSystems: ReadonlyMap<number, string> = new Map([
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
]);

export interface Place {
  kind: 'local' | 'doubtful' | 'network';
  /** Of the file system; undefined where it is local. */
  name?: string;
}

/** What this number of statfs(2) means; other systems than Linux number theirs differently, and none is refused there. */
export function placeOfType(type: number): Place {
  // Some systems extend the sign of the 32 bits.
  const bits = type >>> 0;
  const network = networkFileSystems.get(bits);
  if (network !== undefined) return { kind: 'network', name: network };
  const doubtful = doubtfulFileSystems.get(bits);
  return doubtful === undefined ? { kind: 'local' } : { kind: 'doubtful', name: doubtful };
}

/** Where this file is, or would be made. */
export function placeOf(path: string): Place {
  if (process.platform === 'win32') {
    return /^[\\/]{2}[^?.]/.test(path) ? { kind: 'network', name: 'SMB' } : { kind: 'local' };
  }
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  return process.platform === 'linux' ? placeOfType(statfsSync(there).type) : { kind: 'local' };
}

/** Room for the log of a few deletes; an empty log that grows to its usual size takes more, a log that is written over none. */
const leastFreeBytes = 256 * 1024;

/** Whether the disk has room for the next writes; true where that cannot be known. */
export function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= leastFreeBytes;
  } catch {
    return true;
  }
}

/** Throws databaseUnavailable where the file is on a network file system. */
export function refuseNetwork(path: string, { kind, name } = placeOf(path)): void {
  if (kind !== 'network') return;
  throw new AppError(
    'databaseUnavailable',
    `${path} is on a network file system (${name}), where locks and the shared log of SQLite do not hold and rows get lost; put it on a local disk, or use a database server with DATABASE_URL=postgres://….`,
  );
}
