/** Reads for programs beside those of the nine, cold and hot, and a mark by a program beside one by form: all of one server. */
import { join } from 'node:path';
import { signIn } from '../../test/support/forms.ts';
import { send } from '../../test/support/http.ts';
import { problemRows, statusRows } from '../catalogue.ts';
import {
  boundText,
  type Contender,
  load,
  median,
  oneByOne,
  printHead,
  printRows,
  type Row,
  ratiosOf,
  takeTurns,
} from '../measure.ts';
import { checkouts, garden, type Served, serveGarden, tokensOf, writeRows } from '../programs.ts';
import { folderOfRun, type Options, progress } from '../run.ts';
import { bearer, shuffled } from './api.ts';

const here = '/practice/v1';
const names = ['reader', 'program', 'form'] as const;
const password = 'a lantern beside the well';
const marksOfRound = 100;
/** By processor a read may miss the speed of the nine by less than a tenth; a mark may cost three tenths more than by a form. */
const bounds = { read: { atLeast: 0.9 }, mark: { atMost: 1.3 } };

/** The paths of a read: of the nine, and of the interface for programs. The number is another one each time. */
const reads: Readonly<Record<string, readonly [of: (n: number) => string, of: (n: number) => string]>> = {
  problem: [(id) => `/problem_list/api/problems/${id}/`, (id) => `${here}/problems/${id}`],
  mark: [(id) => `/problem_list/api/status/${id}/`, (id) => `${here}/marks/${id}`],
  'page of 20 problems, by ratings': [
    (n) => `/problem_list/api/problems/?limit=20&${ratings(n)}`,
    (n) => `${here}/problems?limit=20&${ratings(n)}`,
  ],
};

const ratings = (n: number) => `rating_min=${801 + (n % 2300)}&rating_max=${3200 + Math.floor(n / 2300)}`;

export async function measurePrograms(options: Options): Promise<void> {
  const size = options.isQuick ? 10_000 : 50_000;
  const folder = await folderOfRun();
  const databaseUrl = `sqlite:${join(folder, 'programs.db')}`;
  const [own] = checkouts({ ...options, against: [] });
  if (!own) return;
  progress('filling the database');
  const files = {
    problems: problemRows(size),
    records: names.map((username) => ({ username })),
    statuses: statusRows('reader', size, size),
  };
  for (const [what, rows] of Object.entries(files))
    await garden(own, ['import', what, await writeRows(join(folder, `${what}.ndjson`), rows)], databaseUrl);
  await garden(own, ['member', 'password', 'form'], databaseUrl, `${password}\n`);
  const [ofNine] = await tokensOf(own, databaseUrl, names);
  const [ofReader, ofWriter = ''] = await tokensOf(own, databaseUrl, names, ['practice:mark']);
  const server = await serveGarden(own, databaseUrl);
  printHead();
  for (const [set, count] of Object.entries({ cold: size, hot: 500 }))
    for (const [what, [nine, ours]] of Object.entries(reads)) {
      const contenderOf = (title: string, token: string | undefined, of: (n: number) => string): Contender => {
        const asked = { paths: shuffled(count, (n) => ({ path: of(n) })), headers: bearer(token), clients: 32 };
        return { title, round: (seconds) => load(server, asked, seconds) };
      };
      const contenders = [contenderOf('for programs', ofReader, ours), contenderOf('of the nine', ofNine, nine)];
      const rows = await takeTurns(contenders, options);
      printRows(
        `read of a ${what}, ${set}`,
        rows,
        boundIn(rows, (of) => boundText(bounds.read, 1 / of('processorMs'))),
      );
    }
  const rows = await takeTurns(await markers(server, ofWriter), options);
  const boundOf = (of: Ratio) =>
    `${boundText(bounds.mark, of('p50Ms'))}, processor ${boundText(bounds.mark, of('processorMs'))}`;
  printRows('mark, one client', rows, boundIn(rows, boundOf));
}

type Ratio = (name: 'p50Ms' | 'processorMs') => number;

/** The bound of the first row against each other one, which stands behind the other. */
const boundIn =
  ([first]: readonly Row[], textOf: (of: Ratio) => string) =>
  (row: Row) =>
    !first || row === first ? '' : textOf((name) => median(ratiosOf(first, row, (round) => round[name])));

/** Each marks another problem every time. */
async function markers(server: Served, token: string): Promise<Contender[]> {
  const browser = await signIn(server.url, 'form', password);
  await browser.open('/problem_list/problem/1/');
  const { fields } = browser.filled({ name: 'status', value: 'complete' });
  const byProgram = {
    method: 'PATCH',
    headers: { ...bearer(token), 'Content-Type': 'application/json' },
    body: '{"status":"solved"}',
  };
  const byForm = {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: server.url },
    body: String(new URLSearchParams(fields)),
  };
  let id = 1;
  const next = (of: (id: number) => string) => Array.from({ length: marksOfRound }, () => of(id++));
  const withKey = (path: string) => ({
    ...byProgram,
    headers: { ...byProgram.headers, 'Idempotency-Key': `"${path}"` },
  });
  return [
    {
      title: 'by a program',
      round: () =>
        oneByOne(server, {
          paths: next((nth) => `${here}/marks/${nth}`),
          ask: (path) => send(server.url, path, withKey(path)),
        }),
    },
    {
      title: 'by a form',
      round: () =>
        oneByOne(server, {
          paths: next((nth) => `/problem_list/problem/${nth}/`),
          ask: (path) => browser.ask(path, byForm),
          status: 303,
        }),
    },
  ];
}
