/** Building blocks of schemas, and the Error body: plain JSON Schema with the types of TypeBox. */
import type { Static, TObject, TSchema, TUnsafe } from 'typebox';

declare global {
  /** Node 24 has it (TC39 "JSON.parse source text access"), TypeScript 6.0 lacks its type. */
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/** TypeBox's own functions cost start-up time (docs/decisions/0007). */
export function schemaOf<T>(schema: object) {
  return schema as TUnsafe<T>;
}

/** The bounds are raw JSON, because no JavaScript number is 2^63 − 1. */
export const int64Schema = {
  type: 'integer',
  format: 'int64',
  minimum: JSON.rawJSON('-9223372036854775808'),
  maximum: JSON.rawJSON('9223372036854775807'),
} as const;

export function int64(description: string, example: string) {
  return schemaOf<bigint>({ ...int64Schema, description, examples: [JSON.rawJSON(example)] });
}

/** Its type is bigint, because stores return every integer as one. */
export function int32(description: string, example: number) {
  return schemaOf<bigint>({ type: 'integer', format: 'int32', description, examples: [example] });
}

/** In characters. Merging two problems joins their notes, which must fit. */
export const longestText = 100_000;

export function text(description: string, example: string | null, maxLength = longestText) {
  return schemaOf<string>({ type: 'string', maxLength, description, examples: [example] });
}

export function time(description: string) {
  return schemaOf<string>({
    type: 'string',
    format: 'date-time',
    description,
    examples: ['2026-11-21T08:30:00.000Z'],
  });
}

export function oneOf<const T extends readonly string[]>(values: T, description: string, example: T[number]) {
  return schemaOf<T[number]>({ type: 'string', enum: [...values], description, examples: [example] });
}

/** Judges set no limit. The type is string, because stores keep lists as JSON text. */
export function textList(description: string, example: string[]) {
  return schemaOf<string>({
    type: 'array',
    items: { type: 'string', maxLength: longestText },
    description,
    examples: [example],
  });
}

export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly string[] };
  return schemaOf<Static<S> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

export function resource<T extends Record<string, TSchema>>(title: string, description: string, fields: T) {
  const schema = { type: 'object', required: Object.keys(fields), properties: fields };
  return { ...schema, title, description, additionalProperties: false } as unknown as TObject<T>;
}

export function parseInt64(digits: string): bigint | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(digits)) return undefined;
  const value = BigInt(digits);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

export const ErrorBody = resource('Error', 'The body of every refusal.', {
  error: schemaOf<number>({
    type: 'integer',
    format: 'int32',
    description: 'A stable catalogue number: the HTTP status × 100 + a detail. docs/errors.md explains each.',
    examples: [40401],
  }),
  message: schemaOf<string>({
    type: 'string',
    description: 'One sentence that says what is wrong and what to do.',
    examples: ['There is no problem 404 that this token may see; check the id.'],
  }),
});

export interface ObjectSchema {
  properties: Record<string, TSchema>;
  title?: string;
}
