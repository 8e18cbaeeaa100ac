/** Query parameters made from their schemas in the document: good ones, and all kinds of wrong ones. */
import fc from 'fast-check';
import type { DocumentedOperation, Schema } from './document.ts';
import { type Collection, sources, tags, titles, type World } from './world.ts';

/** A part of the query: a good value, or a bad one with the error numbers that may refuse it. */
export interface Part {
  name: string;
  /** As it is sent. */
  raw: string;
  /** The value before it was encoded, if it is good. */
  value?: string;
  errors?: readonly number[];
  /** For a cursor, its place among the real ones. -1: a damaged one, which may mean anything. */
  cursor?: number;
}

const nasty = [
  '\0',
  '\n',
  '\0x',
  '%',
  '__proto__',
  "' OR 1=1 --",
  '../..',
  '\r\nX: y',
  '\u202e',
  '\ufeff',
  '😀',
  'e\u0301',
  'ﬀ',
  'İ',
  '\\',
  '"',
  '<script>',
  '#{x}',
  'null',
  ' ',
  '_',
  '%%',
  'a'.repeat(300),
];
export const texts = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const brokenEscapes = fc.constantFrom('%', '%z', '%zz', '%c3', '%ff', '%ed%a0%80', 'a%2', '%00');
export const anyInt64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
export const brokenNumbers = fc.oneof(
  fc.constantFrom(
    '',
    '+1',
    '01',
    '-0',
    '1.0',
    '1e3',
    '0x10',
    '1_0',
    ' 1',
    '1 ',
    '1n',
    '１',
    '١',
    'NaN',
    'null',
    '-',
    '--1',
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551617',
    '1,2',
    'true',
    '1\n',
    '1\0',
  ),
  fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }).map(String),
  texts.filter((text) => !/^(0|-?[1-9][0-9]*)$/.test(text) && text !== 'all'),
);

export const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const good = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Part> =>
  values.map((text) => {
    const value = text.toWellFormed();
    return { name, raw: `${name}=${encode(value)}`, value };
  });
const bad = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Part> =>
  values.map((value) => ({ name, raw: `${name}=${encode(value)}`, errors: [40003] }));
const isStored = (text: string) => text !== '' && !text.includes('\0');

/** Words for the texts of parameters, so that filters find something. */
const hints: Record<string, readonly string[]> = {
  source: sources,
  tag: tags,
  q: [...titles, '\n', 'a', 'K', 'k1', 'alias', 'WATER', 'ſ', 'ada', 'BO', 'Σ'],
};

export function partOf(operation: DocumentedOperation, name: string, schema: Schema, world: World): fc.Arbitrary<Part> {
  const badEscape = brokenEscapes.map((raw): Part => ({ name, raw: `${name}=${raw}`, errors: [40003] }));
  const or = (valid: fc.Arbitrary<Part>, invalid: fc.Arbitrary<Part>) =>
    fc.oneof({ weight: 12, arbitrary: valid }, { weight: 2, arbitrary: invalid }, { weight: 1, arbitrary: badEscape });
  if (name === 'cursor') return cursors(operation.operationId as Collection, world);
  if (name === 'order') return orders(operation, world);
  if (schema.anyOf) {
    const members = fc.constantFrom(...world.rows.listRecords.map((row) => String(row['id'])), 'all');
    return or(good(name, fc.oneof(members, anyInt64.map(String))), bad(name, brokenNumbers));
  }
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    return or(
      good(name, fc.constantFrom(...values)),
      bad(
        name,
        texts.filter((text) => !values.includes(text)),
      ),
    );
  }
  if (schema.type === 'boolean') {
    return or(
      good(name, fc.constantFrom('true', 'false')),
      bad(name, fc.constantFrom('', '1', 'TRUE', 'yes', ' true')),
    );
  }
  if (schema.type === 'integer') {
    if (schema.format === 'int64') {
      const members = fc.constantFrom(...world.rows.listRecords.map((row) => String(row['id'])));
      return or(
        good(name, fc.oneof(members, anyInt64.map(String))),
        bad(name, fc.oneof(brokenNumbers, fc.constant('all'))),
      );
    }
    const [min, max] = [schema.minimum ?? -(2 ** 31), schema.maximum ?? 2 ** 31 - 1];
    const ratings = world.rows.listProblems.map((row) => Number(row['rating'] ?? 0));
    const typical = name.startsWith('rating')
      ? fc.oneof(fc.integer({ min: -10, max: 4000 }), fc.constantFrom(...ratings))
      : fc.integer({ min: 1, max: 12 });
    const beyond = fc.constantFrom(String(min - 1), String(max + 1));
    return or(
      good(
        name,
        fc
          .oneof(
            { weight: 3, arbitrary: typical },
            { weight: 1, arbitrary: fc.integer({ min, max }) },
            { weight: 1, arbitrary: fc.constantFrom(min, max) },
          )
          .map(String),
      ),
      bad(name, fc.oneof(brokenNumbers, beyond)),
    );
  }
  if (schema.format === 'date-time') {
    const date = {
      min: new Date('2025-12-01T00:00:00Z'),
      max: new Date('2026-06-01T00:00:00Z'),
      noInvalidDate: true,
    };
    const rows = world.rows[operation.operationId as Collection];
    const written = rows.map((row) => new Date(String(row['updated_at'])));
    const times = fc
      .tuple(fc.oneof(fc.date(date), fc.constantFrom(...written)), fc.constantFrom('Z', '+00:00', '-00:00', 'z'))
      .map(([day, zone]) => day.toISOString().replace('Z', zone));
    return or(
      good(name, times),
      bad(name, fc.oneof(texts, fc.constantFrom('2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00'))),
    );
  }
  const hinted = fc.constantFrom(...(hints[name] ?? ['a']));
  return or(
    good(
      name,
      fc.oneof(
        { weight: 3, arbitrary: hinted },
        { weight: 1, arbitrary: texts.map((text) => text.toWellFormed()).filter(isStored) },
      ),
    ),
    bad(name, fc.constantFrom('', 'a\0b')),
  );
}

function orders(operation: DocumentedOperation, world: World): fc.Arbitrary<Part> {
  const [row] = world.rows[operation.operationId as Collection];
  const names = Object.keys(row ?? {}).filter((name) => name !== 'tags' && name !== 'aliases');
  const keys = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.boolean()), {
    minLength: 1,
    maxLength: 4,
    selector: ([name]) => name,
  });
  const valid = keys.map((list) => list.map(([name, isDescending]) => (isDescending ? `-${name}` : name)).join());
  const invalid = fc.constantFrom(
    '',
    'tags',
    'aliases',
    'id,id',
    'id,-id',
    '--id',
    'id,',
    ',',
    'ID',
    'id desc',
    'nonsense',
    '-',
  );
  return fc.oneof({ weight: 6, arbitrary: good('order', valid) }, { weight: 1, arbitrary: bad('order', invalid) });
}

function cursors(id: Collection, world: World): fc.Arbitrary<Part> {
  const pool = world.cursors[id];
  const real = fc.nat({ max: pool.length - 1 }).map((cursor): Part => {
    const { text } = pool[cursor] ?? { text: '' };
    return { name: 'cursor', raw: `cursor=${text}`, value: text, cursor };
  });
  const damaged = fc
    .tuple(fc.constantFrom(...pool), fc.nat(), fc.constantFrom('', 'A', '_', 'AA', '%', '=', '+'))
    .map(([{ text }, at, insert]): Part => {
      const place = at % text.length;
      const raw = text.slice(0, place) + encode(insert) + text.slice(place + 1);
      return { name: 'cursor', raw: `cursor=${raw}`, errors: [40003, 40005], cursor: -1 };
    });
  const madeUp = texts.map((text): Part => ({ name: 'cursor', raw: `cursor=${encode(text)}`, errors: [40003, 40005] }));
  return fc.oneof({ weight: 4, arbitrary: real }, { weight: 2, arbitrary: damaged }, { weight: 1, arbitrary: madeUp });
}
