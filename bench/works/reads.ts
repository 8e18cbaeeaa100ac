/** Reads under load: items, collections, conditional reads, pages, statuses and the mix of them. */
import { type Ask, fetchRaw } from '../client.ts';
import { bearer } from '../data.ts';
import { bulkRound, countedRound, type Load, loadRound } from '../load.ts';
import { watchMemory } from '../memory.ts';
import { collection, items, mix, pages, statusCollection } from '../requests.ts';
import type { Result, Skipped } from '../results.ts';
import { type Contender, interleave, type Run } from '../run.ts';
import type { Server } from '../server.ts';
import type { Subject, Target, Variant } from '../targets.ts';
import { assertPromises, assertSameBodies, conditional } from '../verify.ts';

export interface Read {
  subject: Subject;
  title: string;
  what: string;
  asks: readonly Ask[];
  connections: number;
  variant: Variant;
}

/** Bytes of an answer without a body. */
const notModifiedAtMost = 1500;
const conditionalItems = items.slice(0, 100);

export const reads = {
  item: {
    subject: 'item',
    title: 'Item read',
    what: '500 different problems in turn',
    asks: items,
    connections: 32,
    variant: 'identity',
  },
  collection: {
    subject: 'collection',
    title: 'Whole collection',
    what: 'all 10,000 problems, unchanged since the last read',
    asks: [collection],
    connections: 4,
    variant: 'identity',
  },
  collectionGzip: {
    subject: 'collection-gzip',
    title: 'Whole collection, gzip',
    what: 'the same with Accept-Encoding: gzip',
    asks: [collection],
    connections: 4,
    variant: 'gzip',
  },
  itemNotModified: {
    subject: 'item-304',
    title: 'Conditional read of an item',
    what: '100 different problems in turn, each with its entity tag',
    asks: conditionalItems,
    connections: 32,
    variant: 'notModified',
  },
  collectionNotModified: {
    subject: 'collection-304',
    title: 'Conditional read of the collection',
    what: 'all problems, with their entity tag',
    asks: [collection],
    connections: 32,
    variant: 'notModified',
  },
  page: {
    subject: 'page',
    title: 'Page of 100',
    what: '100 problems with a rating of at least …, on which the member has a given status; eight such pages in turn',
    asks: pages,
    connections: 32,
    variant: 'identity',
  },
  statuses: {
    subject: 'statuses',
    title: 'A member’s statuses',
    what: 'all 2,000 of them',
    asks: [statusCollection],
    connections: 8,
    variant: 'identity',
  },
  mixed: {
    subject: 'mixed',
    title: 'Mixed load',
    what: '90 % items, 9 % pages, 1 % whole collections',
    asks: mix,
    connections: 32,
    variant: 'identity',
  },
} as const satisfies Record<string, Read>;

export async function benchRead(run: Run, read: Read): Promise<Result> {
  const contenders: Contender[] = [];
  const skipped: Skipped[] = [];
  for (const target of run.targets) {
    try {
      contenders.push(await contenderOf(run, read, target));
    } catch (error) {
      skipped.push({ title: target.title, reason: (error as Error).message });
    }
  }
  const { rows, failed } = await interleave(run, read.title, contenders);
  const { subject, title } = read;
  const what = `${read.what}; ${read.connections} connections`;
  return { subject, title, what, unit: 'requests/s', rows, skipped: [...skipped, ...failed] };
}

/** Throws with the reason why this target is not measured. */
async function contenderOf(run: Run, read: Read, target: Target): Promise<Contender> {
  const lack = target.lacks[read.subject];
  if (lack !== undefined) throw new Error(lack);
  const data = await run.data();
  const server = await run.running(target, read.variant);
  if (target.name === 'garden') await assertPromises(data, server.port);
  return readContender(run, read, { name: target.name, title: target.title, server });
}

/** A server, and the token it takes where that is not the one of the data. */
interface Side {
  name: string;
  title: string;
  server: Server;
  token?: string;
}

/** A server that was checked on these requests, ready to be loaded with them. */
export async function readContender(
  run: Run,
  { asks: plainAsks, connections, variant }: Read,
  { name, title, server, token }: Side,
): Promise<Contender> {
  const shared = await run.data();
  const data = { ...shared, token: token ?? shared.token };
  const { port, pid } = server;
  const isConditional = variant === 'notModified';
  const isFixed = name === 'bare';
  if (!isConditional) await assertSameBodies(data, port, plainAsks, variant === 'gzip');
  const asks = isConditional && !isFixed ? await conditional(data, port, plainAsks) : plainAsks;
  const headers = { ...bearer(data.token), ...(variant === 'gzip' && { 'Accept-Encoding': 'gzip' }) };
  // An answer without a body is always short, whatever the first ones take.
  const meanMs = isConditional ? 0 : await meanTime(port, headers, asks);
  const load = { port, headers, asked: { asks }, connections, folder: data.folder };
  return {
    name,
    title,
    pid,
    round: async (seconds) => {
      const isBulk = asks.length === 1 && !isConditional;
      const timed = { ...load, seconds };
      const round = await (isBulk ? bulkRound(timed) : roundOf(timed, asks, meanMs));
      if (isConditional && round.bytesPerRequest > notModifiedAtMost) throw new Error('bodies came with 304');
      return round;
    },
  };
}

/** Loads one server alone, twice as long as a round; answers the most memory that was seen. */
export async function memoryUnder(run: Run, read: Read, side: Side): Promise<number> {
  const contender = await readContender(run, read, side);
  const watched = watchMemory(contender.pid);
  await contender.round(2 * run.options.seconds);
  return watched();
}

/** What one request takes, one after another. */
async function meanTime(
  port: number,
  headers: Record<string, string>,
  asks: readonly Ask[],
): Promise<number> {
  let sum = 0;
  const tried = asks.length === 1 ? Array.from({ length: 3 }, () => asks[0]) : asks.slice(0, 100);
  for (const ask of tried) {
    if (ask) sum += (await fetchRaw(port, { ...ask, headers: { ...headers, ...ask.headers } })).ms;
  }
  return sum / tried.length;
}

/** By the generator, unless so few requests fit into a round that those on their way at its end would matter. */
async function roundOf(load: Load, asks: readonly Ask[], meanMs: number) {
  const expected = Math.round((load.seconds * 1000) / meanMs);
  if (expected >= 20 * load.connections) return loadRound(load);
  return countedRound(load, asks, Math.max(expected, load.connections, 3));
}
