/** The keys by which members and problems go in every garden, for rows that refer to them by this garden's ids. */
import { type Expression, sql } from 'kysely';

export type NaturalKeys = {
  username: string;
  source: string;
  source_key: string;
};

// Look-ups beside each row, not joins: an engine might read the joined tables first and sort the rows anew.

/** The name of the member with this id. */
export function usernameOf(userId: Expression<bigint>) {
  return sql<string>`(select members.username from members where members.id = ${userId})`;
}

/** The keys of a member and a problem as columns of a query. */
export function naturalKeys(userId: Expression<bigint>, problemId: Expression<bigint>) {
  return [
    usernameOf(userId).as('username'),
    sql<string>`(select problems.source from problems where problems.id = ${problemId})`.as('source'),
    sql<string>`(select problems.source_key from problems where problems.id = ${problemId})`.as('source_key'),
  ] as const;
}
