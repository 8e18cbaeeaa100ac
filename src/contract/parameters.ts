/** Query parameters of several operations. A filter of one resource is beside that resource. */
import type { TObject, TOptional, TSchema } from 'typebox';
import { int64, int64Schema, type ObjectSchema, schemaOf } from './common.ts';

/** In bytes. */
export const longestTarget = 8 * 1024;

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

export function parameters<F extends Record<string, TSchema>>(fields: F) {
  return { type: 'object', properties: fields } as unknown as TObject<{
    [Name in keyof F]: TOptional<F[Name]>;
  }>;
}

/** All examples together find the example row. `cursor` has none, because it is valid for one order only. */
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

function orderPattern({ properties }: ObjectSchema): string {
  const names = Object.keys(properties).filter((name) => !('items' in (properties[name] ?? {})));
  const field = `-?(?:${names.join('|')})`;
  return String.raw`^(?!.*\b(\w+)\b.*\b\1\b)${field}(?:,${field})*$`;
}

export const OwnItemQuery = parameters({
  user: int64(
    'The member whose item this is: the token’s own, or for staff any. Default: the token’s own member.',
    '1',
  ),
});

export const collectionUser = schemaOf<bigint | 'all'>({
  anyOf: [int64Schema, { const: 'all' }],
  description:
    'The member whose rows these are: the token’s own, or for staff any, or "all". Default: the token’s own member.',
  examples: [1],
  staffExamples: { everyone: { summary: 'Staff only: the rows of all members.', value: 'all' } },
});

const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Most instants in a file are canonical, and checking that takes a quarter of parsing them. */
function isCanonical(text: string): boolean {
  if (text.length !== 24) return false;
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString() === text;
}

/** Rounds up, so that "at this instant or later" stays true; undefined if the text is no instant. */
export function readInstant(text: string): string | undefined {
  if (isCanonical(text)) return text;
  const [, day, minute, second = '', fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  if (day === undefined) return undefined;
  // RFC 3339 §5.7 allows a leap second; it becomes the second after it.
  const isLeap = second === '60';
  const localTime = `${day}T${minute}:${isLeap ? '59' : second}`;
  const utc = Date.parse(`${localTime}Z`);
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 19) !== localTime) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + Number(/[1-9]/.test(fraction.slice(3)));
  const instant = new Date(Date.parse(localTime + offset.toUpperCase()) + (isLeap ? 1000 : 0) + milliseconds);
  const hasFourDigitYear = instant.getUTCFullYear() >= 0 && instant.getUTCFullYear() <= 9999;
  return hasFourDigitYear ? instant.toISOString() : undefined;
}
