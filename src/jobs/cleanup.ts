/** Removes temporary files however the work with them ends. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../errors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function withCleanup<T>(path: string, work: () => Promise<T>): Promise<T> {
  const remove = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Nothing was made in a folder that this user may not search, and the fault of the work says so.
    }
  };
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

export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-')).catch((cause: NodeJS.ErrnoException) => {
    const sentence = `The temporary folder ${tmpdir()} cannot be written (${cause.code}); set TMPDIR to another one.`;
    throw new AppError('fileUnwritable', sentence, { cause });
  });
  return withCleanup(folder, () => work(folder));
}
