/** The query parameters that several operations share. A filter of one resource is declared beside that resource. */
import type { TObject, TOptional, TSchema } from 'typebox';
import { int64, int64Schema, type ObjectSchema, schemaOf } from './common.ts';

/** A request target has at most this many bytes, so no parameter has more characters. */
export const longestTarget = 8192;

/** A text in the query. It has no NUL, because no store holds one. */
export function queryText(description: string, ...examples: string[]) {
  return schemaOf<string>({
    type: 'string',
    minLength: 1,
    maxLength: longestTarget,
    pattern: String.raw`^[^\u0000]*$`,
    description,
    ...(examples.length > 0 && { examples }),
  });
}

/** The query that may have each of these parameters. */
export function parameters<F extends Record<string, TSchema>>(fields: F) {
  return { type: 'object', properties: fields } as unknown as TObject<{
    [Name in keyof F]: TOptional<F[Name]>;
  }>;
}

/**
 * The query of a collection: these parameters and its filters. One request with all their examples finds the example row;
 * `cursor` has no example, because a cursor is good for one order only.
 */
export function collectionQuery<F extends Record<string, TSchema>>(row: ObjectSchema, filters: F) {
  const shared = {
    limit: schemaOf<number>({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 1000,
      description:
        'At most this many rows; the Link header has the next page. Without limit, all rows are sent.',
      examples: [100],
    }),
    cursor: queryText(
      'Where the page begins: taken from the Link header of the page before, never made by hand. It is good for the order of that page only.',
    ),
    order: schemaOf<string>({
      type: 'string',
      pattern: orderPattern(row),
      maxLength: longestTarget,
      description:
        'Fields to sort by, comma-separated, "-" before one for descending. Nulls sort last; ties sort by id.',
      examples: ['-updated_at'],
    }),
    count: schemaOf<boolean>({
      type: 'boolean',
      description: 'With true the answer has X-Total-Count.',
      examples: [true],
    }),
    updated_since: schemaOf<string>({
      type: 'string',
      format: 'date-time',
      description: 'Only rows updated at this instant or later (RFC 3339, any offset).',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  };
  return parameters({ ...shared, ...filters });
}

/** Matches a list of fields to sort by: any field of the row that is no list, each at most once. */
function orderPattern({ properties }: ObjectSchema): string {
  const names = Object.keys(properties).filter((name) => !('items' in (properties[name] ?? {})));
  const field = `-?(?:${names.join('|')})`;
  return String.raw`^(?!.*\b(\w+)\b.*\b\1\b)${field}(?:,${field})*$`;
}

/** The query of an item that a member has: a bookmark or a status. */
export const OwnItemQuery = parameters({
  user: int64(
    'The member whose item this is: the token’s own, or for staff any. Default: the token’s own member.',
    '1',
  ),
});

/** The member whose bookmarks or statuses are wanted, or `all`. */
export const collectionUser = schemaOf<bigint | 'all'>({
  anyOf: [int64Schema, { const: 'all' }],
  description:
    'The member whose rows these are: the token’s own, or for staff any, or "all". Default: the token’s own member.',
  examples: [1],
  staffExamples: { everyone: { summary: 'Staff only: the rows of all members.', value: 'all' } },
});
