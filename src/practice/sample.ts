/** The bundled sample: real problems worth practising and a demo member's practice. Marked, so that one command removes it. */
import { readFile } from 'node:fs/promises';
import { sampleBookmarks, sampleMember, samplePlants, sampleStatuses } from '../sample/practice.ts';
import { insertBookmarks } from '../store/bookmarks.ts';
import { giveIds } from '../store/ids.ts';
import { deleteMember, findMemberByName, listMembers, type MemberRow } from '../store/members.ts';
import type { Store } from '../store/open.ts';
import {
  deleteProblem,
  findProblemsByKeys,
  insertProblems,
  listUnusedSampleProblems,
  type ProblemRow,
} from '../store/problems.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import { insertStatuses } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { addPlant } from './plants.ts';
import { createMember } from './records.ts';

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
    const problems = await loadProblems(tx, told, new Date(now).toISOString());
    const nothing = { problems, statuses: 0, bookmarks: 0, plants: 0, member: sampleMember.username };
    if (await findMemberByName(tx, sampleMember.username)) {
      if (problems > 0) await bumpRevisions(tx, ['problems']);
      return nothing;
    }
    const member = await createMember(tx, { ...sampleMember, isSample: true });
    await loadPractice(tx, member, now);
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
    await bumpRevisions(tx, members.length > 0 ? members.flatMap((member) => scopesOf(member.id)) : ['problems']);
    return { members: members.length, problems: unused.length };
  });
}

function scopesOf(memberId: bigint): RevisionScope[] {
  return ['problems', 'records', 'statuses', 'bookmarks', `statuses:${memberId}`, `bookmarks:${memberId}`];
}

type SampleProblem = Pick<ProblemRow, 'title' | 'source' | 'source_key' | 'url' | 'editorial_url' | 'video_url'> & {
  rating: number | null;
  tags: string[];
  aliases: string[];
};

async function readSampleProblems(): Promise<SampleProblem[]> {
  const text = await readFile(new URL('../sample/problems.ndjson', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SampleProblem);
}

async function loadProblems(tx: Db, told: readonly SampleProblem[], now: string): Promise<number> {
  const known = new Set<string>();
  for (const [source, some] of Map.groupBy(told, (problem) => problem.source)) {
    const keys = some.flatMap((problem) => [problem.source_key, ...problem.aliases]);
    for (const row of await findProblemsByKeys(tx, source, keys)) known.add(`${source} ${row.key}`);
  }
  const isKnown = ({ source, source_key, aliases }: SampleProblem) =>
    [source_key, ...aliases].some((key) => known.has(`${source} ${key}`));
  const fresh = told.filter((problem) => !isKnown(problem));
  const ids = await giveIds(tx, 'problems', fresh.length);
  const rows = fresh.map((problem, place): ProblemRow => ({
    id: ids[place] ?? 0n,
    ...problem,
    rating: problem.rating === null ? null : BigInt(problem.rating),
    tags: JSON.stringify(problem.tags),
    aliases: JSON.stringify(problem.aliases),
    created_at: now,
    updated_at: now,
  }));
  await insertProblems(tx, rows, true);
  return rows.length;
}

async function loadPractice(tx: Db, member: MemberRow, now: number): Promise<void> {
  const at = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString();
  const ids = new Map<string, bigint>();
  const named = [...sampleStatuses, ...sampleBookmarks];
  for (const [source, some] of Map.groupBy(named, (row) => row.source)) {
    const found = await findProblemsByKeys(
      tx,
      source,
      some.map((row) => row.key),
    );
    for (const row of found) ids.set(`${source} ${row.key}`, row.id);
  }
  const idOf = ({ source, key }: { source: string; key: string }) => ids.get(`${source} ${key}`) ?? 0n;
  await insertStatuses(
    tx,
    sampleStatuses.map((row) => ({
      user_id: member.id,
      problem_id: idOf(row),
      self_status: row.origin === 'self' ? row.status : null,
      self_at: row.origin === 'self' ? at(row.daysAgo) : null,
      judge_status: row.origin === 'judge' ? row.status : null,
      judge_at: row.origin === 'judge' ? at(row.daysAgo) : null,
    })),
  );
  await insertBookmarks(
    tx,
    sampleBookmarks.map((row) => ({
      user_id: member.id,
      problem_id: idOf(row),
      note: row.note,
      created_at: at(row.daysAgo),
      updated_at: at(row.daysAgo),
    })),
  );
  for (const { name, tag, target, daysAgo } of samplePlants) {
    await addPlant(tx, { userId: member.id, name, tag, target: BigInt(target), plantedAt: at(daysAgo) });
  }
}
