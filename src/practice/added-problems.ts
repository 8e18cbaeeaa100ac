/** Problems that members add by their addresses. They join the catalogue, which everybody sees. */

import { dayMs } from '../durations.ts';
import { localizedError, message } from '../errors.ts';
import { invisibleCharacters } from '../files/invisible-characters.ts';
import {
  countProblemsAddedBy,
  findAddedProblem,
  insertAddedProblems,
  listProblemsUsedByOthers,
} from '../store/added-problems.ts';
import { reserveIds } from '../store/ids.ts';
import { usesProblem } from '../store/inbox.ts';
import { findMembersByIds, type MemberRow } from '../store/members.ts';
import {
  deleteProblem,
  emptyProblem,
  findProblem,
  findProblemsByIds,
  findProblemsByUrls,
  insertProblems,
  type StoredProblem,
} from '../store/problems.ts';
import { changedBy } from '../store/program-feeds.ts';
import { findProblemsByAnyKey } from '../store/removed-problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { getSetting, setSetting } from '../store/settings.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { linkStoredSubmissions, portions } from './derivation.ts';
import { type MarkResult, markSolved } from './marks.ts';

/* Limits. Administrators set those of members and their own; the environment gives the default. */

export interface AddLimits {
  perDay: number;
  total: number;
}

export const noLimits: AddLimits = { perDay: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

export const settableLimit = 1_000_000;
const limitsSetting = 'add_limits';
const staffFactor = 10;

/** Undefined where the default applies. */
export type LimitsByRole = Record<MemberRow['role'], Partial<AddLimits>>;

export async function readLimits(db: Db): Promise<LimitsByRole> {
  return { member: {}, staff: {}, ...JSON.parse((await getSetting(db, limitsSetting)) ?? '{}') };
}

export const saveLimits = (tx: Db, limits: LimitsByRole) =>
  setSetting(tx, limitsSetting, JSON.stringify(limits));

export function limitsOfRole(role: MemberRow['role'], { member, staff }: LimitsByRole, defaults: AddLimits) {
  const perDay = member.perDay ?? defaults.perDay;
  const total = member.total ?? defaults.total;
  if (role === 'member') return { perDay, total };
  return { perDay: staff.perDay ?? perDay * staffFactor, total: staff.total ?? total * staffFactor };
}

/** How many problems a member can add now, and the limit that ends it. */
export interface AddAllowance {
  left: number;
  limit: 'day' | 'total' | 'off';
  most: number;
  total: number;
  leftInTotal: number;
}

export async function readAllowance(db: Db, memberId: bigint, defaults: AddLimits): Promise<AddAllowance> {
  const [member] = await findMembersByIds(db, [memberId]);
  const { perDay, total } = limitsOfRole(member?.role ?? 'member', await readLimits(db), defaults);
  const added = await countProblemsAddedBy(db, memberId, new Date(Date.now() - dayMs).toISOString());
  const leftToday = Math.max(0, perDay - added.since);
  const leftInTotal = Math.max(0, total - added.all);
  const isTotal = leftInTotal <= leftToday;
  const most = isTotal ? total : perDay;
  const limit = perDay === 0 || total === 0 ? 'off' : isTotal ? 'total' : 'day';
  return { left: Math.min(leftToday, leftInTotal), limit, most, total, leftInTotal };
}

export const limitMessage = ({ limit, most }: AddAllowance) => message('add.limit', { limit, most });

/* Texts of added problems. */

export const longestTitle = 200;
const topicsAtMost = 20;
const longestTopic = 50;

export function plainLine(text: string, longest: number): string {
  const line = text.toWellFormed().replaceAll(invisibleCharacters, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}

/** A title in which characters were lost (U+FFFD) is none. */
export const plainTitle = (text: string) => (text.includes('\ufffd') ? '' : plainLine(text, longestTitle));

export function parseTopics(text: string): string[] {
  const topics = text.split(',').map((topic) => plainLine(topic.toLowerCase(), longestTopic));
  return [...new Set(topics)].filter((topic) => topic !== '').slice(0, topicsAtMost);
}

export function titleFrom({ key, title = '' }: Pick<ProblemToAdd, 'key' | 'title'>): string {
  const ownTitle = plainTitle(title);
  if (ownTitle !== '') return ownTitle;
  const last = key.split('/').findLast((part) => part !== '') ?? key;
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // A percent sign that starts no escape stands for itself.
  }
  const line = plainLine(text, longestTitle) || key;
  if (!/^[a-z]{3,}(?:[-_][a-z\d]+)*$/.test(line)) return line;
  return `${line.charAt(0).toUpperCase()}${line.slice(1).replaceAll(/[-_]/g, ' ')}`;
}

/** A title with a label before it, such as "G. ", "C - ", "#12. " or "Problem 1. ". */
export const labelledTitle: RegExp = /^(?:Problem |#)?([A-Z]\d{0,6}|\d{1,6})(?:[.):]| ?[-–])\s+(\S.*)$/;

/** A label counts if the key ends with it or is made of the rest, or if it is USACO's "Problem 1.". */
export function withoutLabel(title: string, key: string): string {
  const line = plainTitle(title);
  const [, label = '', name = ''] = labelledTitle.exec(line) ?? [];
  const boundary = /^\d/.test(label) ? '\\D' : '[^a-z]';
  const lettersOnly = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isLabel =
    new RegExp(`(?:^|${boundary})${label}$`, 'i').test(key) ||
    lettersOnly(key.slice(key.lastIndexOf('/') + 1)) === lettersOnly(name) ||
    /^Problem \d+\. /.test(line);
  return name !== '' && isLabel ? name : line;
}

interface ProblemAddress {
  source: string;
  key: string;
  url?: string;
  /** What recognized the address: the rules of its judge, the address book, or nothing but its host. */
  matchedBy?: 'judge' | 'book' | 'host';
  copyUrl?: string;
}

export interface ProblemToAdd extends ProblemAddress {
  url: string;
  isGym: boolean;
  title?: string | undefined;
  topics?: readonly string[] | undefined;
}

export const problemMapKey = ({ source, key }: Pick<ProblemAddress, 'source' | 'key'>) => `${source}\0${key}`;
const withoutFinalSlash = (url: string) => url.replace(/\/$/, '');

/**
 * Finds merged problems too. A problem at a site of no known judge is found by its page, and so is a copy that is here
 * since before its judge was known.
 */
export async function findStoredProblems(
  db: Db,
  problems: readonly ProblemAddress[],
): Promise<Map<string, StoredProblem>> {
  const stored = new Map<string, StoredProblem>();
  for (const [source, ofSource] of Map.groupBy(problems, (one) => one.source))
    for await (const keys of portions([...new Set(ofSource.map(({ key }) => key))]))
      for (const { key, ...problem } of await findProblemsByAnyKey(db, source, keys))
        stored.set(problemMapKey({ source, key }), problem);
  const unmatched = problems.filter((one) => !stored.has(problemMapKey(one)));
  const names = new Map(
    unmatched.flatMap((one) => {
      const page = one.matchedBy === 'host' ? one.url : one.copyUrl;
      return page === undefined ? [] : [[withoutFinalSlash(page), problemMapKey(one)]];
    }),
  );
  for await (const urls of portions([...names.keys()]))
    for (const problem of await findProblemsByUrls(db, urls))
      stored.set(names.get(withoutFinalSlash(problem.url ?? '')) ?? '', problem);
  return stored;
}

interface AddedProblem {
  id: bigint;
  isNew: boolean;
}

/** A problem beyond the limits is undefined. `memberId` is null if no member adds them; `reserved` ones come before. */
export const addWithinLimits = inTransaction(
  async (
    tx: Db,
    memberId: bigint | null,
    problems: readonly ProblemToAdd[],
    limits: AddLimits,
    reserved?: number,
  ): Promise<(AddedProblem | undefined)[]> => {
    if (problems.length === 0) return [];
    const now = new Date().toISOString();
    const existing = await findStoredProblems(tx, problems);
    const missing = new Map(
      problems.filter((one) => !existing.has(problemMapKey(one))).map((one) => [problemMapKey(one), one]),
    );
    const isLimited = memberId !== null && limits !== noLimits;
    const left = isLimited
      ? (await readAllowance(tx, memberId, limits)).left - (reserved ?? 0)
      : missing.size;
    const newProblems = [...missing.values()].slice(0, Math.max(0, left));
    const ids = await reserveIds(tx, 'problems', newProblems.length);
    const rows = newProblems.map((one, index) => ({
      ...emptyProblem(ids[index] as bigint, now),
      title: titleFrom(one),
      source: one.source,
      source_key: one.key,
      url: one.url,
      tags: JSON.stringify(one.topics ?? []),
    }));
    if (rows.length > 0) {
      const gyms = new Set(newProblems.filter(({ isGym }) => isGym).map(problemMapKey));
      await insertProblems(tx, rows, ({ source, source_key: key }) =>
        gyms.has(problemMapKey({ source, key })),
      );
      await insertAddedProblems(
        tx,
        rows.map(({ id }) => ({ problem_id: id, member_id: memberId, added_at: now })),
      );
      await linkStoredSubmissions(tx);
      await bumpRevisions(tx, ['problems']);
    }
    const newIds = new Map(newProblems.map((one, index) => [problemMapKey(one), ids[index] as bigint]));
    return problems.map((one) => {
      const name = problemMapKey(one);
      const id = existing.get(name)?.id ?? newIds.get(name);
      return id === undefined ? undefined : { id, isNew: newIds.has(name) };
    });
  },
);

/** Throws invalidValue, which rolls the transaction back, beyond the limits. */
export const addProblems = inTransaction(
  async (tx: Db, memberId: bigint | null, problems: readonly ProblemToAdd[], limits: AddLimits) => {
    const added = await addWithinLimits(tx, memberId, problems, limits);
    const overLimit = new Set(problems.filter((_, index) => !added[index]).map(problemMapKey)).size;
    const newCount = new Set(added.flatMap((one) => (one?.isNew ? one.id : []))).size;
    if (overLimit > 0 && memberId !== null)
      throw localizedError('invalidValue.addedProblems', {
        left: newCount,
        count: newCount + overLimit,
        why: limitMessage(await readAllowance(tx, memberId, limits)),
      });
    return added as AddedProblem[];
  },
);

export type IdOrProblemToAdd = bigint | ProblemToAdd;

/** Throws invalidValue. */
export async function addAndListIds(
  tx: Db,
  memberId: bigint,
  items: readonly IdOrProblemToAdd[],
  limits: AddLimits,
): Promise<bigint[]> {
  const toAdd = items.filter((one) => typeof one !== 'bigint');
  const added = (await addProblems(tx, memberId, toAdd, limits)).values();
  return items.map((one) => (typeof one === 'bigint' ? one : (added.next().value?.id ?? 0n)));
}

/** Throws invalidValue. */
export const addAndMarkSolved = inTransaction(
  changedBy(
    'import',
    async (
      tx: Db,
      memberId: bigint,
      solved: ReadonlyMap<IdOrProblemToAdd, string | null>,
      limits: AddLimits,
    ): Promise<MarkResult> => {
      const ids = await addAndListIds(tx, memberId, [...solved.keys()], limits);
      const existingIds = new Set((await findProblemsByIds(tx, [...new Set(ids)])).map(({ id }) => id));
      const times = [...solved.values()].map((at, index) => [ids[index] ?? 0n, at] as const);
      return markSolved(tx, memberId, new Map(times.filter(([id]) => existingIds.has(id))));
    },
    (memberId) => memberId,
  ),
);

/** Throws unknownItem if the member did not add it, and preconditionFailed if somebody else uses it by now. */
export const removeAddedProblem = inTransaction(
  async (tx: Db, memberId: bigint, problemId: bigint): Promise<void> => {
    const added = await findAddedProblem(tx, problemId);
    const problem = added?.member_id === memberId ? await findProblem(tx, problemId) : undefined;
    if (!problem) throw localizedError('unknownItem.addedProblem');
    if ((await listProblemsUsedByOthers(tx, [problemId], memberId)).size > 0)
      throw localizedError('preconditionFailed.addedUsed');
    await deleteProblem(tx, problem);
    await bumpProblems(tx, memberId);
  },
);

const bumpProblems = (tx: Db, memberId: bigint) =>
  bumpRevisions(tx, ['problems', 'statuses', 'bookmarks', `statuses:${memberId}`, `bookmarks:${memberId}`]);

/** Removes those that the member added and nobody uses. */
export async function removeUnusedProblems(tx: Db, memberId: bigint, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  const used = await listProblemsUsedByOthers(tx, ids, memberId);
  for (const row of await findProblemsByIds(tx, ids)) {
    const added = used.has(row.id) ? undefined : await findAddedProblem(tx, row.id);
    if (added?.member_id === memberId && !(await usesProblem(tx, memberId, row.id)))
      await deleteProblem(tx, row);
  }
  await bumpProblems(tx, memberId);
}
