/** deletePlant: a member deletes their own plants, staff any. */
import { deletePlant as deleteRow } from '../store/plants.ts';
import type { Handler } from './handlers.ts';

export const deletePlant: Handler<'deletePlant'> = ({ store, actor, id }) =>
  store.writeBeside((tx) => deleteRow(tx, id, actor.isStaff ? undefined : actor.memberId));
