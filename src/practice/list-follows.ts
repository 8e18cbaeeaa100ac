/** Lists that follow an address. What is added there joins the list once; what is removed there is shown and stays. */
import { dayMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import {
  countFollowsOf,
  type DueFollow,
  deleteFollow,
  type FollowedItemsTable,
  findFollow,
  type ListFollowsTable,
  listFollowedItems,
  putFollow,
  replaceFollowedItems,
  updateFollow,
} from '../store/list-follows.ts';
import { changeList, findListExtras, findOwnList } from '../store/lists.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type AddLimits, addProblems, type IdOrProblemToAdd, type ProblemToAdd } from './added-problems.ts';
import { extrasAtMost, mergeIntoList, type NewSection, type OwnList } from './lists.ts';

export const longestFollowAddress = 2000;
const followsAtMost = 20;
const missingAtMost = 200;
export const shownAsNewMs = 7 * dayMs;
/** A try is repeated after so long if the server was killed during it. */
const claimMs = 10 * minuteMs;

/** Throws invalidValue. */
export function parseFollowAddress(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || !/[.:]|^localhost$/.test(url.hostname))
    throw localizedError('invalidValue.followAddress');
  if (url.username !== '' || url.password !== '') throw localizedError('invalidValue.addressUser');
  url.hash = '';
  if (url.href.length > longestFollowAddress)
    throw localizedError('invalidValue.addressLong', { most: longestFollowAddress });
  return url.href;
}

/** Throws invalidValue and unknownPath. */
export const startFollowing = inTransaction(
  async (tx: Db, { id, owner_id }: OwnList, address: string): Promise<void> => {
    const url = parseFollowAddress(address);
    if (!(await findOwnList(tx, id, owner_id))) throw localizedError('unknownPath.list');
    const before = await findFollow(tx, id);
    if (before?.url === url) return;
    if (!before && (await countFollowsOf(tx, owner_id)) >= followsAtMost)
      throw localizedError('invalidValue.follows', { most: followsAtMost });
    const untried = { entity_tag: null, tried_at: null, good_at: null, fault: null };
    await putFollow(tx, {
      list_id: id,
      url,
      due_at: BigInt(Date.now()),
      ...untried,
      missing: missingJson([]),
    });
  },
);

export interface ArchivedFollow {
  url: string;
  good_at: string | null;
  items: readonly Omit<FollowedItemsTable, 'list_id'>[];
}

/** Returns whether that is a change. Throws invalidValue. */
export async function importFollow(tx: Db, own: OwnList, archived: ArchivedFollow | null): Promise<boolean> {
  const before = await findFollow(tx, own.id);
  const url = archived && parseFollowAddress(archived.url);
  // What was fetched here is newer than the file.
  if ((before?.url ?? null) === url) return false;
  if (!archived || url === null) await stopFollowing(tx, own);
  else {
    await startFollowing(tx, own, url);
    await updateFollow(tx, { list_id: own.id, url }, { good_at: archived.good_at });
    const rows = archived.items.map((row) => ({ ...row, list_id: own.id }));
    await replaceFollowedItems(tx, own.id, rows);
  }
  return true;
}

/** Throws unknownPath. */
export const stopFollowing = inTransaction(async (tx: Db, { id, owner_id }: OwnList): Promise<void> => {
  if (!(await findOwnList(tx, id, owner_id))) throw localizedError('unknownPath.list');
  await deleteFollow(tx, id);
});

/** Returns false if the list does not follow that address any more. */
export const claimFollow = inTransaction((tx: Db, follow: DueFollow, now: number) =>
  updateFollow(tx, follow, { due_at: BigInt(now + claimMs) }),
);

export const saveAttempt = inTransaction((tx: Db, follow: DueFollow, now: number, fault: string | null) => {
  const at = new Date(now).toISOString();
  const due_at = BigInt(now + dayMs);
  return updateFollow(tx, follow, { due_at, tried_at: at, fault, ...(fault === null && { good_at: at }) });
});

interface MissingProblem {
  url: string;
  title: string;
  memo: string;
  section: string;
  extras?: string | undefined;
}

const missingJson = (all: readonly MissingProblem[], count = all.length) =>
  JSON.stringify({ count, some: all.slice(0, missingAtMost) });

export function readMissing({ missing }: Pick<ListFollowsTable, 'missing'>) {
  return JSON.parse(missing) as { count: number; some: MissingProblem[] };
}

export interface FetchedList {
  sections: readonly NewSection[];
  extras?: string | undefined;
  entityTag: string | null;
}

export const applyFetchedList = inTransaction(
  async (
    tx: Db,
    follow: DueFollow,
    { sections, extras, entityTag }: FetchedList,
    now: number,
  ): Promise<void> => {
    const { list_id, owner_id, good_at } = follow;
    const fetched = sections.flatMap(({ name, items }) => items.map((one) => ({ ...one, section: name })));
    const missing = fetched.flatMap(({ problem, memo, section, extras }) =>
      typeof problem === 'bigint'
        ? []
        : {
            url: problem.url,
            title: problem.title ?? '',
            memo: memo ?? '',
            section,
            extras: withinLimit(extras),
          },
    );
    // The list may follow another address by now, or none.
    if (!(await updateFollow(tx, follow, { entity_tag: entityTag, missing: missingJson(missing) }))) return;
    await saveAttempt(tx, follow, now, null);
    const came_at = good_at === null ? null : new Date(now).toISOString();
    const before = new Map((await listFollowedItems(tx, list_id)).map((row) => [row.problem_id, row]));
    const inCatalogue = sections.map(({ items, ...section }) => ({
      ...section,
      extras: withinLimit(section.extras, extrasAtMost.section),
      items: items.filter(isInCatalogue).map((item) => ({ ...item, extras: withinLimit(item.extras) })),
    }));
    const own = { id: list_id, owner_id };
    const listExtras = withinLimit(extras, extrasAtMost.list);
    if (listExtras && (await findListExtras(tx, list_id)) === null)
      await changeList(tx, own, { extras: listExtras });
    const { contained } = await mergeIntoList(tx, own, inCatalogue, (id) => !before.has(id));
    const rows: FollowedItemsTable[] = [];
    for (const problem_id of new Set(fetched.filter(isInCatalogue).map(({ problem }) => problem))) {
      const row = before.get(problem_id);
      before.delete(problem_id);
      // A problem for which the list has no room comes in later.
      if (row || contained.has(problem_id))
        rows.push({ list_id, problem_id, came_at: row ? row.came_at : came_at, is_gone: 0n });
    }
    for (const row of before.values()) if (contained.has(row.problem_id)) rows.push({ ...row, is_gone: 1n });
    await replaceFollowedItems(tx, list_id, rows);
  },
);

const withinLimit = (extras: string | null | undefined, most: number = extrasAtMost.part) =>
  extras && extras.length <= most ? extras : undefined;

const isInCatalogue = <T extends { problem: IdOrProblemToAdd }>(one: T): one is T & { problem: bigint } =>
  typeof one.problem === 'bigint';

/** Throws invalidValue and unknownPath. */
export const addMissing = inTransaction(
  async (
    tx: Db,
    own: OwnList,
    items: readonly (MissingProblem & { problem: ProblemToAdd })[],
    limits: AddLimits,
  ): Promise<void> => {
    const list_id = own.id;
    const list = await findOwnList(tx, list_id, own.owner_id);
    const follow = await findFollow(tx, list_id);
    if (!list || !follow) throw localizedError('unknownPath.list');
    const problems = items.map(({ problem, title }) => ({ ...problem, title: title || undefined }));
    const ids = (await addProblems(tx, own.owner_id, problems, limits)).map(({ id }) => id);
    const sections = items.map(({ section, memo, extras }, index) => ({
      name: section,
      items: ids.slice(index, index + 1).map((problem) => ({ problem, memo, extras })),
    }));
    const { contained } = await mergeIntoList(tx, own, sections);
    const others = (await listFollowedItems(tx, list_id)).filter(
      ({ problem_id }) => !ids.includes(problem_id),
    );
    const newIds = [...new Set(ids)].filter((id) => contained.has(id));
    const rows = newIds.map((problem_id) => ({ list_id, problem_id, came_at: null, is_gone: 0n }));
    await replaceFollowedItems(tx, list_id, [...others, ...rows]);
    const { count, some } = readMissing(follow);
    const rest = some.filter(({ url }) => !items.some((one) => one.url === url));
    await updateFollow(tx, follow, { missing: missingJson(rest, count - (some.length - rest.length)) });
  },
);
