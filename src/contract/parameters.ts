/** The query parameters that several collections share. A filter of one resource is declared beside that resource. */
import Type from 'typebox';
import { int64, int64Schema } from './common.ts';

/** A request target has at most this many bytes, so no parameter has more characters. */
export const longestTarget = 8192;

/**
 * Every collection takes these; `order` is limited to the resource's own scalar fields. All examples of an operation go
 * together in one request and find its example row. `cursor` has none, because a cursor is good for one order only.
 */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: 1000,
      description:
        'At most this many rows; the next page is in the Link header. Without it the collection is whole.',
      examples: [100],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestTarget,
      description:
        'Where the page begins: taken from the Link header of the page before, never made by hand. It is good for the order of that page only.',
    }),
  ),
  order: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestTarget,
      description:
        'Fields to sort by, comma-separated, "-" before one for descending. Nulls stand last, ties by id.',
      examples: ['-updated_at'],
    }),
  ),
  count: Type.Optional(
    Type.Boolean({ description: 'With true the answer has X-Total-Count.', examples: [true] }),
  ),
  updated_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Only rows updated at this instant or later (RFC 3339, any offset).',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
};

/** The member whose bookmarks or statuses are wanted: an id, or for collections also `all`. */
export const itemUser = {
  user: Type.Optional(
    int64(
      'The member whose item this is: the token’s own, or for staff any. Default: the token’s own member.',
      '1',
    ),
  ),
};
export const collectionUser = {
  user: Type.Optional(
    Type.Unsafe<bigint | 'all'>({
      anyOf: [int64Schema, { const: 'all' }],
      description:
        'The member whose rows these are: the token’s own, or for staff any, or "all". Default: the token’s own member.',
      examples: [1],
      staffExamples: { everyone: { summary: 'Staff only: the rows of all members.', value: 'all' } },
    }),
  ),
};
