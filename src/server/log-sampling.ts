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

/** The arguments of pino's logMethod: fields, if there are any, and the message with its own arguments. */
type Arguments = Parameters<pino.LogFn>;

/** Lines are of one kind if level, message and status or error number are the same. */
interface Kind {
  level: number;
  line: string;
  status?: unknown;
  error?: unknown;
}

/** `takes` says whether a line is to be logged; `logLeftOut` logs to `unsampled` how many were not since the second began. */
export function sampling(unsampled: Logger) {
  const seen = new Map<string, Kind & { count: number }>();
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

  function takes(line: Arguments, level: number): boolean {
    const now = performance.now();
    if (now >= begunAt + windowMs) {
      logLeftOut();
      begunAt = now;
    }
    let kind = kindOf(line, level);
    if (seen.size >= kindsAtMost && !seen.has(keyOf(kind))) kind = { level, line: 'other' };
    const same = seen.get(keyOf(kind)) ?? { ...kind, count: 0 };
    seen.set(keyOf(kind), same);
    same.count++;
    if (same.count <= mostOf(level)) return true;
    timer ??= setTimeout(logLeftOut, begunAt + windowMs - now).unref();
    return false;
  }

  return { takes, logLeftOut };
}

const mostOf = (level: number) => (level >= errorLevel ? errorsPerSecond : linesPerSecond);

const keyOf = ({ level, line, status, error }: Kind) => `${level} ${line} ${status} ${error}`;

function kindOf([fields, message]: Arguments, level: number): Kind {
  if (typeof fields === 'string') return { level, line: fields };
  const { status, error } = fields as Partial<Kind>;
  return { level, line: String(message), status, error };
}
