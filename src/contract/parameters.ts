/** The query parameters that several collections share. A filter of one resource is declared beside that resource. */
import Type from 'typebox';
import { int64, int64Schema } from './common.ts';

/**
 * The parameters of every collection. `order` takes the scalar fields of the resource. A cursor belongs to one collection, so
 * each collection has an example of its own.
 */
export const pageParameters = (cursor: string) => ({
  limit: Type.Optional(
    Type.Integer({
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
      description:
        'Where the page begins: taken from the Link header of the page before, never made by hand.',
      examples: [cursor],
    }),
  ),
  order: Type.Optional(
    Type.String({
      minLength: 1,
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
});

/** The member whose bookmarks or statuses are wanted: an id, or for collections also `all`. */
export const itemUser = {
  user: Type.Optional(
    int64('Staff only: the member whose item this is. Default: the token’s own member.', '1'),
  ),
};
export const collectionUser = {
  user: Type.Optional(
    Type.Unsafe<bigint | 'all'>({
      anyOf: [int64Schema, { const: 'all' }],
      description: 'Staff only: the member whose rows these are, or "all". Default: the token’s own member.',
      examples: ['all'],
    }),
  ),
};
