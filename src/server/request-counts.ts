/**
 * What is counted of the answers, where somebody wants to know: plain numbers in arrays, so that the fastest answers are
 * not slowed down by their count. Knows nothing of how they are shown.
 */
import { type Operation, operationIds, operations } from '../contract/operations.ts';
import type { ErrorName } from '../errors.ts';
import type { NoteAnswer, RefusalLine } from './access-log.ts';

/** What a request was for: bounded, whatever is sent. `unread` never became a request. */
export const purposes = [...operationIds, 'health', 'other', 'unread'] as const;
type Purpose = (typeof purposes)[number];
/** Upper bounds of how long an answer took, in milliseconds; the last has none. */
export const bucketsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, Infinity] as const;
/** The hundreds of a status; 0 is none of them. */
export const statusClasses = 6;

export interface Counts {
  /** By purpose and status class. */
  answers: Float64Array;
  /** By purpose and bucket. */
  times: Float64Array;
  /** By purpose. */
  totalMs: Float64Array;
  /** Tells how many requests are being answered. */
  inFlight(): number;
  failures: Map<ErrorName, number>;
}

export function newCounts(): Counts {
  return {
    answers: new Float64Array(purposes.length * statusClasses),
    times: new Float64Array(purposes.length * bucketsMs.length),
    totalMs: new Float64Array(purposes.length),
    inFlight: () => 0,
    failures: new Map(),
  };
}

/** Counts every answer, and hands it on. */
export function countAnswers(counts: Counts, basePath: string, handOn: NoteAnswer): NoteAnswer {
  const purposeOf = purposeFinder(basePath);
  return (request, line) => {
    const purpose = purposeOf(line.target);
    countOne(counts, purpose, line.status);
    let bucket = 0;
    while (line.ms > (bucketsMs[bucket] ?? 0)) bucket++;
    add(counts.times, purpose * bucketsMs.length + bucket, 1);
    add(counts.totalMs, purpose, line.ms);
    handOn(request, line);
  };
}

/** Counts every refusal of bytes that never became a request, and hands it on. */
export function countUnread(
  counts: Counts,
  handOn: (line: RefusalLine) => void,
): (line: RefusalLine) => void {
  const purpose = purposes.indexOf('unread');
  return (line) => {
    countOne(counts, purpose, line.status);
    handOn(line);
  };
}

export function countFailure({ failures }: Counts, name: ErrorName): void {
  failures.set(name, (failures.get(name) ?? 0) + 1);
}

const questionMark = 0x3f;

function countOne({ answers }: Counts, purpose: number, status: number): void {
  const hundreds = Math.floor(status / 100);
  add(answers, purpose * statusClasses + (hundreds < statusClasses ? hundreds : 0), 1);
}

function add(numbers: Float64Array, place: number, amount: number): void {
  numbers[place] = (numbers[place] ?? 0) + amount;
}

/** From a target to the place of its purpose. Looks at the beginning of the path only. */
function purposeFinder(basePath: string): (target: string) => number {
  const placeOf = (purpose: Purpose) => purposes.indexOf(purpose);
  const known = operationIds.map((id) => ({ id, ...(operations[id] as Operation) }));
  const items = known.filter(({ path }) => path.includes('{id}'));
  const places = items.map((item) => {
    const [prefix = ''] = item.path.split('{id}');
    const list = known.find(({ path }) => path === prefix);
    const one = placeOf(item.id);
    return { prefix: basePath + prefix, one, all: list ? placeOf(list.id) : one };
  });
  const health = new Set([`${basePath}/livez`, `${basePath}/readyz`]);
  const [healthPlace, otherPlace] = [placeOf('health'), placeOf('other')];
  return (target) => {
    for (const { prefix, one, all } of places) {
      if (!target.startsWith(prefix)) continue;
      return target.length === prefix.length || target.charCodeAt(prefix.length) === questionMark ? all : one;
    }
    return health.has(target) ? healthPlace : otherPlace;
  };
}
