/** A small disk that a test may fill up. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder on a disk of its own, which goes when the test ends. Undefined, and the test skipped, where there can be none. */
export async function smallDisk(t: TestContext, mebibytes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-disk-'));
  const args = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder];
  // In one step: a folder on which a disk is mounted cannot be removed.
  t.after(async () => {
    spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  });
  const mount = spawnSync('mount', args, { encoding: 'utf8' });
  if (mount.status !== 0) {
    t.skip(`no small disk can be made here: ${mount.stderr?.trim()}`);
    return undefined;
  }
  return folder;
}

/** The file that takes up the room that is left; the disk has room again once it is removed. */
export function fillerOf(folder: string): string {
  return join(folder, 'filler');
}

export function fillUp(folder: string): void {
  const handle = openSync(fillerOf(folder), 'a');
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(handle);
  }
}
