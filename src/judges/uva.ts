/** UVa Online Judge, from uHunt (uhunt.onlinejudge.org/api). */
import { message } from '../errors.ts';
import { decodeEntities } from '../files/entities.ts';
import { oddAnswer, parseUnlessBusy, rowsIn, unknownHandle } from './faults.ts';
import {
  badField,
  cutTextOf,
  entryName,
  handlesIn,
  integerOf,
  objectOf,
  readRows,
  timeOf,
  verdictClassOf,
  withoutContest,
} from './fields.ts';
import type {
  CatalogueEntry,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeClient,
  RoundRequest,
  Submission,
  SyncState,
} from './judge.ts';
import { fullSyncEveryMs, overlapMs } from './judge.ts';

const siteName = 'uHunt';

interface Cursor {
  uid: number;
  /** Submissions up to this id are final. */
  settled: number;
  /** When a run last read the whole list. */
  wholeAt: number;
}

type Row = readonly [id: number, pid: number, verdict: number, runMs: number, at: number, ...unknown[]];

const uvaApi: JudgeApi = {
  baseUrl: 'https://uhunt.onlinejudge.org/api',
  intervalMs: 2000,
  submissions,
  ofRound,
  async *problems(ask) {
    const text = await ask('/p', (answer) => {
      rowsIn(parseUnlessBusy(answer, siteName), siteName, '0');
      return answer.text;
    });
    yield { file: 'problems', text };
  },
};

async function* submissions(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile> {
  const now = Math.floor(state.now.getTime() / 1000);
  const previous = state.cursor as Cursor | undefined;
  const uid =
    previous?.uid ?? (await ask(`/uname2uid/${encodeURIComponent(handle)}`, (one) => uidOf(one, handle)));
  const isWhole = !previous || now - previous.wholeAt >= fullSyncEveryMs / 1000;
  const settled = isWhole ? 0 : previous.settled;
  const { text, rows } = await ask(`/subs-user/${uid}/${settled}`, (answer) => rowsOf(answer, handle));
  const mayChange = ([, , verdict, , at]: Row) =>
    verdictClassOf(uva.verdicts, String(verdict)) === 'pending' || at >= now - overlapMs / 1000;
  const ids = rows.map(([id]) => id);
  const changeable = rows.filter(mayChange).map(([id]) => id);
  // The API does not say whether the answer includes this submission.
  const settledUntil = changeable.length > 0 ? Math.min(...changeable) - 1 : Math.max(settled, ...ids);
  const wholeAt = isWhole ? now : previous.wholeAt;
  yield {
    file: 'submissions',
    text,
    cursor: { uid, settled: Math.max(0, settledUntil), wholeAt } satisfies Cursor,
  };
}

const problemsPerRequest = 100;

/** People have numbers there, which only their own lists tell. */
async function ofRound(
  ask: JudgeClient,
  { cursors, keys, from, until }: RoundRequest,
): Promise<Submission[]> {
  const uids = cursors.flatMap((cursor) => (cursor as Cursor | undefined)?.uid ?? []);
  const numbers = keys.filter((key) => /^\d+$/.test(key));
  const submissions: Submission[] = [];
  for (let start = 0; uids.length > 0 && start < numbers.length; start += problemsPerRequest) {
    const some = numbers.slice(start, start + problemsPerRequest);
    // The last part is the least id, and the judge does not say which one a time has.
    const people = await ask(`/subs-nums/${uids.join()}/${some.join()}/0`, (answer) =>
      Object.values(objectOf(parseUnlessBusy(answer, siteName))),
    );
    for (const person of people) {
      const { subs, ...named } = objectOf(person);
      const rows = rowsIn(subs, siteName, '4').filter((row) => {
        const at = Number((row as unknown as Row)[4]);
        return at >= Math.floor(from.getTime() / 1000) && at <= until.getTime() / 1000;
      });
      addName({ ...named, subs: rows });
      submissions.push(...readRows(rows, submissionOf).values);
    }
  }
  return submissions;
}

function uidOf(answer: JudgeAnswer, handle: string): number {
  const uid = parseUnlessBusy(answer, siteName);
  if (uid === 0) throw unknownHandle(siteName, handle);
  if (typeof uid === 'number' && Number.isSafeInteger(uid) && uid > 0) return uid;
  throw oddAnswer(siteName, message('odd.noUserId'));
}

function rowsOf(answer: JudgeAnswer, handle: string): { text: string; rows: Row[] } {
  const { uname, subs } = Object(parseUnlessBusy(answer, siteName)) as { uname?: unknown; subs?: unknown };
  const entries = rowsIn(subs, siteName, '4');
  const rows = entries.filter(isRow);
  if (rows.length === 0 && entries.length > 0) throw oddAnswer(siteName, message('odd.noSubmissions'));
  if (typeof uname !== 'string' || uname.toLowerCase() !== handle.toLowerCase())
    throw oddAnswer(
      siteName,
      message('odd.otherUser', { user: JSON.stringify(uname ?? null).slice(0, 100) }),
    );
  return { text: answer.text, rows };
}

const isRow = (row: object): row is Row => Array.isArray(row) && Number.isSafeInteger(row[0]);

const languages = ['ANSI C', 'Java', 'C++', 'Pascal', 'C++11', 'Python'];
const int32AtMost = 2_147_483_647;
/** People know a problem by its key, but addresses have uHunt's number. */
const aliasOf = (pid: number) => `pid:${pid}`;
const pageOf = (pid: number | string) =>
  `https://onlinejudge.org/index.php?option=com_onlinejudge&Itemid=8&page=show_problem&problem=${pid}`;

export const uva = {
  name: 'UVa',
  site: siteName,
  short: 'UVa',
  handle: {
    pattern: /^[^\s\p{C}/?#%]{1,60}$/u,
    form: 'path',
    most: 60,
    pageOf: (handle) => `https://uhunt.onlinejudge.org/u/${encodeURIComponent(handle)}`,
  },
  verdicts: {
    0: 'waiting',
    20: 'waiting',
    10: 'failed',
    15: 'failed',
    30: 'compileError',
    35: 'securityViolated',
    40: 'runtimeError',
    45: 'outputLimit',
    50: 'timeLimit',
    60: 'memoryLimit',
    70: 'wrongAnswer',
    80: 'presentationError',
    90: 'accepted',
  },
  problemPage: (key) => {
    const [, pid] = /^pid:(\d+)$/.exec(key) ?? [];
    if (pid !== undefined) return pageOf(pid);
    return /^\d{3,6}$/.test(key)
      ? `https://onlinejudge.org/external/${Math.floor(Number(key) / 100)}/${key}.pdf`
      : undefined;
  },
  isInternalKey: (key) => key.startsWith('pid:'),
  api: uvaApi,
  files: {
    problems: {
      kind: 'catalogue',
      title: 'problems',
      sourceUrl: 'https://uhunt.onlinejudge.org/api/p',
      keys: [],
      layout: { path: [] },
      entryOf: problemOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'subs-user',
      sourceUrl: 'https://uhunt.onlinejudge.org/api/subs-user/UID',
      keys: ['uname', 'subs'],
      layout: { path: ['subs'], preprocess: addName },
      entryOf: submissionOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): CatalogueEntry {
  const [id, number, title, solvers] = rowOf(value);
  const pid = integerOf(id, 'The problem id', 1, int32AtMost);
  const columns = {
    source_key: String(integerOf(number, 'The problem number', 1, int32AtMost)),
    title: decodeEntities(cutTextOf(title, 'The title', 500)),
    url: pageOf(pid),
  };
  const solverCount = BigInt(integerOf(solvers, 'The number of solvers'));
  return { columns, otherKeys: [aliasOf(pid)], solverCount };
}

function addName({ uname, subs }: Readonly<Record<string, unknown>>): void {
  if (Array.isArray(subs)) for (const row of subs) if (Array.isArray(row)) row[7] = uname;
}

function submissionOf(value: unknown): Submission {
  const [id, pid, verdictId, , at, language, , name] = rowOf(value);
  const verdict = String(integerOf(verdictId, 'The verdict', 0, 1000));
  return {
    id: String(integerOf(id, 'The submission id', 1, Number.MAX_SAFE_INTEGER)),
    key: aliasOf(integerOf(pid, 'The problem id', 1, int32AtMost)),
    handles: handlesIn(name),
    submittedAt: timeOf(at, 'The time'),
    ...withoutContest,
    verdictClass: verdictClassOf(uva.verdicts, verdict),
    verdict,
    language: languages[Number(language) - 1] ?? null,
  };
}

function rowOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badField(entryName, value, message('expected.list'));
  return value;
}
