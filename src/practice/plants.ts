/** Planting, and importing plants: by id, or by member and name where no id is given. */
import type { Located } from '../judges/judge.ts';
import { giveIds, noteIds } from '../store/ids.ts';
import { findPlantsByIds, findPlantsByMember, insertPlants, updatePlant } from '../store/plants.ts';
import type { Db, PlantsTable } from '../store/tables.ts';
import type { Applying, Sink } from './importing.ts';
import type { GivenRow } from './own-rows.ts';
import { memberReferences } from './references.ts';

export interface NewPlant {
  userId: bigint;
  name: string;
  tag: string | null;
  target: bigint;
  plantedAt: string;
}

export async function addPlant(tx: Db, { userId, name, tag, target, plantedAt }: NewPlant): Promise<PlantsTable> {
  const [id = 0n] = await giveIds(tx, 'plants', 1);
  const row = { id, user_id: userId, name, tag, target, planted_at: plantedAt };
  await insertPlants(tx, [row]);
  return row;
}

export function plantSink(applying: Applying): Sink<GivenRow> {
  const { tx, now } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(tx, entries);
      const ids = entries.map(({ value }) => value.id).filter((id) => typeof id === 'bigint');
      const byId = new Map((await findPlantsByIds(tx, ids)).map((row) => [row.id, row]));
      const fresh = new Map<bigint, PlantsTable>();
      for (const entry of entries) {
        const member = memberOf(entry.value);
        const current = await currentOf(entry.value, member, byId, fresh);
        const next = nextOf(entry, member, current);
        if (!next) continue;
        const line = () => `plant ${next.id} ${next.name}`;
        if (current && (Object.keys(next) as (keyof PlantsTable)[]).every((key) => next[key] === current[key])) {
          applying.count('kept', line);
        } else if (current && !fresh.has(next.id)) {
          await updatePlant(tx, next);
          byId.set(next.id, next);
          applying.count('changed', line);
        } else {
          const row = current || typeof entry.value.id === 'bigint' ? next : { ...next, id: await newId() };
          fresh.set(row.id, row);
          applying.count(current ? 'changed' : 'new', line);
        }
      }
      await noteIds(tx, 'plants', [...fresh.keys()]);
      await insertPlants(tx, [...fresh.values()]);
    },
  };

  async function newId(): Promise<bigint> {
    const [id = 0n] = await giveIds(tx, 'plants', 1);
    return id;
  }

  async function currentOf(
    { id, name }: GivenRow,
    member: { id: bigint } | { missing: string },
    byId: ReadonlyMap<bigint, PlantsTable>,
    fresh: ReadonlyMap<bigint, PlantsTable>,
  ): Promise<PlantsTable | undefined> {
    if (typeof id === 'bigint') return fresh.get(id) ?? byId.get(id);
    if ('missing' in member || typeof name !== 'string') return undefined;
    const isIt = (row: PlantsTable) => row.user_id === member.id && row.name === name;
    return [...fresh.values()].find(isIt) ?? (await findPlantsByMember(tx, member.id)).find(isIt);
  }

  /** The plant as the row says it is, or undefined where the row is bad. */
  function nextOf(
    entry: Located<GivenRow>,
    member: { id: bigint } | { missing: string },
    current: PlantsTable | undefined,
  ): PlantsTable | undefined {
    const { id, name, tag, target, planted_at } = entry.value;
    const isNamed = entry.value.user !== undefined || entry.value.username !== undefined;
    const userId = 'id' in member ? member.id : isNamed ? undefined : current?.user_id;
    const row = {
      id: (id as bigint | undefined) ?? current?.id ?? 0n,
      user_id: userId ?? 0n,
      name: (name as string | undefined) ?? current?.name ?? '',
      tag: tag === undefined ? (current?.tag ?? null) : (tag as string | null),
      target: (target as bigint | undefined) ?? current?.target ?? 0n,
      planted_at: (planted_at as string | undefined) ?? current?.planted_at ?? now,
    };
    if (userId === undefined) applying.bad(entry, `${'missing' in member ? member.missing : ''}.`);
    else if (row.name.trim() === '') applying.bad(entry, 'name is missing; a plant needs one.');
    else if (row.target < 1n) applying.bad(entry, 'target is missing or less than 1; say how many problems make it grown.');
    else return row;
    return undefined;
  }
}
