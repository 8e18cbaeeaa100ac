/** Luogu: solved problems without days (github.com/0f-0b/luogu-api-docs). */
import { localizedError, message } from '../errors.ts';
import { judgeFault, oddAnswer, parseUnlessBusy, unknownHandle } from './faults.ts';
import type { Judge, JudgeAnswer, JudgeApi, SolvedLink } from './judge.ts';

const site = 'Luogu';

const api: JudgeApi = {
  baseUrl: 'https://www.luogu.com.cn',
  intervalMs: 5000,
  // With this header the answer is JSON.
  headers: { 'x-lentille-request': 'content-only' },
  solved: (ask, handle) =>
    ask(`/user/${encodeURIComponent(handle)}/practice`, (answer) => solvedIn(answer, handle)),
};

function solvedIn(answer: JudgeAnswer, handle: string): SolvedLink[] {
  const { data, status } = (parseUnlessBusy(answer, site) ?? {}) as {
    data?: { passed?: unknown; user?: unknown };
    status?: unknown;
  };
  if (answer.status === 404 || status === 404) throw unknownHandle(site, handle);
  if (answer.status !== 200 || typeof data !== 'object' || data === null)
    throw oddAnswer(site, message('odd.noData', { status: answer.status }));
  // Some answers do not name the user.
  const { uid } = Object(data.user) as { uid?: unknown };
  if (uid !== undefined && String(uid) !== handle)
    throw oddAnswer(site, message('odd.otherUser', { user: JSON.stringify(uid).slice(0, 100) }));
  if (data.passed === undefined || data.passed === null)
    throw judgeFault('unknown handle', localizedError('judgeFailed.private', { judge: site }));
  if (!Array.isArray(data.passed)) throw oddAnswer(site, message('odd.lacks', { field: 'passed' }));
  return data.passed.map((row: unknown) => {
    const { pid, title } = Object(row) as { pid?: unknown; title?: unknown };
    if (typeof pid !== 'string' || !/^\w{1,50}$/.test(pid))
      throw oddAnswer(site, message('odd.namelessProblem'));
    return {
      address: `https://www.luogu.com.cn/problem/${pid}`,
      ...(typeof title === 'string' && { title: title.slice(0, 500) }),
    };
  });
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
