/**
 * How many lines of one kind are logged: the first of each second, then one line that says how many more there were. A
 * client that provokes refusals without end can so neither fill the disk nor bury the lines of others.
 */
import { type Logger, pino } from 'pino';

const windowMs = 1000;
/** Above what one person causes by hand or by a script that has a mistake. */
const linesPerSecond = 20;
/** Lines of level error, such as faults: somebody looks for each by its request id. */
const errorsPerSecond = 100;
/** Further kinds within a second count as one, so that a message with a changing word in it is bounded too. */
const kindsAtMost = 100;
const errorLevel = 50;

/** What pino's logMethod is given: fields, if there are any, and the message with its own arguments. */
type Line = Parameters<pino.LogFn>;

interface Kind {
  level: number;
  line: string;
  status?: unknown;
  error?: unknown;
}

export interface Sampling {
  /** Whether this line is to be logged. */
  takes(line: Line, level: number): boolean;
  /** Logs how many lines were left out since the second began. */
  tellLeftOut(): void;
}

export const everyLine: Sampling = { takes: () => true, tellLeftOut: () => {} };

/** Lines are of one kind if level, message and status or error number are the same. Counts go to `unsampled`. */
export function sampling(unsampled: Logger): Sampling {
  const seen = new Map<string, Kind & { count: number }>();
  let begunAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function tellLeftOut(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { level, count, ...kind } of seen.values()) {
      const leftOut = count - mostOf(level);
      if (leftOut > 0) unsampled[nameOf(level)]({ ...kind, leftOut }, 'more such lines were left out');
    }
    seen.clear();
  }

  function takes(line: Line, level: number): boolean {
    const now = performance.now();
    if (now >= begunAt + windowMs) {
      tellLeftOut();
      begunAt = now;
    }
    const kind = kindOf(line, level);
    let key = `${level} ${kind.line} ${kind.status} ${kind.error}`;
    if (seen.size >= kindsAtMost && !seen.has(key)) key = String(level);
    const same = seen.get(key) ?? { ...(key === String(level) ? { level, line: 'other' } : kind), count: 0 };
    seen.set(key, same);
    same.count++;
    if (same.count <= mostOf(level)) return true;
    timer ??= setTimeout(tellLeftOut, begunAt + windowMs - now).unref();
    return false;
  }

  return { takes, tellLeftOut };
}

const mostOf = (level: number) => (level >= errorLevel ? errorsPerSecond : linesPerSecond);

function nameOf(level: number): pino.Level {
  return pino.levels.labels[level] as pino.Level;
}

function kindOf([first, message]: Line, level: number): Kind {
  if (typeof first === 'string') return { level, line: first };
  const { status, error } = first as { status?: unknown; error?: unknown };
  return {
    level,
    line: String(message),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  };
}
