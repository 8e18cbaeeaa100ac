/** deletePlant: a member deletes their own plants, staff any. */
import type { Actor } from '../auth/tokens.ts';
import { deletePlant as deleteRow, plantExists } from '../store/plants.ts';
import type { Handler } from './handlers.ts';

export const deletePlant: Handler<'deletePlant'> = {
  prefetchedScopes: () => [],
  handle: ({ actor, id }) => ({
    id,
    run: (store, { actor: latestActor, revisions: [credentials = 0n] }) =>
      deleteRow(store, id, ownerFor(latestActor), credentials),
    exists: ({ reader }) => plantExists(reader, id, ownerFor(actor)),
  }),
};

const ownerFor = ({ isStaff, memberId }: Actor) => (isStaff ? undefined : memberId);
