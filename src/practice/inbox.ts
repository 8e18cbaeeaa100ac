/**
 * A member's inbox: a secret address that only adds. What arrives there becomes problems of a list; a status moves only
 * forwards, a note grows, and each arrival can be undone.
 */
import { isSecret, newSecret } from '../auth/sessions.ts';
import { secretDigest } from '../auth/tokens.ts';
import { minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { findAdded, listUsedByOthers } from '../store/added-problems.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import {
  type ArrivalsTable,
  type ArrivalWay,
  type ArrivedProblemsTable,
  deleteArrivalsBeyond,
  deleteInbox,
  findArrival,
  findArrivalOfBatch,
  findInbox,
  findOwnListNamed,
  hasOwnOf,
  type InboxesTable,
  insertArrival,
  insertArrived,
  isShownList,
  listArrived,
  noteRequest,
  putInbox,
  updateArrival,
} from '../store/inbox.ts';
import { findOwnList, readContent } from '../store/lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import type { How, State } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  type AddLimits,
  addWithinLimits,
  labelled,
  longestTitle,
  type ProblemToAdd,
  plainLine,
  removeAdded,
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
  withMore,
} from './lists.ts';
import { advanceStatus, longestNote, setNote, undo } from './marks.ts';

export const inboxLimits = { perMinute: 60, problems: 100, kept: 200 } as const;
const shownSecret = 5;
const longestLostText = 100;
/** The list of what names none. It is a list like any other, and found again by this name. */
export const inboxList = 'Inbox';

/* The address. */

/** Makes the member's secret address and answers what stands in it; a former one ends. */
export const makeInbox = inTransaction(async (tx: Db, user_id: bigint): Promise<string> => {
  const secret = newSecret();
  await putInbox(tx, {
    user_id,
    secret_digest: secretDigest(secret),
    beginning: secret.slice(0, shownSecret),
    made_at: new Date().toISOString(),
    minute: 0n,
    requests: 0n,
  });
  return secret;
});

export const endInbox = inTransaction(deleteInbox);

/** The inbox at a secret address; undefined for one that was never made or has ended. */
export async function findInboxAt(db: Db, secret: string): Promise<InboxesTable | undefined> {
  return isSecret(secret) ? findInbox(db, secretDigest(secret)) : undefined;
}

const minuteNow = () => BigInt(Math.floor(Date.now() / minuteMs));

/** Throws tooManyRequests for an inbox that has had its requests of this minute. */
export function assertRequestLimit({ minute, requests }: Pick<InboxesTable, 'minute' | 'requests'>): void {
  if (minute === minuteNow() && requests >= inboxLimits.perMinute)
    throw localizedError('tooManyRequests.inbox', { most: inboxLimits.perMinute });
}

/** Counts a request. Throws tooManyRequests, and unknownPath where the address has ended meanwhile. */
export const countRequest = inTransaction(async (tx: Db, { secret_digest }: InboxesTable): Promise<void> => {
  const requests = await noteRequest(tx, secret_digest, minuteNow());
  if (requests === undefined) throw localizedError('unknownPath.inbox');
  assertRequestLimit({ minute: minuteNow(), requests: requests - 1n });
});

/* Receiving. */

export interface ArrivalDetails {
  /** As it was sent; empty where it was not. */
  title: string;
  status?: State | undefined;
  how?: How | undefined;
  note?: string | undefined;
  minutes?: number | undefined;
  list?: string | undefined;
  /** The id of the batch of which it is a part. */
  batch?: string | undefined;
}

export interface ArrivingProblem extends ArrivalDetails {
  wanted: ProblemToAdd;
}

interface ArrivingRequest {
  way: ArrivalWay;
  problems: readonly ArrivingProblem[];
  /** The pieces that name no problem. */
  lost: readonly string[];
}

export interface ArrivalResult {
  added: number;
  known: number;
  lost: number;
  /** The only problem that came. */
  problem?: bigint | undefined;
  /** The list that got the last problem. */
  list?: bigint | undefined;
}

/** A problem with the name that it arrives under; without a place it is beyond what the member may add. */
type Placed = ArrivingProblem & { name: string; placed: { id: bigint; isNew: boolean } | undefined };

/** Takes what was sent to an inbox. Throws tooManyRequests, unknownPath and badSetting, and takes nothing then. */
export const receiveProblems = inTransaction(
  async (tx: Db, inbox: InboxesTable, sent: ArrivingRequest, limits: AddLimits): Promise<ArrivalResult> => {
    // Its row is locked from here on, so that two parts of a batch do not make two lists.
    await countRequest(tx, inbox);
    const memberId = inbox.user_id;
    const wanted = sent.problems.map(({ wanted, title }) => ({
      ...wanted,
      title: withoutLabel(title, wanted.key),
    }));
    const places = await addWithinLimits(tx, memberId, wanted, limits);
    const ids = new Set(places.flatMap((one) => one?.id ?? []));
    const titles = new Map((await findProblemsByIds(tx, [...ids])).map(({ id, title }) => [id, title]));
    const all = sent.problems.map((one, at): Placed => {
      const placed = places[at];
      const title = (placed && titles.get(placed.id)) ?? one.wanted.url;
      return { ...one, placed, name: plainLine(one.title, longestTitle) || title };
    });
    const groups = Map.groupBy(all, ({ batch, list }) =>
      batch === undefined ? `list ${nameOf(list)}` : `batch ${batch}`,
    );
    if (groups.size === 0 && sent.lost.length > 0) groups.set('', []);
    const received: ArrivalResult = { added: 0, known: 0, lost: sent.lost.length };
    for (const [at, some] of [...groups.values()].entries()) {
      const list = await receiveTogether(tx, memberId, some, { ...sent, lost: at === 0 ? sent.lost : [] });
      received.list = list ?? received.list;
    }
    const isNew = new Map(places.flatMap((one) => (one ? [[one.id, one.isNew] as const] : [])));
    for (const one of isNew.values()) received[one ? 'added' : 'known']++;
    received.lost += places.filter((one) => !one).length;
    if (ids.size === 1) [received.problem] = ids;
    await deleteArrivalsBeyond(tx, memberId, inboxLimits.kept);
    return received;
  },
);

const nameOf = (list: string | undefined) => tidyLine(list ?? '') || inboxList;

/** Takes what goes into one list, as one arrival; answers the list. */
async function receiveTogether(
  tx: Db,
  memberId: bigint,
  some: readonly Placed[],
  { way, lost }: Pick<ArrivingRequest, 'way' | 'lost'>,
): Promise<bigint | undefined> {
  const batch = some[0]?.batch;
  const open = batch === undefined ? undefined : await findArrivalOfBatch(tx, memberId, batch);
  const before = open ? await listArrived(tx, [open.id]) : [];
  const held = new Set(before.map(({ problem_id }) => problem_id));
  const fresh = new Map<bigint, Placed>();
  for (const one of some) if (one.placed && !held.has(one.placed.id)) fresh.set(one.placed.id, one);
  const beyond = some.filter(({ placed }) => !placed);
  if (open && fresh.size + beyond.length === 0) return open.list_id ?? undefined;
  const into =
    fresh.size === 0 ? undefined : await listFor(tx, memberId, nameOf(some[0]?.list), fresh.size, open);
  const texts = new Map(
    before.map(({ problem_id, title, source_key }) => [problem_id, { title, key: source_key ?? '' }]),
  );
  for (const [id, { name, wanted }] of fresh) texts.set(id, { title: name, key: wanted.key });
  const listed = into
    ? await addInOrder(tx, { id: into.id, owner_id: memberId }, [...fresh.keys()], batch ? texts : undefined)
    : new Set();
  const rows: Omit<ArrivedProblemsTable, 'arrival_id'>[] = [];
  for (const [id, one] of fresh)
    rows.push({
      position: BigInt(before.length + rows.length),
      problem_id: id,
      title: one.name,
      is_new: one.placed?.isNew ? 1n : 0n,
      is_listed: listed.has(id) ? 1n : 0n,
      status_change: await advanceStatus(tx, memberId, id, one),
      note_change: await addNote(tx, memberId, id, one.note),
      minutes: one.minutes === undefined ? null : BigInt(one.minutes),
    });
  const [first] = [...lost, ...beyond.map(({ name }) => name)];
  const values = {
    lost: BigInt(lost.length) + (open?.lost ?? 0n),
    over_limit: BigInt(beyond.length),
    lost_text: first === undefined ? null : shortened(first),
    list_id: into?.id ?? open?.list_id ?? null,
    makes_list: into?.isNew ? 1n : (open?.makes_list ?? 0n),
  };
  const made = { user_id: memberId, way, batch: batch ?? null, arrived_at: new Date().toISOString() };
  if (open) await updateArrival(tx, open.id, values);
  const arrival_id = open?.id ?? (await insertArrival(tx, { ...made, undone_at: null, ...values }));
  await insertArrived(
    tx,
    rows.map((row) => ({ ...row, arrival_id })),
  );
  return values.list_id ?? undefined;
}

function shortened(text: string): string {
  const line = plainLine(text, longestLostText + 1);
  return [...line].length > longestLostText ? `${plainLine(line, longestLostText - 1)}…` : line;
}

/** The list that the batch has already, or the member's own of this name that has room; a full one is followed by "Inbox 2". */
async function listFor(
  tx: Db,
  ownerId: bigint,
  name: string,
  count: number,
  open: ArrivalsTable | undefined,
): Promise<{ id: bigint; isNew: boolean }> {
  if (open?.list_id != null && (await findOwnList(tx, open.list_id, ownerId)))
    return { id: open.list_id, isNew: false };
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${tidyLine(name, listLimits.name - 6)} ${number}`;
    const found = await findOwnListNamed(tx, ownerId, numbered);
    if (!found) return { id: await makeList(tx, { ownerId, name: numbered }), isNew: true };
    if (found.problems + count <= listLimits.problems) return { id: found.id, isNew: false };
  }
}

const byNumbers = new Intl.Collator('en', { numeric: true }).compare;

/**
 * Adds these problems at the end of a list, and answers those that were not in it. The parts of a batch come in any order: while
 * the list has nothing else, it is sorted by the letters in the titles, or else by the keys.
 */
async function addInOrder(
  tx: Db,
  own: OwnList,
  ids: readonly bigint[],
  batch: ReadonlyMap<bigint | null, { title: string; key: string }> | undefined,
): Promise<ReadonlySet<bigint>> {
  const held = idsIn(await readContent(tx, own.id));
  const fresh = new Set(ids.filter((id) => !held.has(id)));
  if (fresh.size === 0) return fresh;
  await changeContent(tx, own, (content) => {
    const sections = withMore(content, ids);
    const [first = { name: '', items: [] }, ...others] = sections;
    const { items } = first;
    if (!batch || others.length > 0 || items.some(({ problem_id }) => !batch.has(problem_id)))
      return sections;
    const hasLetters = batch.values().every(({ title }) => labelled.test(title));
    const textOf = (id: bigint) => batch.get(id)?.[hasLetters ? 'title' : 'key'] ?? '';
    const byText = (one: { problem_id: bigint }, other: { problem_id: bigint }) =>
      byNumbers(textOf(one.problem_id), textOf(other.problem_id));
    return [{ ...first, items: items.toSorted(byText) }];
  });
  return fresh;
}

/** Adds to the note of a problem, where there is room; answers the change. */
async function addNote(
  tx: Db,
  memberId: bigint,
  id: bigint,
  note: string | undefined,
): Promise<bigint | null> {
  if (!note) return null;
  const [row] = await findBookmarks(tx, memberId, [id]);
  const before = row?.note ?? '';
  const text = before === '' ? note : `${before}\n\n${note}`;
  if (before.includes(note) || text.length > longestNote) return null;
  const { batch } = await setNote(tx, memberId, id, text);
  return batch ?? null;
}

/* Undoing. */

/**
 * Takes back what an arrival did: statuses and notes, places in the list, a list that it made and that is empty, and problems that
 * it added on which nobody has anything. Throws unknownItem, and preconditionFailed where a mark was changed since.
 */
export const undoArrival = inTransaction(async (tx: Db, memberId: bigint, id: bigint): Promise<void> => {
  const arrival = await findArrival(tx, memberId, id);
  if (!arrival) throw localizedError('unknownItem.arrival');
  if (arrival.undone_at !== null) return;
  const problems = await listArrived(tx, [id]);
  // Staff may have removed the problem with its changes.
  for (const { status_change, note_change } of problems)
    for (const change of [note_change, status_change])
      if (change !== null) await undo(tx, memberId, change).catch(unlessGone);
  await unlist(tx, memberId, arrival, problems);
  for (const { problem_id, is_new } of problems) {
    if (problem_id === null || is_new === 0n) continue;
    const added = await findAdded(tx, problem_id);
    if (added?.member_id !== memberId || (await hasOwnOf(tx, memberId, problem_id))) continue;
    if ((await listUsedByOthers(tx, [problem_id], memberId)).size === 0)
      await removeAdded(tx, memberId, problem_id);
  }
  await updateArrival(tx, id, { undone_at: new Date().toISOString() });
});

function unlessGone(error: unknown): void {
  if ((error as { code?: string }).code !== 'unknownItem') throw error;
}

async function unlist(
  tx: Db,
  memberId: bigint,
  { list_id, makes_list }: ArrivalsTable,
  problems: readonly ArrivedProblemsTable[],
): Promise<void> {
  const own = list_id === null ? undefined : await findOwnList(tx, list_id, memberId);
  if (!own) return;
  const listed = new Set(problems.filter((one) => one.is_listed === 1n).map((one) => one.problem_id));
  const left = (await readContent(tx, own.id)).map(({ items, ...section }) => ({
    ...section,
    items: items.filter(({ problem_id }) => !listed.has(problem_id)),
  }));
  if (makes_list === 1n && idsIn(left).size === 0 && !(await isShownList(tx, own)))
    await removeList(tx, own.id, memberId);
  else if (listed.size > 0) await changeContent(tx, own, () => left);
}
