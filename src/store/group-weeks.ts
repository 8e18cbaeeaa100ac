/** The counts in a message about a group: the people who practised in a week, and those who have done a list. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Somebody who practised; without a name unless they chose to stand on the group's board. */
export interface WeekOfPerson {
  username: string | null;
  /** Null as well for somebody who is not on the board. */
  solved_first: bigint | null;
}

/** The people of a group who did anything on their days from one to another, both included. Each is a range of the days' key. */
export async function listWeekOfGroup(
  db: Db,
  groupId: bigint,
  from: number,
  until: number,
): Promise<WeekOfPerson[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .innerJoin('activity', 'activity.user_id', 'group_members.user_id')
    .select((eb) => [
      sql<string | null>`CASE WHEN on_board = 1 THEN username END`.as('username'),
      sql<bigint | null>`CASE WHEN on_board = 1 THEN CAST(sum(${eb.ref('first_solves')}) AS BIGINT) END`.as(
        'solved_first',
      ),
    ])
    .where('group_members.group_id', '=', groupId)
    .where('is_disabled', '=', 0n)
    .where('day', '>=', BigInt(from))
    .where('day', '<=', BigInt(until))
    .groupBy(['group_members.user_id', 'on_board', 'username'])
    .orderBy('username')
    .execute();
}

/** How many of those whom a group coaches have every problem of a list solved. */
export async function countDone(
  db: Db,
  groupId: bigint,
  listId: bigint,
): Promise<{ people: number; done: number }> {
  const items = db.selectFrom('list_items').select('list_items.problem_id').where('list_id', '=', listId);
  const { people, done } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('group_members')
        .leftJoin('statuses', (join) =>
          join
            .onRef('statuses.user_id', '=', 'group_members.user_id')
            .on('statuses.problem_id', 'in', items)
            .on(sql<boolean>`coalesce(self_status, judge_status) = 'complete'`),
        )
        .select((one) => ['group_members.user_id', one.fn.count<bigint>('statuses.problem_id').as('solved')])
        .where('group_members.group_id', '=', groupId)
        .where('group_members.role', '=', 'member')
        .groupBy('group_members.user_id')
        .as('each_one'),
    )
    .select((eb) => [
      eb.fn.countAll<bigint>().as('people'),
      sql<bigint>`count(CASE WHEN solved >= (SELECT count(*) FROM (${items}) AS wanted) THEN 1 END)`.as(
        'done',
      ),
    ])
    .executeTakeFirstOrThrow();
  return { people: Number(people), done: Number(done) };
}
