/** A garden in a temporary database, filled and read through the same importers and exporters as the command line's. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Format } from '../../src/contract/rows.ts';
import { AppError } from '../../src/errors.ts';
import { applyFile, checkFile, type ImportReport } from '../../src/importing/import.ts';
import { type ImportName, importerOf } from '../../src/importing/resources.ts';
import { exportRows, type ResourceName, resourceNames, rowKinds } from '../../src/importing/row-kinds.ts';
import { type AddLimits, noLimits } from '../../src/practice/added-problems.ts';
import type { JudgeAddresses } from '../../src/practice/judge-addresses.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import type { SubmissionOrigin } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import { chunksOf } from '../support/files.ts';
import { temporaryDatabase } from '../support/garden.ts';

export interface ImportOptions {
  member?: string;
  handle?: string;
  isDryRun?: boolean;
  skipsBad?: boolean;
  /** Default: yes, since most tests write rows of the garden that they read them into. */
  trustsIds?: boolean;
  format?: Format;
  /** Whether problems of links are added that are not here. */
  addsUnknown?: boolean;
  /** How many problems may be added; without limits, as on the command line, where it is left out. */
  limits?: AddLimits;
  /** The only member whose rows may change, as on the website. */
  owner?: bigint;
  takesOtherName?: boolean;
  origin?: SubmissionOrigin;
  /** Of judges whose program runs at another site. */
  judgeAddresses?: JudgeAddresses;
}

export interface Imported {
  report: ImportReport;
  notes: string[];
  badRows: string[];
  hasWritten: boolean;
  /** One a row: what became of it. */
  lines: string[];
}

export interface Garden {
  store: Store;
  databaseUrl: string;
  /** Imports a file that holds this text, these bytes, or these values as JSON. */
  import(what: ImportName, content: string | unknown, options?: ImportOptions): Promise<Imported>;
  /** All rows of a resource, as the interface shows them. */
  rows(what: ResourceName): Promise<Record<string, unknown>[]>;
  /** Everything there is to export, as one text to compare. */
  everything(): Promise<string>;
}

/** The garden at this address, or a new one. */
export async function openGarden(t: Pick<TestContext, 'after'>, databaseUrl?: string): Promise<Garden> {
  const address = databaseUrl ?? (await temporaryDatabase(t));
  const store = await openStore(address, { create: databaseUrl === undefined, lockTimeoutMs: 30_000 });
  t.after(() => store.close());
  const rows = async (what: ResourceName) => {
    const all = JSON.parse(await exported(store, what, 'json')) as Record<string, unknown>[];
    return all.map((row) => withoutKeys(what, row));
  };
  return {
    store,
    databaseUrl: address,
    rows,
    import: (what, content, options = {}) => importInto(store, what, content, options),
    everything: async () => {
      // One after another: on PostgreSQL each of several at once takes a connection of its own.
      const texts: string[] = [];
      for (const what of resourceNames) texts.push(await exported(store, what, 'ndjson'));
      return texts.join('\n');
    },
  };
}

/** A garden with these members, whose ids are 1, 2 and so on. */
export async function gardenOf(t: Pick<TestContext, 'after'>, ...usernames: readonly string[]): Promise<Garden> {
  const garden = await openGarden(t);
  await garden.import(
    'records',
    usernames.map((username, at) => ({ id: at + 1, username })),
  );
  return garden;
}

/** A garden of ada and bob, with problems of Codeforces that have these keys. */
export async function planted(t: Pick<TestContext, 'after'>, ...keys: readonly string[]): Promise<Garden> {
  const garden = await gardenOf(t, 'ada', 'bob');
  if (keys.length > 0) await garden.import('codeforces-problems', codeforcesNamed('Problem', ...keys));
  return garden;
}

/** A row of an export without the names and keys that stand beside its ids. */
export function withoutKeys(what: ResourceName, row: Record<string, unknown>): Record<string, unknown> {
  if (what === 'records') return row;
  if (what === 'problems') {
    const { solved_by: _, ...shown } = row;
    return shown;
  }
  const { username, source, source_key, ...rest } = row;
  assert.equal(typeof username, 'string');
  if (what === 'statuses')
    for (const name of ['how', 'judge_status', 'judge_at', 'earlier_status', 'earlier_at', 'solved_list_source'])
      delete rest[name];
  if (what === 'bookmarks') for (const name of ['starred', 'editorial_at', 'shared_with', 'labels']) delete rest[name];
  if (what !== 'plants') assert.deepEqual([typeof source, typeof source_key], ['string', 'string']);
  return rest;
}

async function importInto(
  store: Store,
  what: ImportName,
  content: string | unknown,
  {
    member,
    handle,
    isDryRun = false,
    skipsBad: skipsBadRows = false,
    trustsIds = true,
    format = 'json',
    ...more
  }: ImportOptions,
): Promise<Imported> {
  const isWritten = typeof content === 'string' || content instanceof Uint8Array;
  const bytes = Buffer.from(isWritten ? content : JSON.stringify(content));
  const lines: string[] = [];
  const checked = await checkFile(
    importerOf(what, format, undefined, what === 'lists' ? member && 'file' : undefined),
    { open: async () => chunksOf(bytes), skipsBadRows, trustsIds },
  );
  const result = await applyFile(store, checked, {
    member: member === undefined ? undefined : await findMemberByName(store.reader, member),
    handle,
    isDryRun,
    owner: more.owner,
    takesOtherName: more.takesOtherName,
    origin: more.origin ?? 'file',
    adding: {
      limits: more.limits ?? noLimits,
      judgeAddresses: more.judgeAddresses ?? new Map(),
      addsLinkedProblems: more.addsUnknown ?? false,
    },
    onDetail: (line) => lines.push(line),
  });
  const [notes, badRows] = [result.notes, result.badRows].map((some) => some.map(({ message }) => message));
  return { ...result, notes: notes ?? [], badRows: badRows ?? [], lines };
}

export async function exported(store: Store, what: ResourceName, format: Format): Promise<string> {
  let text = '';
  for await (const chunk of exportRows(store.reader, rowKinds[what], format)) text += chunk;
  return text;
}

type Refused = [reason: RegExp, ...Parameters<Garden['import']>];

/** Each import fails for its rows or as a file, for its reason, and all of them leave everything as it was. */
export async function assertAllRefused(garden: Garden, imports: readonly Refused[]): Promise<void> {
  const before = await garden.everything();
  for (const [reason, ...args] of imports)
    await assert.rejects(garden.import(...args), (error) => {
      assert.ok(error instanceof AppError && /^bad(Row|File)$/.test(error.code), String(error));
      assert.match(error.message, reason);
      return true;
    });
  assert.equal(await garden.everything(), before);
}

export const assertRefused = (garden: Garden, ...refused: Refused) => assertAllRefused(garden, [refused]);

/** A report with nothing but these figures. */
export function report(figures: Partial<ImportReport>): ImportReport {
  return { read: 0, new: 0, changed: 0, kept: 0, unmatched: 0, bad: 0, ...figures };
}

/** An answer of problemset.problems. */
export function codeforces(...problems: Record<string, unknown>[]): unknown {
  const whole = problems.map((problem) => ({ type: 'PROGRAMMING', tags: [], ...problem }));
  return { status: 'OK', result: { problems: whole, problemStatistics: [] } };
}

/** The same of problems with these keys, each named by this word and its key. */
export function codeforcesNamed(word: string, ...keys: readonly string[]): unknown {
  return codeforces(...keys.map((key) => ({ ...identity(key), name: `${word} ${key}` })));
}

/** A list of twins: each group's first problem with the others. */
export function twins(...groups: string[][]): unknown {
  const result = groups.map(([first = '', ...others]) => ({
    ...identity(first),
    shared: others.map(identity),
  }));
  return { status: 'OK', result };
}

export type Sent = [key: string, verdict: string | undefined, second: number];

/** An answer of user.status: a key, a verdict and the second it was sent. The same key and second is the same submission. */
export function submissions(...sent: Sent[]): unknown {
  return submissionsOf('ada_cf', ...sent);
}

export function submissionsOf(handle: string, ...sent: Sent[]): unknown {
  const result = sent.map(([key, verdict, creationTimeSeconds]) => ({
    id: identity(key).contestId * 1_000_000 + creationTimeSeconds,
    contestId: identity(key).contestId,
    creationTimeSeconds,
    problem: { ...identity(key), name: key, tags: [] },
    author: { members: [{ handle }], participantType: 'PRACTICE', ghost: false },
    programmingLanguage: 'GNU C++17',
    ...(verdict !== undefined && { verdict }),
  }));
  return { status: 'OK', result };
}

/** 1874F as Codeforces says it: contest 1874, index F. */
export function identity(key: string): { contestId: number; index: string } {
  const [, contest = '', index = ''] = /^(\d+)(.+)$/.exec(key) ?? [];
  return { contestId: Number(contest), index };
}

export const second = (at: number) => new Date(at * 1000).toISOString();
