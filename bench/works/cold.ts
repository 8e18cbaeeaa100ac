/**
 * Reads that no cache holds. Items: a catalogue that is far larger than what is kept of it, in random order. Statuses: every
 * member reads their own once and never again, so neither their token nor their answer was seen before; no cache is
 * switched off for it.
 */
import { seeded } from '../catalogue.ts';
import { type ColdData, comparedItems, prepareColdData } from '../cold-data.ts';
import { bearer } from '../data.ts';
import { loadRound, onceRound } from '../load.ts';
import { oneItem, problemsPath, statusCollection } from '../requests.ts';
import type { Result, Skipped } from '../results.ts';
import { type Contender, interleave, newRun, type Run, type RunOptions } from '../run.ts';
import { grouped } from '../statistics.ts';
import type { Target } from '../targets.ts';
import { assertPromises, assertSameBodies } from '../verify.ts';

const problems = 200_000;
const membersPerRound = 1000;
/** So many reads make hot what the engine compiles, before the first round that counts. */
const warmUpMembers = 4000;
const connections = 32;

type ColdSubject = 'cold-item' | 'cold-statuses';

export async function benchCold(options: RunOptions): Promise<Result[]> {
  // The first member is the one that answers are compared for.
  const members = 1 + warmUpMembers + options.rounds * membersPerRound;
  let data: Promise<ColdData> | undefined;
  const prepare = () => {
    data ??= prepareColdData(problems, members);
    return data;
  };
  const run = newRun(options, prepare);
  const itemsResult = await bench(run, 'cold-item', async (target) => itemsContender(run, target));
  const statusesResult = await bench(run, 'cold-statuses', async (target) =>
    statusesContender(run, target, await prepare()),
  );
  return [
    {
      ...itemsResult,
      title: 'Cold item read',
      what: `items of ${grouped(problems)} problems in random order, of which caches hold a few in a hundred; ${connections} connections`,
    },
    {
      ...statusesResult,
      title: 'First read of own statuses',
      what: `${grouped(membersPerRound)} members in random order, each with a token of their own, read their 50 statuses for the first time; ${connections} connections`,
    },
  ];
}

async function bench(
  run: Run,
  subject: ColdSubject,
  contenderOf: (target: Target) => Promise<Contender>,
): Promise<Omit<Result, 'title' | 'what'>> {
  const contenders: Contender[] = [];
  const skipped: Skipped[] = [];
  for (const target of run.targets) {
    try {
      const lack = target.lacks[subject];
      if (lack !== undefined) throw new Error(lack);
      contenders.push(await contenderOf(target));
    } catch (error) {
      skipped.push({ title: target.title, reason: (error as Error).message });
    }
  }
  const { rows, failed } = await interleave(run, subject, contenders);
  return { subject, unit: 'requests/s', rows, skipped: [...skipped, ...failed] };
}

async function itemsContender(run: Run, target: Target): Promise<Contender> {
  const data = await run.data();
  const { port, pid } = await run.running(target, 'anyItem');
  if (target.name === 'garden') await assertPromises(data, port, oneItem);
  if (target.name !== 'bare') await assertSameBodies(data, port, comparedItems(problems));
  const random = seeded(problems);
  const load = { port, headers: bearer(data.token), connections, folder: data.folder };
  return {
    name: target.name,
    title: target.title,
    pid,
    // Every round begins elsewhere in the order, at the same place for everyone.
    round: (seconds) => {
      const shuffled = { path: problemsPath, count: problems, seed: random(problems) };
      return loadRound({ ...load, asked: { shuffled }, seconds });
    },
  };
}

async function statusesContender(run: Run, target: Target, data: ColdData): Promise<Contender> {
  const { port, pid } = await run.running(target, 'anyItem');
  await assertSameBodies(data, port, [statusCollection]);
  const random = seeded(data.members.length);
  const members = data.members
    .slice(1)
    .map((member) => ({ member, place: random(2 ** 30) }))
    .sort((one, other) => one.place - other.place)
    .map(({ member }) => member);
  let next = 0;
  return {
    name: target.name,
    title: target.title,
    pid,
    round: async (seconds) => {
      const count = next === 0 ? warmUpMembers : membersPerRound;
      const asks = members
        .slice(next, next + count)
        .map(({ token }) => ({ ...statusCollection, headers: bearer(token) }));
      next += count;
      const { folder } = data;
      return onceRound({ port, headers: {}, asked: { asks }, connections, seconds, folder });
    },
  };
}
