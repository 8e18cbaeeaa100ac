/** VJudge: solved problems of many judges, without days, from the undocumented address of its pages. */
import { message } from '../errors.ts';
import { oddAnswer, parseUnlessBusy, readAnswerRows, unknownHandle } from './faults.ts';
import { badField } from './fields.ts';
import type { Judge, JudgeAnswer, JudgeApi, ReadRows, SolvedLink } from './judge.ts';

const site = 'VJudge';
const problemsAtMost = 50_000;

const api: JudgeApi = {
  baseUrl: 'https://vjudge.net',
  intervalMs: 5000,
  solved: (ask, handle) =>
    ask(`/user/solveDetail/${encodeURIComponent(handle)}`, (answer) => solvedIn(answer, handle)),
};

function solvedIn(answer: JudgeAnswer, handle: string): ReadRows<SolvedLink> {
  // VJudge answers 500 for unknown users.
  if (answer.status === 404 || (answer.status === 500 && !/^\s*</.test(answer.text)))
    throw unknownHandle(site, handle);
  const { acRecords } = Object(parseUnlessBusy(answer, site)) as Record<string, unknown>;
  if (typeof acRecords !== 'object' || acRecords === null || Array.isArray(acRecords))
    throw oddAnswer(site, message('odd.lacks', { field: 'acRecords' }));
  const entries = Object.entries(acRecords).flatMap(([judge, ids]) =>
    (Array.isArray(ids) ? ids : [undefined]).map((id: unknown) => [judge, id] as const),
  );
  if (entries.length > problemsAtMost) throw oddAnswer(site, message('odd.tooMany'));
  return readAnswerRows(site, entries, (entry): SolvedLink => {
    const [judge, id] = entry as (typeof entries)[number];
    const address = addressAtVjudge(judge, id);
    if (address === undefined) throw badField(judge.slice(0, 50), id, message('expected.problemId'));
    return { address };
  });
}

export function addressAtVjudge(judge: string, id: unknown): string | undefined {
  const isJudge = /^[\p{L}\p{N}_. -]{1,50}$/u.test(judge);
  const isId = ['string', 'number'].includes(typeof id) && /^[\w.+-]{1,100}$/.test(String(id));
  const isNamed = isJudge && isId;
  return isNamed ? `https://vjudge.net/problem/${encodeURIComponent(judge)}-${id}` : undefined;
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
