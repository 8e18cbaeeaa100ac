/** Progress of long work on a terminal; silent everywhere else. */
import { Presets, SingleBar } from 'cli-progress';
import type { CopyProgress } from '../store/copy.ts';

export interface RepeatableSource {
  /** For messages, and for its extension. */
  name: string;
  size: number | undefined;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** The same source, with a bar of the bytes read. */
export function withProgress({ size, open }: RepeatableSource): Pick<RepeatableSource, 'open'> & {
  stop(): void;
} {
  if (!process.stderr.isTTY || size === undefined || size === 0) return { open, stop: () => {} };
  const bar = new SingleBar(
    {
      format: '{phase} [{bar}] {percentage}% {eta_formatted}',
      stream: process.stderr,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  let phase = 'checking';
  let isStarted = false;
  return {
    open: async () => {
      const bytes = await open();
      if (isStarted) phase = 'importing';
      bar.start(size, 0, { phase });
      isStarted = true;
      return counted(bytes, (count) => bar.increment(count, { phase }));
    },
    stop: () => bar.stop(),
  };
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** A bar of the rows copied so far. */
export function showProgress(what: string): CopyProgress & { stop(): void } {
  if (!process.stderr.isTTY) return { onTotal: () => {}, onRows: () => {}, stop: () => {} };
  const bar = new SingleBar(
    {
      format: `${what} [{bar}] {value} of {total} rows {eta_formatted}`,
      stream: process.stderr,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  return {
    onTotal: (rows) => bar.start(rows, 0),
    onRows: (rows) => bar.increment(rows),
    stop: () => bar.stop(),
  };
}
