/** How AtCoder Problems is asked (kenkoooo/AtCoderProblems, doc/api.md). What its answers mean is in `atcoder.ts`. */
import { oddAnswer, rowsIn, settledJsonOf } from './faults.ts';
import type { AskJudge, Fetched, JudgeAnswer, JudgeApi, Known } from './judge-api.ts';

const site = 'AtCoder Problems';
/** Submissions in one answer, the oldest first. */
const pageSize = 500;
const daySeconds = 86_400;
/** Each run asks for two days again, as the site's own client does: contests come late (frontend, SubmissionsDB.ts). */
const overlapSeconds = 2 * daySeconds;

interface Cursor {
  /** The second of the last submission that is here. */
  through: number;
  /** When the number of older submissions was last compared, in seconds since 1970. */
  countedAt: number;
  /** How many submissions cannot be had: those of one second beyond what the site gives. */
  missing: number;
}

interface Row {
  id: number;
  user_id?: string;
  epoch_second: number;
}

export const atcoderApi: JudgeApi = {
  baseUrl: 'https://kenkoooo.com/atcoder',
  // "Please sleep for more than 1 second between accesses" (doc/api.md).
  intervalMs: 1100,
  submissions,
  async *problems(ask) {
    for (const [file, name] of [
      ['problems', 'problems'],
      ['models', 'problem-models'],
    ] as const) {
      yield await whole(ask, file, `/resources/${name}.json`);
    }
  },
  async *contests(ask) {
    yield await whole(ask, 'contests', '/resources/contests.json');
    yield await whole(ask, 'contest-problems', '/resources/contest-problem.json');
  },
  // The newest thousand of all submissions show whether its crawler of AtCoder lives.
  age: async (ask) => {
    const rows = await ask('/atcoder-api/v3/recent', (answer) => rowsOf(answer).rows);
    const newest = Math.max(...rows.map(({ epoch_second }) => epoch_second));
    return Number.isFinite(newest) ? new Date(newest * 1000) : undefined;
  },
};

/**
 * Pages from two days before the last known submission on. Once a day the number of older ones is compared with what is kept,
 * since submissions to contests come late; where it differs, all are asked for again.
 */
async function* submissions(ask: AskJudge, handle: string, known: Known): AsyncGenerator<Fetched> {
  const cursor = (known.cursor ?? { through: 0, countedAt: 0, missing: 0 }) as Cursor;
  const user = encodeURIComponent(handle);
  const now = Math.floor(known.now.getTime() / 1000);
  let { through, countedAt, missing } = cursor;
  let from = Math.max(0, through - overlapSeconds);
  /** The last second that this run has read, or that a run before it has. */
  let reached = through;
  if (from > 0 && now - countedAt >= daySeconds) {
    const count = await countOf(ask, user, 0, from);
    if ((await known.countUntil(new Date(from * 1000))) + missing !== count)
      [from, missing, reached] = [0, 0, 0];
    countedAt = now;
  }
  for (;;) {
    const path = `/atcoder-api/v3/user/submissions?user=${user}&from_second=${from}`;
    const { text, rows } = await ask(path, rowsOf);
    const last = rows.at(-1)?.epoch_second ?? from;
    // The site may give fewer rows than it has: the end is where it gives none that are newer than those before.
    const isFull = rows.length >= pageSize;
    const isEnd = !isFull && (rows.length === 0 || last <= reached);
    reached = Math.max(reached, rows.length > 0 ? last : 0);
    through = Math.max(through, reached);
    const isOneSecond = isFull && last === from && rows[0]?.epoch_second === last;
    const page = isOneSecond ? await ofSecond(ask, handle, from, rows) : { text, missing: 0 };
    missing += page.missing;
    // The order inside a second is undefined, so a page begins with the whole last second of the one before.
    from = isOneSecond ? last + 1 : last;
    yield {
      file: 'submissions',
      text: page.text,
      cursor: { through, countedAt: countedAt || now, missing } satisfies Cursor,
    };
    if (isEnd) return;
  }
}

/**
 * All of one second, of which a page has as many as fit. The rest stands among what everybody sent then: a thousand rows from a
 * second on (`/v3/from`), in which a second of AtCoder has room many times over.
 */
async function ofSecond(ask: AskJudge, handle: string, second: number, page: readonly Row[]) {
  const count = await countOf(ask, encodeURIComponent(handle), second, second + 1);
  const byId = new Map(page.map((row) => [row.id, row]));
  if (count > byId.size) {
    const { rows } = await ask(`/atcoder-api/v3/from/${second}`, rowsOf);
    const isOwn = ({ epoch_second, user_id }: Row) =>
      epoch_second === second && user_id?.toLowerCase() === handle.toLowerCase();
    for (const row of rows.filter(isOwn)) byId.set(row.id, row);
  }
  return { text: JSON.stringify([...byId.values()]), missing: Math.max(0, count - byId.size) };
}

async function countOf(ask: AskJudge, user: string, from: number, to: number): Promise<number> {
  const path = `/atcoder-api/v3/user/submission_count?user=${user}&from_second=${from}&to_second=${to}`;
  return ask(path, (answer) => {
    const { count } = (settledJsonOf(answer, site) ?? {}) as { count?: unknown };
    if (typeof count !== 'number') throw oddAnswer(site, 'its answer has no count');
    return count;
  });
}

async function whole(ask: AskJudge, file: string, path: string): Promise<Fetched> {
  const text = await ask(path, (answer) => {
    settledJsonOf(answer, site);
    if (answer.status !== 200) throw oddAnswer(site, `it answered ${answer.status}`);
    return answer.text;
  });
  return { file, text, cursor: null };
}

function rowsOf(answer: JudgeAnswer): { text: string; rows: Row[] } {
  return { text: answer.text, rows: rowsIn(settledJsonOf(answer, site), site, 'epoch_second') as Row[] };
}
