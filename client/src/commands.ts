/** The commands on the practice of the member. Each answers what `--json` prints, and the lines for people. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Account, lastChanges, storeChanges } from './account.ts';
import { isGardenError } from './errors.ts';
import { transport } from './transport.ts';
import { command, failure, notReached, type readUsage, warn } from './usage.ts';

/** What `--json` prints, and the lines for people. */
type Result = [value: object, ...lines: string[]];
export type Values = ReturnType<typeof readUsage>['values'];

export interface Command<Subject> {
  about: string;
  /** The name alone, if absent. */
  example?: string;
  run(subject: Subject, args: string[], values: Values): Promise<Result | undefined>;
}

type Method = 'GET' | 'POST' | 'PATCH';

const runMs = 120_000;
const newToken = `Create one under Settings, Connections, then run: ${command} sign-in URL`;
/** What the member can do, in place of the advice of the garden, which is for programs. */
const nextSteps: Readonly<Record<number, string>> = {
  40101: newToken,
  40300: newToken,
  40400: 'Sign in with the address of the first page of the garden. It may have programs turned off.',
  40903: 'The website can set it back.',
  40904: `Run: ${command} due`,
  40905: `Run: ${command} done`,
};

/** The practice of the member in one run of the command. */
export function practiceOf({ url, token }: Account) {
  const send = transport({ baseUrl: `${url}/practice/v1`, token, signal: AbortSignal.timeout(runMs) });
  const run = crypto.randomUUID();
  const changes: string[] = [];
  let writes = 0;

  /** A change is stored for `undo`. */
  async function call(path: string, body?: object, method: Method = body ? 'POST' : 'GET') {
    // A key belongs to one request, so the second write of a run has a number after it.
    const key = method === 'GET' ? undefined : writes++ === 0 ? run : `${run}.${writes}`;
    const { text } = await send(method, path, undefined, { key, body }).catch((caught) => {
      const { message, error } = caught;
      const isTimerMissing = error === 40905 && Object(body).action !== 'start';
      const step = isTimerMissing ? `Run: ${command} start URL` : nextSteps[error];
      if (error) throw failure(1, step ? `${message.replace(/;[^;]*$/, '.')} ${step}` : message, error);
      throw failure(3, isGardenError(caught) ? message : notReached(url, caught));
    });
    const answer = JSON.parse(text);
    const { change, undone } = answer;
    if (change && !undone) changes.push(change);
    try {
      if (change && !undone) storeChanges(url, changes);
    } catch (error) {
      warn(`${(error as Error).message} Undo this with: ${command} undo ${change}`);
    }
    return answer;
  }

  const titles = new Map<string, string>();
  const idOf = ({ id, title }: Item['problem']) => {
    titles.set(id, title);
    return id;
  };
  /** Its title shows a wrong address at once. */
  const nameOf = (id: string) => `Problem ${id}${titles.has(id) ? ` (${titles.get(id)})` : ''}`;

  /** Answers the id; undefined where the garden does not have the problem. */
  async function find(problem: string): Promise<string | undefined> {
    if (!problem.includes(':')) return problem;
    const { items } = await call(`/problems?url=${encodeURIComponent(problem)}`);
    return items[0] && idOf(items[0]);
  }

  const findOrAdd = async (problem: string): Promise<string> =>
    (await find(problem)) ?? idOf((await call('/problems', { url: problem })).problem);

  return { url, call, find, findOrAdd, idOf, nameOf };
}

interface Item {
  kind: string;
  problem: Readonly<Record<'id' | 'title' | 'judge' | 'key' | 'rating' | 'url', string>>;
}

type Practice = ReturnType<typeof practiceOf>;

const lineOf = ({ id, title, judge, key, rating, url }: Item['problem']) =>
  `${id}  ${title} (${judge} ${key}, ${rating ?? 'not rated'})  ${url ?? ''}`;

async function changeTimer({ call, nameOf }: Practice, action: object, outcome = ''): Promise<Result> {
  const value = await call('/timer', action);
  const { problem, state, minutes } = value.timer;
  return [value, `${nameOf(problem)}: timer ${state}, ${minutes} min${outcome && `, ${outcome}`}.`];
}

const url = 'https://codeforces.com/contest/4/problem/A';
const statuses = 'not_started|ignored|skipped|reading|trying|solved';

/** By usage. */
export const practiceCommands: Readonly<Record<string, Command<Practice>>> = {
  due: {
    about: 'Lists what is due for review today.',
    run: async ({ call }) => {
      const value = await call('/due');
      const head = `${value.items.length} due, ${value.done} done, ${value.waiting} waiting for other days.`;
      return [value, head, ...value.items.map(({ problem }: Item) => lineOf(problem))];
    },
  },
  next: {
    about: 'Lists suggestions: new problems by your level.',
    example: 'next --json',
    run: async ({ call }) => {
      const value = await call('/next');
      const lines = value.items.map(({ kind, problem }: Item) => `${lineOf(problem)}  ${kind}`);
      const head = `Suggestions: ${lines.length}.`;
      const missing = `Rated problems to solve before the first suggestion: ${value.missing}.`;
      return [value, value.missing > 0 ? missing : head, ...lines];
    },
  },
  [`mark URL|ID [${statuses}] [--how alone|hint|editorial] [--minutes N] [--note TEXT] [--star]`]: {
    about: 'Marks a problem, and adds it if it is new. The note goes below the one that is there.',
    example: `mark ${url} solved --how hint --minutes 30`,
    run: async ({ find, call, idOf, nameOf }, [problem = '', status], { how, minutes, note, star }) => {
      if (![status, how, minutes, note, star].some(Boolean))
        throw failure(2, `Add a status, --how, --minutes, --note or --star. See: ${command} mark --help`);
      const mark = { status, how, add_note: note };
      const known = await find(problem);
      const added = known ? undefined : await call('/problems', { url: problem, ...mark });
      const all = { ...mark, minutes: minutes && Number(minutes), starred: star };
      const target = known ?? idOf(added.problem);
      const value =
        added && !minutes && !star
          ? { change: added.change, mark: added.problem.mark }
          : await call(`/marks/${target}`, all, 'PATCH');
      const { problem: id, status: now, how: way, starred } = value.mark;
      return [value, `${nameOf(id)}: ${[now, way ?? [], starred ? 'starred' : []].flat().join(', ')}.`];
    },
  },
  'start URL|ID': {
    about: 'Starts the timer for a problem, or goes on after a pause.',
    example: `start ${url}`,
    run: async (practice, [problem = '']) => {
      const action = { action: 'start', problem: await practice.findOrAdd(problem) };
      const [value, line = ''] = await changeTimer(practice, action);
      return line.includes('paused') ? changeTimer(practice, { action: 'resume' }) : [value, line];
    },
  },
  pause: {
    about: 'Pauses the timer.',
    run: (practice) => changeTimer(practice, { action: 'pause' }),
  },
  'done [--editorial] [--unsolved] [--minutes N]': {
    about: 'Stops the timer and marks its problem. Minutes are for a timer that you forgot for 12 hours.',
    example: 'done --editorial',
    run: async (practice, _, { editorial, unsolved, minutes }) => {
      if (editorial && unsolved) throw failure(2, 'Choose one of --editorial and --unsolved.');
      const outcome = editorial ? 'editorial' : unsolved ? 'unsolved' : 'solved';
      return changeTimer(practice, { action: 'stop', outcome, minutes: minutes && Number(minutes) }, outcome);
    },
  },
  'grade URL|ID again|hard|good|easy|later|never': {
    about: 'Says how a review went.',
    example: `grade ${url} good`,
    run: async ({ findOrAdd, call, nameOf }, [problem = '', grade]) => {
      const id = await findOrAdd(problem);
      const value = await call(`/reviews/${id}`, { grade });
      return [value, `${nameOf(id)}: next review ${value.review.next_day ?? 'never'}.`];
    },
  },
  'undo [CHANGE]': {
    about: 'Undoes what the last run of this command changed, or a change by its number.',
    run: async ({ url, call }, [change]) => {
      const changes = change ? [change] : lastChanges(url);
      if (changes.length === 0) throw failure(1, 'Nothing to undo here. See History and undo in the garden.');
      let changed = 0;
      for (const one of [...changes].reverse())
        changed += (await call(`/undo/${one}`, undefined, 'POST')).changed;
      if (!change) storeChanges(url, []);
      return [{ changes, changed }, changed > 0 ? 'Undone.' : 'It was undone before.'];
    },
  },
  'code URL|ID FILE': {
    about: 'Stores a file of your own code with a problem. The token needs the scope practice:code.',
    example: `code ${url} a.cpp`,
    run: async ({ findOrAdd, call, nameOf }, [problem = '', file = '']) => {
      const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      const read = readFile(file).then((bytes) => utf8.decode(bytes));
      const code = await read.catch(({ code }) => {
        throw failure(2, `${file} cannot be read as UTF-8 text (${code}).`);
      });
      const id = await findOrAdd(problem);
      const value = await call(`/solutions/${id}`, { file: basename(file), code });
      return [value, `${nameOf(id)}: ${value.solution.file}, ${value.solution.bytes} bytes.`];
    },
  },
};
