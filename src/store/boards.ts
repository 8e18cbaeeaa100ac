/** The boards of groups in the store: the people on one, and their figures of late. */
import { sql } from 'kysely';
import type { GroupMembersTable } from './group-tables.ts';
import { type GroupPerson, personColumns } from './groups.ts';
import { dayRuleNames, settingOf } from './member-settings.ts';
import { isOfStreak } from './streaks.ts';
import type { Db } from './tables.ts';

/** Somebody on a board, with what says when their days begin. */
export type BoardPerson = GroupPerson &
  Pick<GroupMembersTable, 'on_board'> & { time_zone: string | null; day_start: string | null };

/** The people on the board of a group, and the member who looks at it. A disabled member stands on no board. */
export async function listBoard(db: Db, groupId: bigint, viewerId: bigint): Promise<BoardPerson[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .select(personColumns)
    .select('on_board')
    .select([
      settingOf('members.id', dayRuleNames.zone).as('time_zone'),
      settingOf('members.id', dayRuleNames.startHour).as('day_start'),
    ])
    .where('group_id', '=', groupId)
    .where('is_disabled', '=', 0n)
    .where(({ or, eb }) => or([eb('on_board', '=', 1n), eb('group_members.user_id', '=', viewerId)]))
    .execute();
}

/** A member, and days of theirs as numbers. */
export interface BoardDays {
  userId: bigint;
  today: number;
  /** The last day before it that came in their zone. */
  yesterday: number;
  week: number;
  month: number;
}

/** First solves since the week and the month began, and the days in a row that go on, by their first and last. */
export interface BoardFigures {
  user_id: bigint;
  week: bigint;
  month: bigint;
  first: bigint | null;
  last: bigint | null;
}

/**
 * The figures of these members in one statement, along the key of `activity`: it reads the days of the week and of the month,
 * and goes back over the days in a row until the first that has none before it.
 */
export async function countForBoard(db: Db, people: readonly BoardDays[]): Promise<BoardFigures[]> {
  if (people.length === 0) return [];
  const number = (value: bigint | number) => sql`CAST(${BigInt(value)} AS BIGINT)`;
  const lines = people.map(
    ({ userId, today, yesterday, week, month }) =>
      sql`(${sql.join([userId, today, yesterday, week, month].map(number))})`,
  );
  const firstSolvesSince = (day: string) => sql`(
    SELECT CAST(coalesce(sum(first_solves), 0) AS BIGINT) FROM activity
    WHERE user_id = people.member AND day >= ${sql.ref(day)} AND day <= people.today)`;
  const { rows } = await sql<BoardFigures>`
    WITH people (member, today, yesterday, week, month) AS (VALUES ${sql.join(lines)}), counted AS (
      SELECT member, ${firstSolvesSince('people.week')} AS week, ${firstSolvesSince('people.month')} AS month,
        (SELECT day FROM activity
          WHERE user_id = people.member AND day >= people.yesterday AND day <= people.today AND ${isOfStreak}
          ORDER BY day DESC LIMIT 1) AS last
      FROM people
    )
    SELECT member AS user_id, week, month, last,
      (SELECT day FROM activity AS a
        WHERE user_id = counted.member AND day <= counted.last AND ${isOfStreak} AND NOT EXISTS (
          SELECT 1 FROM activity AS b WHERE b.user_id = a.user_id AND b.day = a.day - 1 AND ${isOfStreak})
        ORDER BY day DESC LIMIT 1) AS first
    FROM counted`.execute(db);
  return rows;
}

/** Puts somebody on the board of a group that has one, or takes them off; returns whether they are in such a group. */
export async function setOnBoard(tx: Db, groupId: bigint, userId: bigint, isOn: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_members')
    .set({ on_board: isOn ? 1n : 0n })
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .where('group_id', 'in', tx.selectFrom('groups').select('groups.id').where('has_board', '=', 1n))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
