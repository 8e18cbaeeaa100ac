/** The bundled sample: real problems worth practising and a demo member's practice. Marked, so that one command removes it. */
import { readFile } from 'node:fs/promises';
import { createMember } from '../practice/members.ts';
import { addPlant } from '../practice/plants.ts';
import { insertBookmarks } from '../store/bookmarks.ts';
import { giveIds } from '../store/ids.ts';
import { deleteMember, findMemberByName, listMembers, type MemberRow } from '../store/members.ts';
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
import type { Db } from '../store/tables.ts';
import { sampleBookmarks, sampleMember, samplePlants, sampleStatuses } from './sample/practice.ts';

const dayMs = 86_400_000;

export interface SampleReport {
  problems: number;
  statuses: number;
  bookmarks: number;
  plants: number;
  member: string;
}

/** Puts the sample into the database; what is there already stays as it is. Running it twice changes nothing more. */
export async function loadSample(store: Store): Promise<SampleReport> {
  const now = Date.now();
  const told = await readSampleProblems();
  return store.write(async (tx) => {
    const { added, idOf } = await loadProblems(tx, told, new Date(now).toISOString());
    const nothing = { problems: added, statuses: 0, bookmarks: 0, plants: 0, member: sampleMember.username };
    if (await findMemberByName(tx, sampleMember.username)) {
      if (added > 0) await bumpRevisions(tx, ['problems']);
      return nothing;
    }
    const member = await createMember(tx, { ...sampleMember, isSample: true });
    await loadPractice(tx, member, idOf, now);
    await bumpRevisions(tx, scopesOf(member.id));
    return {
      ...nothing,
      statuses: sampleStatuses.length,
      bookmarks: sampleBookmarks.length,
      plants: samplePlants.length,
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
    await bumpRevisions(
      tx,
      members.length > 0 ? members.flatMap((member) => scopesOf(member.id)) : ['problems'],
    );
    return { members: members.length, problems: unused.length };
  });
}

function scopesOf(memberId: bigint): RevisionScope[] {
  const own = [`records:${memberId}`, `statuses:${memberId}`, `bookmarks:${memberId}`] as const;
  return ['problems', 'records', 'statuses', 'bookmarks', ...own];
}

type SampleProblem = Pick<
  ProblemRow,
  'title' | 'source' | 'source_key' | 'url' | 'editorial_url' | 'video_url'
> & {
  rating: number | null;
  tags: string[];
  aliases: string[];
};

async function readSampleProblems(): Promise<SampleProblem[]> {
  const text = await readFile(new URL('./sample/problems.ndjson', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SampleProblem);
}

/** What the sample's keys name in this database. */
type IdOf = (named: { source: string; key: string }) => bigint | undefined;

/** Adds the problems that are not here under any of their names; answers how many, and where all of them are. */
async function loadProblems(
  tx: Db,
  told: readonly SampleProblem[],
  now: string,
): Promise<{ added: number; idOf: IdOf }> {
  const known = new Map<string, bigint>();
  for (const [source, some] of Map.groupBy(told, (problem) => problem.source)) {
    const rows = await findProblemsByKeys(tx, source, some.flatMap(namesOf));
    for (const row of rows) known.set(`${source} ${row.key}`, row.id);
  }
  const ids = new Map<string, bigint>();
  const fresh: ProblemRow[] = [];
  const newIds = await giveIds(tx, 'problems', told.filter((problem) => !ownerOf(problem)).length);
  for (const problem of told) {
    const owner = ownerOf(problem);
    const id = owner ?? newIds.shift() ?? 0n;
    ids.set(`${problem.source} ${problem.source_key}`, id);
    if (owner === undefined) fresh.push(rowOf(problem, id, now));
  }
  await insertProblems(tx, fresh, true);
  return { added: fresh.length, idOf: ({ source, key }) => ids.get(`${source} ${key}`) };

  function ownerOf(problem: SampleProblem): bigint | undefined {
    const name = namesOf(problem).find((key) => known.has(`${problem.source} ${key}`));
    return name === undefined ? undefined : known.get(`${problem.source} ${name}`);
  }
}

function namesOf({ source_key, aliases }: SampleProblem): string[] {
  return [source_key, ...aliases];
}

function rowOf(problem: SampleProblem, id: bigint, now: string): ProblemRow {
  return {
    id,
    ...problem,
    rating: problem.rating === null ? null : BigInt(problem.rating),
    tags: JSON.stringify(problem.tags),
    aliases: JSON.stringify(problem.aliases),
    created_at: now,
    updated_at: now,
  };
}

async function loadPractice(tx: Db, member: MemberRow, idOf: IdOf, now: number): Promise<void> {
  const at = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString();
  const statuses = onceAProblem(sampleStatuses, idOf).map(([problemId, { status, origin, daysAgo }]) => {
    const [self, judge] = origin === 'self' ? [status, null] : [null, status];
    return {
      user_id: member.id,
      problem_id: problemId,
      self_status: self,
      self_at: self && at(daysAgo),
      judge_status: judge,
      judge_at: judge && at(daysAgo),
    };
  });
  await insertStatuses(tx, statuses);
  const bookmarks = onceAProblem(sampleBookmarks, idOf).map(([problemId, { note, daysAgo }]) => {
    return {
      user_id: member.id,
      problem_id: problemId,
      note,
      created_at: at(daysAgo),
      updated_at: at(daysAgo),
    };
  });
  await insertBookmarks(tx, bookmarks);
  for (const { name, tag, target, daysAgo } of samplePlants) {
    await addPlant(tx, { userId: member.id, name, tag, target: BigInt(target), plantedAt: at(daysAgo) });
  }
}

/** Rows by their problem: two that the sample tells apart may be twins here. */
function onceAProblem<R extends { source: string; key: string }>(
  rows: readonly R[],
  idOf: IdOf,
): [bigint, R][] {
  const byProblem = new Map<bigint, R>();
  for (const row of rows) {
    const id = idOf(row);
    if (id !== undefined) byProblem.set(id, row);
  }
  return [...byProblem];
}
