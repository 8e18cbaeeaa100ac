/** The log of a process on standard error. A stalled reader or a full disk loses lines and does no other harm. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { LogLevel } from '../config.ts';

interface LogLine {
  level: number;
  time: number;
  msg: string;
  pid: number;
  hostname: string;
  event?: 'start';
  method?: string;
  path?: string;
  err?: { stack?: string };
  [name: string]: unknown;
}

const defaultLevel = 'info';

function readableLines(text: string): string {
  return text.replace(/.+\n?/g, readableLine);
}

function readableLine(text: string): string {
  const line = parseLine(text);
  // Node itself writes plain text, such as when a worker dies.
  if (line === undefined) return text;
  const { level, time, msg, pid: _pid, hostname: _hostname, event, method, path, err, ...fields } = line;
  // `garden serve` prints the address itself, and a worker that starts later would write below it.
  if (event === 'start') return '';
  const levelName = pino.levels.labels[level];
  const fieldTexts = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  const parts = [
    new Date(time).toLocaleTimeString('en-GB'),
    levelName !== defaultLevel && `${levelName}:`,
    msg,
    method && `${method} ${path}`,
    fieldTexts.length > 0 && `(${fieldTexts.join(', ')})`,
  ];
  const stack = err?.stack === undefined ? '' : `${err.stack}\n`;
  // Control characters from a client must not reach the terminal.
  return `${parts.filter(Boolean).join(' ')}\n${stack}`.replace(/[^\P{Cc}\n]/gu, ' ');
}

function parseLine(text: string): LogLine | undefined {
  if (!text.startsWith('{"level":')) return undefined;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}

/** In each second the first lines of a kind are logged and the others counted, so that a client cannot fill the disk with refusals. */

const windowMs = 1000;
const linesPerSecond = 20;
const errorsPerSecond = 100;
/** Any further kinds share one count, so that messages with varying text are limited too. */
const kindsAtMost = 100;
const errorLevel = 50;

interface LineKind {
  level: number;
  line: string;
  status?: unknown;
  error?: unknown;
  count: number;
}

function lineSampler(unsampled: Logger) {
  const kinds = new Map<string, LineKind>();
  let windowStartedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function logOmittedCounts(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { level, count, ...kind } of kinds.values()) {
      const omittedCount = count - limitOf(level);
      const name = pino.levels.labels[level] as pino.Level;
      if (omittedCount > 0)
        unsampled[name]({ ...kind, leftOut: omittedCount }, 'more such lines were left out');
    }
    kinds.clear();
  }

  function isWithinLimit([fields, message]: Parameters<pino.LogFn>, level: number): boolean {
    const now = performance.now();
    if (now >= windowStartedAt + windowMs) {
      logOmittedCounts();
      windowStartedAt = now;
    }
    const line = typeof fields === 'string' ? fields : String(message);
    const { status, error } = fields as Partial<LineKind>;
    const exactKey = `${level} ${line} ${status} ${error}`;
    const isOther = kinds.size >= kindsAtMost && !kinds.has(exactKey);
    const key = isOther ? `${level} other` : exactKey;
    const newKind = isOther ? { level, line: 'other', count: 0 } : { level, line, status, error, count: 0 };
    const kind: LineKind = kinds.get(key) ?? newKind;
    kinds.set(key, kind);
    kind.count++;
    if (kind.count <= limitOf(level)) return true;
    timer ??= setTimeout(logOmittedCounts, windowStartedAt + windowMs - now).unref();
    return false;
  }

  return { isWithinLimit, logOmittedCounts };
}

function limitOf(level: number): number {
  return level >= errorLevel ? errorsPerSecond : linesPerSecond;
}

const standardError = 2;
const bufferedBytesAtMost = 1024 * 1024;
const retryMs = 100;
const flushTimeoutMs = 200;

export interface Log {
  logger: Logger;
  write(text: string): void;
  end(): Promise<void>;
}

export function openLog(level: LogLevel): Log {
  const { destination, flush } = boundedDestination((lostLines) => {
    const reportLevel = unsampled.isLevelEnabled('warn') ? 'warn' : level;
    unsampled[reportLevel]({ lost: lostLines }, 'lines were lost: the log could not be written');
  });
  const unsampled = pino({ level }, destination);
  const sampler = level === 'debug' || level === 'trace' ? undefined : lineSampler(unsampled);
  const hooks: LoggerOptions['hooks'] = {
    logMethod(line, method, levelNumber) {
      if (!sampler || sampler.isWithinLimit(line, levelNumber)) method.apply(this, line);
    },
  };
  return {
    logger: pino({ level, hooks }, destination),
    write: destination.write,
    end: async () => {
      sampler?.logOmittedCounts();
      await flush();
    },
  };
}

/**
 * Node makes standard error non-blocking once process.stderr was accessed (main.ts does). After EAGAIN, EPIPE or ENOSPC the
 * bytes are retried, because the reader may come back.
 */
function boundedDestination(onLost: (lostLines: number) => void) {
  const stream = new sonicBoom.SonicBoom({
    fd: standardError,
    sync: false,
    // With 0, flush() does nothing.
    minLength: 1,
    maxLength: bufferedBytesAtMost,
    // sonic-boom's own retry timer would keep the process alive.
    retryEAGAIN: () => false,
  });
  let lostLines = 0;
  let retry: NodeJS.Timeout | undefined;
  stream.on('drop', (text: string) => {
    lostLines += text.split('\n').length - 1;
  });
  stream.on('error', () => {
    if (retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      stream.flush();
    }, retryMs).unref();
  });
  stream.on('drain', () => {
    if (lostLines === 0) return;
    const count = lostLines;
    lostLines = 0;
    onLost(count);
  });
  const flush = async () => {
    const drained = new Promise((resolve) => stream.once('drain', resolve));
    stream.flush();
    await Promise.race([drained, sleep(flushTimeoutMs)]);
  };
  // Pino would call flushSync of the stream itself after a fatal line, which waits for the reader.
  const format = process.stderr.isTTY ? readableLines : (text: string) => text;
  const write = (text: string) => void stream.write(format(text));
  return { destination: { write }, flush };
}
