/**
 * Lists that follow an address. What is added there comes into the list, once; what is removed there is shown and stays. A list is
 * changed by its owner as before: a problem that they remove does not come back.
 */
import { dayMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import {
  countFollowsOf,
  type DueFollow,
  deleteFollow,
  type FollowedItemsTable,
  findFollow,
  type ListFollowsTable,
  listFollowed,
  putFollow,
  updateFollow,
  writeFollowed,
} from '../store/list-follows.ts';
import { changeList, findListExtras, findOwnList } from '../store/lists.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type AddLimits, addProblems, type IdOrProblemToAdd, type ProblemToAdd } from './added-problems.ts';
import { extrasAtMost, mergeIntoList, type NewSection, type OwnList } from './lists.ts';

export const longestFollowed = 2000;
const followsAtMost = 20;
const missingAtMost = 200;
/** For so long an addition is marked as new. */
export const newMs = 7 * dayMs;
/** A try that ended without a word, because the server was killed, is made again after so long. */
const claimMs = 10 * minuteMs;

/** The address to follow, as it is stored. Throws badSetting. */
export function readFollowAddress(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || !/[.:]|^localhost$/.test(url.hostname))
    throw localizedError('badSetting.followAddress');
  if (url.username !== '' || url.password !== '') throw localizedError('badSetting.addressUser');
  url.hash = '';
  if (url.href.length > longestFollowed)
    throw localizedError('badSetting.addressLong', { most: longestFollowed });
  return url.href;
}

/** Has a list follow an address, which is asked soon. Throws badSetting, and notFound without such a list of this owner. */
export const startFollowing = inTransaction(
  async (tx: Db, { id, owner_id }: OwnList, address: string): Promise<void> => {
    const url = readFollowAddress(address);
    if (!(await findOwnList(tx, id, owner_id))) throw localizedError('unknownPath.list');
    const before = await findFollow(tx, id);
    if (before?.url === url) return;
    if (!before && (await countFollowsOf(tx, owner_id)) >= followsAtMost)
      throw localizedError('badSetting.follows', { most: followsAtMost });
    const untried = { entity_tag: null, tried_at: null, good_at: null, fault: null };
    await putFollow(tx, { list_id: id, url, due_at: BigInt(Date.now()), ...untried, missing: missingOf([]) });
  },
);

/** The address that a list follows, as an export has it. */
export interface ArchivedFollow {
  url: string;
  good_at: string | null;
  seen: readonly Omit<FollowedItemsTable, 'list_id'>[];
}

/** Has a list follow the address that it followed in another garden, or nothing; answers whether that is a change. Throws badSetting. */
export async function importFollow(tx: Db, own: OwnList, kept: ArchivedFollow | null): Promise<boolean> {
  const before = await findFollow(tx, own.id);
  const url = kept && readFollowAddress(kept.url);
  // The problems that were seen here are newer than those of a file.
  if ((before?.url ?? null) === url) return false;
  if (!kept || url === null) await stopFollowing(tx, own);
  else {
    await startFollowing(tx, own, url);
    await updateFollow(tx, { list_id: own.id, url }, { good_at: kept.good_at });
    const rows = kept.seen.map((row) => ({ ...row, list_id: own.id }));
    await writeFollowed(tx, own.id, rows);
  }
  return true;
}

/** Throws notFound without such a list of this owner. */
export const stopFollowing = inTransaction(async (tx: Db, { id, owner_id }: OwnList): Promise<void> => {
  if (!(await findOwnList(tx, id, owner_id))) throw localizedError('unknownPath.list');
  await deleteFollow(tx, id);
});

/** Takes a list that is due before its address is asked; answers whether it follows that address still. */
export const claimFollow = inTransaction((tx: Db, follow: DueFollow, now: number) =>
  updateFollow(tx, follow, { due_at: BigInt(now + claimMs) }),
);

/** Keeps that a try failed, or that nothing has changed since the last one. */
export const saveAttempt = inTransaction((tx: Db, follow: DueFollow, now: number, fault: string | null) => {
  const at = new Date(now).toISOString();
  const due_at = BigInt(now + dayMs);
  return updateFollow(tx, follow, { due_at, tried_at: at, fault, ...(fault === null && { good_at: at }) });
});

/* Problems at the address that are not here. */

interface MissingProblem {
  url: string;
  title: string;
  memo: string;
  section: string;
  extras?: string | undefined;
}

const missingOf = (all: readonly MissingProblem[], count = all.length) =>
  JSON.stringify({ count, some: all.slice(0, missingAtMost) });

/** How many there are, and as many of them as are kept. */
export function readMissing({ missing }: Pick<ListFollowsTable, 'missing'>) {
  return JSON.parse(missing) as { count: number; some: MissingProblem[] };
}

/** The problems at an address: those that are here by their ids, and others. */
export interface FetchedList {
  sections: readonly NewSection[];
  extras?: string | undefined;
  entityTag: string | null;
}

/** Brings in what is new at the address, and keeps what is gone. */
export const applyFetchedList = inTransaction(
  async (
    tx: Db,
    follow: DueFollow,
    { sections, extras, entityTag }: FetchedList,
    now: number,
  ): Promise<void> => {
    const { list_id, owner_id, good_at } = follow;
    const all = sections.flatMap(({ name, items }) => items.map((one) => ({ ...one, section: name })));
    const missing = all.flatMap(({ problem, memo, section, extras }) =>
      typeof problem === 'bigint'
        ? []
        : {
            url: problem.url,
            title: problem.title ?? '',
            memo: memo ?? '',
            section,
            extras: fitting(extras),
          },
    );
    // It may follow another address by now, or none.
    if (!(await updateFollow(tx, follow, { entity_tag: entityTag, missing: missingOf(missing) }))) return;
    await saveAttempt(tx, follow, now, null);
    const came_at = good_at === null ? null : new Date(now).toISOString();
    const before = new Map((await listFollowed(tx, list_id)).map((row) => [row.problem_id, row]));
    const here = sections.map(({ items, ...section }) => ({
      ...section,
      extras: fitting(section.extras),
      items: items.filter(isHere).map((item) => ({ ...item, extras: fitting(item.extras) })),
    }));
    const own = { id: list_id, owner_id };
    const about = fitting(extras, extrasAtMost.list);
    if (about && (await findListExtras(tx, list_id)) === null) await changeList(tx, own, { extras: about });
    const { held } = await mergeIntoList(tx, own, here, (id) => !before.has(id));
    const rows: FollowedItemsTable[] = [];
    for (const problem_id of new Set(all.filter(isHere).map(({ problem }) => problem))) {
      const known = before.get(problem_id);
      before.delete(problem_id);
      // One for which the list has no room comes in later.
      if (known || held.has(problem_id))
        rows.push({ list_id, problem_id, came_at: known ? known.came_at : came_at, is_gone: 0n });
    }
    for (const row of before.values()) if (held.has(row.problem_id)) rows.push({ ...row, is_gone: 1n });
    await writeFollowed(tx, list_id, rows);
  },
);

/** Members of a file beyond what the garden knows, unless they are more than a list keeps. */
const fitting = (extras: string | null | undefined, most: number = extrasAtMost.part) =>
  extras && extras.length <= most ? extras : undefined;

const isHere = <T extends { problem: IdOrProblemToAdd }>(one: T): one is T & { problem: bigint } =>
  typeof one.problem === 'bigint';

/** Adds problems of the address that are not here, and brings them into the list. Throws badSetting, and notFound. */
export const addMissing = inTransaction(
  async (
    tx: Db,
    own: OwnList,
    wanted: readonly (MissingProblem & { problem: ProblemToAdd })[],
    most: AddLimits,
  ): Promise<void> => {
    const list_id = own.id;
    const list = await findOwnList(tx, list_id, own.owner_id);
    const follow = await findFollow(tx, list_id);
    if (!list || !follow) throw localizedError('unknownPath.list');
    const problems = wanted.map(({ problem, title }) => ({ ...problem, title: title || undefined }));
    const ids = (await addProblems(tx, own.owner_id, problems, most)).map(({ id }) => id);
    const sections = wanted.map(({ section, memo, extras }, at) => ({
      name: section,
      items: ids.slice(at, at + 1).map((problem) => ({ problem, memo, extras })),
    }));
    const { held } = await mergeIntoList(tx, own, sections);
    const known = (await listFollowed(tx, list_id)).filter(({ problem_id }) => !ids.includes(problem_id));
    const fresh = [...new Set(ids)].filter((id) => held.has(id));
    const rows = fresh.map((problem_id) => ({ list_id, problem_id, came_at: null, is_gone: 0n }));
    await writeFollowed(tx, list_id, [...known, ...rows]);
    const { count, some } = readMissing(follow);
    const rest = some.filter(({ url }) => !wanted.some((one) => one.url === url));
    await updateFollow(tx, follow, { missing: missingOf(rest, count - (some.length - rest.length)) });
  },
);
