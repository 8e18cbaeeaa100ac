/** deletePlant: a member deletes their own plants, staff any. */
import { deletePlant as deleteRow, plantExists } from '../store/plants.ts';
import type { Handler } from './handlers.ts';

export const deletePlant: Handler<'deletePlant'> = {
  expects: () => [],
  handle: ({ actor, id }) => {
    const owner = actor.isStaff ? undefined : actor.memberId;
    return {
      id,
      run: (store, credentials) => deleteRow(store, id, owner, credentials),
      exists: (store) => plantExists(store.reader, id, owner),
    };
  },
};
