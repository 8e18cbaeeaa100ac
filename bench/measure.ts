/** Rounds of requests that go to every contender in turn, and the tables of what they took. */
import autocannon from 'autocannon';
import { type Reply, send } from '../test/support/http.ts';
import { processorMs, type Served } from './programs.ts';
import { type Options, progress } from './run.ts';

export type Headers = Readonly<Record<string, string>>;
/** Paths that are asked for in turn, or a function that says the next one, and with which headers if not those of all. */
export type Paths = readonly string[] | (() => { path: string; headers?: Headers });

/** Times of one request: as its client waited, and of the processor, all threads of the server. */
export interface Round {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  processorMs: number;
  /** The size of an answer as it is sent. */
  kB: number;
}

export interface Contender {
  title: string;
  round(seconds: number): Promise<Round>;
}

export interface Row {
  title: string;
  rounds: Round[];
}

/** A round for each in turn, again and again, after a second that only warms up. */
export async function takeTurns(contenders: readonly Contender[], { rounds, seconds }: Options): Promise<Row[]> {
  const rows = contenders.map(({ title }): Row => ({ title, rounds: [] }));
  for (let nth = 0; nth <= rounds; nth++)
    for (const [place, { title, round }] of contenders.entries()) {
      progress(`${title}: ${nth === 0 ? 'warming up' : `round ${nth} of ${rounds}`}`);
      const figures = await round(nth === 0 ? 1 : seconds);
      if (nth > 0) rows[place]?.rounds.push(figures);
    }
  progress('');
  return rows;
}

interface Load {
  paths: Paths;
  headers: Headers;
  clients: number;
  method?: 'GET' | 'DELETE';
  /** How many requests a round has, instead of as many as its seconds allow. */
  amount?: number;
}

/** So many clients at once, each of which sends its next request when it has the last answer. Throws if one fails. */
export async function load(
  { url, pid }: Served,
  { paths, headers, clients, method = 'GET', amount }: Load,
  seconds: number,
): Promise<Round> {
  const requests =
    typeof paths === 'function'
      ? [{ method, headers, setupRequest: (request: autocannon.Request) => ({ ...request, ...paths() }) }]
      : paths.map((path) => ({ method, path, headers }));
  const length = amount === undefined ? { duration: seconds } : { amount };
  const times: number[] = [];
  const before = processorMs(pid);
  const begin = performance.now();
  let end = begin;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const asked = { url, connections: clients, timeout: 30, requests, ...length };
    autocannon(asked, (error, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, _status, _bytes, ms) => {
        times.push(ms);
        end = performance.now();
      },
    );
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || times.length === 0) throw new Error(`${failed} of ${times.length} requests failed`);
  return {
    perSecond: (1000 * times.length) / (end - begin),
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    processorMs: (processorMs(pid) - before) / times.length,
    kB: result.throughput.total / times.length / 1000,
  };
}

interface Asked {
  paths: readonly string[];
  headers?: Headers;
  /** Instead of a GET with the headers. */
  ask?: (path: string) => Promise<Reply>;
  status?: number;
  /** Comes before each request, outside of the measured time. */
  before?: (() => Promise<unknown>) | undefined;
}

/** One client that asks for one path after another. */
export async function oneByOne({ url, pid }: Served, asked: Asked): Promise<Round> {
  const { paths, headers = {}, status = 200, before, ask = (path) => send(url, path, { headers }) } = asked;
  const times: number[] = [];
  let [processor, bytes] = [0, 0];
  for (const path of paths) {
    await before?.();
    const worked = processorMs(pid);
    const begin = performance.now();
    const answer = await ask(path);
    times.push(performance.now() - begin);
    processor += processorMs(pid) - worked;
    bytes += answer.bytes.length;
    if (answer.status !== status) throw new Error(`${path} was answered with ${answer.status}`);
  }
  const p50Ms = percentile(times, 0.5);
  return {
    perSecond: 1000 / p50Ms,
    p50Ms,
    p99Ms: percentile(times, 0.99),
    processorMs: processor / paths.length,
    kB: bytes / paths.length / 1000,
  };
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

/** The value that this share of all values does not exceed. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Round by round one against the other: a program beside them slows both. */
export function ratiosOf(one: Row, other: Row, of: (round: Round) => number): number[] {
  return one.rounds.flatMap((round, nth) => {
    const against = other.rounds[nth];
    return against ? [of(round) / of(against)] : [];
  });
}

export interface Bound {
  atMost?: number;
  atLeast?: number;
}

/** A bound, and whether the value keeps it. */
export function boundText({ atMost = Number.POSITIVE_INFINITY, atLeast = 0 }: Bound, value: number): string {
  const text = Number.isFinite(atMost) ? `≤ ${atMost}` : `≥ ${atLeast}`;
  return `${text} ${value <= atMost && value >= atLeast ? 'met' : 'MISSED'}`;
}

/** Three significant digits, without an exponent. */
const short = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** The median, with the least and the most behind it. */
function spread(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return short(median(values)) + (least === most ? '' : ` (${short(least)}–${short(most)})`);
}

/** The head of the lines that `printRows` prints. */
export function printHead(): void {
  const columns = ['requests/s', 'p50 ms', 'p99 ms', 'processor ms', 'kB', 'ours against it', 'by processor'];
  printLine(['', ...columns, 'bound']);
}

/**
 * Prints one line for each row. The last columns divide the first row's requests per second by those of the other, and the
 * other's processor time by the first row's: above 1 the first one is better.
 */
export function printRows(title: string, rows: readonly Row[], boundOf: (row: Row) => string = () => ''): void {
  const [first] = rows;
  process.stdout.write(`${title}\n`);
  for (const row of rows) {
    const of = (name: keyof Round) => short(median(row.rounds.map((round) => round[name])));
    const isOther = first !== undefined && row !== first;
    printLine([
      ...[`  ${row.title}`, of('perSecond'), of('p50Ms'), of('p99Ms'), of('processorMs'), of('kB')],
      isOther ? spread(ratiosOf(first, row, ({ perSecond }) => perSecond)) : '',
      isOther ? spread(ratiosOf(row, first, ({ processorMs }) => processorMs)) : '',
      boundOf(row),
    ]);
  }
}

const widths = [28, 10, 8, 8, 12, 8, 22, 22, 0];

function printLine(cells: readonly string[]): void {
  const padded = cells.map((cell, at) => {
    const width = widths[at] ?? 0;
    return at === 0 || width === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
}

export interface Figure {
  title: string;
  unit: string;
  values: readonly number[];
  bound?: Bound;
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  process.stdout.write(`${title}\n`);
  for (const { title, unit, values, bound } of figures) {
    const met = bound ? `  ${boundText(bound, median(values))}` : '';
    process.stdout.write(`  ${title.padEnd(42)}${spread(values)} ${unit}${met}\n`);
  }
}
