/** Imports the catalogue of a judge, and its twins: problems that the judge has under several keys. */
import { message } from '../errors.ts';
import type { CatalogueEntry, TimeModel, TwinKeys } from '../judges/judge.ts';
import { isGym } from '../judges/judges.ts';
import { mergeProblemRows, withAliases } from '../practice/merging.ts';
import { reserveIds } from '../store/ids.ts';
import {
  emptyProblem,
  findProblemsByKeys,
  listFromJson,
  type ProblemRow,
  updateProblem,
  upsertSolvedCounts,
} from '../store/problems.ts';
import { hasProblemsOf } from '../store/removed-problems.ts';
import { upsertTimeModels } from '../store/time-models.ts';
import type { ImportContext, Sink } from './import.ts';
import { findByNames, matchNewProblems, problemRows } from './problems.ts';
import { type BatchRow, upsertBatch } from './rows.ts';

export function catalogueSink(context: ImportContext, source: string): Sink<CatalogueEntry> {
  const { tx, now, count } = context;
  const solvedCounts = new Map<bigint, bigint>();
  const timeModels = new Map<bigint, TimeModel | null>();
  /** Problems of a new judge can only be stored by earlier batches. */
  const earlierKeys = new Set<string>();
  /** Keys of one problem that has two rows, which are merged at the end. */
  const splitKeys: KeyPair[] = [];
  let isNewJudge: boolean | undefined;
  let hasNewKeys = false;

  return {
    write: async (entries) => {
      const batch = upsertBatch(
        context,
        problemRows(context, (_source, key) => key),
      );
      const keys = entries.flatMap(({ value }) => [value.columns.source_key, ...(value.otherKeys ?? [])]);
      isNewJudge ??= !(await hasProblemsOf(tx, source));
      const stored = await findByNames(
        context,
        source,
        isNewJudge ? keys.filter((key) => earlierKeys.has(key)) : keys,
      );
      for (const key of keys) earlierKeys.add(key);
      batch.addStored(stored.filter((row) => row.source === source));
      // Staff merged these into problems of other judges, whose values stay those of their own judge.
      const keysMergedIntoOtherJudges = new Set(
        stored.filter((row) => row.source !== source).map(({ key }) => key),
      );
      const find = ({ columns, otherKeys = [] }: CatalogueEntry) =>
        [columns.source_key, ...otherKeys].map((key) => batch.find(key)).find((found) => found !== undefined);
      const isNew = (entry: CatalogueEntry) =>
        entry.columns.title !== undefined &&
        !find(entry) &&
        !keysMergedIntoOtherJudges.has(entry.columns.source_key);
      const newCount = entries.filter(({ value }) => isNew(value)).length;
      const ids = (await reserveIds(tx, 'problems', newCount)).values();
      for (const { value } of entries) {
        const { columns, solverCount, otherKeys, timeModel } = value;
        const { source_key: key, title = '' } = columns;
        const found = find(value);
        const describe = () => `${source} ${key} ${title}`.trimEnd();
        if (found) {
          const changes = columnsToChange(value, found, (other) => batch.find(other)?.row, splitKeys);
          hasNewKeys ||= changes.aliases !== undefined && changes.aliases !== found.row.aliases;
          await batch.change(found, changes, describe);
          if (found.row.source_key === key) {
            if (solverCount !== undefined) solvedCounts.set(found.row.id, solverCount);
            if (timeModel !== undefined) timeModels.set(found.row.id, timeModel);
          }
        } else if (keysMergedIntoOtherJudges.has(key)) count('kept', describe);
        else if (isNew(value)) {
          hasNewKeys = true;
          const row = { ...emptyProblem(ids.next().value as bigint, now), source, ...columns };
          if (otherKeys) row.aliases = JSON.stringify(otherKeys);
          if (solverCount !== undefined) solvedCounts.set(row.id, solverCount);
          batch.add(row, describe);
        } else {
          count('unmatched', () => `${describe()}: no such problem; import the catalogue first`);
        }
      }
      await batch.finish();
    },
    finish: async () => {
      const rows = [...solvedCounts].map(([problem_id, solved_by]) => ({ problem_id, solved_by }));
      if ((await upsertSolvedCounts(tx, rows)) > 0n) context.markWritten();
      if ((await upsertTimeModels(tx, timeModels)) > 0n) context.markWritten();
      for (const keys of splitKeys) await mergeProblems(context, source, keys);
      if (hasNewKeys || splitKeys.length > 0) await matchNewProblems(context, [source]);
    },
  };
}

type FindOwner = (key: string) => ProblemRow | undefined;
type KeyPair = [key: string, other: string];

function columnsToChange(
  { columns, otherKeys = [] }: CatalogueEntry,
  { row }: BatchRow<ProblemRow>,
  findOwner: FindOwner,
  splitKeys: KeyPair[],
): Partial<ProblemRow> {
  const key = columns.source_key;
  // An alias has points and tags of its own in the catalogue; the problem keeps those of its main key.
  if (row.source_key !== key && !otherKeys.includes(row.source_key)) return {};
  const names = new Set([...listFromJson(row.aliases), row.source_key]);
  for (const other of otherKeys) {
    const owner = findOwner(other);
    if (!owner || owner === row) names.add(other);
    else splitKeys.push([key, other]);
  }
  names.delete(key);
  return otherKeys.length === 0 ? columns : { ...columns, aliases: JSON.stringify([...names].toSorted()) };
}

/* Twins are one problem under several keys. The import gives them one row, so that a solve counts once. */

/** `new` counts aliases, `kept` keys stored before, `unmatched` keys of unknown problems. */
export function twinSink(context: ImportContext, source: string): Sink<TwinKeys> {
  const { tx, now, count } = context;
  const groups = new Map<string, Set<string>>();
  let merged = 0;
  let addedKeys = 0;
  return {
    write: async (entries) => {
      for (const { value } of entries) uniteGroups(groups, value);
    },
    finish: async () => {
      const found = await findProblemsByKeys(tx, source, [...groups.keys()]);
      for (const rows of Map.groupBy(found, ({ id }) => id).values()) {
        const names = rows.map(({ key }) => key);
        uniteGroups(groups, names);
      }
      const byKey = new Map<string, ProblemRow>(found.map(({ key, is_sample: _, ...row }) => [key, row]));
      for (const group of new Set(groups.values())) await mergeGroup([...group], byKey);
      if (merged + addedKeys === 0) return;
      await matchNewProblems(context, [source]);
      context.addNote(message('imported.merged', { merged, further: addedKeys }));
    },
  };

  async function mergeGroup(keys: readonly string[], byKey: ReadonlyMap<string, ProblemRow>): Promise<void> {
    const found = keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
    const byId = new Map(found.map((row) => [row.id, row]));
    const [first, ...others] = [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (!first) {
      for (const key of keys)
        count('unmatched', () => `${source} ${key}: none of its twins is a known problem`);
      return;
    }
    let target = first;
    for (const duplicate of others) {
      target = await merge(context, target, duplicate);
      merged++;
      count('changed', () => `${source} ${duplicate.source_key} merged into ${first.source_key}`);
    }
    const names = new Set([target.source_key, ...listFromJson(target.aliases)]);
    const added = keys.filter((key) => !names.has(key));
    for (const key of keys)
      count(names.has(key) ? 'kept' : 'new', () => `${source} ${key} is ${first.source_key}`);
    addedKeys += added.length;
    if (added.length === 0) return;
    await updateProblem(tx, target, withAliases(target, added, now), isGym);
    context.bumpRevision('problems');
  }
}

async function mergeProblems(
  context: ImportContext,
  source: string,
  [key, other]: readonly [string, string],
): Promise<void> {
  const found = await findProblemsByKeys(context.tx, source, [key, other]);
  const [target, duplicate] = [key, other].map((name) => found.find((row) => row.key === name));
  if (target && duplicate && target.id !== duplicate.id) await merge(context, target, duplicate);
}

async function merge(context: ImportContext, target: ProblemRow, duplicate: ProblemRow): Promise<ProblemRow> {
  const { row, members } = await mergeProblemRows(context.tx, target, duplicate, context.now);
  for (const userId of members.statuses) context.bumpRevision('statuses', userId);
  for (const userId of members.bookmarks) context.bumpRevision('bookmarks', userId);
  for (const userId of [...members.statuses, ...members.solves])
    context.stale.addProblems(userId, [target.id]);
  context.bumpRevision('problems');
  return row;
}

function uniteGroups(groupOfKey: Map<string, Set<string>>, keys: readonly string[]): void {
  const group = new Set(keys);
  for (const key of keys) for (const other of groupOfKey.get(key) ?? []) group.add(other);
  for (const key of group) groupOfKey.set(key, group);
}
