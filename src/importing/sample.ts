/** The bundled sample: real problems, and a year of a demo member's practice. They are marked, so one command removes them. */
import { readFile } from 'node:fs/promises';
import { countAllAnew } from '../practice/activity.ts';
import { createMember } from '../practice/members.ts';
import { matchKept } from '../practice/solves.ts';
import { speciesOf } from '../practice/species.ts';
import { insertBookmarks } from '../store/bookmarks.ts';
import { giveIds } from '../store/ids.ts';
import { deleteMember, findMemberByName, listMembers } from '../store/members.ts';
import { insertPlants, withoutList } from '../store/plants.ts';
import {
  deleteProblem,
  findProblemsByKeys,
  insertProblems,
  listUnusedSampleProblems,
  type ProblemRow,
} from '../store/problems.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import { insertStatuses } from '../store/statuses.ts';
import type { Store } from '../store/store.ts';
import type { Db, State } from '../store/tables.ts';
import { emptyProblem, keyName, keysOf } from './problems.ts';
import { noWords } from './statuses.ts';

export const sampleUsername = 'demo';
const sampleMember = { username: sampleUsername, first_name: 'Demo', last_name: 'Gardener', is_sample: 1n };
const dayMs = 86_400_000;

type SampleProblem = Omit<ProblemRow, 'id' | 'created_at' | 'updated_at'>;

type DaysAgo = number | bigint;

/** Something that the demo member did to a problem. */
interface SampleDeed {
  source: string;
  source_key: string;
  days_ago: DaysAgo;
}

/** Puts the sample into the database; what is there already stays as it is. */
export async function loadSample(store: Store) {
  const problems = await readRows<SampleProblem>('problems');
  const statuses = await readRows<SampleDeed & { status: State; origin: 'self' | 'judge' }>('statuses');
  const bookmarks = await readRows<SampleDeed & { note: string | null }>('bookmarks');
  const plants = await readRows<{ name: string; tag: string; target: bigint; days_ago: DaysAgo }>('plants');
  const now = Date.now();
  const timeOf = ({ days_ago }: { days_ago: DaysAgo }) =>
    new Date(now - Number(days_ago) * dayMs).toISOString();
  return store.write(async (tx) => {
    const added = await addProblems(tx, problems, new Date(now).toISOString());
    if (added > 0) await matchKept(tx);
    const report = { problems: added, statuses: 0, bookmarks: 0, plants: 0, member: sampleUsername };
    if (await findMemberByName(tx, sampleUsername)) {
      if (added > 0) await bumpRevisions(tx, ['problems']);
      return report;
    }
    const { id: user_id } = await createMember(tx, sampleMember);
    const ids = await idsByKey(tx, problems);
    const statusRows = onceAProblem(statuses, ids).map(([problem_id, deed]) => {
      const word = { [`${deed.origin}_status`]: deed.status, [`${deed.origin}_at`]: timeOf(deed) };
      return { user_id, problem_id, ...noWords, ...word };
    });
    const bookmarkRows = onceAProblem(bookmarks, ids).map(([problem_id, deed]) => {
      return { user_id, problem_id, note: deed.note, created_at: timeOf(deed), updated_at: timeOf(deed) };
    });
    await insertStatuses(tx, statusRows);
    await countAllAnew(tx, user_id);
    await insertBookmarks(tx, bookmarkRows);
    const plantIds = await giveIds(tx, 'plants', plants.length);
    const plantRows = plants.map(({ days_ago, ...plant }, at) => {
      return {
        id: plantIds[at] ?? 0n,
        user_id,
        ...plant,
        planted_at: timeOf({ days_ago }),
        species: speciesOf(plant.tag),
        ...withoutList,
      };
    });
    await insertPlants(tx, plantRows);
    await bumpRevisions(tx, scopesOf(user_id));
    const theirs = { statuses: statusRows.length, bookmarks: bookmarkRows.length, plants: plants.length };
    return { ...report, ...theirs };
  });
}

/** Removes the sample member, and the sample problems on which no other member has a status or bookmark. */
export async function removeSample(tx: Db) {
  const members = (await listMembers(tx)).filter((member) => member.is_sample === 1n);
  for (const member of members) await deleteMember(tx, member.id);
  const unused = await listUnusedSampleProblems(tx);
  for (const problem of unused) await deleteProblem(tx, problem);
  await bumpRevisions(tx, ['problems', ...members.flatMap((member) => scopesOf(member.id))]);
  return { members: members.length, problems: unused.length };
}

function scopesOf(memberId: bigint): RevisionScope[] {
  const own = [`records:${memberId}`, `statuses:${memberId}`, `bookmarks:${memberId}`] as const;
  return ['problems', 'records', 'statuses', 'bookmarks', ...own];
}

async function readRows<R>(name: string): Promise<R[]> {
  const text = await readFile(new URL(`./sample/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, stored) as R);
}

/** A value as the store has it: integers are bigint, lists are JSON text. */
function stored(_name: string, value: unknown): unknown {
  if (Array.isArray(value)) return JSON.stringify(value);
  return Number.isInteger(value) ? BigInt(value as number) : value;
}

/** Adds the problems that are not here under any of their names, and returns their number. */
async function addProblems(tx: Db, problems: readonly SampleProblem[], now: string): Promise<number> {
  const known = await idsByKey(tx, problems);
  const fresh = problems.filter(({ source, source_key }) => !known.has(keyName(source, source_key)));
  const ids = await giveIds(tx, 'problems', fresh.length);
  const rows = fresh.map((row, at) => ({ ...emptyProblem(ids[at] ?? 0n, now), ...row }));
  await insertProblems(tx, rows, true);
  return rows.length;
}

/** The ids of those problems that are here under any of their names. */
async function idsByKey(tx: Db, problems: readonly SampleProblem[]): Promise<Map<string, bigint>> {
  const ids = new Map<string, bigint>();
  for (const [source, some] of Map.groupBy(problems, (problem) => problem.source)) {
    const found = await findProblemsByKeys(tx, source, some.flatMap(keysOf));
    const byKey = new Map(found.map(({ key, id }) => [key, id]));
    for (const problem of some) {
      const id = byKey.get(keysOf(problem).find((key) => byKey.has(key)) ?? '');
      if (id !== undefined) ids.set(keyName(source, problem.source_key), id);
    }
  }
  return ids;
}

/** Deeds by their problem: two problems of the sample may be twins here. */
function onceAProblem<R extends SampleDeed>(
  deeds: readonly R[],
  ids: ReadonlyMap<string, bigint>,
): [bigint, R][] {
  return [...new Map(deeds.map((deed) => [ids.get(keyName(deed.source, deed.source_key)) ?? 0n, deed]))];
}
