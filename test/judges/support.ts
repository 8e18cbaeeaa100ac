/** Reads files of judges, and asks a replayed judge as a sync does, without a server and a garden. */
import assert from 'node:assert/strict';
import { faultKindOf } from '../../src/judges/faults.ts';
import type {
  CatalogueEntry,
  FetchedFile,
  JudgeApi,
  JudgeClient,
  JudgeFile,
  SyncState,
} from '../../src/judges/judge.ts';
import { readJudgeFile } from '../../src/judges/judges.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { allFaults, allValues, chunksOf, realFile } from '../support/files.ts';

/** `content` is bytes, a text, or what the file holds as JSON. */
export function entriesOf<T>(file: JudgeFile<string, T>, content: unknown, site?: string) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const isStream = Symbol.asyncIterator in Object(content);
  return readJudgeFile(file, isStream ? (content as AsyncIterable<Uint8Array>) : chunksOf(text), site);
}

export const valuesIn = <T>(...asked: Parameters<typeof entriesOf<T>>) => allValues(entriesOf(...asked));
export const faultsIn = (...asked: Parameters<typeof entriesOf>) => allFaults(entriesOf(...asked));

export const assertFault = (work: Promise<unknown> | (() => Promise<unknown>), kind: string, says = /./) =>
  assert.rejects(work, (error: Error) => {
    assert.match(error.message, says);
    assert.equal(faultKindOf(error), kind, error.message);
    return true;
  });

export async function realEntries(file: JudgeFile<string, CatalogueEntry>, name: string, count: number) {
  const values = await valuesIn(file, realFile(name));
  assert.deepEqual([values.length, new Set(values.map(({ columns }) => columns.source_key)).size], [count, count]);
  return values;
}

/** Asks, and lists the paths. */
export function asking(
  judge: ReplayedJudge,
  { baseUrl = 'https://judge.example', headers: always = {} }: Partial<Pick<JudgeApi, 'baseUrl' | 'headers'>> = {},
) {
  const paths: string[] = [];
  const ask: JudgeClient = Object.assign(
    async (...[path, read, request = {}]: Parameters<JudgeClient>) => {
      const { method = 'GET', headers = {}, body = '', isEnough, reader } = request;
      paths.push(path);
      const { pathname, searchParams } = new URL(path, 'http://replay');
      const named = Object.entries({ ...always, ...headers, 'accept-encoding': 'gzip' });
      const sent = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]));
      const answered = judge(pathname, searchParams, { method, headers: sent, body }) ?? { status: 404, body: '' };
      const text = typeof answered.body === 'string' ? answered.body : JSON.stringify(answered.body);
      const end = isEnough ? [...text].findIndex((_, at) => isEnough(text.slice(0, at))) : -1;
      const left = reader?.()(text) ?? (end < 0 ? text : text.slice(0, end));
      return read({ status: answered.status ?? 200, text: left });
    },
    { site: baseUrl },
  ) as JudgeClient;
  /** The paths of one run, and what it leaves. */
  const run = async (files: AsyncGenerator<FetchedFile> | undefined) => {
    paths.length = 0;
    const found: FetchedFile[] = [];
    for await (const file of files ?? []) found.push(file);
    return { paths: [...paths], cursor: found.at(-1)?.cursor, texts: found.map(({ text }) => text) };
  };
  return { ask, paths, run };
}

/** `countStored` says how many submissions are stored until a second. */
export const stateAt = (seconds: number, cursor: unknown, countStored = (_second: number) => 0): SyncState => ({
  cursor,
  now: new Date(seconds * 1000),
  countStoredUntil: async (moment) => countStored(moment.getTime() / 1000),
});
