/** Files that commands write: whole or not at all, and nothing left behind however a command ends. */
import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../errors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes the path once the work has ended, be it well, by an error or by Ctrl+C. */
export async function withLeftover<T>(path: string, work: () => Promise<T>): Promise<T> {
  const remove = () => rmSync(path, { recursive: true, force: true });
  const stop = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  process.on('exit', remove);
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, stop);
    process.off('exit', remove);
    remove();
  }
}

/** Lets the work use a folder of its own under the system's temporary one. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-'));
  return withLeftover(folder, () => work(folder));
}

/** Writes beside the file and renames, so that no half of it ever stands under its name. Throws fileUnwritable. */
export async function writeWhole(
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  mode: number,
): Promise<void> {
  try {
    const known = await stat(path).catch(() => undefined);
    // A device or a named pipe is written to, never replaced.
    if (known && !known.isFile()) return await writeFile(path, chunks);
    const target = known ? await realpath(path) : path;
    const partial = `${target}.${process.pid}.partial`;
    await withLeftover(partial, async () => {
      await writeFile(partial, chunks, { mode: known?.mode ?? mode, flush: true });
      await rename(partial, target);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof AppError || code === undefined) throw error;
    const sentence = `${path} cannot be written (${code}); choose another place or free some space.`;
    throw new AppError('fileUnwritable', sentence, { cause: error });
  }
}
