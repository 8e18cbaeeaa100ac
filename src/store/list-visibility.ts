/** Who may see a list. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A member's id, or the column that has it. */
type MemberId = bigint | RawBuilder<bigint>;

/** With a literal, because SQLite takes the index of the garden's lists for no parameter. */
export const ofGarden = sql<SqlBool>`lists.visibility = 'garden'`;

/** Whether a list of the statement is given to a group that this member is in, by its owner, who coaches there. */
const isGivenTo = (memberId: MemberId) => sql<SqlBool>`EXISTS (
  SELECT 1 FROM group_lists
  INNER JOIN group_members AS pupils ON pupils.group_id = group_lists.group_id AND pupils.user_id = ${memberId}
  INNER JOIN group_members AS coaches ON coaches.group_id = group_lists.group_id
    AND coaches.user_id = lists.owner_id AND coaches.role = 'coach'
  WHERE group_lists.list_id = lists.id)`;

/** Whether a member may see a list of the statement: their own, everybody's, or what a coach of theirs gave. */
export const isVisibleTo = (memberId: MemberId) =>
  sql<SqlBool>`(${ofGarden} OR lists.owner_id = ${memberId} OR ${isGivenTo(memberId)})`;
