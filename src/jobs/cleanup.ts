/** Files that are only there while something works: they go however the work ends. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes the path once the work has ended, be it well, by an error or by Ctrl+C. */
export async function withCleanup<T>(path: string, work: () => Promise<T>): Promise<T> {
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
  return withCleanup(folder, () => work(folder));
}
