/** Lines of the log as a person reads them, for a terminal. */
import { pino } from 'pino';

/** A line: pino writes the first five fields into each. */
interface Line {
  level: number;
  time: number;
  msg: string;
  pid: number;
  hostname: string;
  /** `start`: said of each process that begins to serve. */
  event?: 'start';
  method?: string;
  path?: string;
  err?: { stack?: string };
  [name: string]: unknown;
}

const usualLevel = 'info';

/** Whole lines of JSON, each as its time of day, its level if that is not info, its message and its fields. */
export function readableLines(text: string): string {
  return text.replace(/.+\n?/g, readableLine);
}

function readableLine(text: string): string {
  const line = lineOf(text);
  // Such as what Node writes when a worker dies.
  if (line === undefined) return text;
  const { level, time, msg, pid: _pid, hostname: _hostname, event, method, path, err, ...fields } = line;
  // The addresses that `garden serve` prints say so already, and a worker that starts later would write below them.
  if (event === 'start') return '';
  const levelName = pino.levels.labels[level];
  const told = Object.entries(fields).map(([name, value]) => `${name}=${plain(value)}`);
  const parts = [
    new Date(time).toLocaleTimeString('en-GB'),
    levelName !== usualLevel && `${levelName}:`,
    msg,
    method && `${method} ${path}`,
    told.length > 0 && `(${told.join(', ')})`,
  ];
  const stack = err?.stack === undefined ? '' : `${err.stack}\n`;
  // Nothing that a client sent may command the terminal.
  return `${parts.filter(Boolean).join(' ')}\n${stack}`.replace(/[^\P{Cc}\n]/gu, ' ');
}

function lineOf(text: string): Line | undefined {
  if (!text.startsWith('{"level":')) return undefined;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}
