/** The building blocks of every resource and parameter in the contract: ids, times, nullable fields, Error. */
import Type, { type Static, type TSchema } from 'typebox';

declare global {
  /** A JSON text that JSON.stringify writes as it is. */
  interface RawJSON {
    readonly rawJSON: string;
  }
  interface JSON {
    /** Node 24 has it, TypeScript 6.0 does not know it yet (TC39 "JSON.parse source text access"). */
    rawJSON(text: string): RawJSON;
    isRawJSON(value: unknown): value is RawJSON;
  }
}

/** Its bounds are raw JSON, since 2^63 − 1 is no JavaScript number. */
export const int64Schema = {
  type: 'integer',
  format: 'int64',
  minimum: JSON.rawJSON('-9223372036854775808'),
  maximum: JSON.rawJSON('9223372036854775807'),
} as const;

/** An exact 64-bit id. In JavaScript it is a bigint, on the wire plain JSON digits: it never becomes a number. */
export function int64(description: string, example: string) {
  return Type.Unsafe<bigint>({
    ...int64Schema,
    description,
    examples: [JSON.rawJSON(example)],
  });
}

/**
 * The characters that a text of a row has at most; an import refuses a longer one. There is room for the notes of
 * several twins, which are joined when the twins fold.
 */
export const longestText = 100_000;

export function text(description: string, example: string, maxLength = longestText) {
  return Type.String({ maxLength, description, examples: [example] });
}

/** A text that may be absent. `isJoined` says that several texts may stand in it together, which no bound holds for. */
export function nullableText(description: string, example: string | null, { isJoined = false } = {}) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    ...(!isJoined && { maxLength: longestText }),
    description,
    examples: [example],
  });
}

/** An integer that fits in 32 bits and may be absent. Stores keep every integer as a bigint, hence the type. */
export function nullableInt32(description: string, example: number) {
  return Type.Unsafe<bigint | null>({
    type: ['integer', 'null'],
    format: 'int32',
    description,
    examples: [example],
  });
}

/** RFC 3339 in UTC with milliseconds. */
export function time(description: string, example = '2026-11-21T08:30:00.000Z') {
  return Type.String({ format: 'date-time', description, examples: [example] });
}

export function nullableTime(description: string, example: string | null = '2026-11-21T08:30:00.000Z') {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description,
    examples: [example],
  });
}

export function oneOf<const T extends readonly string[]>(values: T, description: string, example: T[number]) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description, examples: [example] });
}

export function nullableOneOf<const T extends readonly string[]>(
  values: T,
  description: string,
  example: T[number],
) {
  return Type.Unsafe<T[number] | null>({
    type: ['string', 'null'],
    enum: [...values, null],
    description,
    examples: [example],
  });
}

/** A list of strings, of any number: judges set no bound. Stores keep it as JSON text and it travels so, hence the type. */
export function textList(description: string, example: string[]) {
  return Type.Unsafe<string>({
    type: 'array',
    items: { type: 'string', maxLength: longestText },
    description,
    examples: [example],
  });
}

/** A resource: all of its fields always present, none other. */
export function resource<T extends Record<string, TSchema>>(title: string, description: string, fields: T) {
  return Type.Object(fields, { title, description, additionalProperties: false });
}

/** The id in a path: decimal digits, an optional minus, no leading zero, within −2^63 … 2^63−1. */
export function parseInt64(digits: string): bigint | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(digits)) return undefined;
  const value = BigInt(digits);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

export const ErrorBody = Type.Object(
  {
    error: Type.Integer({
      format: 'int32',
      description:
        'A stable catalogue number: the HTTP status × 100 + a detail. docs/errors.md explains each.',
      examples: [40401],
    }),
    message: Type.String({
      description: 'One sentence that says what is wrong and what to do.',
      examples: ['There is no problem 404 that this token may see; check the id.'],
    }),
  },
  { title: 'Error', description: 'The body of every refusal.', additionalProperties: false },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** A resource's or a parameter set's schema, as the rest of the program walks it. */
export interface Fields {
  properties: Record<string, TSchema>;
  title?: string;
}
