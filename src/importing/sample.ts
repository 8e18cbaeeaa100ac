/**
 * The bundled sample: real problems worth practising, and a demo member's practice in the 90 days before it is loaded. Its rows
 * are in the folder `sample`. They are marked, so that one command removes them.
 */
import { readFile } from 'node:fs/promises';
import { createMember } from '../practice/members.ts';
import { addPlant } from '../practice/plants.ts';
import { insertBookmarks } from '../store/bookmarks.ts';
import { giveIds } from '../store/ids.ts';
import { deleteMember, findMemberByName, listMembers } from '../store/members.ts';
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

/** Something that the demo member did, by its time before the sample is loaded. */
interface SampleDeed {
  source: string;
  source_key: string;
  days_ago: DaysAgo;
}

interface SampleReport {
  problems: number;
  statuses: number;
  bookmarks: number;
  plants: number;
  member: string;
}

/** Puts the sample into the database; what is there already stays as it is. A second load changes nothing more. */
export async function loadSample(store: Store): Promise<SampleReport> {
  const problems = await readRows<SampleProblem>('problems');
  const statuses = await readRows<SampleDeed & { status: State; origin: 'self' | 'judge' }>('statuses');
  const bookmarks = await readRows<SampleDeed & { note: string | null }>('bookmarks');
  const plants = await readRows<{ name: string; tag: string; target: bigint; days_ago: DaysAgo }>('plants');
  const now = Date.now();
  const timeOf = ({ days_ago }: { days_ago: DaysAgo }) =>
    new Date(now - Number(days_ago) * dayMs).toISOString();
  return store.write(async (tx) => {
    const { added, idOf } = await addProblems(tx, problems, new Date(now).toISOString());
    const report = { problems: added, statuses: 0, bookmarks: 0, plants: 0, member: sampleUsername };
    if (await findMemberByName(tx, sampleUsername)) {
      if (added > 0) await bumpRevisions(tx, ['problems']);
      return report;
    }
    const { id: user_id } = await createMember(tx, sampleMember);
    const statusRows = onceAProblem(statuses, idOf).map(([problem_id, deed]) => {
      const word = { [`${deed.origin}_status`]: deed.status, [`${deed.origin}_at`]: timeOf(deed) };
      return { user_id, problem_id, ...noWords, ...word };
    });
    const bookmarkRows = onceAProblem(bookmarks, idOf).map(([problem_id, deed]) => {
      return { user_id, problem_id, note: deed.note, created_at: timeOf(deed), updated_at: timeOf(deed) };
    });
    await insertStatuses(tx, statusRows);
    await insertBookmarks(tx, bookmarkRows);
    for (const plant of plants) {
      const { name, tag, target } = plant;
      await addPlant(tx, { user_id, name, tag, target, planted_at: timeOf(plant) });
    }
    await bumpRevisions(tx, scopesOf(user_id));
    return {
      ...report,
      statuses: statusRows.length,
      bookmarks: bookmarkRows.length,
      plants: plants.length,
    };
  });
}

/** Removes the sample member with all that is theirs, and the sample problems nobody else has a status or bookmark on. */
export async function removeSample(store: Store): Promise<{ members: number; problems: number }> {
  return store.write(async (tx) => {
    const members = (await listMembers(tx)).filter((member) => member.is_sample === 1n);
    for (const member of members) await deleteMember(tx, member.id);
    const unused = await listUnusedSampleProblems(tx);
    for (const problem of unused) await deleteProblem(tx, problem);
    await bumpRevisions(tx, ['problems', ...members.flatMap((member) => scopesOf(member.id))]);
    return { members: members.length, problems: unused.length };
  });
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

/** The id here of the problem that a row of the sample names. */
type IdOf = (named: { source: string; source_key: string }) => bigint | undefined;

/** Adds the problems that are not here under any of their names; answers how many, and where all of them are. */
async function addProblems(
  tx: Db,
  problems: readonly SampleProblem[],
  now: string,
): Promise<{ added: number; idOf: IdOf }> {
  const ids = new Map<string, bigint>();
  for (const [source, some] of Map.groupBy(problems, (problem) => problem.source))
    for (const row of await findProblemsByKeys(tx, source, some.flatMap(keysOf)))
      ids.set(keyName(source, row.key), row.id);
  const idOf: IdOf = ({ source, source_key }) => ids.get(keyName(source, source_key));
  const idOfAny = (problem: SampleProblem) =>
    keysOf(problem)
      .map((key) => ids.get(keyName(problem.source, key)))
      .find((id) => id !== undefined);
  const newIds = await giveIds(
    tx,
    'problems',
    problems.filter((problem) => idOfAny(problem) === undefined).length,
  );
  const rows: ProblemRow[] = [];
  for (const problem of problems) {
    const known = idOfAny(problem);
    const id = known ?? (newIds.shift() as bigint);
    if (known === undefined) rows.push({ ...emptyProblem(id, now), ...problem });
    ids.set(keyName(problem.source, problem.source_key), id);
  }
  await insertProblems(tx, rows, true);
  return { added: rows.length, idOf };
}

/** Rows by their problem: two problems of the sample may be twins here. */
function onceAProblem<R extends SampleDeed>(rows: readonly R[], idOf: IdOf): [bigint, R][] {
  const byProblem = new Map<bigint, R>();
  for (const row of rows) {
    const id = idOf(row);
    if (id !== undefined) byProblem.set(id, row);
  }
  return [...byProblem];
}
