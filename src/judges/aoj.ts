/** Aizu Online Judge (developers.u-aizu.ac.jp). */
import { message } from '../errors.ts';
import { assertUserFound, parseUnlessBusy, rowsIn } from './faults.ts';
import {
  cutText,
  cutTextOf,
  handlesIn,
  integerOf,
  matchOf,
  objectOf,
  solverCountIn,
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
  Submission,
  SyncState,
} from './judge.ts';
import { fullSyncEveryMs, overlapMs } from './judge.ts';

const siteName = 'Aizu Online Judge';
const pageSize = 1000;

/** Submissions until `through` are stored. Times are milliseconds since 1970. */
interface Cursor {
  through?: number;
  /** When a run last read the whole list. */
  wholeAt: number;
  /** Where an interrupted run continues. */
  stopped?: { page: number; newest: number };
}

interface Row {
  judgeId: number;
  submissionDate: number;
}

const aojApi: JudgeApi = {
  baseUrl: 'https://judgeapi.u-aizu.ac.jp',
  intervalMs: 2000,
  submissions,
};

/** New submissions shift the pages, so an interrupted run reads the new ones first. */
async function* submissions(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile> {
  const now = state.now.getTime();
  let { through, wholeAt, stopped } = (state.cursor ?? { wholeAt: now }) as Cursor;
  if (!stopped && now - wholeAt >= fullSyncEveryMs) [through, wholeAt] = [undefined, now];
  const readBackTo = through === undefined ? 0 : through - overlapMs;
  const user = encodeURIComponent(handle);
  let newest: Row | undefined;
  for (let page = 0; ; ) {
    const path = `/submission_records/users/${user}?page=${page}&size=${pageSize}`;
    const { text, rows } = await ask(path, (answer) => rowsOf(answer, handle));
    const [first, last] = [rows[0], rows.at(-1)];
    newest ??= first;
    // The API answers an empty list for some unknown users.
    if (!first || !last) {
      if (page === 0) await ask(`/users/${user}`, (answer) => assertUserFound(answer, siteName, handle));
      yield { file: 'submissions', text, cursor: finalCursor() };
      return;
    }
    const isEnd = first.submissionDate >= last.submissionDate && last.submissionDate < readBackTo;
    page++;
    if (stopped && rows.some(({ judgeId }) => judgeId <= (stopped?.newest ?? 0))) {
      page = Math.max(page, stopped.page);
      stopped = undefined;
    }
    const interrupted: Cursor = { wholeAt, stopped: { page, newest: newest?.judgeId ?? 0 } };
    if (through !== undefined) interrupted.through = through;
    yield { file: 'submissions', text, cursor: isEnd ? finalCursor() : interrupted };
    if (isEnd) return;
  }

  function finalCursor(): Cursor {
    return { wholeAt, through: Math.max(through ?? 0, newest?.submissionDate ?? 0) };
  }
}

function rowsOf(answer: JudgeAnswer, handle: string): { text: string; rows: Row[] } {
  assertUserFound(answer, siteName, handle);
  const rows = rowsIn(parseUnlessBusy(answer, siteName), siteName, 'judgeId') as Row[];
  return {
    text: answer.text,
    rows: rows.filter(({ submissionDate }) => Number.isSafeInteger(submissionDate)),
  };
}

const site = 'https://onlinejudge.u-aizu.ac.jp';
const lastMsOf9999 = 253_402_300_799_999;

export const aoj = {
  name: siteName,
  site: siteName,
  short: 'AOJ',
  handle: {
    pattern: /^[A-Za-z0-9_.-]{1,40}$/,
    form: 'dots',
    most: 40,
    pageOf: (handle) => `${site}/status/users/${encodeURIComponent(handle)}`,
  },
  verdicts: {
    0: 'compileError',
    1: 'wrongAnswer',
    2: 'timeLimit',
    3: 'memoryLimit',
    4: 'accepted',
    5: 'waiting',
    6: 'outputLimit',
    7: 'runtimeError',
    8: 'presentationError',
    9: 'waiting',
  },
  problemPage: (key) => `${site}/problems/${encodeURIComponent(key)}`,
  api: aojApi,
  files: {
    problems: {
      kind: 'catalogue',
      title: 'problems',
      keys: ['id', 'problemTimeLimit', 'solvedUser'],
      layout: { path: [], decimals: ['maxScore', 'successRate', 'score', 'userScore'] },
      entryOf: problemOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'submission_records',
      sourceUrl: 'https://judgeapi.u-aizu.ac.jp/submission_records/users/NAME?page=0&size=1000',
      keys: ['judgeId', 'submissionDate'],
      layout: { path: [] },
      entryOf: submissionOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): CatalogueEntry {
  const problem = objectOf(value);
  const key = keyOf(problem['id'], 'id');
  const columns = {
    source_key: key,
    title: cutTextOf(problem['name'], 'name', 500),
    url: aoj.problemPage(key),
  };
  return { columns, solverCount: solverCountIn(problem, 'solvedUser') };
}

function submissionOf(value: unknown): Submission {
  const row = objectOf(value);
  const verdict = String(integerOf(row['status'], 'status', 0, 1000));
  const title = cutText(row['problemTitle'], 500);
  return {
    id: String(integerOf(row['judgeId'], 'judgeId')),
    key: keyOf(row['problemId'], 'problemId'),
    handles: handlesIn(row['userId']),
    submittedAt: new Date(integerOf(row['submissionDate'], 'submissionDate', 0, lastMsOf9999)).toISOString(),
    ...withoutContest,
    verdictClass: verdictClassOf(aoj.verdicts, verdict, 'pending'),
    verdict,
    language: cutText(row['language'], 200),
    problem: title === null ? {} : { title },
  };
}

function keyOf(value: unknown, name: string): string {
  return matchOf(value, name, /^\w{1,60}$/, message('expected.problemId')).toUpperCase();
}
