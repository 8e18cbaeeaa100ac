/** CSES as its API answers (csesfi/cses-cli, api/openapi.yaml): the catalogue for all, and what a member sent for their token. */
import type { Answered, ReplayedJudge } from './replay.ts';

type Status = 'none' | 'pass' | 'fail';

export interface CsesRows {
  tasks: { category: string; id: string; name: string }[];
  members: Record<string, Record<string, { id: number; time: string; outcome_status: Status }[]>>;
}

const failed = (status: number, code: string, message: string): Answered => ({
  status,
  body: { code, message },
});

export interface ReplayedCses {
  answer: ReplayedJudge;
  confirm(token: string, name: string): void;
  end(token: string): void;
}

export function replayCses(rows: CsesRows, url = 'http://127.0.0.1'): ReplayedCses {
  const tokens = new Map<string, string | undefined>();
  const stateOf = (name: string | undefined, task: string): Status => {
    const sent = rows.members[name ?? '']?.[task] ?? [];
    if (sent.some(({ outcome_status }) => outcome_status === 'pass')) return 'pass';
    return sent.length > 0 ? 'fail' : 'none';
  };
  const answer: ReplayedJudge = (path, query, { method, headers }) => {
    const token = headers['x-auth-token'];
    if (path === '/login' && method === 'POST') {
      const given = `token-${crypto.randomUUID()}`;
      tokens.set(given, undefined);
      return { body: { 'X-Auth-Token': given, authentication_url: `${url}/confirm?token=${given}` } };
    }
    if (path === '/confirm') {
      // Nobody can sign in here, so the first member is confirmed.
      tokens.set(query.get('token') ?? '', Object.keys(rows.members)[0]);
      return { body: 'Confirmed.' };
    }
    const isGiven = typeof token === 'string';
    if (isGiven && !tokens.has(token)) return failed(401, 'invalid_api_key', 'Invalid API key');
    const name = isGiven ? tokens.get(token) : undefined;
    if (isGiven && name === undefined) return failed(401, 'pending_api_key', 'Pending API key');
    if (path === '/courses/problemset/list') {
      const sections = Map.groupBy(rows.tasks, ({ category }) => category);
      return {
        body: {
          sections: [...sections].map(([header, tasks]) => ({
            header,
            list: tasks.map(({ id, name: title }) => ({
              objectType: 'task',
              id,
              name: title,
              link: `https://cses.fi/problemset/task/${id}`,
              status: stateOf(name, id),
            })),
          })),
        },
      };
    }
    if (name === undefined) return failed(401, 'invalid_api_key', 'Invalid API key');
    if (path === '/login') return { body: { id: 1, username: name } };
    if (path !== '/courses/problemset/submissions' || !query.has('task'))
      return failed(400, 'client_error', 'Invalid request');
    const sent = rows.members[name]?.[query.get('task') ?? ''] ?? [];
    const language = { name: 'C++', option: 'C++17' };
    return { body: { submissions: sent.map((one) => ({ ...one, language, code_time: 10, size: 100 })) } };
  };
  return {
    answer,
    confirm: (token, name) => void tokens.set(token, name),
    end: (token) => void tokens.delete(token),
  };
}
