/** Tables as types. Every integer column is a bigint in rows, on both engines, so ids are exact. */
import type { Kysely } from 'kysely';

export type JsonList = string;

/** A question mark stands for a column that may be null. */
export type ColumnKind = 'integer' | 'integer?' | 'text' | 'text?' | 'list';

type ValueOf<K> = K extends `${infer Kind}?`
  ? ValueOf<Kind> | null
  : K extends 'integer'
    ? bigint
    : K extends 'list'
      ? JsonList
      : string;
export type RowOf<Columns> = { -readonly [Name in keyof Columns]: ValueOf<Columns[Name]> };

export function emptyRow<K extends Readonly<Record<string, ColumnKind>>>(kinds: K): RowOf<K> {
  const values = Object.entries(kinds).map(([name, kind]) => [
    name,
    kind === 'list' ? '[]' : kind.endsWith('?') ? null : '',
  ]);
  return Object.fromEntries(values) as RowOf<K>;
}

// biome-ignore lint/suspicious/noEmptyInterface: the files of tables extend it
export interface Tables {}

export type Db = Kysely<Tables>;
