/** Reads single fields of judges' files and answers. Functions throw badRow. */
import { AppError, localizedError, type Message, type MessageValue, message } from '../errors.ts';
import type { ReadRows, Submission, Verdict } from './judge.ts';

export const entryName = message('field.entry');

export function objectOf(value: unknown, name: MessageValue = entryName): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || JSON.isRawJSON(value))
    throw badField(name, value, message('expected.object'));
  return value as Record<string, unknown>;
}

export function listOf(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw badField(name, value, message('expected.list'));
  return value;
}

/** Empty for an object or a list: in JSON they can have a `toString` that no conversion can call. */
export const scalarText = (value: unknown): string => (typeof value === 'object' ? '' : String(value));

/** Trimmed text of 1 to `maxLength` characters that both databases can store. */
export function textOf(value: unknown, name: string, maxLength: number): string {
  const text = trimmed(value, maxLength);
  if (text === undefined) throw badText(name, value, maxLength);
  return text;
}

export function textsOf(value: unknown, name: string, maxLength: number): string[] {
  return listOf(value, name).map((item, at) => {
    const text = trimmed(item, maxLength);
    if (text === undefined) throw badText(`${name}[${at}]`, item, maxLength);
    return text;
  });
}

function trimmed(value: unknown, maxLength: number): string | undefined {
  const text = cutText(value, maxLength);
  return text !== null && text === (value as string).trim() ? text : undefined;
}

function badText(name: string, value: unknown, maxLength: number): AppError {
  return badField(name, value, message('expected.text', { most: maxLength }));
}

export function optionalText(value: unknown, name: string, maxLength: number): string | null {
  return (value ?? null) === null ? null : textOf(value, name, maxLength);
}

/** Text that only describes a row: it is cut, and null if it is empty or of another type. */
export function cutText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  // PostgreSQL cannot store NUL, and half a surrogate pair has no UTF-8 form.
  const text = value
    .replaceAll(/[\0\p{Cs}]/gu, '')
    .trim()
    .slice(0, maxLength);
  return text.replace(/\p{Cs}$/u, '').trim() || null;
}

/** Text that is cut, but cannot be absent. Throws badRow. */
export function cutTextOf(value: unknown, name: string, maxLength: number): string {
  const text = cutText(value, maxLength);
  if (text === null) throw badText(name, value, maxLength);
  return text;
}

/** The user who sent a submission. Some judges leave out the name in answers about one user. */
export function handlesIn(value: unknown): string[] {
  const name = cutText(value, 100);
  return name === null ? [] : [name];
}

/** The JSON of topics, without what is no text. */
export function topicsJson(values: unknown): string {
  const topics = (Array.isArray(values) ? values : []).flatMap(
    (one) => cutText(one, 100)?.toLowerCase() ?? [],
  );
  return JSON.stringify([...new Set(topics)]);
}

/** What `read` makes of each row. One for which it throws badRow is skipped. */
export function readRows<T>(rows: readonly unknown[], read: (row: unknown) => T): ReadRows<T> {
  const values: T[] = [];
  const skipped: AppError[] = [];
  for (const row of rows) {
    try {
      values.push(read(row));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'badRow') throw error;
      skipped.push(error);
    }
  }
  return { values, skipped };
}

export function matchOf(value: unknown, name: string, pattern: RegExp, expected: Message): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw badField(name, value, expected);
  return value;
}

/** Browsers drop invisible characters (`java\nscript:`), and a user name can look like a host, so neither is valid. */
export function webAddressOf(value: unknown, name: string): string {
  const isPlain = typeof value === 'string' && /^https?:\/\/[^\s\p{C}\\/?#][^\s\p{C}\\]*$/iu.test(value);
  const url = isPlain ? URL.parse(value) : null;
  if (isPlain && url !== null && url.username === '' && url.password === '') return value;
  throw badField(name, value, message('expected.webAddress'));
}

export function integerOf(value: unknown, name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw badField(name, value, message('expected.integer', { least: min, most: max }));
  }
  return value;
}

export function numberOf(value: unknown, name: string, least: number, most: number): number {
  const number = JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
  if (typeof number !== 'number' || !(number >= least && number <= most))
    throw badField(name, value, message('expected.number', { least, most }));
  return number;
}

const ratingAtMost = 10_000;

export function personRatingOf(value: unknown, name: string): bigint {
  return BigInt(integerOf(value, name, -ratingAtMost, ratingAtMost));
}

/** Null where a judge gives no place. */
export const contestPlaceOf = (value: unknown): bigint | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;

const lastSecondOf9999 = 253_402_300_799;

export function timeOf(value: unknown, name: string): string {
  return new Date(integerOf(value, name, 0, lastSecondOf9999) * 1000).toISOString();
}

/** A time without a zone is UTC. */
export function isoTimeOf(value: unknown, name: string): string {
  const pattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
  const [text = '', zone] = (typeof value === 'string' && pattern.exec(value)) || [];
  const time = Date.parse(zone === undefined ? `${text}Z` : text);
  if (!(time >= 0 && time < (lastSecondOf9999 + 1) * 1000))
    throw badField(name, value, message('expected.isoTime'));
  return new Date(time).toISOString();
}

export function badField(name: MessageValue, value: unknown, expected: Message): AppError {
  return localizedError('badRow.field', { name, found: describe(value), expected });
}

function describe(value: unknown): MessageValue {
  if (value === undefined) return message('found.nothing');
  if (Array.isArray(value)) return value.length === 0 ? message('found.emptyList') : message('expected.list');
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return message('expected.object');
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function solverCountIn(problem: Readonly<Record<string, unknown>>, name: string): bigint | undefined {
  const count = problem[name];
  return (count ?? null) === null ? undefined : BigInt(integerOf(count, name));
}

const voidVerdicts: readonly Verdict[] = [
  'compileError',
  'internalError',
  'failed',
  'crashed',
  'inputCrashed',
];

/** `unknown` is the class of a word that is no key of `verdicts`. */
export function verdictClassOf(
  verdicts: Readonly<Record<string, Verdict>>,
  code: string | null,
  classOfUnknown: 'pending' | 'tried' = 'tried',
): Submission['verdictClass'] {
  if (code === null) return 'pending';
  const verdict = Object.hasOwn(verdicts, code) ? verdicts[code] : undefined;
  if (verdict === undefined) return classOfUnknown;
  if (verdict === 'accepted') return 'solved';
  if (verdict === 'waiting') return 'pending';
  return voidVerdicts.includes(verdict) ? 'void' : 'tried';
}

export const withoutContest = { contest: null, participation: null, isGym: false } as const;
