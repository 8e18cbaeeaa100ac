/** Importing rows that belong to one member and one problem: what bookmarks and statuses have in common. */
import type { Located } from '../files/entries.ts';
import type { Db } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import type { GivenRow } from './own-rows.ts';
import { memberReferences, problemReferences } from './references.ts';

interface Pair {
  user_id: bigint;
  problem_id: bigint;
}

interface PairKind<R extends Pair> {
  scope: 'bookmarks' | 'statuses';
  find(tx: Db, userId: bigint, problemIds: readonly bigint[]): Promise<R[]>;
  insert(tx: Db, rows: readonly R[]): Promise<void>;
  update(tx: Db, row: R): Promise<void>;
  /** What the row becomes, less its keys; or the sentence that says why it cannot. */
  next(given: GivenRow, current: R | undefined, applying: Applying): Omit<R, keyof Pair> | string;
}

export function pairSink<R extends Pair>(applying: Applying, kind: PairKind<R>): Sink<GivenRow> {
  const { tx } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(tx, entries);
      const problemOf = await problemReferences(tx, entries);
      const placed: { entry: Located<GivenRow>; userId: bigint; problemId: bigint }[] = [];
      for (const entry of entries) {
        const member = memberOf(entry.value);
        const problem = problemOf(entry.value);
        if ('missing' in member) applying.bad(entry, `${member.missing}.`);
        else if ('missing' in problem) applying.bad(entry, `${problem.missing}.`);
        else placed.push({ entry, userId: member.id, problemId: problem.id });
      }
      for (const [userId, some] of Map.groupBy(placed, (place) => place.userId))
        await takeMember(userId, some);
    },
  };

  async function takeMember(
    userId: bigint,
    entries: readonly { entry: Located<GivenRow>; problemId: bigint }[],
  ): Promise<void> {
    const stored = await kind.find(
      tx,
      userId,
      entries.map(({ problemId }) => problemId),
    );
    const current = new Map(stored.map((row) => [row.problem_id, row]));
    const fresh = new Map<bigint, R>();
    let isChanged = false;
    for (const { entry, problemId } of entries) {
      const before = fresh.get(problemId) ?? current.get(problemId);
      const columns = kind.next(entry.value, before, applying);
      if (typeof columns === 'string') {
        applying.bad(entry, `${columns}.`);
        continue;
      }
      const row = { ...columns, user_id: userId, problem_id: problemId } as R;
      const line = () => `problem ${problemId} of member ${userId}`;
      if (before && isSame(before, row)) {
        applying.count('kept', line);
        continue;
      }
      isChanged = true;
      applying.count(before ? 'changed' : 'new', line);
      if (current.has(problemId)) {
        await kind.update(tx, row);
        current.set(problemId, row);
      } else {
        fresh.set(problemId, row);
      }
    }
    await kind.insert(tx, [...fresh.values()].map(inOrder));
    if (!isChanged) return;
    applying.changed(kind.scope);
    applying.changed(`${kind.scope}:${userId}`);
  }
}

function isSame<R extends object>(one: R, other: R): boolean {
  return Object.entries(one).every(([name, value]) => (other as Record<string, unknown>)[name] === value);
}

/** Rows of one statement have their columns in one order. */
function inOrder<R extends Pair>(row: R): R {
  return Object.fromEntries(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))) as R;
}
