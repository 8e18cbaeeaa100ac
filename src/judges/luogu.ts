/** Luogu: solved problems without days (github.com/0f-0b/luogu-api-docs). */
import { localizedError, message } from '../errors.ts';
import {
  judgeFault,
  needsSignIn,
  oddAnswer,
  parseUnlessBusy,
  readAnswerRows,
  unknownHandle,
} from './faults.ts';
import { badField, cutText } from './fields.ts';
import type { Judge, JudgeAnswer, JudgeApi, ReadRows, SolvedLink } from './judge.ts';

const site = 'Luogu';

const api: JudgeApi = {
  baseUrl: 'https://www.luogu.com.cn',
  intervalMs: 5000,
  // With this header the answer is JSON. Luogu refuses user agents that begin with `mozilla/` or have python-requests.
  headers: { 'x-lentille-request': 'content-only' },
  solved: (ask, handle) =>
    ask(`/user/${encodeURIComponent(handle)}/practice`, (answer) => solvedIn(answer, handle)),
};

function solvedIn(answer: JudgeAnswer, handle: string): ReadRows<SolvedLink> {
  const body = Object(parseUnlessBusy(answer, site)) as Record<string, unknown>;
  const data = body['data'] ?? body['currentData'];
  const status = answer.status === 200 ? (body['status'] ?? body['code']) : answer.status;
  if (status === 404) throw unknownHandle(site, handle);
  if (status === 401 || status === 403) throw needsSignIn(site);
  if (answer.status !== 200 || typeof data !== 'object' || data === null)
    throw oddAnswer(site, message('odd.noData', { status: answer.status }));
  // Some answers do not name the user.
  const { uid } = Object((data as { user?: unknown }).user) as { uid?: unknown };
  if (uid !== undefined && String(uid) !== handle)
    throw oddAnswer(site, message('odd.otherUser', { user: JSON.stringify(uid).slice(0, 100) }));
  const passed = passedAtLuogu(body);
  if (passed === null)
    throw judgeFault('unknown handle', localizedError('judgeFailed.private', { judge: site }));
  if (!Array.isArray(passed)) throw oddAnswer(site, message('odd.lacks', { field: 'passed' }));
  return readAnswerRows(site, passed, (row) => {
    const link = linkAtLuogu(row);
    if (!link) throw badField('pid', Object(row).pid, message('expected.problemId'));
    return link;
  });
}

/** The solved problems in what Luogu answers or shows; null where it hides them. */
export function passedAtLuogu(body: unknown): unknown {
  const { data, currentData } = Object(body) as Record<string, unknown>;
  const { passed, passedProblems } = Object(data ?? currentData) as Record<string, unknown>;
  return passed ?? passedProblems ?? null;
}

export function linkAtLuogu(row: unknown): SolvedLink | undefined {
  const { pid, title, name } = Object(row) as Record<string, unknown>;
  if (typeof pid !== 'string' || !/^\w{1,50}$/.test(pid)) return undefined;
  const shown = cutText(title, 500) ?? cutText(name, 500) ?? '';
  return { address: `https://www.luogu.com.cn/problem/${pid}`, title: shown };
}

export const luogu = {
  name: 'Luogu',
  site,
  short: 'Luogu',
  handle: {
    pattern: /^[1-9]\d{0,8}$/,
    form: 'number',
    most: 9,
    pageOf: (handle) => `https://www.luogu.com.cn/user/${handle}`,
  },
  files: {},
  api,
} satisfies Judge;
