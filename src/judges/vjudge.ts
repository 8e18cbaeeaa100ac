/**
 * VJudge: lists of solved problems of many judges, without days (`/user/solveDetail/NAME`, which its own pages ask for; not
 * documented). Its copies of problems are the judges' own (`address-book.json`), so it has no problems of its own.
 */
import { message } from '../errors.ts';
import { noUser, oddAnswer, parseFinalAnswer } from './faults.ts';
import type { Judge, JudgeAnswer, JudgeApi, SolvedLink } from './judge.ts';

const site = 'VJudge';
/** No member has solved as many; an answer with more is none of VJudge's. */
const problemsAtMost = 50_000;

const api: JudgeApi = {
  baseUrl: 'https://vjudge.net',
  intervalMs: 5000,
  solved: (ask, handle) =>
    ask(`/user/solveDetail/${encodeURIComponent(handle)}`, (answer) => solvedIn(answer, handle)),
};

/** The problems of an answer such as `{"acRecords":{"CodeForces":["58A"]},"failRecords":{}}`. Throws judgeFailed. */
function solvedIn(answer: JudgeAnswer, handle: string): SolvedLink[] {
  // It answers 500 for a name that nobody has.
  if (answer.status === 404 || (answer.status === 500 && !/^\s*</.test(answer.text)))
    throw noUser(site, handle);
  const { acRecords } = (parseFinalAnswer(answer, site) ?? {}) as { acRecords?: unknown };
  if (typeof acRecords !== 'object' || acRecords === null || Array.isArray(acRecords))
    throw oddAnswer(site, message('odd.lacks', { field: 'acRecords' }));
  const solved = Object.entries(acRecords).flatMap(([judge, ids]) => {
    if (!Array.isArray(ids)) throw oddAnswer(site, message('odd.noList'));
    return ids.map((id) => addressOf(judge, id));
  });
  if (solved.length > problemsAtMost) throw oddAnswer(site, message('odd.tooMany'));
  return solved;
}

/** The names of judges may be of any script, such as 洛谷. */
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
