/** Plants: how a goal is planted. */
import { giveIds } from '../store/ids.ts';
import { insertPlants } from '../store/plants.ts';
import type { Db, PlantsTable } from '../store/tables.ts';

export async function addPlant(tx: Db, values: Omit<PlantsTable, 'id'>): Promise<PlantsTable> {
  const [id = 0n] = await giveIds(tx, 'plants', 1);
  const row = { id, ...values };
  await insertPlants(tx, [row]);
  return row;
}
