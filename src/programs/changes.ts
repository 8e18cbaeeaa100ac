/** listChanges: what changed for the member, each thing once, in the order of commits. */
import { hash } from 'node:crypto';
import { dayMs } from '../durations.ts';
import { AppError } from '../errors.ts';
import { listOwnLists } from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { type FeedItem, goneDays, listFeedItems, listFeeds } from '../store/program-feeds.ts';
import { listMergedInto } from '../store/removed-problems.ts';
import { listOwnRows } from '../store/rows.ts';
import { listSolutionsByIds } from '../store/solutions.ts';
import type { Db } from '../store/tables.ts';
import type { Reader } from './context.ts';
import { listOf } from './lists.ts';
import { malformedNext } from './pages.ts';
import { markOf, problemOf, readMarks, solutionOf } from './representations.ts';
import { timerOf } from './timer.ts';

const usualLimit = 100;
const itemsPerRead = 100;
/** A page with long notes ends before its limit. */
const bytesOfPage = 2 ** 20;

/** Until `day` a program knew everything, so it must hear of what is gone since then. */
interface Place {
  place: bigint;
  day: number;
}

function writePlace(memberId: bigint, { place, day }: Place): string {
  const text = `${place}.${day}`;
  const digest = hash('sha256', `changes ${memberId} ${text}`).slice(0, 12);
  return Buffer.from(`${text}.${digest}`).toString('base64url');
}

/** Throws malformedCursor, also for the place of another member. */
function readPlace(memberId: bigint, text: string): Place {
  const [, place, day] = /^(\d{1,18})\.(\d{1,6})\./.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const read = { place: BigInt(place ?? 0), day: Number(day) };
  if (writePlace(memberId, read) !== text) throw malformedNext();
  return read;
}

export const listChanges: Reader<'listChanges'> = async (db, { actor, query }) => {
  const { memberId, scopes } = actor;
  const { after, limit = usualLimit } = query;
  const today = Math.floor(Date.now() / dayMs);
  const from = after === undefined ? { place: 0n, day: today } : readPlace(memberId, after);
  const [feed] = await listFeeds(db, { user_id: memberId });
  // A garden that was restored from a backup has not come so far.
  if (from.day < today - goneDays || from.place > (feed?.place ?? 0n))
    throw new AppError('trimmed', 'Start again without "after", and drop what does not come.');
  const hidden = scopes.has('practice:code') ? '' : 'solution';
  const rows = await listFeedItems(db, { user_id: memberId, after: from.place, limit: limit + 1, hidden });
  const items: object[] = [];
  for (let bytes = 0, start = 0; start < Math.min(limit, rows.length); start += itemsPerRead) {
    const some = rows.slice(start, Math.min(limit, start + itemsPerRead));
    for (const item of await showItems(db, memberId, some)) {
      if (bytes < bytesOfPage) items.push(item);
      bytes += JSON.stringify(item).length;
    }
    if (bytes >= bytesOfPage) break;
  }
  const more = items.length < rows.length;
  const place = rows[items.length - 1]?.place ?? from.place;
  const next = writePlace(memberId, { place, day: more ? from.day : today });
  return { body: { items, next, more } };
};

type State = { problem?: string } & object;
type ReadStates = (db: Db, memberId: bigint, ids: readonly bigint[]) => Promise<(readonly [bigint, State])[]>;

const readMarksOf = async (db: Db, memberId: bigint, ids: readonly bigint[]) =>
  readMarks(db, memberId, await findProblemsByIds(db, ids));

/** The states of things that are there, as a program gets them elsewhere. */
const statesOf: Readonly<Record<FeedItem['kind'], ReadStates>> = {
  mark: async (...of) => (await readMarksOf(...of)).map((one) => [one.problem.id, markOf(one)]),
  problem: async (...of) => (await readMarksOf(...of)).map((one) => [one.problem.id, problemOf(one)]),
  review: async (db, memberId, ids) =>
    (await listOwnRows(db, 'reviews', memberId, ids))
      .filter(({ undone_at }) => undone_at === null)
      .map(({ id, problem_id, grade, made_at }) => [id, { problem: String(problem_id), grade, at: made_at }]),
  time: async (db, memberId, ids) =>
    (await listOwnRows(db, 'timers', memberId, ids))
      .filter((one) => one.undone_at === null && (one.stopped_at ?? one.solved_at) !== null)
      .map((one) => [one.id, timerOf(one, 0)]),
  list: async (db, memberId) => (await listOwnLists(db, memberId)).map((one) => [one.id, listOf(one)]),
  solution: async (...of) => (await listSolutionsByIds(...of)).map((one) => [one.id, solutionOf(one)]),
};

async function showItems(db: Db, memberId: bigint, rows: readonly FeedItem[]): Promise<object[]> {
  const states = new Map<string, State>();
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    const ids = ofKind.map(({ thing_id }) => thing_id);
    for (const [id, state] of await statesOf[kind](db, memberId, ids)) states.set(`${kind} ${id}`, state);
  }
  const isOfProblem = ({ kind }: FeedItem) => kind === 'mark' || kind === 'problem';
  const gone = rows.filter((row) => isOfProblem(row) && !states.has(`${row.kind} ${row.thing_id}`));
  const merged = await listMergedInto(db, [...new Set(gone.map(({ thing_id }) => thing_id))]);
  const into = new Map(merged.map(({ id, merged_into }) => [id, String(merged_into)]));
  return rows.map((row) => {
    const { kind, thing_id, at, by_kind, token, change_id } = row;
    const state = states.get(`${kind} ${thing_id}`) ?? null;
    return {
      kind,
      id: String(thing_id),
      problem: isOfProblem(row) ? String(thing_id) : (state?.problem ?? null),
      at,
      by: { kind: by_kind, name: token },
      change: change_id === null ? null : String(change_id),
      state,
      into: (isOfProblem(row) && into.get(thing_id)) || null,
    };
  });
}
