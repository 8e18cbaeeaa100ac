/** Importing the history of members' changes: each is found again by all that it says, and comes with those made together with it. */
import { longestText } from '../contract/common.ts';
import { readInstant } from '../contract/parameters.ts';
import type { Row } from '../contract/rows.ts';
import { states } from '../contract/statuses.ts';
import { refused } from '../errors.ts';
import type { Located } from '../files/entries.ts';
import { longestNote } from '../practice/marks.ts';
import type { ChangesTable } from '../store/changes.ts';
import { findChangesOf, insertWholeChanges, setUndone } from '../store/changes.ts';
import { giveIds } from '../store/ids.ts';
import type { Applying, Sink } from './import.ts';
import { type GivenMember, type GivenProblem, memberReferences, problemReferences } from './references.ts';

/* A status or a bookmark before and after a change, checked as strictly as undoing it needs. */

export const ways = ['alone', 'hint', 'editorial'] as const;

type Side = 'before' | 'after';

/** Whether a change of this kind is of the status; it is of the bookmark otherwise. */
function isOfStatus(kind: ChangesTable['kind']): boolean {
  return kind === 'status' || kind === 'how';
}

/** The state in the very bytes of the history, where undoing compares it with the row. Throws badRow. */
function stateText(kind: ChangesTable['kind'], side: Side, text: string | null, hasLimits: boolean): string {
  const state: unknown = JSON.parse(text ?? 'null');
  if (isOfStatus(kind)) {
    const fields = { status: isStateOrNull, at: isTimeOrNull, how: isWayOrNull };
    return JSON.stringify(
      picked(state, side === 'before' ? { ...fields, judge: isStateOrNull } : fields, side),
    );
  }
  if (state === null) return 'null';
  const fields = { note: hasLimits ? isShortNote : isNoteOrNull, created_at: isTime, updated_at: isTime };
  const isNoteAlone = Object.hasOwn(Object(state), 'starred');
  const ofNote = { note: (value: unknown) => value !== null && fields.note(value), starred: isFalse };
  return JSON.stringify(picked(state, isNoteAlone ? { ...fields, ...ofNote } : fields, side));
}

/** Exactly these fields, in this order. */
function picked(state: unknown, fields: Record<string, (value: unknown) => boolean>, side: Side) {
  const found = Object(state) as Record<string, unknown>;
  const names = Object.keys(fields);
  const isWhole = Object.keys(found).length === names.length;
  if (!isWhole || !names.every((name) => Object.hasOwn(found, name) && fields[name]?.(found[name])))
    throw refused('badRow.changeState', { side, names: names.join(', ') });
  return Object.fromEntries(names.map((name) => [name, found[name]]));
}

const isFalse = (value: unknown) => value === false;
const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);
const isStateOrNull = orNull((value) => states.some((state) => state === value));
const isWayOrNull = orNull((value) => ways.some((way) => way === value));
const isTime = (value: unknown) => typeof value === 'string' && readInstant(value) === value;
const isTimeOrNull = orNull(isTime);
const isShortNote = (value: unknown) => isNoteOrNull(value) && String(value).length <= longestNote;
const isNoteOrNull = orNull(
  (value) =>
    typeof value === 'string' && value.length <= longestText && value.isWellFormed() && !value.includes('\0'),
);

/* Importing changes. */

/** Without `undone_at`, a change that is here stays as it is. */
type Change = Omit<ChangesTable, 'id' | 'batch_id' | 'undone_at'> & {
  undone_at: ChangesTable['undone_at'] | undefined;
};
type GivenChange = GivenMember &
  GivenProblem &
  Partial<Pick<ChangesTable, 'kind' | 'made_at' | 'undone_at'>> & {
    batch?: bigint;
    before?: string | null;
    after?: string | null;
  };

/** Changes that were made together; their rows follow each other in the file. */
interface Batch {
  name: string;
  /** Its id here, once it has a row here. */
  id: bigint | undefined;
  isOfStatus: boolean;
}

export function changeSink(applying: Applying): Sink<GivenChange> {
  const { tx, each, count } = applying;
  // A batch may go on in the next rows that are taken.
  let batch: Batch | undefined;

  /**
   * Throws badRow where a batch could not be undone as one. It may change a problem twice: as two twins, which may be one problem
   * since, or be so here; undoing takes the later change.
   */
  function join(change: Change, number: bigint): Batch {
    const name = `${change.user_id} ${number}`;
    const of = isOfStatus(change.kind);
    if (batch?.name !== name) batch = { name, id: undefined, isOfStatus: of };
    if (batch.isOfStatus !== of) throw refused('badRow.changeBatch');
    return batch;
  }

  async function store(rows: readonly Located<{ change: Change; batch: Batch }>[]): Promise<void> {
    const known = new Map<string, ChangesTable>();
    for (const [userId, some] of Map.groupBy(rows, ({ value }) => value.change.user_id)) {
      const problemIds = [...new Set(some.map(({ value }) => value.change.problem_id))];
      for (const row of await findChangesOf(tx, userId, problemIds)) known.set(nameOf(row), row);
    }
    for (const { value } of rows) value.batch.id ??= known.get(nameOf(value.change))?.batch_id;
    const fresh = rows.filter(({ value }) => !known.has(nameOf(value.change)));
    const ids = await giveIds(tx, 'changes', fresh.length);
    const added: ChangesTable[] = [];
    for (const { value } of rows) {
      const { change, batch } = value;
      const found = known.get(nameOf(change));
      const line = () => `${change.kind} of problem ${change.problem_id} at ${change.made_at}`;
      if (!found) {
        const id = ids.shift() as bigint;
        batch.id ??= id;
        const row = { ...change, undone_at: change.undone_at ?? null, id, batch_id: batch.id };
        added.push(row);
        known.set(nameOf(change), row);
        count('new', line);
      } else if (change.undone_at === undefined || found.undone_at === change.undone_at) count('kept', line);
      else {
        // A row of this very file is inserted as it is in the end.
        found.undone_at = change.undone_at;
        await setUndone(tx, found.id, change.undone_at);
        count('changed', line);
      }
    }
    await insertWholeChanges(tx, added);
  }

  return {
    take: async (entries) => {
      const memberOf = await memberReferences(applying, entries);
      const problemOf = await problemReferences(tx, entries);
      const rows = await each(entries, async (given) => {
        const { kind, batch: number, made_at, undone_at, before = null, after = null } = given;
        if (kind === undefined || number === undefined || made_at === undefined)
          throw refused('badRow.needed', { names: 'batch, kind', last: 'made_at' });
        const change: Change = {
          user_id: memberOf(given),
          problem_id: problemOf(given),
          kind,
          before: stateText(kind, 'before', before, applying.hasLimits),
          after: stateText(kind, 'after', after, applying.hasLimits),
          made_at,
          undone_at,
        };
        return { change, batch: join(change, number) };
      });
      await store(rows);
    },
  };
}

function nameOf({ user_id, problem_id, kind, before, after, made_at }: Change): string {
  return [user_id, problem_id, kind, made_at, before, after].join('\0');
}

/** Numbers the batches of each member from 1, because their ids are others in another garden. */
export function batchCounter(): (row: Row) => Row {
  let last = { member: '', id: undefined as Row[string] | undefined, batch: 0n };
  return (row) => {
    const { username, batch_id: id = null } = row;
    const member = String(username);
    if (last.member !== member) last = { member, id, batch: 1n };
    else if (last.id !== id) last = { member, id, batch: last.batch + 1n };
    return { ...row, batch: last.batch };
  };
}
