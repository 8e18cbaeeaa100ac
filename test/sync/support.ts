/** A garden beside a replayed judge, and how tests ask it: as the server does, but without its pauses. */
import type { TestContext } from 'node:test';
import { type JudgeClientOptions, siteClient } from '../../src/jobs/judge-client.ts';
import { type SyncOptions, syncHandle } from '../../src/jobs/sync-runs.ts';
import type { JudgeClient } from '../../src/judges/judge.ts';
import { type JudgeSite, judges, sitesOf } from '../../src/judges/judges.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { getMemberByName } from '../../src/practice/members.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import type { HandlesTable } from '../../src/store/handles.ts';
import { saveRoundPerson } from '../../src/store/rounds.ts';
import type { Store } from '../../src/store/store.ts';
import { type Garden, openGarden, type Sent, submissionsOf } from '../importing/support.ts';
import { type Replay, type ReplayedJudge, startReplay } from '../replay/replay.ts';
import { handleAt } from '../replay/solved-lists.ts';

export async function replayOf(t: TestContext, replayed: Record<string, ReplayedJudge>): Promise<Replay> {
  const replay = await startReplay(replayed);
  t.after(() => replay.close());
  return replay;
}

/** A judge or a branch, as JUDGE_URLS names it. */
export type SiteName = keyof typeof judges | 'leetcode-cn';

export const siteNamed = (name: SiteName): JudgeSite =>
  Object.keys(judges)
    .flatMap(sitesOf)
    .find((site) => site.name === name) as JudgeSite;

/** Asks the replayed judge without pauses, and once where it fails. */
export function askReplay(store: Store, name: SiteName, replay: Replay, options: JudgeClientOptions = {}): JudgeClient {
  const pace = { intervalMs: 0, retries: 0, retryMs: 5, answerMs: 20_000, ...options.pace };
  const place = { url: `${replay.url}/${name}`, mayBePrivate: true };
  return siteClient(store, siteNamed(name), new Map([[name, place]]), { ...options, pace });
}

/** A garden, the one at the address or a new one, with the member ada, who has this handle. */
export async function gardenWithHandle(
  t: TestContext,
  site: SiteName,
  name: string,
  databaseUrl?: string,
): Promise<{ garden: Garden; handle: HandlesTable }> {
  const garden = await openGarden(t, databaseUrl);
  await garden.import('records', [{ username: 'ada' }]);
  return { garden, handle: await link(garden, siteNamed(site).source, name) };
}

export async function link({ store }: Garden, source: string, name: string): Promise<HandlesTable> {
  return store.write(async (tx) => {
    const { id } = await getMemberByName(tx, 'ada');
    return addHandle(tx, id, source, name);
  });
}

/** A round over all problems here of a new member with a handle for each name; answers its id. */
export async function roundOf({ store, ...garden }: Garden, names: readonly string[], source: string): Promise<bigint> {
  await garden.import(
    'records',
    names.map((username) => ({ username })),
  );
  const members = await store.reader.selectFrom('members').select(['id', 'username']).execute();
  const now = new Date().toISOString();
  return store.write(async (tx) => {
    const [first] = members;
    const group = await makeGroup(tx, first?.id ?? 0n, { name: 'Club', zone: 'UTC' });
    const plan = { name: 'Round', rule: 'icpc', startsAt: now, minutes: 60, freezeMinutes: 0, points: [] } as const;
    const problems = (await tx.selectFrom('problems').select('id').execute()).map(({ id }) => id);
    const limits = { perDay: 0, total: 0 };
    const id = await makeRound(tx, first?.id ?? 0n, plan, { groupId: group, problems, limits });
    for (const { id: user_id, username } of members.filter((one) => names.includes(one.username))) {
      await addHandle(tx, user_id, source, username);
      await insertGroupMember(tx, { group_id: group, user_id, role: 'member', on_board: 0n, joined_at: now });
      await saveRoundPerson(tx, { round_id: id, user_id, joined_at: now });
    }
    return id;
  });
}

/**
 * A garden whose member ada has a handle at a replayed judge. `sync` runs once, and answers the ids of the submissions that are kept and
 * the paths that were asked for.
 */
export async function syncing(t: TestContext, site: SiteName, judge: ReplayedJudge, name = handleAt(site)) {
  const replay = await replayOf(t, { [site]: judge });
  const { garden, handle } = await gardenWithHandle(t, site, name);
  const ask = askReplay(garden.store, site, replay);
  const sync = async (options?: SyncOptions) => {
    replay.log.length = 0;
    const { report, notes } = await syncHandle(garden.store, handle, ask, options);
    const asked = replay.log.map(({ path }) => path);
    return { report, notes: notes.map(({ message }) => message), asked, ids: await keptIds(garden) };
  };
  return { garden, handle, replay, ask, sync };
}

/** The rows of user.status with what this handle sent. */
export const rowsSent = (handle: string, ...sent: Sent[]) =>
  (submissionsOf(handle, ...sent) as { result: { id: number; creationTimeSeconds: number; verdict?: string }[] })
    .result;

export async function keptIds({ store }: Garden): Promise<number[]> {
  const kept = await store.reader.selectFrom('solves').select('submission_id').execute();
  return kept.map((one) => Number(one.submission_id)).toSorted((a, b) => a - b);
}

/** All that submissions leave: the kept ones, and the statuses with both words. */
export async function keptIn({ store: { reader } }: Garden) {
  const solves = await reader.selectFrom('solves').selectAll().orderBy('submission_id').execute();
  const statuses = await reader.selectFrom('statuses').selectAll().orderBy('problem_id').execute();
  return { solves, statuses };
}
