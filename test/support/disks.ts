/** A small disk that a test may fill up. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Undefined where no disk can be mounted; the test is skipped then. */
export async function smallDisk(t: TestContext, kibibytes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-disk-'));
  const args = ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder];
  // In this order, because a mounted folder cannot be removed.
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
