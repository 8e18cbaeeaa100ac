/** deletePlant: a member deletes their own plants, staff any. */
import type { Actor } from '../auth/tokens.ts';
import { deletePlant as deleteRow, plantExists } from '../store/plants.ts';
import type { Handler } from './handlers.ts';

export const deletePlant: Handler<'deletePlant'> = {
  expects: () => [],
  handle: ({ actor, id }) => ({
    id,
    run: (store, { actor: now, revisions: [credentials = 0n] }) =>
      deleteRow(store, id, ownerFor(now), credentials),
    exists: ({ reader }) => plantExists(reader, id, ownerFor(actor)),
  }),
};

const ownerFor = ({ isStaff, memberId }: Actor) => (isStaff ? undefined : memberId);
