/** How Codeforces is asked (codeforces.com/apiHelp). What its answers mean is in `codeforces.ts`. */
import { busy, down, jsonOf, judgeFault, oddAnswer, rowsIn } from './faults.ts';
import type { AskJudge, Fetched, JudgeAnswer, JudgeApi, Known } from './judge-api.ts';

const site = 'Codeforces';
/** Submissions in one answer of user.status. */
const pageSize = 1000;
/** Submissions that are asked for again, because the judge may rule on them anew: those of the last days. */
const overlapMs = 7 * 86_400_000;
/** All is read again, because some rulings come weeks later (copied solutions are skipped), and contests of others may open. */
const wholeEveryMs = 30 * 86_400_000;
/** Rows that a page shares with the one before, because submissions made meanwhile move all others down. */
const sharedRows = 50;
/** A person sends fewer submissions than this in ten minutes. */
const newestAtMost = 30;
/** Handles in one call of user.info: their names fit into an address. */
const handlesPerCall = 300;

/** The state between two answers. The judge's list has the newest submission first, and no cursor of its own. */
interface Cursor {
  /** All submissions that were made up to this second are here. */
  through?: number;
  /** When a run last read the whole list, in seconds since 1970. */
  wholeAt?: number;
  /** A run that was stopped: how many rows it had read, and the id of the first of them. */
  stopped?: { rows: number; newest: number; through: number };
}

interface Row {
  id: number;
  creationTimeSeconds: number;
  verdict?: string;
}

export const codeforcesApi: JudgeApi = {
  baseUrl: 'https://codeforces.com/api',
  // "API may be requested at most 1 time per two seconds" (codeforces.com/apiHelp).
  intervalMs: 2000,
  submissions,
  problems: (ask) => whole(ask, 'problems', '/problemset.problems?lang=en'),
  contests: (ask) => whole(ask, 'contests', '/contest.list?gym=false&lang=en'),
  renames,
};

/**
 * Pages of user.status, until one reaches what an earlier run has brought and no ruling can change any more. A run that is
 * stopped goes on behind the rows that it had.
 */
async function* submissions(ask: AskJudge, handle: string, known: Known): AsyncGenerator<Fetched> {
  const now = known.now.getTime() / 1000;
  let { through, stopped, wholeAt = now } = (known.cursor ?? {}) as Cursor;
  if (!stopped && now - wholeAt >= wholeEveryMs / 1000) [through, wholeAt] = [undefined, now];
  const until = through === undefined ? 0 : through - overlapMs / 1000;
  let from = 1;
  let newest: Row | undefined;
  /** Whether the rows that the stopped run had read are still ahead. */
  let isSkipping = stopped !== undefined;
  for (;;) {
    const path = `/user.status?handle=${encodeURIComponent(handle)}&from=${from}&count=${pageSize}&lang=en`;
    const { text, result } = await ask(path, (answer) => answerOf(answer, handle));
    const rows = rowsIn(result, site, 'creationTimeSeconds') as Row[];
    newest ??= rows[0];
    const last = rows.at(-1);
    // The judge may give fewer rows than it was asked for and has: the end is where it gives none.
    const isEnd = last === undefined || last.creationTimeSeconds < until;
    const done: Cursor = { wholeAt, through: newest?.creationTimeSeconds ?? through ?? 0 };
    const skipTo = isSkipping ? rows.findIndex(({ id }) => id === stopped?.newest) : -1;
    let read = from - 1 + rows.length;
    let shared = rows.length < pageSize ? 0 : sharedRows;
    if (stopped && skipTo >= 0) {
      isSkipping = false;
      read = from - 1 + skipTo + stopped.rows;
      shared = sharedRows;
    }
    from = Math.max(1, read + 1 - shared);
    const midway: Cursor = {
      wholeAt,
      ...(through !== undefined && { through }),
      stopped: { rows: read, newest: newest?.id ?? 0, through: done.through ?? 0 },
    };
    yield { file: 'submissions', text, cursor: isEnd ? done : midway };
    if (isEnd) return;
  }
}

/** The newest submissions of a handle, as the API lists them. */
export async function newestRows(ask: AskJudge, handle: string): Promise<unknown[]> {
  const path = `/user.status?handle=${encodeURIComponent(handle)}&from=1&count=${newestAtMost}&lang=en`;
  return ask(path, (answer) => answerOf(answer, handle).result);
}

/** A method whose whole answer is one file. */
async function* whole(ask: AskJudge, file: string, path: string): AsyncGenerator<Fetched> {
  const { text } = await ask(path, (answer) => answerOf(answer));
  yield { file, text, cursor: null };
}

/** user.info answers an old handle with its present name. */
async function renames(ask: AskJudge, handles: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const renamed = new Map<string, string>();
  for (let start = 0; start < handles.length; start += handlesPerCall) {
    for (const [before, name] of await namesOf(ask, handles.slice(start, start + handlesPerCall))) {
      if (name.toLowerCase() !== before.toLowerCase()) renamed.set(before, name);
    }
  }
  return renamed;
}

/** Each handle with its present name. One unknown handle fails the whole call, so it is left out. */
async function namesOf(ask: AskJudge, handles: readonly string[]): Promise<[before: string, name: string][]> {
  if (handles.length === 0) return [];
  const path = `/user.info?handles=${handles.map(encodeURIComponent).join(';')}&checkHistoricHandles=true&lang=en`;
  const found = await ask(path, (answer) => unknownHandleIn(answer) ?? answerOf(answer).result);
  if (typeof found === 'string') {
    const rest = handles.filter((one) => one.toLowerCase() !== found.toLowerCase());
    if (rest.length === handles.length) throw oddAnswer(site, `it names ${found}, of which it was not asked`);
    return namesOf(ask, rest);
  }
  const names = (rowsIn(found, site, 'handle') as { handle: string }[]).map(({ handle }) => handle);
  if (names.length === handles.length) return handles.map((before, at) => [before, names[at] ?? before]);
  // Places tell whose name is which. Where some are missing, such as of two names of one person, each half is asked alone.
  if (handles.length === 1) throw oddAnswer(site, `it answers ${names.length} users of one`);
  const half = handles.length >> 1;
  return [...(await namesOf(ask, handles.slice(0, half))), ...(await namesOf(ask, handles.slice(half)))];
}

/** Decides by the body: a failed call comes with another status than 200 as well. */
function answerOf(answer: JudgeAnswer, handle?: string): { text: string; result: unknown[] } {
  const body = jsonOf(answer, site) as { status?: string; comment?: string; result?: unknown };
  if (body?.status === 'OK') {
    const { result } = body;
    const isKnown = Array.isArray(result) || (typeof result === 'object' && result !== null);
    if (!isKnown) throw oddAnswer(site, 'it says OK and has no result');
    return { text: answer.text, result: result as unknown[] };
  }
  const comment = typeof body?.comment === 'string' ? body.comment.slice(0, 200) : '';
  if (/call limit exceeded/i.test(comment)) {
    throw busy(site);
  }
  if (handle !== undefined && (unknownHandleIn(answer) !== undefined || /^handle: /.test(comment))) {
    throw judgeFault(
      'unknown handle',
      `Codeforces has no user ${handle}. Unlink this handle and link the right one.`,
    );
  }
  if (answer.status >= 500) throw down(site, answer.status);
  throw oddAnswer(
    site,
    comment === '' ? `its status is ${JSON.stringify(body?.status)}` : `it says “${comment}”`,
  );
}

/** Such as "handles: User with handle x not found". */
function unknownHandleIn({ text }: JudgeAnswer): string | undefined {
  return /"handles?: User with handle (\S+) not found"/.exec(text.slice(0, 1000))?.[1];
}
