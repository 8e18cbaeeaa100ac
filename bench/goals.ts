/** The floors and aims: which ratio or figure each is about, and whether what was measured meets it. */
import { advantage, type Result, rowOf } from './results.ts';
import { median, type Ratio } from './statistics.ts';

export interface Goal {
  name: string;
  floor: number;
  aim?: number;
  /** Of a plain figure; a ratio has none. */
  unit?: 'MB' | 's' | 'ms' | 'kB';
  /** Whether less is better. */
  isCeiling?: boolean;
  /** Undefined where what it needs was not measured. */
  measure(results: readonly Result[]): Ratio | undefined;
}

/** The peers that render at every read. */
const plainPeers = ['fastify', 'express', 'hono', 'json-server', 'drf'];

const find = (results: readonly Result[], subject: string) =>
  results.find((result) => result.subject === subject);

/** How many times better ours is than another target in one work. */
const against = (subject: string, other: string) => (results: readonly Result[]) => {
  const result = find(results, subject);
  return result && advantage(result, rowOf(result, 'garden'), rowOf(result, other));
};

/** Against whichever plain peer comes closest. */
const againstBest = (subject: string) => (results: readonly Result[]) => {
  const ratios = plainPeers
    .map((peer) => against(subject, peer)(results))
    .filter((ratio) => ratio !== undefined);
  return ratios.sort((one, other) => one.median - other.median)[0];
};

const between = (subject: string, one: string, other: string) => (results: readonly Result[]) => {
  const result = find(results, subject);
  return result && advantage(result, rowOf(result, one), rowOf(result, other));
};

/** A figure of ours alone. */
const own = (subject: string, scale: number) => (results: readonly Result[]) => {
  const figures = rowOf(find(results, subject), 'garden')?.figures.map((figure) => figure * scale);
  if (!figures?.length) return undefined;
  return { median: median(figures), least: Math.min(...figures), most: Math.max(...figures) };
};

/** The worst of the pages whose names begin so; its time, or its bytes. */
const worst =
  (subject: string, begin: string, of: 'ms' | 'kB' = 'ms') =>
  (results: readonly Result[]) => {
    const rows = find(results, subject)?.rows.filter(({ target }) => target.startsWith(begin)) ?? [];
    const figures = rows.map((row) => (of === 'kB' ? (row.kB ?? Number.NaN) : median(row.figures)));
    if (figures.length === 0) return undefined;
    const most = Math.max(...figures);
    return { median: most, least: most, most };
  };

const bare = 'bare node:http';

const goals: readonly Goal[] = [
  {
    name: 'cold item, against Fastify + better-sqlite3',
    floor: 1,
    aim: 1.3,
    measure: against('cold-item', 'fastify'),
  },
  { name: `cold item, against ${bare}`, floor: 0.45, aim: 0.6, measure: against('cold-item', 'bare') },
  {
    name: 'first read of own statuses, against Fastify + better-sqlite3',
    floor: 1,
    aim: 1.3,
    measure: against('cold-statuses', 'fastify'),
  },
  { name: `item read, against ${bare}`, floor: 0.75, aim: 0.9, measure: against('item', 'bare') },
  {
    name: 'item read, against Fastify + better-sqlite3',
    floor: 1.1,
    aim: 1.5,
    measure: against('item', 'fastify'),
  },
  { name: 'item read, against Django REST framework', floor: 40, aim: 65, measure: against('item', 'drf') },
  { name: `conditional item, against ${bare}`, floor: 0.55, aim: 0.8, measure: against('item-304', 'bare') },
  {
    name: `conditional collection, against ${bare}`,
    floor: 0.55,
    aim: 0.8,
    measure: against('collection-304', 'bare'),
  },
  {
    name: `collection, against a fixed buffer in ${bare}`,
    floor: 0.85,
    aim: 0.95,
    measure: against('collection', 'bare'),
  },
  {
    name: `collection with gzip, against a fixed buffer in ${bare}`,
    floor: 0.8,
    aim: 0.95,
    measure: against('collection-gzip', 'bare'),
  },
  {
    name: 'collection, against the best plain peer',
    floor: 100,
    aim: 130,
    measure: againstBest('collection'),
  },
  {
    name: 'collection with gzip, against the best plain peer',
    floor: 100,
    aim: 130,
    measure: againstBest('collection-gzip'),
  },
  {
    name: 'first read after a change, against the best peer',
    floor: 1,
    aim: 2,
    measure: againstBest('first-read'),
  },
  {
    name: 'first read after a change with gzip, against the best peer',
    floor: 1,
    aim: 2,
    measure: againstBest('first-read-gzip'),
  },
  { name: `mixed load, against ${bare}`, floor: 0.5, aim: 0.75, measure: against('mixed', 'bare') },
  { name: 'durable DELETE, one client, against Fastify', floor: 1, measure: against('delete-1', 'fastify') },
  { name: 'durable DELETE, 32 clients, against Fastify', floor: 5, measure: against('delete-32', 'fastify') },
  {
    name: 'two processes, against one',
    floor: 1.6,
    aim: 1.9,
    measure: between('workers-garden', 'garden-2', 'garden-1'),
  },
  {
    name: 'item read on PostgreSQL, against Fastify + pg',
    floor: 2,
    aim: 4,
    measure: between('postgres', 'garden-pg', 'fastify-pg'),
  },
  {
    name: 'cost of an item of 1,000,000, against 1,000',
    floor: 1.15,
    aim: 1.05,
    isCeiling: true,
    measure: between('size', 'garden-1000', 'garden-1000000'),
  },
  { name: 'memory at rest', floor: 120, aim: 90, unit: 'MB', isCeiling: true, measure: own('memory', 1) },
  {
    name: 'memory under the mixed load',
    floor: 200,
    aim: 150,
    unit: 'MB',
    isCeiling: true,
    measure: own('memory-mixed', 1),
  },
  {
    name: 'page of the list of 30,000, the slowest',
    floor: 10,
    unit: 'ms',
    isCeiling: true,
    measure: worst('pages', 'list'),
  },
  {
    name: 'page of the list after a change, the slowest',
    floor: 10,
    unit: 'ms',
    isCeiling: true,
    measure: worst('pages-first', 'list'),
  },
  { name: 'Today, the slowest', floor: 15, unit: 'ms', isCeiling: true, measure: worst('pages', 'today') },
  {
    name: 'Today after a change, the slowest',
    floor: 15,
    unit: 'ms',
    isCeiling: true,
    measure: worst('pages-first', 'today'),
  },
  {
    name: 'Today with 50,000 submissions',
    floor: 15,
    unit: 'ms',
    isCeiling: true,
    measure: worst('pages-histories', 'today of 50000'),
  },
  {
    name: 'Today over the wire',
    floor: 40,
    unit: 'kB',
    isCeiling: true,
    measure: worst('pages-histories', 'today', 'kB'),
  },
  {
    name: 'garden of 60 plants',
    floor: 10,
    unit: 'ms',
    isCeiling: true,
    measure: worst('pages', 'garden'),
  },
  {
    name: 'table of 60 people by 40 problems',
    floor: 30,
    unit: 'ms',
    isCeiling: true,
    measure: worst('pages', 'group table'),
  },
  {
    name: 'table of 60 people by 40 problems, over the wire',
    floor: 60,
    unit: 'kB',
    isCeiling: true,
    measure: worst('pages', 'group table', 'kB'),
  },
  { name: 'page of a problem', floor: 3, unit: 'ms', isCeiling: true, measure: worst('pages', 'problem') },
  {
    name: 'page of the list over the wire',
    floor: 25,
    unit: 'kB',
    isCeiling: true,
    measure: worst('pages', 'list plain', 'kB'),
  },
  {
    name: 'style sheet over the wire',
    floor: 16,
    unit: 'kB',
    isCeiling: true,
    measure: worst('pages', 'site.css', 'kB'),
  },
  {
    name: 'script over the wire',
    floor: 6,
    unit: 'kB',
    isCeiling: true,
    measure: worst('pages', 'site.js', 'kB'),
  },
  { name: 'cold start', floor: 0.6, aim: 0.3, unit: 's', isCeiling: true, measure: own('cold-start', 0.001) },
];

export interface Judged {
  goal: Goal;
  ratio: Ratio | undefined;
  standing: Standing;
}

/** Every goal with what was measured for it. */
export function judge(results: readonly Result[]): Judged[] {
  return goals.map((goal) => {
    const ratio = goal.measure(results);
    return { goal, ratio, standing: standingOf(goal, ratio) };
  });
}

type Standing = 'aim met' | 'floor met' | 'missed' | 'not measured';

function standingOf({ floor, aim, isCeiling = false }: Goal, measured: Ratio | undefined): Standing {
  if (!measured || Number.isNaN(measured.median)) return 'not measured';
  const meets = (bound: number) => (isCeiling ? measured.median <= bound : measured.median >= bound);
  if (aim !== undefined && meets(aim)) return 'aim met';
  return meets(floor) ? 'floor met' : 'missed';
}
