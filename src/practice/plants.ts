/** Plants: how a goal is planted. */
import { giveIds } from '../store/ids.ts';
import { insertPlants } from '../store/plants.ts';
import type { Db, PlantsTable } from '../store/tables.ts';

export interface NewPlant {
  userId: bigint;
  name: string;
  tag: string | null;
  target: bigint;
  plantedAt: string;
}

export async function addPlant(
  tx: Db,
  { userId, name, tag, target, plantedAt }: NewPlant,
): Promise<PlantsTable> {
  const [id = 0n] = await giveIds(tx, 'plants', 1);
  const row = { id, user_id: userId, name, tag, target, planted_at: plantedAt };
  await insertPlants(tx, [row]);
  return row;
}
