/** A count in messages about a group: those who have done a list. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

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
