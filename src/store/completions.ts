/**
 * What members have completed, by topic and in the order of time. Triggers write these rows (migration 0006); an empty tag stands
 * for any topic. Every read is a range of the primary key.
 */
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import type { Narrowing } from './garden-tables.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import type { Db } from './tables.ts';

/** How much of a topic a member has completed. */
export interface TopicFigures {
  tag: string;
  done: bigint;
  /** Those completed at a moment or later. */
  since: bigint;
  last_at: string;
}

/** The figures of all topics for which a member has plants that count all of it; one of which nothing is completed is left out. */
export async function listPlantFigures(db: Db, userId: bigint, since: string): Promise<TopicFigures[]> {
  return runCompiled<TopicFigures>(db, 'listPlantFigures', [since, userId, userId], () =>
    figuresOf(db, since)
      .where('user_id', '=', userId)
      .where(
        'tag',
        'in',
        db
          .selectFrom('plants')
          .select(sql<string>`coalesce(tag, '')`.as('tag'))
          .where('user_id', '=', userId)
          .where('list_name', 'is', null)
          .where('source', 'is', null)
          .where('rating_min', 'is', null)
          .where('rating_max', 'is', null),
      )
      .groupBy('tag'),
  );
}

/** The figures of one topic; undefined if nothing of it is completed. */
export async function findTopicFigures(
  db: Db,
  userId: bigint,
  tag: string,
  since: string,
): Promise<TopicFigures | undefined> {
  const [row] = await runCompiled<TopicFigures>(db, 'findTopicFigures', [since, userId, tag], () =>
    figuresOf(db, since).where('user_id', '=', userId).where('tag', '=', tag).groupBy('tag'),
  );
  return row;
}

/** The figures of these topics, by judge and rating, from which those of a part of a topic are added up. */
export function listFinerFigures(
  db: Db,
  userId: bigint,
  tags: readonly string[],
  since: string,
): Promise<(TopicFigures & { source: string; rating: bigint | null })[]> {
  return figuresOf(db, since)
    .innerJoin('problems', 'problems.id', 'completions.problem_id')
    .select(['source', 'rating'])
    .where('user_id', '=', userId)
    .where('tag', 'in', tags)
    .groupBy(['tag', 'source', 'rating'])
    .execute();
}

function figuresOf(db: Db, since: string) {
  return db
    .selectFrom('completions')
    .select((eb) => ['tag', eb.fn.countAll<bigint>().as('done'), eb.fn.max('completed_at').as('last_at')])
    .select(sql<bigint>`count(*) FILTER (WHERE completed_at >= ${since})`.as('since'));
}

/** A problem of a topic with the moment at which the member completed it. */
export type Completion = ProblemRow & { completed_at: string };

/** A topic, or a part of it. */
export type Soil = Narrowing & { tag: string };

/** The problems of it that a member completed; the parameters before those of the caller, and a name of the statement. */
function completedOf(db: Db, userId: bigint, { tag, source, rating_min, rating_max }: Soil) {
  const given = [source, rating_min, rating_max];
  const build = () => {
    let query = db
      .selectFrom('completions')
      .innerJoin('problems', 'problems.id', 'completions.problem_id')
      .where('user_id', '=', userId)
      .where('tag', '=', tag);
    if (source !== null) query = query.where('source', '=', source);
    if (rating_min !== null) query = query.where('rating', '>=', rating_min);
    if (rating_max !== null) query = query.where('rating', '<=', rating_max);
    return query;
  };
  const name = given.map((one) => (one === null ? '' : ' narrow')).join();
  return { build, name, parameters: [userId, tag, ...given.filter((one) => one !== null)] };
}

/** The problems of a topic that a member completed since a moment, the newest first. */
export async function listCompletions(
  db: Db,
  userId: bigint,
  soil: Soil,
  { since, limit }: { since: string; limit: number },
): Promise<Completion[]> {
  const { build, name, parameters } = completedOf(db, userId, soil);
  return runCompiled<Completion>(db, `listCompletions${name}`, [...parameters, since, limit], () =>
    build()
      .select(problemColumns.map((column) => `problems.${column}` as const))
      .select('completed_at')
      .where('completed_at', '>=', since)
      .orderBy('completed_at', 'desc')
      .orderBy('problem_id', 'desc')
      .limit(limit),
  ) as Promise<Completion[]>;
}

/** The nth problem of a topic that a member completed. */
export interface NthCompletion {
  nth: number;
  completed_at: string;
  problem_id: bigint;
  title: string;
}

export async function findNthCompletions(
  db: Db,
  userId: bigint,
  soil: Soil,
  numbers: readonly number[],
): Promise<NthCompletion[]> {
  const found: NthCompletion[] = [];
  const { build, name, parameters } = completedOf(db, userId, soil);
  for (const nth of numbers) {
    const [row] = await runCompiled<Omit<NthCompletion, 'nth'>>(
      db,
      `findNthCompletion${name}`,
      [...parameters, 1, nth - 1],
      () =>
        build()
          .select(['completed_at', 'problem_id', 'title'])
          .orderBy('completed_at')
          .orderBy('problem_id')
          .limit(1)
          .offset(nth - 1),
    );
    if (row) found.push({ nth, ...row });
  }
  return found;
}

/** A row for each problem that a member has completed. */
export function completedBy(db: Db, userId: bigint) {
  return db.selectFrom('completions').where('user_id', '=', userId).where('tag', '=', sql.lit(''));
}

/** How many problems of each of these topics a member has completed. */
export async function countByTopic(
  db: Db,
  userId: bigint,
  tags: readonly string[],
): Promise<Map<string, bigint>> {
  if (tags.length === 0) return new Map();
  const rows = await db
    .selectFrom('completions')
    .select((eb) => ['tag', eb.fn.countAll<bigint>().as('done')])
    .where('user_id', '=', userId)
    .where('tag', 'in', tags)
    .groupBy('tag')
    .execute();
  return new Map(rows.map(({ tag, done }) => [tag, done]));
}

/** The topics of the last problems that a member completed, as JSON lists. */
export async function listLatestTags(db: Db, userId: bigint, limit: number): Promise<string[]> {
  const rows = await runCompiled<{ tags: string }>(db, 'listLatestTags', [userId, '', limit], () =>
    db
      .selectFrom('completions')
      .innerJoin('problems', 'problems.id', 'completions.problem_id')
      .select('problems.tags')
      .where('user_id', '=', userId)
      .where('tag', '=', '')
      .orderBy('completed_at', 'desc')
      .orderBy('problem_id', 'desc')
      .limit(limit),
  );
  return rows.map(({ tags }) => tags);
}

/** The ratings of the last problems that a member completed at each judge until a moment, the newest first. */
export function listLastRatings(
  db: Db,
  userId: bigint,
  limit: number,
  until = '~',
): Promise<{ source: string; rating: bigint }[]> {
  return runCompiled(db, 'listLastRatings', [userId, '', until, BigInt(limit)], () => {
    const numbered = db
      .selectFrom('completions')
      .innerJoin('problems', 'problems.id', 'completions.problem_id')
      .select((eb) => [
        'source',
        eb.ref('rating').$castTo<bigint>().as('rating'),
        'completed_at',
        'problem_id',
      ])
      .select(
        sql<bigint>`row_number() OVER (PARTITION BY source ORDER BY completed_at DESC, problem_id DESC)`.as(
          'nth',
        ),
      )
      .where('user_id', '=', userId)
      .where('tag', '=', '')
      .where('rating', 'is not', null)
      .where('completed_at', '<', until);
    return db
      .selectFrom(numbered.as('numbered'))
      .select(['source', 'rating'])
      .where('nth', '<=', BigInt(limit))
      .orderBy('completed_at', 'desc')
      .orderBy('problem_id', 'desc');
  });
}
