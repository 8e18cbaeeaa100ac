/** Importing rows of one member and one problem: what bookmarks and statuses have in common. */
import type { Db } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, type GivenProblem, memberReferences, problemReferences } from './references.ts';
import { upsertBatch } from './upserts.ts';

export interface Pair {
  user_id: bigint;
  problem_id: bigint;
}

/** One table of pairs. `Given` has the fields of a file's row beside its member and problem. */
export interface PairKind<R extends Pair, Given> {
  table: 'bookmarks' | 'statuses';
  find(tx: Db, userId: bigint, problemIds: readonly bigint[]): Promise<R[]>;
  insert(tx: Db, rows: readonly R[]): Promise<unknown>;
  update(tx: Db, row: R): Promise<void>;
  /** Throws badRow. */
  next(given: Given, current: R | undefined, now: string, hasLimits: boolean): Omit<R, keyof Pair>;
}

export function pairSink<R extends Pair, Given extends { updated_at?: string | null }>(
  applying: Applying,
  kind: PairKind<R, Given>,
): Sink<Given & GivenMember & GivenProblem> {
  const { tx, now } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      const problemOf = await problemReferences(tx, entries);
      const batch = pairBatch(applying, kind);
      const named = await applying.each(entries, async (given) => {
        return { given, pair: { user_id: memberOf(given), problem_id: problemOf(given) } };
      });
      for (const [userId, some] of Map.groupBy(named, ({ value }) => value.pair.user_id)) {
        const problems = some.map(({ value }) => value.pair.problem_id);
        batch.hold(await kind.find(tx, userId, problems));
      }
      await applying.each(named, async ({ given, pair }) => {
        const found = batch.find(pairName(pair));
        const row = { ...pair, ...kind.next(given, found?.row, now, applying.hasLimits) } as R;
        const line = () => `problem ${pair.problem_id} of member ${pair.user_id}`;
        if (found) await batch.change(found, row, line, (given.updated_at ?? undefined) !== undefined);
        else batch.add(row, line);
      });
      await batch.finish();
    },
  };
}

export function pairBatch<R extends Pair, Given>(applying: Applying, kind: PairKind<R, Given>) {
  return upsertBatch<R>(applying, {
    namesOf: (row) => [pairName(row)],
    insert: kind.insert,
    update: kind.update,
    changed: ({ user_id, problem_id }) => {
      applying.changed(kind.table, user_id);
      if (kind.table === 'statuses') applying.followed.solves(user_id, [problem_id]);
    },
  });
}

export function pairName({ user_id, problem_id }: Pair): string {
  return `${user_id} ${problem_id}`;
}
