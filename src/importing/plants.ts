/** Imports plants. A row is matched by its id, or by member and name if it has no id. */
import { longestText } from '../contract/common.ts';
import { readInstant } from '../contract/parameters.ts';
import { localizedError, message } from '../errors.ts';
import { asBadRow, badRow, type Located } from '../files/entries.ts';
import { listOf, objectOf } from '../judges/fields.ts';
import { dayOf } from '../practice/days.ts';
import { assertGoal, assertPlantLimit, faultOfGoal, faultOfName } from '../practice/goals.ts';
import { tidyLine } from '../practice/lists.ts';
import { editsText } from '../practice/planting.ts';
import { speciesOf } from '../practice/species.ts';
import { reserveIds } from '../store/ids.ts';
import { findListsMadeAt, findVisibleList } from '../store/lists.ts';
import { findMemberByName } from '../store/members.ts';
import {
  countPlants,
  emptyGoal,
  findPlantsByIds,
  findPlantsByMember,
  insertPlants,
  type PlantsTable,
  updatePlant,
} from '../store/plants.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext, Sink } from './import.ts';
import { type MemberReference, memberReferences } from './references.ts';
import { findForEach, upsertSink } from './rows.ts';

type PlantColumns = Partial<Omit<PlantsTable, 'user_id' | 'list_id' | 'list_name'>>;
type InputPlant = PlantColumns & MemberReference & ListReference;

/** A list is identified by its owner and creation time; its name is for people. */
interface ListReference {
  list?: string | null;
  list_owner?: string | null | undefined;
  list_made_at?: string | null | undefined;
}

/** In an archive the second row with a name is the second plant of that name. */
export function plantSink(context: ImportContext, { allowsSameNames = false } = {}): Sink<never> {
  const { tx, owner } = context;
  const plantCounts = new Map<bigint, number>();
  async function checkPlantLimit(userId: bigint): Promise<void> {
    const count = plantCounts.get(userId) ?? Number(await countPlants(tx, userId));
    assertPlantLimit(count);
    plantCounts.set(userId, count + 1);
  }
  const rowCounts = new Map<string, number>();
  const idOf = async (userId: bigint, name: string, stored: readonly PlantsTable[]) => {
    const index = rowCounts.get(plantKey(userId, name)) ?? 0;
    rowCounts.set(plantKey(userId, name), index + 1);
    const sameName = stored.filter((plant) => plant.name === name);
    return sameName[index]?.id ?? ((await reserveIds(tx, 'plants', 1))[0] as bigint);
  };
  return upsertSink<PlantsTable, Partial<PlantsTable>>(context, {
    idTable: 'plants',
    keysOf: ({ id, user_id, name }) => [id, plantKey(user_id, name)],
    insert: insertPlants,
    update: updatePlant,
    resolveReferences: async (entries: readonly Located<InputPlant>[]) => {
      const memberOf = await memberReferences(context, entries);
      const isOwnId = await findOwnIds(entries);
      const stored = new Map<bigint, PlantsTable[]>();
      return async (row: InputPlant) => {
        const { user, username } = row;
        const isNamed = user !== undefined || username !== undefined;
        const memberId = isNamed || owner !== undefined ? memberOf({ user, username }) : undefined;
        const input = await plantColumnsOf(context, row, memberId);
        if (owner !== undefined && !isOwnId(input.id)) delete input.id;
        if (memberId === undefined && input.id !== undefined) return input;
        const user_id = memberId ?? memberOf({ user, username });
        if (input.id !== undefined || !allowsSameNames) return { ...input, user_id };
        const own = stored.get(user_id) ?? (await findPlantsByMember(tx, user_id));
        stored.set(user_id, own);
        return { ...input, id: await idOf(user_id, input.name ?? '', own), user_id };
      };
    },
    find: async (rows) => {
      const memberIds = rows.flatMap(({ id, user_id }) => (id === undefined && user_id) || []);
      // The oldest plant of a name comes first, so that a row without an id changes it.
      return [
        ...(await findForEach(new Set(memberIds), (userId) => findPlantsByMember(tx, userId))),
        ...(await findPlantsByIds(
          tx,
          rows.flatMap(({ id }) => id ?? []),
        )),
      ];
    },
    naturalKeyOf: ({ user_id = 0n, name = '' }) => plantKey(user_id, name),
    rowOf: (input, current) => plantOf(context, input, current, checkPlantLimit),
    describe: ({ id, name }) => `plant ${id} ${name}`,
  });

  /** Ids of other members' plants count as missing, so that they reveal nothing. */
  async function findOwnIds(entries: readonly Located<InputPlant>[]): Promise<(id?: bigint) => boolean> {
    const ids = owner === undefined ? [] : entries.flatMap(({ value: { id } }) => id ?? []);
    const found = await findPlantsByIds(tx, ids);
    const ownPlantIds = new Set(found.filter(({ user_id }) => user_id === owner).map(({ id }) => id));
    return (id) => id !== undefined && ownPlantIds.has(id);
  }
}

/** Throws badRow. */
async function plantOf(
  { now, trustsIds, hasLimits }: ImportContext,
  input: Partial<PlantsTable>,
  current: PlantsTable | undefined,
  takeRoom: (userId: bigint) => Promise<void>,
): Promise<PlantsTable> {
  const { user_id } = input;
  if (user_id === undefined && !current) throw localizedError('badRow.plantUser');
  // A plant keeps a list of the same name if the row's list does not exist here.
  const isOtherList = input.list_name !== undefined && input.list_name !== current?.list_name;
  const clearedList = isOtherList && input.list_id === undefined ? { list_id: null } : {};
  const row = { ...(current ?? { ...emptyPlant, planted_at: now }), ...input, ...clearedList };
  if (row.list_name !== null) Object.assign(row, { tag: null, ...noFilters });
  if (current && !trustsIds && (current.user_id !== row.user_id || current.name !== row.name))
    throw localizedError('badRow.otherPlant', {
      id: row.id,
      name: JSON.stringify(current.name),
      user: current.user_id,
    });
  if (row.name.trim() === '') throw localizedError('badRow.plantName');
  if (row.target < 1n) throw localizedError('badRow.plantTarget');
  const fault = faultOfGoal(row);
  if (fault) throw badRow(fault);
  const isSameGoal = current?.name === row.name && current.tag === row.tag && current.target === row.target;
  await asBadRow(
    (async () => {
      if (hasLimits && !isSameGoal) assertGoal(row);
      if (hasLimits && !current) await takeRoom(row.user_id);
    })(),
  );
  return { ...row, species: row.species ?? speciesOf(row.tag) };
}

/** The list is resolved only if the plant's member may see it. Throws badRow. */
async function plantColumnsOf(
  { tx, hasLimits }: ImportContext,
  { user: _, username: __, list, list_owner, list_made_at, ...fields }: InputPlant,
  memberId: bigint | undefined,
): Promise<PlantColumns & Partial<Pick<PlantsTable, 'list_id' | 'list_name'>>> {
  const { edits } = fields;
  const own = { ...fields, ...(edits !== undefined && { edits: checkedEdits(edits, hasLimits) }) };
  if (list === undefined) return own;
  const list_name = tidyLine(list ?? '');
  if (list_name === '') return { ...own, list_id: null, list_name: null };
  const list_id = await listIdOf(tx, memberId, { list: list_name, list_owner, list_made_at });
  return { ...own, list_name, ...(list_id !== undefined && { list_id }) };
}

async function listIdOf(
  tx: Db,
  memberId: bigint | undefined,
  { list, list_owner, list_made_at }: ListReference,
): Promise<bigint | undefined> {
  if (!list_owner || !list_made_at || memberId === undefined) return undefined;
  const owner = await findMemberByName(tx, list_owner);
  const lists = owner ? await findListsMadeAt(tx, owner.id, list_made_at) : [];
  const found = lists.find(({ name }) => name === list) ?? lists[0];
  return found && (await findVisibleList(tx, found.id, memberId))?.id;
}

const noFilters = { source: null, rating_min: null, rating_max: null };

/** Returns edits as the store writes them. Throws badRow. */
function checkedEdits(text: string | null, hasLimits: boolean): string | null {
  if (text === null) return null;
  const { before } = objectOf(JSON.parse(text), 'edits');
  const edits = listOf(before ?? [], 'before').map((one) => {
    const { at, name, target, by_date = null } = objectOf(one, message('field.edit'));
    const isGoal =
      typeof at === 'string' &&
      readInstant(at) === at &&
      typeof name === 'string' &&
      name.isWellFormed() &&
      (hasLimits ? faultOfName(name) === undefined : name.length <= longestText && !name.includes('\0')) &&
      typeof target === 'string' &&
      /^[1-9][0-9]{0,18}$/.test(target) &&
      (by_date === null || (typeof by_date === 'string' && dayOf(by_date) !== undefined));
    if (!isGoal) throw localizedError('badRow.edits');
    return { at, name, target: BigInt(target), by_date };
  });
  return editsText(edits);
}

const emptyPlant: Omit<PlantsTable, 'planted_at'> = {
  id: 0n,
  user_id: 0n,
  name: '',
  tag: null,
  target: 0n,
  species: null,
  ...emptyGoal,
};

function plantKey(userId: bigint, name: string): string {
  return `${userId} ${name}`;
}
