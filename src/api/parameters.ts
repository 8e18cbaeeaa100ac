/** Reads the query string strictly: what is unknown, repeated or malformed is refused by name. */
import { closest } from 'fastest-levenshtein';
import type { Static, TSchema } from 'typebox';
import { type ObjectSchema, parseInt64 } from '../contract/common.ts';
import { longestTarget, readInstant } from '../contract/parameters.ts';
import { withWebsiteName } from '../contract/statuses.ts';
import { AppError, documentedError, quoted } from '../errors.ts';
import type { SortField, SortKey } from '../store/listings.ts';

/** Throws malformedParameter. */
export function splitQuery(query: string): [name: string, value: string][] {
  return pairsOf(query).map((pair) => {
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return [decode(name), decode(value)];
  });
}

function pairsOf(query: string): string[] {
  return query.split('&').filter((pair) => pair !== '');
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    // No stored text has a NUL, and PostgreSQL would refuse it later with a worse message.
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // A broken escape has the same message as a NUL.
  }
  throw new AppError(
    'malformedParameter',
    'The query string is not percent-encoded UTF-8; encode names and values as encodeURIComponent does.',
  );
}

/** Throws targetTooLong. */
export function nextTarget(path: string, query: string, cursor: string): string {
  const otherPairs = pairsOf(query).filter((pair) => decode(pair.split('=')[0] ?? '') !== 'cursor');
  // RFC 3986 §3.4 excludes these characters from a query, but Node's parser accepts the ASCII ones.
  const encoded = otherPairs
    .join('&')
    .replace(/[^\w.~!$&'()*+,;=:@/?%-]/g, (character) => encodeURIComponent(character));
  const target = `${path}?${encoded}&cursor=${cursor}`;
  if (target.length <= longestTarget) return target;
  throw new AppError(
    'targetTooLong',
    'There is a next page, but with these parameters its address would be too long; send shorter ones.',
  );
}

/** Throws unknownParameter, repeatedParameter or malformedParameter. */
export function readQuery<T extends ObjectSchema & TSchema>(
  fields: T,
  pairs: readonly [string, string][],
): Static<T> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of pairs) {
    const schema = Object.hasOwn(fields.properties, name) ? fields.properties[name] : undefined;
    if (!schema) throw unknownParameter(fields, name);
    const { type } = schema as ParameterSchema;
    if (type === 'array') {
      const list = (values[name] ?? []) as unknown[];
      list.push(readValue(name, text, (schema as { items: ParameterSchema }).items));
      values[name] = list;
    } else if (Object.hasOwn(values, name)) {
      throw documentedError('repeatedParameter', name);
    } else {
      values[name] = readValue(name, text, schema as ParameterSchema);
    }
  }
  return values as Static<T>;
}

function unknownParameter(fields: ObjectSchema, name: string): AppError {
  const names = Object.keys(fields.properties);
  if (names.length > 0) return documentedError('unknownParameter', name, closest(name, names));
  return new AppError('unknownParameter', `Unknown parameter ${quoted(name)}; this operation takes none.`);
}

interface ParameterSchema {
  type?: string;
  format?: string;
  enum?: string[];
  anyOf?: { const?: string }[];
  minimum?: number;
  maximum?: number;
}

function readValue(name: string, text: string, schema: ParameterSchema): unknown {
  if (schema.anyOf) {
    const word = schema.anyOf.find((choice) => choice.const === text);
    return word ? text : (parseInt64(text) ?? malformed(name, 'a decimal int64, or "all"'));
  }
  if (schema.type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    return malformed(name, '"true" or "false"');
  }
  if (schema.type === 'integer') return readInteger(name, text, schema);
  if (schema.enum) {
    return schema.enum.includes(text)
      ? text
      : malformed(name, `one of ${schema.enum.map(withWebsiteName).join(', ')}`);
  }
  if (schema.format === 'date-time') {
    return (
      readInstant(text) ??
      malformed(name, 'an RFC 3339 time, such as 2026-11-01T00:00:00Z ("+" is %2B in a URL)')
    );
  }
  return text === '' ? malformed(name, 'not empty') : text;
}

function readInteger(name: string, text: string, { format, minimum, maximum }: ParameterSchema) {
  const value = parseInt64(text);
  if (format === 'int64') return value ?? malformed(name, 'a decimal int64');
  const least = BigInt(minimum ?? -(2 ** 31));
  const most = BigInt(maximum ?? 2 ** 31 - 1);
  if (value === undefined || value < least || value > most) {
    return malformed(name, `an integer from ${least} to ${most}`);
  }
  return Number(value);
}

function malformed(name: string, expected: string): never {
  throw documentedError('malformedParameter', name, expected);
}

/** The requested order, then the tie-breakers. Throws malformedParameter. */
export function readOrder(
  order: string | undefined,
  fields: readonly SortField[],
  tieBreakers: readonly string[],
): SortKey[] {
  const keys: SortKey[] = [];
  for (const part of order?.split(',') ?? []) {
    const name = part.replace(/^-/, '');
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) {
      const names = fields.map((candidate) => candidate.name);
      throw new AppError(
        'malformedParameter',
        `The parameter "order" names ${quoted(name)}, but rows cannot be sorted by that; did you mean "${closest(name, names)}"?`,
      );
    }
    if (keys.some((key) => key.field === field)) {
      throw new AppError(
        'malformedParameter',
        `The parameter "order" names "${name}" twice; name each field once.`,
      );
    }
    keys.push({ field, isDescending: part.startsWith('-') });
  }
  for (const field of fields) {
    if (tieBreakers.includes(field.name) && !keys.some((key) => key.field === field))
      keys.push({ field, isDescending: false });
  }
  return keys;
}
