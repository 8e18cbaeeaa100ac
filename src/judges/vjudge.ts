/** VJudge: solved problems of many judges, without days, from the undocumented address of its pages. */
import { message } from '../errors.ts';
import { oddAnswer, parseUnlessBusy, unknownHandle } from './faults.ts';
import type { Judge, JudgeAnswer, JudgeApi, SolvedLink } from './judge.ts';

const site = 'VJudge';
const problemsAtMost = 50_000;

const api: JudgeApi = {
  baseUrl: 'https://vjudge.net',
  intervalMs: 5000,
  solved: (ask, handle) =>
    ask(`/user/solveDetail/${encodeURIComponent(handle)}`, (answer) => solvedIn(answer, handle)),
};

function solvedIn(answer: JudgeAnswer, handle: string): SolvedLink[] {
  // VJudge answers 500 for unknown users.
  if (answer.status === 404 || (answer.status === 500 && !/^\s*</.test(answer.text)))
    throw unknownHandle(site, handle);
  const { acRecords } = (parseUnlessBusy(answer, site) ?? {}) as { acRecords?: unknown };
  if (typeof acRecords !== 'object' || acRecords === null || Array.isArray(acRecords))
    throw oddAnswer(site, message('odd.lacks', { field: 'acRecords' }));
  const solved = Object.entries(acRecords).flatMap(([judge, ids]) => {
    if (!Array.isArray(ids)) throw oddAnswer(site, message('odd.noList'));
    return ids.map((id) => addressOf(judge, id));
  });
  if (solved.length > problemsAtMost) throw oddAnswer(site, message('odd.tooMany'));
  return solved;
}

function addressOf(judge: string, id: unknown): SolvedLink {
  if (!/^[\p{L}\p{N}_.-]{1,50}$/u.test(judge) || typeof id !== 'string' || !/^[\w.+-]{1,100}$/.test(id))
    throw oddAnswer(site, message('odd.namelessProblem'));
  return { address: `https://vjudge.net/problem/${encodeURIComponent(judge)}-${id}` };
}

export const vjudge = {
  name: 'VJudge',
  site,
  short: 'VJ',
  handle: {
    pattern: /^[^\s\p{C}/?#%]{1,50}$/u,
    form: 'spaces',
    most: 50,
    pageOf: (handle) => `https://vjudge.net/user/${encodeURIComponent(handle)}`,
  },
  files: {},
  api,
} satisfies Judge;
