/**
 * How many lines of one kind are logged: the first of each second, then one line that says how many more there were. So a
 * client that provokes refusals without end can neither fill the disk nor bury the lines of others.
 */
import { type Logger, pino } from 'pino';

const windowMs = 1000;
/** Above what one person causes by hand or by a script that has a mistake. */
const linesPerSecond = 20;
/** Lines of level error, such as faults: each may be searched for by its request id. */
const errorsPerSecond = 100;
/** Further kinds within a second count as one, so that a message with a changing word in it is bounded too. */
const kindsAtMost = 100;
const errorLevel = 50;

/** Lines of one kind have the same level, message, and status or error number. */
interface Kind {
  level: number;
  line: string;
  status?: unknown;
  error?: unknown;
  count: number;
}

/** `takes` says whether a line is to be logged; `logLeftOut` logs to `unsampled` how many were not since the second began. */
export function sampling(unsampled: Logger) {
  const seen = new Map<string, Kind>();
  let begunAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function logLeftOut(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { level, count, ...kind } of seen.values()) {
      const leftOut = count - mostOf(level);
      const name = pino.levels.labels[level] as pino.Level;
      if (leftOut > 0) unsampled[name]({ ...kind, leftOut }, 'more such lines were left out');
    }
    seen.clear();
  }

  function takes([fields, message]: Parameters<pino.LogFn>, level: number): boolean {
    const now = performance.now();
    if (now >= begunAt + windowMs) {
      logLeftOut();
      begunAt = now;
    }
    const line = typeof fields === 'string' ? fields : String(message);
    const { status, error } = fields as Partial<Kind>;
    let key = `${level} ${line} ${status} ${error}`;
    let kind: Kind = { level, line, status, error, count: 0 };
    if (seen.size >= kindsAtMost && !seen.has(key)) {
      key = `${level} other`;
      kind = { level, line: 'other', count: 0 };
    }
    kind = seen.get(key) ?? kind;
    seen.set(key, kind);
    kind.count++;
    if (kind.count <= mostOf(level)) return true;
    timer ??= setTimeout(logLeftOut, begunAt + windowMs - now).unref();
    return false;
  }

  return { takes, logLeftOut };
}

function mostOf(level: number): number {
  return level >= errorLevel ? errorsPerSecond : linesPerSecond;
}
