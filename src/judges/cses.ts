/**
 * CSES: its problem list, and submissions for a token that the member confirmed (csesfi/cses-cli, api/openapi.yaml).
 */
import { localizedError, message } from '../errors.ts';
import { accessDenied, assertNotBusy, busy, judgeFault, oddAnswer, parseAnswer, rowsIn } from './faults.ts';
import {
  cutText,
  cutTextOf,
  handlesIn,
  integerOf,
  isoTimeOf,
  matchOf,
  objectOf,
  solverCountIn,
  topicsJson,
  withoutContest,
} from './fields.ts';
import type {
  CatalogueEntry,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeClient,
  MemberTokenApi,
  Submission,
  SyncState,
} from './judge.ts';

const site = 'CSES';
const tasksPerBatch = 20;

interface Section {
  header: unknown;
  list: unknown;
}

interface Task {
  category: unknown;
  id: string;
  name: string;
  link: string;
  status: unknown;
}

/** The last status of each task by id. */
type Cursor = Record<string, 'pass' | 'fail'>;

const confirmed: MemberTokenApi = {
  async begin(ask) {
    const answer = await ask('/login', (one) => bodyOf(one), { method: 'POST' });
    const { 'X-Auth-Token': token, authentication_url: address } = answer as Record<string, unknown>;
    const isOfSite = typeof address === 'string' && URL.parse(address)?.origin === new URL(ask.site).origin;
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(token) || !isOfSite) {
      throw oddAnswer(site, message('odd.noToken'));
    }
    return { token, address };
  },
  async usernameOf(ask, token) {
    return ask(
      '/login',
      (answer) => {
        if (codeOf(answer) === 'pending_api_key') return undefined;
        const { username } = bodyOf(answer) as { username?: unknown };
        if (typeof username !== 'string') throw oddAnswer(site, message('odd.noOwner'));
        return username;
      },
      withToken(token),
    );
  },
  submissions,
};

export const csesApi: JudgeApi = {
  baseUrl: 'https://cses.fi/api',
  // CSES states no limit, but answers "Too many requests".
  intervalMs: 1000,
  async *problems(ask) {
    yield { file: 'problems', text: catalogueOf(await tasksOf(ask)) };
  },
  memberToken: confirmed,
};

/** The task list has no dates, only states. */
async function* submissions(
  ask: JudgeClient,
  token: string,
  handle: string,
  state: SyncState,
): AsyncGenerator<FetchedFile> {
  const name = await confirmed.usernameOf(ask, token);
  if (name === undefined)
    throw judgeFault('unknown handle', localizedError('judgeFailed.nobodyAtCses', { handle }));
  if (name.toLowerCase() !== handle.toLowerCase())
    throw judgeFault('unknown handle', localizedError('judgeFailed.otherAtCses', { name, handle }));
  let statuses = (state.cursor ?? {}) as Cursor;
  const changed = (await tasksOf(ask, token)).filter(
    ({ id, status }) => (status === 'pass' || status === 'fail') && statuses[id] !== status,
  );
  for (let start = 0; start < changed.length; start += tasksPerBatch) {
    const tasks = changed.slice(start, start + tasksPerBatch);
    yield { file: 'problems', text: catalogueOf(tasks), cursor: statuses };
    const rows: object[] = [];
    for (const { id } of tasks) {
      const path = `/courses/problemset/submissions?task=${id}`;
      const submissionRows = await ask(
        path,
        (answer) => rowsIn(Object(bodyOf(answer)).submissions, site, 'outcome_status'),
        withToken(token),
      );
      rows.push(...submissionRows.map((row) => ({ user: name, task: id, ...row })));
    }
    statuses = {
      ...statuses,
      ...Object.fromEntries(tasks.map(({ id, status }) => [id, status as 'pass' | 'fail'])),
    };
    yield { file: 'submissions', text: JSON.stringify(rows), cursor: statuses };
  }
}

async function tasksOf(ask: JudgeClient, token?: string): Promise<Task[]> {
  return ask(
    '/courses/problemset/list',
    (answer) => {
      const sections = rowsIn(Object(bodyOf(answer)).sections, site, 'list') as Section[];
      const entries = sections.flatMap(({ header, list }) =>
        (Array.isArray(list) ? list : []).map((one) => ({ category: header, ...Object(one) })),
      );
      return (rowsIn(entries, site, 'objectType') as (Task & { objectType: unknown })[])
        .filter(({ objectType, id }) => objectType === 'task' && /^[1-9]\d{0,8}$/.test(id))
        .map(({ category, id, name, status }) => {
          return { category, id, name, link: `https://cses.fi/problemset/task/${id}`, status };
        });
    },
    token === undefined ? {} : withToken(token),
  );
}

function catalogueOf(tasks: readonly Task[]): string {
  return JSON.stringify(tasks.map(({ category, name, link }) => ({ category, name, link })));
}

function withToken(token: string) {
  return { headers: { 'X-Auth-Token': token } };
}

function codeOf(answer: JudgeAnswer): unknown {
  return answer.status === 200 ? undefined : Object(parsedOf(answer)).code;
}

/** CSES' messages could repeat the token, so none is shown. */
function parsedOf(answer: JudgeAnswer): unknown {
  const { status, text } = answer;
  if ((status === 401 || status === 403) && /^\s*[^\s{<]/.test(text)) throw accessDenied(site, 403, '');
  const value = parseAnswer(answer, site);
  assertNotBusy(answer, site);
  return value;
}

function bodyOf(answer: JudgeAnswer): unknown {
  const body = parsedOf(answer);
  if (answer.status === 200 && typeof body === 'object' && body !== null) return body;
  const { code, message: reason } = Object(body) as { code?: unknown; message?: unknown };
  if (code === 'client_error' && /too many requests/i.test(String(reason))) throw busy(site);
  if (code === 'pending_api_key' || code === 'invalid_api_key') {
    throw judgeFault('refused', localizedError('judgeFailed.confirmation'));
  }
  throw oddAnswer(site, message('odd.status', { status: answer.status }));
}

const taskLink = /^https:\/\/cses\.fi\/problemset\/task\/([1-9]\d{0,8})\/?$/;

export const cses = {
  name: 'CSES',
  site: 'CSES',
  short: 'CSES',
  libraryRules: { by: 'topic', order: 'catalogue' },
  problemPage: (key) => `https://cses.fi/problemset/task/${encodeURIComponent(key)}`,
  // A result of more digits has the number of a submission.
  problemKeyAt: ({ hostname, pathname }) =>
    /^(?:www\.)?cses\.fi$/.test(hostname)
      ? /^\/problemset\/(?:task|stats|model|view|result(?=\/\d{4}\/?$))\/(\d{1,9})\/?$/.exec(pathname)?.[1]
      : undefined,
  api: csesApi,
  files: {
    problems: {
      kind: 'catalogue',
      title: message('file.problemList'),
      keys: ['category', 'link', 'solves'],
      layout: { path: [] },
      entryOf: problemOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'submissions',
      keys: ['task', 'outcome_status'],
      layout: { path: [] },
      entryOf: submissionOf,
    },
  },
} satisfies Judge;

function problemOf(value: unknown): CatalogueEntry {
  const problem = objectOf(value);
  const url = matchOf(problem['link'], 'link', taskLink, message('expected.csesLink'));
  const columns = {
    source_key: taskLink.exec(url)?.[1] ?? '',
    title: cutTextOf(problem['name'], 'name', 500),
    url,
    tags: topicsJson([problem['category']]),
  };
  return { columns, solverCount: solverCountIn(problem, 'solves') };
}

const classes = { pass: 'solved', fail: 'tried', none: 'pending' } as const;

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const outcome = matchOf(
    submission['outcome_status'],
    'outcome_status',
    /^(?:pass|fail|none)$/,
    message('expected.csesOutcome'),
  );
  const { name, option } = Object(submission['language']) as { name?: unknown; option?: unknown };
  return {
    id: String(integerOf(submission['id'], 'id')),
    key: matchOf(submission['task'], 'task', /^[1-9]\d{0,8}$/, message('expected.csesTask')),
    handles: handlesIn(submission['user']),
    submittedAt: isoTimeOf(submission['time'], 'time'),
    ...withoutContest,
    verdictClass: classes[outcome as keyof typeof classes],
    verdict: outcome,
    language: cutText([name, option].filter((word) => typeof word === 'string').join(' '), 200),
  };
}
