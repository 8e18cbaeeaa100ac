/**
 * How CSES is asked (csesfi/cses-cli, api/openapi.yaml). Anybody may read its catalogue; what a member sent it shows to a token
 * that the member has confirmed in the browser. What its answers mean is in `cses.ts`.
 */
import { busy, judgeFault, oddAnswer, rowsIn, settledJsonOf } from './faults.ts';
import type { AskJudge, ConfirmedApi, Fetched, JudgeAnswer, JudgeApi, Known } from './judge-api.ts';

const site = 'CSES';
/** The submissions of this many tasks are saved together, so that a stopped run loses few requests. */
const tasksAtOnce = 20;

interface Section {
  header: string;
  list: unknown;
}

interface Task {
  category: string;
  id: string;
  name: string;
  link: string;
  status: unknown;
}

/** The tasks that were asked for, and what they were then. */
type Cursor = Record<string, 'pass' | 'fail'>;

const confirmed: ConfirmedApi = {
  async begin(ask) {
    const answer = await ask('/login', (one) => bodyOf(one), { method: 'POST' });
    const { 'X-Auth-Token': token, authentication_url: address } = answer as Record<string, unknown>;
    const isOwn = typeof address === 'string' && URL.parse(address)?.origin === new URL(ask.site).origin;
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(token) || !isOwn) {
      throw oddAnswer(site, 'it gave no token, or an address that is not its own');
    }
    return { token, address };
  },
  async nameOf(ask, token) {
    return ask(
      '/login',
      (answer) => {
        if (codeOf(answer) === 'pending_api_key') return undefined;
        const { username } = bodyOf(answer) as { username?: unknown };
        if (typeof username !== 'string') throw oddAnswer(site, 'it does not say whose token it is');
        return username;
      },
      withToken(token),
    );
  },
  submissions,
};

export const csesApi: JudgeApi = {
  baseUrl: 'https://cses.fi/api',
  // CSES names no rule, and answers "Too many requests".
  intervalMs: 1000,
  async *problems(ask) {
    yield { file: 'problems', text: catalogueOf(await tasksOf(ask)), cursor: null };
  },
  confirmed,
};

/** The submissions to each task whose state is another than at the last run: the list of tasks has no dates. */
async function* submissions(
  ask: AskJudge,
  token: string,
  handle: string,
  known: Known,
): AsyncGenerator<Fetched> {
  const name = await confirmed.nameOf(ask, token);
  if (name?.toLowerCase() !== handle.toLowerCase()) {
    throw judgeFault(
      'unknown handle',
      `${name ?? 'Nobody'} confirmed at CSES, but the handle here is ${handle}. Sign in there as ${handle}, or link the other handle.`,
    );
  }
  let done = (known.cursor ?? {}) as Cursor;
  const changed = (await tasksOf(ask, token)).filter(
    ({ id, status }) => (status === 'pass' || status === 'fail') && done[id] !== status,
  );
  for (let start = 0; start < changed.length; start += tasksAtOnce) {
    const tasks = changed.slice(start, start + tasksAtOnce);
    yield { file: 'problems', text: catalogueOf(tasks), cursor: done };
    const sent: object[] = [];
    for (const { id } of tasks) {
      const path = `/courses/problemset/submissions?task=${id}`;
      const rows = await ask(
        path,
        (answer) => rowsIn(Object(bodyOf(answer)).submissions, site, 'outcome_status'),
        withToken(token),
      );
      sent.push(...rows.map((row) => ({ user: name, task: id, ...row })));
    }
    done = { ...done, ...Object.fromEntries(tasks.map(({ id, status }) => [id, status as 'pass' | 'fail'])) };
    yield { file: 'submissions', text: JSON.stringify(sent), cursor: done };
  }
}

/** The tasks of all sections. What else is listed, such as texts, is left out. */
async function tasksOf(ask: AskJudge, token?: string): Promise<Task[]> {
  return ask(
    '/courses/problemset/list',
    (answer) =>
      (rowsIn(Object(bodyOf(answer)).sections, site, 'list') as Section[]).flatMap(({ header, list }) =>
        (rowsIn(list, site, 'objectType') as (Task & { objectType: string })[])
          .filter(({ objectType, id }) => objectType === 'task' && /^[1-9]\d{0,8}$/.test(id))
          .map(({ id, name, status }) => {
            return { category: header, id, name, link: `https://cses.fi/problemset/task/${id}`, status };
          }),
      ),
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
  return answer.status === 200 ? undefined : Object(settledJsonOf(answer, site)).code;
}

/** The body of a good answer. No message that CSES sends is shown, since it could repeat the token. */
function bodyOf(answer: JudgeAnswer): unknown {
  const body = settledJsonOf(answer, site);
  if (answer.status === 200 && typeof body === 'object' && body !== null) return body;
  const { code, message } = Object(body) as { code?: unknown; message?: unknown };
  if (code === 'client_error' && /too many requests/i.test(String(message))) throw busy(site);
  if (code === 'pending_api_key' || code === 'invalid_api_key') {
    throw judgeFault(
      'refused',
      'CSES did not accept this confirmation: it is missing or has expired. Confirm again in your browser; nothing is lost.',
    );
  }
  throw oddAnswer(site, `it answered ${answer.status}`);
}
