/** Importing plants: by id, or by member and name where no id is given. */
import { badRow } from '../files/entries.ts';
import {
  findPlantsByIds,
  findPlantsByMember,
  insertPlants,
  type PlantRow,
  updatePlant,
} from '../store/plants.ts';
import type { PlantsTable } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import { memberReferences, type Reference, referredId } from './references.ts';
import { idName, idsOf, newIds, type UpsertBatch, upsertBatch } from './upserts.ts';

/** The fields that a row gives. */
type GivenPlant = Partial<PlantRow>;

export function plantSink(applying: Applying): Sink<GivenPlant> {
  const { tx, now, trustsIds } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(tx, entries);
      const batch = upsertBatch<PlantsTable>(applying, {
        namesOf: ({ id, user_id, name }) => [idName(id), plantName(user_id, name)],
        insert: insertPlants,
        update: updatePlant,
        changed: () => {},
      });
      const unnumbered = entries.filter(({ value }) => value.id === undefined);
      const members = unnumbered.map(({ value }) => memberOf(value).id);
      // They come first and in the order of their ids, so of two plants of one name the older is meant.
      for (const userId of new Set(members))
        if (userId !== undefined) batch.hold(await findPlantsByMember(tx, userId));
      batch.hold(await findPlantsByIds(tx, idsOf(entries)));
      await applying.each(entries, (given) => take(given, memberOf(given), batch));
      await batch.finish();
    },
  };

  async function take(given: GivenPlant, member: Reference, batch: UpsertBatch<PlantsTable>): Promise<void> {
    const { user, username, ...fields } = given;
    const { id, name } = fields;
    const found =
      id !== undefined ? batch.find(idName(id)) : batch.find(plantName(referredId(member), name ?? ''));
    const current = found?.row;
    const isNamed = user !== undefined || username !== undefined;
    const userId = current && !isNamed ? current.user_id : referredId(member);
    const empty = { id: id ?? 0n, name: '', tag: null, target: 0n, planted_at: now };
    const row = { ...(current ?? empty), ...fields, user_id: userId };
    if (current && !trustsIds && (current.user_id !== userId || current.name !== row.name))
      throw badRow(
        `plant ${row.id} is another one here, ${JSON.stringify(current.name)} of member ${current.user_id}; leave the id out, or say --ids-of-this-garden to change its name or member.`,
      );
    if (row.name.trim() === '') throw badRow('name is missing; a plant needs one.');
    if (row.target < 1n)
      throw badRow('target is missing or less than 1; say how many problems make it grown.');
    if (!found && id === undefined) row.id = await newIds(tx, 'plants', () => 1)();
    await batch.put(found, row, () => `plant ${row.id} ${row.name}`);
  }
}

function plantName(userId: bigint, name: string): string {
  return `${userId} ${name}`;
}
