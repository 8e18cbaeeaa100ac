/** A folder in memory for what a whole run of the tests writes: hundreds of databases, which take several times as long to make on a disk. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const roomAtLeast = 4 * 1024 ** 3;

/** Makes the folder; undefined where the system has no such place, too little room in it, or forbids programs there. */
export function makeMemoryFolder(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < roomAtLeast) return undefined;
    folder = mkdtempSync(join(memory, 'garden-tests-'));
    chmodSync(folder, 0o755);
    const program = join(folder, 'program');
    writeFileSync(program, '', { mode: 0o755 });
    accessSync(program, constants.X_OK);
    rmSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
