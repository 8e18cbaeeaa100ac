/** UVa as uHunt answers (uhunt.onlinejudge.org/api): lists of numbers, and all submissions from an id on in one answer. */
import type { ReplayedJudge } from './replay.ts';

/** Its id, uHunt's number of the problem, the verdict, the run time, the time in seconds, the language, the rank. */
export type UvaRow = [id: number, pid: number, verdict: number, runMs: number, at: number, ...number[]];

export interface UvaRows {
  /** The submissions of each user; the number of a user is the place here, from 1. */
  submissions: Record<string, UvaRow[]>;
  problems?: unknown[];
}

export function replayUva({ submissions, problems = [] }: UvaRows): ReplayedJudge {
  return (path) => {
    if (path === '/p') return { body: problems };
    const names = Object.keys(submissions);
    const [, named] = /^\/uname2uid\/([^/]+)$/.exec(path) ?? [];
    if (named !== undefined) return { body: names.indexOf(decodeURIComponent(named)) + 1 };
    const [, uids = '', numbers = '', after] = /^\/subs-nums\/([\d,]+)\/([\d,]+)\/(\d+)$/.exec(path) ?? [];
    if (after !== undefined) {
      const [people, nums] = [uids.split(','), numbers.split(',').map(Number)];
      if (people.length > 100 || nums.length > 100) return { status: 400, body: 'too many' };
      const isFound = ([id, pid]: UvaRow) => id > Number(after) && nums.includes(pid + 64);
      const found = people.map((one) => {
        const uname = names[Number(one) - 1] ?? '';
        return [one, { name: 'Ada L.', uname, subs: submissions[uname]?.filter(isFound) }];
      });
      return { body: Object.fromEntries(found) };
    }
    const [, uid, least] = /^\/subs-user\/(\d+)\/(\d+)$/.exec(path) ?? [];
    const name = names[Number(uid) - 1];
    if (name === undefined) return undefined;
    const subs = submissions[name]?.filter(([id]) => id > Number(least));
    return { body: { name: 'Ada L.', uname: name, subs } };
  };
}
