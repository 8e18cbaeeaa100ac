/** Importing plants: by id, or by member and name where no id is given. */
import type { Located } from '../files/entries.ts';
import { giveIds } from '../store/ids.ts';
import { findPlantsByIds, findPlantsByMember, insertPlants, updatePlant } from '../store/plants.ts';
import type { PlantsTable } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import type { GivenRow } from './own-rows.ts';
import { memberReferences, type Reference } from './references.ts';

/** Plants of a batch: those stored and those new in it, by id and by member and name. */
interface Known {
  byId: Map<bigint, PlantsTable>;
  byName: Map<string, PlantsTable>;
}

export function plantSink(applying: Applying): Sink<GivenRow> {
  const { tx, now } = applying;
  return {
    take: async (entries) => {
      const memberOf = await memberReferences(tx, entries);
      const known = await lookUp(entries, memberOf);
      const fresh = new Map<bigint, PlantsTable>();
      for (const entry of entries) {
        const member = memberOf(entry.value);
        const current = currentOf(entry.value, member, known);
        const next = nextOf(entry, member, current);
        if (!next) continue;
        const isSame =
          current && (Object.keys(next) as (keyof PlantsTable)[]).every((key) => next[key] === current[key]);
        const row = current || typeof entry.value.id === 'bigint' ? next : { ...next, id: await newId() };
        applying.count(isSame ? 'kept' : current ? 'changed' : 'new', () => `plant ${row.id} ${row.name}`);
        if (isSame) continue;
        if (current && !fresh.has(row.id)) await updatePlant(tx, row);
        else fresh.set(row.id, row);
        remember(known, current, row);
      }
      await insertPlants(tx, [...fresh.values()]);
    },
  };

  async function newId(): Promise<bigint> {
    const [id = 0n] = await giveIds(tx, 'plants', 1);
    return id;
  }

  async function lookUp(
    entries: readonly Located<GivenRow>[],
    memberOf: (row: GivenRow) => Reference,
  ): Promise<Known> {
    const ids = entries.map(({ value }) => value.id).filter((id) => typeof id === 'bigint');
    const byId = new Map((await findPlantsByIds(tx, ids)).map((row) => [row.id, row]));
    const byName = new Map<string, PlantsTable>();
    const members = entries.filter(({ value }) => value.id === undefined).map(({ value }) => memberOf(value));
    for (const userId of new Set(members.map((member) => ('id' in member ? member.id : undefined)))) {
      if (userId === undefined) continue;
      // Of two plants of one name the older is meant.
      for (const row of (await findPlantsByMember(tx, userId)).toReversed())
        byName.set(nameOf(userId, row.name), row);
    }
    return { byId, byName };
  }

  function currentOf({ id, name }: GivenRow, member: Reference, known: Known): PlantsTable | undefined {
    if (typeof id === 'bigint') return known.byId.get(id);
    const isNamed = 'id' in member && typeof name === 'string';
    return isNamed ? known.byName.get(nameOf(member.id, name)) : undefined;
  }

  /** The plant as the row says it is, or undefined where the row is bad. */
  function nextOf(
    entry: Located<GivenRow>,
    member: Reference,
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
    else if (current && !applying.trustsIds && !isKnownAs(current, row))
      applying.bad(
        entry,
        `plant ${row.id} is another one here, ${JSON.stringify(current.name)} of member ${current.user_id}; leave the id out, or say --ids-of-this-garden to change its name or member.`,
      );
    else if (row.name.trim() === '') applying.bad(entry, 'name is missing; a plant needs one.');
    else if (row.target < 1n)
      applying.bad(entry, 'target is missing or less than 1; say how many problems make it grown.');
    else return row;
    return undefined;
  }
}

function isKnownAs(current: PlantsTable, row: PlantsTable): boolean {
  return current.user_id === row.user_id && current.name === row.name;
}

function remember({ byId, byName }: Known, before: PlantsTable | undefined, after: PlantsTable): void {
  byId.set(after.id, after);
  const oldName = before && nameOf(before.user_id, before.name);
  if (oldName !== undefined && byName.get(oldName)?.id === after.id) byName.delete(oldName);
  const newName = nameOf(after.user_id, after.name);
  if (!byName.has(newName)) byName.set(newName, after);
}

function nameOf(userId: bigint, name: string): string {
  return `${userId} ${name}`;
}
