/** Progress bars for long work, on a terminal only: cli-progress shows none elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import type { CopyProgress } from '../store/copy.ts';

/** Gives the work a bar to start and advance, which goes when the work ends. */
export async function withBar<T>(format: string, work: (bar: SingleBar) => Promise<T>): Promise<T> {
  const options = { format, stream: process.stderr, clearOnComplete: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  try {
    return await work(bar);
  } finally {
    bar.stop();
  }
}

export async function withRowBar<T>(what: string, work: (progress: CopyProgress) => Promise<T>): Promise<T> {
  return withBar(`${what} [{bar}] {value} of {total} rows {eta_formatted}`, (bar) =>
    work({ onTotal: (rows) => bar.start(rows, 0), onRows: (rows) => bar.increment(rows) }),
  );
}
