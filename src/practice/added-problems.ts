/** Problems that members add by their addresses. They are ordinary problems of the catalogue, which everybody in the garden finds. */
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { unseenSigns } from '../files/unseen-signs.ts';
import { countAddedBy, findAdded, insertAdded, listUsedByOthers } from '../store/added-problems.ts';
import { giveIds } from '../store/ids.ts';
import {
  deleteProblem,
  emptyProblem,
  findProblem,
  findProblemsByIds,
  findProblemsByUrls,
  insertProblems,
  type StoredProblem,
} from '../store/problems.ts';
import { findNamed } from '../store/removed-problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { matchKept, portions } from './derivation.ts';
import { type MarkResult, markSolved } from './marks.ts';

export interface AddLimits {
  perDay: number;
  inAll: number;
}

/** Those of an administrator who imports what somebody has elsewhere. */
export const noLimits: AddLimits = { perDay: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY };

export const longestTitle = 200;
const topicsAtMost = 20;
const longestTopic = 50;

/** A title or topic as it is stored. */
export function plainLine(text: string, longest: number): string {
  const line = text.toWellFormed().replaceAll(unseenSigns, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}

export function parseTopics(text: string): string[] {
  const topics = text.split(',').map((topic) => plainLine(topic.toLowerCase(), longestTopic));
  return [...new Set(topics)].filter((topic) => topic !== '').slice(0, topicsAtMost);
}

/** The title that somebody gave, or the last part of the key, as words where it is made of words. */
export function titleFrom({ key, title = '' }: Pick<ProblemToAdd, 'key' | 'title'>): string {
  const given = plainLine(title, longestTitle);
  if (given !== '') return given;
  const last = key.split('/').findLast((part) => part !== '') ?? key;
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // A percent sign may stand for itself.
  }
  const line = plainLine(text, longestTitle) || key;
  if (!/^[a-z]{3,}(?:[-_][a-z\d]+)*$/.test(line)) return line;
  return `${line.charAt(0).toUpperCase()}${line.slice(1).replaceAll(/[-_]/g, ' ')}`;
}

/** A title with a letter or a number before it, such as "G. ", "C - ", "#12. " or "Problem 1. ". */
export const labelled: RegExp = /^(?:Problem |#)?([A-Z]\d{0,6}|\d{1,6})(?:[.):]| ?[-–])\s+(\S.*)$/;

/** A title without such a label, where the key ends with the label or is made of the title, or the label is one of USACO's. */
export function withoutLabel(title: string, key: string): string {
  const line = plainLine(title, longestTitle);
  const [, label = '', name = ''] = labelled.exec(line) ?? [];
  const before = /^\d/.test(label) ? '\\D' : '[^a-z]';
  const bare = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isLabel =
    new RegExp(`(?:^|${before})${label}$`, 'i').test(key) ||
    bare(key.slice(key.lastIndexOf('/') + 1)) === bare(name) ||
    /^Problem \d+\. /.test(line);
  return name !== '' && isLabel ? name : line;
}

/** A problem by its name, and by its page where the garden may have that under another name. */
interface NamedProblem {
  source: string;
  key: string;
  url?: string;
  /** How its address was understood. At a site that nobody described (`host`), the page counts as well as the name. */
  by?: 'judge' | 'book' | 'host';
}

/** A problem by its address, as judges/addresses.ts reads it. */
export interface ProblemToAdd extends NamedProblem {
  url: string;
  /** Whether it is of private training, which the general list has not. */
  isGym: boolean;
  title?: string | undefined;
  topics?: readonly string[] | undefined;
}

export async function remainingToAdd(
  db: Db,
  memberId: bigint,
  { perDay, inAll }: AddLimits,
): Promise<number> {
  const count = await countAddedBy(db, memberId, new Date(Date.now() - dayMs).toISOString());
  return Math.max(0, Math.min(perDay - count.since, inAll - count.all));
}

export const problemName = ({ source, key }: Pick<NamedProblem, 'source' | 'key'>) => `${source}\0${key}`;
const bareUrl = (url: string) => url.replace(/\/$/, '');

/** Those of these problems that are here, by `problemName`: under that name, merged into another, or with that page. */
export async function findStored(
  db: Db,
  named: readonly NamedProblem[],
): Promise<Map<string, StoredProblem>> {
  const here = new Map<string, StoredProblem>();
  for (const [source, some] of Map.groupBy(named, (one) => one.source))
    for await (const keys of portions([...new Set(some.map(({ key }) => key))]))
      for (const { key, ...problem } of await findNamed(db, source, keys))
        here.set(problemName({ source, key }), problem);
  const rest = named.filter((one) => one.by === 'host' && !here.has(problemName(one)));
  const names = new Map(rest.map((one) => [bareUrl(one.url ?? ''), problemName(one)]));
  for await (const urls of portions([...names.keys()]))
    for (const problem of await findProblemsByUrls(db, urls))
      here.set(names.get(bareUrl(problem.url ?? '')) ?? '', problem);
  return here;
}

/** The id of a problem, and whether it was added. */
interface Added {
  id: bigint;
  isNew: boolean;
}

/**
 * Adds as many of these problems as are not here and may be added; answers each, and undefined for one that is left out. `memberId`
 * is null for problems that nobody added.
 */
export const addWithinLimits = inTransaction(
  async (
    tx: Db,
    memberId: bigint | null,
    wanted: readonly ProblemToAdd[],
    limits: AddLimits,
  ): Promise<(Added | undefined)[]> => {
    if (wanted.length === 0) return [];
    const now = new Date().toISOString();
    const known = await findStored(tx, wanted);
    const missing = new Map(
      wanted.filter((one) => !known.has(problemName(one))).map((one) => [problemName(one), one]),
    );
    const left = memberId === null ? missing.size : await remainingToAdd(tx, memberId, limits);
    const fresh = [...missing.values()].slice(0, left);
    const ids = await giveIds(tx, 'problems', fresh.length);
    const rows = fresh.map((one, at) => ({
      ...emptyProblem(ids[at] as bigint, now),
      title: titleFrom(one),
      source: one.source,
      source_key: one.key,
      url: one.url,
      tags: JSON.stringify(one.topics ?? []),
    }));
    if (rows.length > 0) {
      const gyms = new Set(fresh.filter(({ isGym }) => isGym).map(problemName));
      await insertProblems(tx, rows, ({ source, source_key: key }) => gyms.has(problemName({ source, key })));
      await insertAdded(
        tx,
        rows.map(({ id }) => ({ problem_id: id, member_id: memberId, added_at: now })),
      );
      await matchKept(tx);
      await bumpRevisions(tx, ['problems']);
    }
    const made = new Map(fresh.map((one, at) => [problemName(one), ids[at] as bigint]));
    return wanted.map((one) => {
      const name = problemName(one);
      const id = known.get(name)?.id ?? made.get(name);
      return id === undefined ? undefined : { id, isNew: made.has(name) };
    });
  },
);

/** The same of all of them. Throws badSetting, which takes the whole transaction back, where the member may not add as many. */
export const addProblems = inTransaction(
  async (tx: Db, memberId: bigint | null, wanted: readonly ProblemToAdd[], limits: AddLimits) => {
    const added = await addWithinLimits(tx, memberId, wanted, limits);
    const beyond = new Set(wanted.filter((_, at) => !added[at]).map(problemName)).size;
    const left = new Set(added.flatMap((one) => (one?.isNew ? one.id : []))).size;
    const { perDay: day, inAll: all } = limits;
    if (beyond > 0)
      throw localizedError('badSetting.addedProblems', { left, count: left + beyond, day, all });
    return added as Added[];
  },
);

/** A problem by its id, or to be added. */
export type IdOrProblemToAdd = bigint | ProblemToAdd;

/** The ids of these problems, in their order; those that are not here are added. Throws badSetting. */
export async function addAndListIds(
  tx: Db,
  memberId: bigint,
  given: readonly IdOrProblemToAdd[],
  limits: AddLimits,
): Promise<bigint[]> {
  const wanted = given.filter((one) => typeof one !== 'bigint');
  const added = (await addProblems(tx, memberId, wanted, limits)).values();
  return given.map((one) => (typeof one === 'bigint' ? one : (added.next().value?.id ?? 0n)));
}

/** Marks problems as solved at these times, of which some are added for it; see `markSolved`. Throws badSetting. */
export const addAndMarkSolved = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    solved: ReadonlyMap<IdOrProblemToAdd, string | null>,
    limits: AddLimits,
  ): Promise<MarkResult> => {
    const ids = await addAndListIds(tx, memberId, [...solved.keys()], limits);
    const known = new Set((await findProblemsByIds(tx, [...new Set(ids)])).map(({ id }) => id));
    const times = [...solved.values()].map((at, place) => [ids[place] ?? 0n, at] as const);
    return markSolved(tx, memberId, new Map(times.filter(([id]) => known.has(id))));
  },
);

/**
 * Takes back a problem that this member added, with the member's own marks on it. Throws unknownItem where they added no such
 * problem, preconditionFailed where somebody else has anything on it by now.
 */
export const removeAdded = inTransaction(
  async (tx: Db, memberId: bigint, problemId: bigint): Promise<void> => {
    const added = await findAdded(tx, problemId);
    const problem = added?.member_id === memberId ? await findProblem(tx, problemId) : undefined;
    if (!problem) throw localizedError('unknownItem.addedProblem');
    if ((await listUsedByOthers(tx, [problemId], memberId)).size > 0)
      throw localizedError('preconditionFailed.addedUsed');
    await deleteProblem(tx, problem);
    await bumpRevisions(tx, [
      'problems',
      'statuses',
      'bookmarks',
      `statuses:${memberId}`,
      `bookmarks:${memberId}`,
    ]);
  },
);
