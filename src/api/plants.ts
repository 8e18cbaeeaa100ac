/** deletePlant: a member deletes their own plants, staff any. */
import type { Actor, Verdict } from '../auth/guard.ts';
import type { Store } from '../store/open.ts';
import { deletePlantIf, deletePlant as deleteRow } from '../store/plants.ts';
import type { Handler } from './handlers.ts';

export const deletePlant: Handler<'deletePlant'> = ({ store, actor, id }) =>
  store.writeBeside((tx) => deleteRow(tx, id, ownerFor(actor)));

/**
 * Does the same in one statement, if the credentials still have the revision at which the actor was known; false also
 * where they have not. Undefined where it takes more than a statement. `isAlone`: nothing else is deleted with it.
 */
export function deletePlantAtOnce(
  store: Store,
  { actor, revision }: Verdict,
  id: bigint,
  isAlone: boolean,
): boolean | Promise<boolean> | undefined {
  const statement = deletePlantIf(revision, id, ownerFor(actor));
  if (!statement) return undefined;
  const isDeleted = isAlone ? store.writeNow?.(statement) : undefined;
  return isDeleted ?? store.writeBeside(async (tx) => statement(tx));
}

/** Whose plants the actor may delete; undefined: everyone's. */
const ownerFor = ({ isStaff, memberId }: Actor) => (isStaff ? undefined : memberId);
