/** VJudge and Luogu as they answer lists of solved problems: without days, and nothing for names that nobody has. */
import type { ReplayedJudge } from './replay.ts';

/** The only handle in most tests. Luogu has numbers of members in place of names. */
export function handleAt(site: string): string {
  if (site === 'leetcode-cn') return 'leetcode.cn/ada';
  return site === 'luogu' ? '7' : 'ada';
}

export const passedAtLuogu = (...pids: string[]) => ({
  status: 200,
  data: { passed: pids.map((pid) => ({ pid, type: 'P', title: `Task ${pid}`, difficulty: 1 })) },
});

type Answers = Readonly<Record<string, unknown>>;

export function replayVjudge(answers: Answers): ReplayedJudge {
  return (path) => {
    if (path === '/user/submissions') return { body: { error: 'Please login first' } };
    const [, name] = /^\/user\/solveDetail\/([^/]+)$/.exec(path) ?? [];
    if (name === undefined) return undefined;
    const body = answers[decodeURIComponent(name)];
    return body === undefined ? { status: 500, body: { error: 'Internal Server Error' } } : { body };
  };
}

export function replayLuogu(answers: Answers): ReplayedJudge {
  return (path, _query, { headers }) => {
    const [, uid] = /^\/user\/(\d+)\/practice$/.exec(path) ?? [];
    if (uid === undefined) return undefined;
    const agent = String(headers['user-agent']);
    if (agent.includes('python-requests') || /^mozilla\//i.test(agent)) return { status: 403, body: '' };
    // Luogu answers a page without this header.
    if (headers['x-lentille-request'] !== 'content-only')
      return { headers: { 'Content-Type': 'text/html' }, body: '<!DOCTYPE html><title>Luogu</title>' };
    const body = answers[uid];
    return body === undefined ? { status: 404, body: { status: 404, data: {} } } : { body };
  };
}
