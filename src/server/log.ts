/**
 * The log of one process, on standard error: JSON, and on a terminal lines for people. A reader that stalls or has gone, and a
 * full disk, cost lines and nothing else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { LogLevel } from '../config.ts';
import { readableLines } from './log-lines.ts';
import { sampling } from './log-sampling.ts';

const standardError = 2;
/** Lines beyond so many waiting bytes are dropped: some 4,000 refusals. */
const waitingBytesAtMost = 1024 * 1024;
const retryMs = 100;
/** Lines that wait at the end of the process are written within this time, or are lost. */
const endMs = 200;

export interface Log {
  lines: Logger;
  /** Writes whole lines that another process made. */
  passOn(text: string): void;
  /** Writes what is left, also the counts of lines that were left out. */
  end(): Promise<void>;
}

/** At info and above each kind of line is sampled (log-sampling.ts). */
export function openLog(level: LogLevel): Log {
  const { destination, written } = boundedDestination((lost) => {
    const loudest = unsampled.isLevelEnabled('warn') ? 'warn' : level;
    unsampled[loudest]({ lost }, 'lines were lost: the log could not be written');
  });
  const unsampled = pino({ level }, destination);
  const sample = level === 'debug' || level === 'trace' ? undefined : sampling(unsampled);
  const hooks: LoggerOptions['hooks'] = {
    logMethod(line, method, levelNumber) {
      if (!sample || sample.takes(line, levelNumber)) method.apply(this, line);
    },
  };
  return {
    lines: pino({ level, hooks }, destination),
    passOn: destination.write,
    end: async () => {
      sample?.logLeftOut();
      await written();
    },
  };
}

/**
 * Standard error as a stream for pino. Node makes a pipe or socket there non-blocking once process.stderr was touched
 * (main.ts does), and the writes happen in libuv's pool, so that a slow disk holds up no request. After EAGAIN, EPIPE or
 * ENOSPC the bytes stay and are tried again, since the reader may come back.
 */
function boundedDestination(onLost: (lost: number) => void) {
  const stream = new sonicBoom.SonicBoom({
    fd: standardError,
    sync: false,
    // With 0, flush() does nothing.
    minLength: 1,
    maxLength: waitingBytesAtMost,
    // sonic-boom's own timer for the next attempt would keep the process alive.
    retryEAGAIN: () => false,
  });
  let lost = 0;
  let retry: NodeJS.Timeout | undefined;
  stream.on('drop', (text: string) => {
    lost += text.split('\n').length - 1;
  });
  stream.on('error', () => {
    if (retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      stream.flush();
    }, retryMs).unref();
  });
  stream.on('drain', () => {
    if (lost === 0) return;
    const count = lost;
    lost = 0;
    onLost(count);
  });
  const written = async () => {
    const drained = new Promise((resolve) => stream.once('drain', resolve));
    stream.flush();
    await Promise.race([drained, sleep(endMs)]);
  };
  // Not the stream itself: pino would call its flushSync after a fatal line, which waits for the reader.
  const shown = process.stderr.isTTY ? readableLines : (text: string) => text;
  const write = (text: string) => void stream.write(shown(text));
  return { destination: { write }, written };
}
