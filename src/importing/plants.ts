/** Importing plants: by id, or by member and name where no id is given. */
import { longestText } from '../contract/common.ts';
import { readInstant } from '../contract/parameters.ts';
import { localizedError, message } from '../errors.ts';
import { asRow, badRow, type Located } from '../files/entries.ts';
import { listOf, objectOf } from '../judges/fields.ts';
import { dayOf } from '../practice/days.ts';
import { assertGoal, assertPlantLimit, faultOfGoal, nameFault } from '../practice/goals.ts';
import { tidyLine } from '../practice/lists.ts';
import { editsText } from '../practice/planting.ts';
import { speciesOf } from '../practice/species.ts';
import { giveIds } from '../store/ids.ts';
import { findListsMadeAt, findVisibleList } from '../store/lists.ts';
import { findMemberByName } from '../store/members.ts';
import {
  countPlants,
  findPlantsByIds,
  findPlantsByMember,
  insertPlants,
  type PlantsTable,
  plainGoal,
  updatePlant,
} from '../store/plants.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext, Sink } from './import.ts';
import { type MemberReference, memberReferences } from './references.ts';
import { findForEach, upsertSink } from './rows.ts';

type OwnFields = Partial<Omit<PlantsTable, 'user_id' | 'list_id' | 'list_name'>>;
type InputPlant = OwnFields & MemberReference & ListReference;

/** The list of a plant, by its owner and the moment when it was made, and what it was called. */
interface ListReference {
  list?: string | null;
  list_owner?: string | null | undefined;
  list_made_at?: string | null | undefined;
}

/** In an archive each row is a plant of its own: the second row with a name is the second plant of that name. */
export function plantSink(context: ImportContext, isEachItsOwn = false): Sink<never> {
  const { tx, owner } = context;
  const plants = new Map<bigint, number>();
  /** Counts a new plant of a member among those that they have. Throws badSetting. */
  async function takeRoom(userId: bigint): Promise<void> {
    const before = plants.get(userId) ?? Number(await countPlants(tx, userId));
    assertPlantLimit(before);
    plants.set(userId, before + 1);
  }
  /** How many rows of the file, so far, have a name and no id. */
  const rowCounts = new Map<string, number>();
  /** The id of the plant that a row means by its name; a new one in the order of the file. */
  const idOf = async (userId: bigint, name: string, stored: readonly PlantsTable[]) => {
    const before = rowCounts.get(plantName(userId, name)) ?? 0;
    rowCounts.set(plantName(userId, name), before + 1);
    const alike = stored.filter((plant) => plant.name === name);
    return alike[before]?.id ?? ((await giveIds(tx, 'plants', 1))[0] as bigint);
  };
  return upsertSink<PlantsTable, Partial<PlantsTable>>(context, {
    numbered: 'plants',
    namesOf: ({ id, user_id, name }) => [id, plantName(user_id, name)],
    insert: insertPlants,
    update: updatePlant,
    resolveReferences: async (entries: readonly Located<InputPlant>[]) => {
      const memberOf = await memberReferences(context, entries);
      const isOwnId = await ownIds(entries);
      const stored = new Map<bigint, PlantsTable[]>();
      return async (row: InputPlant) => {
        const { user, username } = row;
        const isNamed = user !== undefined || username !== undefined;
        const memberId = isNamed || owner !== undefined ? memberOf({ user, username }) : undefined;
        const input = await ownFieldsOf(context, row, memberId);
        if (owner !== undefined && !isOwnId(input.id)) delete input.id;
        // A plant keeps its member if a row with its id names none.
        if (memberId === undefined && input.id !== undefined) return input;
        const user_id = memberId ?? memberOf({ user, username });
        if (input.id !== undefined || !isEachItsOwn) return { ...input, user_id };
        const own = stored.get(user_id) ?? (await findPlantsByMember(tx, user_id));
        stored.set(user_id, own);
        return { ...input, id: await idOf(user_id, input.name ?? '', own), user_id };
      };
    },
    find: async (rows) => {
      const unnumbered = rows.flatMap(({ id, user_id }) => (id === undefined && user_id) || []);
      // A name means the oldest plant that has it, which comes first.
      return [
        ...(await findForEach(new Set(unnumbered), (userId) => findPlantsByMember(tx, userId))),
        ...(await findPlantsByIds(
          tx,
          rows.flatMap(({ id }) => id ?? []),
        )),
      ];
    },
    nameOf: ({ user_id = 0n, name = '' }) => plantName(user_id, name),
    rowOf: (input, current) => plantOf(context, input, current, takeRoom),
    lineOf: ({ id, name }) => `plant ${id} ${name}`,
  });

  /** Whether an id is one of a plant of the owner. Any other counts as not given, so that it says nothing of others' plants. */
  async function ownIds(entries: readonly Located<InputPlant>[]): Promise<(id?: bigint) => boolean> {
    const ids = owner === undefined ? [] : entries.flatMap(({ value: { id } }) => id ?? []);
    const found = await findPlantsByIds(tx, ids);
    const ownPlantIds = new Set(found.filter(({ user_id }) => user_id === owner).map(({ id }) => id));
    return (id) => id !== undefined && ownPlantIds.has(id);
  }
}

/** The plant that a row makes of the one that is here, if any. `takeRoom` refuses one too many. Throws badRow. */
async function plantOf(
  { now, trustsIds, hasLimits }: ImportContext,
  input: Partial<PlantsTable>,
  current: PlantsTable | undefined,
  takeRoom: (userId: bigint) => Promise<void>,
): Promise<PlantsTable> {
  const { user_id } = input;
  if (user_id === undefined && !current) throw localizedError('badRow.plantUser');
  // If the list is not found, a plant that already has a list of this name keeps it.
  const hasOther = input.list_name !== undefined && input.list_name !== current?.list_name;
  const lostList = hasOther && input.list_id === undefined ? { list_id: null } : {};
  const row = { ...(current ?? { ...emptyPlant, planted_at: now }), ...input, ...lostList };
  if (row.list_name !== null) Object.assign(row, { tag: null, ...wholeGround });
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
  await asRow(
    (async () => {
      if (hasLimits && !isSameGoal) assertGoal(row);
      if (hasLimits && !current) await takeRoom(row.user_id);
    })(),
  );
  return { ...row, species: row.species ?? speciesOf(row.tag) };
}

/** The columns that a row gives, with the list that it names if the plant's member sees that one. Throws badRow. */
async function ownFieldsOf(
  { tx, hasLimits }: ImportContext,
  { user: _, username: __, list, list_owner, list_made_at, ...fields }: InputPlant,
  memberId: bigint | undefined,
): Promise<OwnFields & Partial<Pick<PlantsTable, 'list_id' | 'list_name'>>> {
  const { edits } = fields;
  const own = { ...fields, ...(edits !== undefined && { edits: checkedEdits(edits, hasLimits) }) };
  if (list === undefined) return own;
  const list_name = tidyLine(list ?? '');
  if (list_name === '') return { ...own, list_id: null, list_name: null };
  const list_id = await listIdOf(tx, memberId, { list: list_name, list_owner, list_made_at });
  return { ...own, list_name, ...(list_id !== undefined && { list_id }) };
}

/** The list that a row means; undefined where there is none that the plant's member may see. */
async function listIdOf(
  tx: Db,
  memberId: bigint | undefined,
  { list, list_owner, list_made_at }: ListReference,
): Promise<bigint | undefined> {
  if (!list_owner || !list_made_at || memberId === undefined) return undefined;
  const owner = await findMemberByName(tx, list_owner);
  const made = owner ? await findListsMadeAt(tx, owner.id, list_made_at) : [];
  const found = made.find(({ name }) => name === list) ?? made[0];
  return found && (await findVisibleList(tx, found.id, memberId))?.id;
}

/** A plant of a list counts all of it. */
const wholeGround = { source: null, rating_min: null, rating_max: null };

/** The former names, targets and dates in the very bytes of the store. Throws badRow. */
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
      (hasLimits ? nameFault(name) === undefined : name.length <= longestText && !name.includes('\0')) &&
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
  ...plainGoal,
};

function plantName(userId: bigint, name: string): string {
  return `${userId} ${name}`;
}
