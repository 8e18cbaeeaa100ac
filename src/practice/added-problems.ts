/** Problems that members add by their addresses. They join the catalogue, which everybody sees. */
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { invisibleCharacters } from '../files/invisible-characters.ts';
import {
  countProblemsAddedBy,
  findAddedProblem,
  insertAddedProblems,
  listProblemsUsedByOthers,
} from '../store/added-problems.ts';
import { reserveIds } from '../store/ids.ts';
import {
  deleteProblem,
  emptyProblem,
  findProblem,
  findProblemsByIds,
  findProblemsByUrls,
  insertProblems,
  type StoredProblem,
} from '../store/problems.ts';
import { findProblemsByAnyKey } from '../store/removed-problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { linkStoredSubmissions, portions } from './derivation.ts';
import { type MarkResult, markSolved } from './marks.ts';

export interface AddLimits {
  perDay: number;
  total: number;
}

export const noLimits: AddLimits = { perDay: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

export const longestTitle = 200;
const topicsAtMost = 20;
const longestTopic = 50;

export function plainLine(text: string, longest: number): string {
  const line = text.toWellFormed().replaceAll(invisibleCharacters, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}

export function parseTopics(text: string): string[] {
  const topics = text.split(',').map((topic) => plainLine(topic.toLowerCase(), longestTopic));
  return [...new Set(topics)].filter((topic) => topic !== '').slice(0, topicsAtMost);
}

export function titleFrom({ key, title = '' }: Pick<ProblemToAdd, 'key' | 'title'>): string {
  const ownTitle = plainLine(title, longestTitle);
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
  const line = plainLine(title, longestTitle);
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
}

export interface ProblemToAdd extends ProblemAddress {
  url: string;
  isGym: boolean;
  title?: string | undefined;
  topics?: readonly string[] | undefined;
}

export async function remainingToAdd(
  db: Db,
  memberId: bigint,
  { perDay, total }: AddLimits,
): Promise<number> {
  const added = await countProblemsAddedBy(db, memberId, new Date(Date.now() - dayMs).toISOString());
  return Math.max(0, Math.min(perDay - added.since, total - added.all));
}

export const problemMapKey = ({ source, key }: Pick<ProblemAddress, 'source' | 'key'>) => `${source}\0${key}`;
const withoutFinalSlash = (url: string) => url.replace(/\/$/, '');

/** Finds merged problems too. At a site of no known judge a problem is found by its page. */
export async function findStoredProblems(
  db: Db,
  problems: readonly ProblemAddress[],
): Promise<Map<string, StoredProblem>> {
  const stored = new Map<string, StoredProblem>();
  for (const [source, ofSource] of Map.groupBy(problems, (one) => one.source))
    for await (const keys of portions([...new Set(ofSource.map(({ key }) => key))]))
      for (const { key, ...problem } of await findProblemsByAnyKey(db, source, keys))
        stored.set(problemMapKey({ source, key }), problem);
  const unmatched = problems.filter((one) => one.matchedBy === 'host' && !stored.has(problemMapKey(one)));
  const names = new Map(unmatched.map((one) => [withoutFinalSlash(one.url ?? ''), problemMapKey(one)]));
  for await (const urls of portions([...names.keys()]))
    for (const problem of await findProblemsByUrls(db, urls))
      stored.set(names.get(withoutFinalSlash(problem.url ?? '')) ?? '', problem);
  return stored;
}

interface AddedProblem {
  id: bigint;
  isNew: boolean;
}

/** A problem beyond the limits is undefined. `memberId` is null if no member adds them. */
export const addWithinLimits = inTransaction(
  async (
    tx: Db,
    memberId: bigint | null,
    problems: readonly ProblemToAdd[],
    limits: AddLimits,
  ): Promise<(AddedProblem | undefined)[]> => {
    if (problems.length === 0) return [];
    const now = new Date().toISOString();
    const existing = await findStoredProblems(tx, problems);
    const missing = new Map(
      problems.filter((one) => !existing.has(problemMapKey(one))).map((one) => [problemMapKey(one), one]),
    );
    const remaining = memberId === null ? missing.size : await remainingToAdd(tx, memberId, limits);
    const newProblems = [...missing.values()].slice(0, remaining);
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
    const { perDay: day, total: all } = limits;
    if (overLimit > 0)
      throw localizedError('invalidValue.addedProblems', {
        left: newCount,
        count: newCount + overLimit,
        day,
        all,
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
    await bumpRevisions(tx, [
      'problems',
      'statuses',
      'bookmarks',
      `statuses:${memberId}`,
      `bookmarks:${memberId}`,
    ]);
  },
);
