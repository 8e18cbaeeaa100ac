/**
 * A member's inbox: a secret address that only adds. What arrives there becomes problems of a list; a status only moves
 * forward, a note grows, and each arrival (a request or a batch of them) can be undone.
 */

import { isSecret, newSecret } from '../auth/sessions.ts';
import { secretDigest } from '../auth/tokens.ts';
import { minuteMs } from '../durations.ts';
import { AppError, localizedError } from '../errors.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import {
  type ArrivalChannel,
  type ArrivalsTable,
  type ArrivedProblemsTable,
  countInboxRequest,
  deleteInbox,
  deleteOldArrivals,
  findArrival,
  findArrivalOfBatch,
  findInbox,
  findOwnListNamed,
  type InboxesTable,
  insertArrival,
  insertArrivedProblems,
  isListSeenByOthers,
  listArrivedProblems,
  listWaitingArrivals,
  putInbox,
  updateArrival,
} from '../store/inbox.ts';
import { findOwnList, readContent } from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { changedBy } from '../store/program-feeds.ts';
import type { How, State } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  type AddAllowance,
  type AddLimits,
  addWithinLimits,
  labelledTitle,
  type ProblemToAdd,
  plainLine,
  plainTitle,
  problemMapKey,
  readAllowance,
  removeUnusedProblems,
  withoutLabel,
} from './added-problems.ts';
import {
  changeContent,
  idsIn,
  limits as listLimits,
  makeList,
  type OwnList,
  removeList,
  tidyLine,
  withProblems,
} from './lists.ts';
import { advanceStatus, extendedNote, faultOfNote, longestNote, setNote, undo } from './marks.ts';
import { addSolution, deleteSolution } from './solutions.ts';

export const inboxLimits = {
  perMinute: 60,
  problems: 100,
  arrivals: 200,
  /** Thousands of problems with short notes. */
  waitingCharacters: 512 * 1024,
} as const;
const shownSecretLength = 5;
const longestLostText = 100;
/** Problems without a list go to this one, which is an ordinary list. */
export const inboxList = 'Inbox';

/* The address. */

/** Returns the secret part of the address; a former address ends. */
export const makeInbox = inTransaction(async (tx: Db, user_id: bigint): Promise<string> => {
  const secret = newSecret();
  await putInbox(tx, {
    user_id,
    secret_digest: secretDigest(secret),
    beginning: secret.slice(0, shownSecretLength),
    made_at: new Date().toISOString(),
    minute: 0n,
    requests: 0n,
  });
  return secret;
});

export const endInbox = inTransaction(deleteInbox);

export async function findInboxAt(db: Db, secret: string): Promise<InboxesTable | undefined> {
  return isSecret(secret) ? findInbox(db, secretDigest(secret)) : undefined;
}

const minuteNow = () => BigInt(Math.floor(Date.now() / minuteMs));

/** Throws tooManyRequests. */
export function assertRequestLimit({ minute, requests }: Pick<InboxesTable, 'minute' | 'requests'>): void {
  if (minute === minuteNow() && requests >= inboxLimits.perMinute)
    throw localizedError('tooManyRequests.inbox', { most: inboxLimits.perMinute });
}

/** Throws tooManyRequests and unknownPath. */
export const countRequest = inTransaction(async (tx: Db, { secret_digest }: InboxesTable): Promise<void> => {
  const requests = await countInboxRequest(tx, secret_digest, minuteNow());
  if (requests === undefined) throw localizedError('unknownPath.inbox');
  assertRequestLimit({ minute: minuteNow(), requests: requests - 1n });
});

/* Receiving. */

export interface ArrivalDetails {
  title: string;
  status?: State | undefined;
  how?: How | undefined;
  note?: string | undefined;
  minutes?: number | undefined;
  code?: { file: string; text: string } | undefined;
  list?: string | undefined;
  batch?: string | undefined;
}

export interface ArrivingProblem extends ArrivalDetails {
  problem: ProblemToAdd;
}

interface ArrivingRequest {
  channel: ArrivalChannel;
  problems: readonly ArrivingProblem[];
  lost: readonly string[];
}

export interface ArrivalResult {
  added: number;
  known: number;
  waiting: number;
  lost: number;
  /** Which limit some of the problems are beyond. */
  limit?: AddAllowance['limit'] | undefined;
  problem?: bigint | undefined;
  list?: bigint | undefined;
}

/** `stored` is undefined for a problem beyond the limits of the member, which waits unless too many do. */
type StoredArrival = ArrivingProblem & {
  name: string;
  stored: { id: bigint; isNew: boolean } | undefined;
  isWaiting: boolean;
};

/** Problems that `addWaitingProblems` adds later, with all that was sent of them. */
export const readWaiting = ({ waiting }: Pick<ArrivalsTable, 'waiting'>): ArrivingProblem[] =>
  JSON.parse(waiting ?? '[]');

const waitingText = (problems: readonly ArrivingProblem[]) =>
  JSON.stringify(
    problems.map(({ problem, title, status, how, note, minutes, code, list }) => {
      return { problem, title, status, how, note, minutes, code, list };
    }),
  );

/** Throws tooManyRequests, unknownPath and invalidValue. */
export const receiveProblems = inTransaction(
  changedBy(
    'inbox',
    async (
      tx: Db,
      inbox: InboxesTable,
      request: ArrivingRequest,
      limits: AddLimits,
    ): Promise<ArrivalResult> => {
      // This locks the row of the inbox, so that two parts of a batch do not make two lists.
      await countRequest(tx, inbox);
      const memberId = inbox.user_id;
      const waiting = (await listWaitingArrivals(tx, memberId)).flatMap(readWaiting);
      const all = await storeArrivals(tx, memberId, request.problems, limits, waiting.length);
      let charactersLeft = inboxLimits.waitingCharacters - waitingText(waiting).length;
      for (const one of all)
        if (!one.stored) {
          charactersLeft -= waitingText([one]).length;
          one.isWaiting = charactersLeft >= 0;
        }
      const byArrival = Map.groupBy(all, ({ batch, list }) =>
        batch === undefined ? `list ${listNameOf(list)}` : `batch ${batch}`,
      );
      if (byArrival.size === 0 && request.lost.length > 0) byArrival.set('', []);
      const result: ArrivalResult = { added: 0, known: 0, waiting: 0, lost: request.lost.length };
      for (const [index, ofArrival] of [...byArrival.values()].entries()) {
        const batch = ofArrival[0]?.batch;
        const list = await receiveArrival(tx, memberId, ofArrival, {
          channel: request.channel,
          lost: index === 0 ? request.lost : [],
          arrival: batch === undefined ? undefined : await findArrivalOfBatch(tx, memberId, batch),
        });
        result.list = list ?? result.list;
      }
      const isNew = new Map(
        all.flatMap(({ stored }) => (stored ? [[stored.id, stored.isNew] as const] : [])),
      );
      for (const one of isNew.values()) result[one ? 'added' : 'known']++;
      for (const { stored, isWaiting } of all) if (!stored) result[isWaiting ? 'waiting' : 'lost']++;
      if (all.some(({ stored }) => !stored))
        ({ limit: result.limit } = await readAllowance(tx, memberId, limits));
      if (isNew.size === 1) [result.problem] = isNew.keys();
      await deleteOldArrivals(tx, memberId, inboxLimits.arrivals);
      return result;
    },
    ({ user_id }) => user_id,
  ),
);

async function storeArrivals(
  tx: Db,
  memberId: bigint,
  arriving: readonly ArrivingProblem[],
  limits: AddLimits,
  reserved?: number,
): Promise<StoredArrival[]> {
  const problems = arriving.map(({ problem, title }) => {
    return { ...problem, title: withoutLabel(title, problem.key) };
  });
  const added = await addWithinLimits(tx, memberId, problems, limits, reserved);
  const ids = new Set(added.flatMap((one) => one?.id ?? []));
  const titles = new Map((await findProblemsByIds(tx, [...ids])).map(({ id, title }) => [id, title]));
  return arriving.map((one, index): StoredArrival => {
    const stored = added[index];
    const title = (stored && titles.get(stored.id)) ?? one.problem.url;
    return { ...one, stored, isWaiting: !stored, name: plainTitle(one.title) || title };
  });
}

const listNameOf = (list: string | undefined) => tidyLine(list ?? '') || inboxList;

interface ArrivalContext extends Pick<ArrivingRequest, 'channel' | 'lost'> {
  /** The arrival to which the problems belong. */
  arrival?: ArrivalsTable | undefined;
  /** When they were sent, if that was before now. */
  sentAt?: string;
}

async function receiveArrival(
  tx: Db,
  memberId: bigint,
  problems: readonly StoredArrival[],
  { channel, lost, arrival, sentAt }: ArrivalContext,
): Promise<bigint | undefined> {
  const batch = arrival?.batch ?? problems[0]?.batch;
  const before = arrival ? await listArrivedProblems(tx, [arrival.id]) : [];
  const existingIds = new Set(before.map(({ problem_id }) => problem_id));
  const newProblems = new Map<bigint, StoredArrival>();
  for (const one of problems)
    if (one.stored && !existingIds.has(one.stored.id)) newProblems.set(one.stored.id, one);
  const waitingBefore = arrival ? readWaiting(arrival) : [];
  const waiting = new Map(
    [...waitingBefore, ...problems.filter(({ isWaiting }) => isWaiting)].map((one) => [
      problemMapKey(one.problem),
      one,
    ]),
  );
  const dropped = problems.filter(({ stored, isWaiting }) => !stored && !isWaiting);
  const targetList =
    newProblems.size === 0
      ? undefined
      : await findOrMakeList(tx, memberId, listNameOf(problems[0]?.list), newProblems.size, arrival);
  const texts = new Map(
    before.map(({ problem_id, title, source_key }) => [problem_id, { title, key: source_key ?? '' }]),
  );
  for (const [id, { name, problem }] of newProblems) texts.set(id, { title: name, key: problem.key });
  const newInList = targetList
    ? await addInOrder(
        tx,
        { id: targetList.id, owner_id: memberId },
        [...newProblems.keys()],
        batch ? texts : undefined,
      )
    : new Set();
  const rows: Omit<ArrivedProblemsTable, 'arrival_id'>[] = [];
  for (const [id, one] of newProblems)
    rows.push({
      position: BigInt(before.length + rows.length),
      problem_id: id,
      title: one.name,
      is_new: one.stored?.isNew ? 1n : 0n,
      is_listed: newInList.has(id) ? 1n : 0n,
      status_change: await advanceStatus(tx, memberId, id, { ...one, at: sentAt }),
      note_change: await addNote(tx, memberId, id, one.note),
      minutes: one.minutes === undefined ? null : BigInt(one.minutes),
      solution_id: await addCode(tx, memberId, id, one.code, sentAt !== undefined),
    });
  const [first] = [...lost, ...dropped.map(({ name }) => name)];
  const values = {
    unmatched: BigInt(lost.length) + (arrival?.unmatched ?? 0n),
    over_limit: BigInt(dropped.length) + (arrival?.over_limit ?? 0n),
    waiting: waiting.size === 0 ? null : waitingText([...waiting.values()]),
    unmatched_text: first === undefined ? (arrival?.unmatched_text ?? null) : shortened(first),
    list_id: targetList?.id ?? arrival?.list_id ?? null,
    makes_list: targetList?.isNew ? 1n : (arrival?.makes_list ?? 0n),
  };
  const origin = { user_id: memberId, channel, batch: batch ?? null, arrived_at: new Date().toISOString() };
  if (arrival) await updateArrival(tx, arrival.id, values);
  const arrival_id = arrival?.id ?? (await insertArrival(tx, { ...origin, undone_at: null, ...values }));
  await insertArrivedProblems(
    tx,
    rows.map((row) => ({ ...row, arrival_id })),
  );
  return values.list_id ?? undefined;
}

/** Adds what waits, in the order of its arrival, as far as the limits allow. Throws invalidValue for too many lists. */
export const addWaitingProblems = inTransaction(
  changedBy(
    'inbox',
    async (tx: Db, memberId: bigint, limits: AddLimits): Promise<void> => {
      if ((await readAllowance(tx, memberId, limits)).left === 0) return;
      const arrivals = await listWaitingArrivals(tx, memberId);
      const all = await storeArrivals(tx, memberId, arrivals.flatMap(readWaiting), limits);
      for (const arrival of arrivals) {
        const problems = all.splice(0, readWaiting(arrival).length);
        await receiveArrival(tx, memberId, problems, {
          channel: arrival.channel,
          lost: [],
          arrival: { ...arrival, waiting: null },
          sentAt: arrival.arrived_at,
        });
      }
    },
    (memberId) => memberId,
  ),
);

function shortened(text: string): string {
  const line = plainLine(text, longestLostText + 1);
  return [...line].length > longestLostText ? `${plainLine(line, longestLostText - 1)}…` : line;
}

/** A full list is followed by "Inbox 2". */
export async function findOrMakeList(
  tx: Db,
  ownerId: bigint,
  name: string,
  count: number,
  arrival?: ArrivalsTable | undefined,
): Promise<{ id: bigint; isNew: boolean }> {
  if (arrival?.list_id != null && (await findOwnList(tx, arrival.list_id, ownerId)))
    return { id: arrival.list_id, isNew: false };
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${tidyLine(name, listLimits.name - 6)} ${number}`;
    const list = await findOwnListNamed(tx, ownerId, numbered);
    if (!list) return { id: await makeList(tx, { ownerId, name: numbered }), isNew: true };
    if (list.problems + count <= listLimits.problems) return { id: list.id, isNew: false };
  }
}

const compareNaturally = new Intl.Collator('en', { numeric: true }).compare;

/**
 * The parts of a batch come in any order: while the list has nothing else, it is sorted by the letters in the titles,
 * or else by the keys.
 */
async function addInOrder(
  tx: Db,
  own: OwnList,
  ids: readonly bigint[],
  batch: ReadonlyMap<bigint | null, { title: string; key: string }> | undefined,
): Promise<ReadonlySet<bigint>> {
  const existing = idsIn(await readContent(tx, own.id));
  const newIds = new Set(ids.filter((id) => !existing.has(id)));
  if (newIds.size === 0) return newIds;
  await changeContent(tx, own, (content) => {
    const sections = withProblems(content, ids);
    const [first = { name: '', items: [] }, ...others] = sections;
    const { items } = first;
    if (!batch || others.length > 0 || items.some(({ problem_id }) => !batch.has(problem_id)))
      return sections;
    const areLabelled = batch.values().every(({ title }) => labelledTitle.test(title));
    const sortTextOf = (id: bigint) => batch.get(id)?.[areLabelled ? 'title' : 'key'] ?? '';
    const byText = (one: { problem_id: bigint }, other: { problem_id: bigint }) =>
      compareNaturally(sortTextOf(one.problem_id), sortTextOf(other.problem_id));
    return [{ ...first, items: items.toSorted(byText) }];
  });
  return newIds;
}

async function addNote(
  tx: Db,
  memberId: bigint,
  id: bigint,
  note: string | undefined,
): Promise<bigint | null> {
  if (!note) return null;
  const [row] = await findBookmarks(tx, memberId, [id]);
  const before = row?.note ?? '';
  const text = extendedNote(before, note);
  if (text === before || text.length > longestNote) return null;
  if (await faultOfNote(tx, memberId, before, text)) return null;
  const { batch } = await setNote(tx, memberId, id, text);
  return batch ?? null;
}

/** Throws invalidValue beyond the limits, unless the problem has waited, when nobody would learn of it. */
async function addCode(
  tx: Db,
  memberId: bigint,
  problem: bigint,
  code: ArrivalDetails['code'],
  hasWaited: boolean,
): Promise<bigint | null> {
  if (!code) return null;
  try {
    const { solution, isNew } = await addSolution(tx, memberId, {
      problem,
      file: code.file,
      code: Buffer.from(code.text),
    });
    return isNew ? solution.id : null;
  } catch (error) {
    if (hasWaited && error instanceof AppError && error.code === 'invalidValue') return null;
    throw error;
  }
}

/* Undoing. */

/** Throws unknownItem, and preconditionFailed if a mark was changed since. */
export const undoArrival = inTransaction(async (tx: Db, memberId: bigint, id: bigint): Promise<void> => {
  const arrival = await findArrival(tx, memberId, id);
  if (!arrival) throw localizedError('unknownItem.arrival');
  if (arrival.undone_at !== null) return;
  const problems = await listArrivedProblems(tx, [id]);
  // Staff may have removed the problem with its changes.
  for (const { status_change, note_change } of problems)
    for (const change of [note_change, status_change])
      if (change !== null) await undo(tx, memberId, change).catch(ignoreUnknownItem);
  for (const { solution_id } of problems)
    if (solution_id !== null) await deleteSolution(tx, memberId, solution_id);
  await removeFromList(tx, memberId, arrival, problems);
  const newIds = problems.flatMap(({ problem_id, is_new }) => (is_new === 1n ? (problem_id ?? []) : []));
  await removeUnusedProblems(tx, memberId, newIds);
  await updateArrival(tx, id, { undone_at: new Date().toISOString(), waiting: null });
});

function ignoreUnknownItem(error: unknown): void {
  if ((error as { code?: string }).code !== 'unknownItem') throw error;
}

async function removeFromList(
  tx: Db,
  memberId: bigint,
  { list_id, makes_list }: ArrivalsTable,
  problems: readonly ArrivedProblemsTable[],
): Promise<void> {
  const own = list_id === null ? undefined : await findOwnList(tx, list_id, memberId);
  if (!own) return;
  const ids = new Set(problems.filter((one) => one.is_listed === 1n).map((one) => one.problem_id));
  const rest = (await readContent(tx, own.id)).map(({ items, ...section }) => ({
    ...section,
    items: items.filter(({ problem_id }) => !ids.has(problem_id)),
  }));
  if (makes_list === 1n && idsIn(rest).size === 0 && !(await isListSeenByOthers(tx, own)))
    await removeList(tx, own.id, memberId);
  else if (ids.size > 0) await changeContent(tx, own, () => rest);
}
