/** What pages ask while they are open: whether anything changed for the people that they show, and what was solved. */
import { type SqlBool, sql } from 'kysely';
import { allTime, firstSolvesIn } from './activity.ts';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

const isOfPerson = sql<SqlBool>`scope IN ('statuses:' || user_id, 'solves:' || user_id)`;
const sum = sql<bigint>`CAST(coalesce(sum(revision), 0) AS BIGINT)`.as('sum');

const revisionsOfRound = prepared((db, { id }: { id: bigint }) =>
  db
    .selectFrom('round_people')
    .innerJoin('revisions', (join) => join.on(isOfPerson))
    .where('round_id', '=', id)
    .select(sum),
);
const revisionsOfGroup = prepared((db, { id }: { id: bigint }) =>
  db
    .selectFrom('group_members')
    .innerJoin('revisions', (join) => join.on(isOfPerson))
    .where('group_id', '=', id)
    .select(sum),
);

/** Every change of a status or a submission of these people makes it greater. */
export async function countRevisions(db: Db, people: 'round' | 'group', id: bigint): Promise<bigint> {
  const [row] = await (people === 'round' ? revisionsOfRound : revisionsOfGroup)(db, { id });
  return row?.sum ?? 0n;
}

export async function findLatestFirstSolve(db: Db, userId: bigint): Promise<string | undefined> {
  const row = await firstSolvesIn(db, userId, allTime)
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

/** First solves that a judge reported after a moment (RFC 3339), without a mark of the member; the latest come first. */
export function listJudgedSolvesAfter(db: Db, userId: bigint, after: string) {
  return firstSolvesIn(db, userId, allTime)
    .where('at', '>', after)
    .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
    .innerJoin('statuses', (join) =>
      join
        .onRef('statuses.problem_id', '=', 'first_solves.problem_id')
        .onRef('statuses.user_id', '=', 'first_solves.user_id'),
    )
    .where('judge_status', '=', 'complete')
    .where('self_status', 'is', null)
    .select(['problems.id', 'title', 'at'])
    .orderBy('at', 'desc')
    .orderBy('problems.id')
    .execute();
}
