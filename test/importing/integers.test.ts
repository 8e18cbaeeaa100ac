/** Integers in files are their digits: any other spelling is a bad row, in every format and field. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Format, formats } from '../../src/contract/rows.ts';
import type { ResourceName } from '../../src/importing/row-kinds.ts';
import { onceOnly } from '../support/databases.ts';
import { assertAllRefused, assertRefused, type Garden, gardenOf, openGarden, report } from './support.ts';

type Numbered = Exclude<
  ResourceName,
  'handles' | 'submissions' | 'ratings' | 'changes' | 'reviews' | 'timers' | 'lists' | 'preferences'
>;

const rows: Record<Numbered, Record<string, string>> = {
  problems: { id: '1', title: '"New"', source: '"cses"', source_key: '"1"', rating: '800' },
  records: { id: '1', username: '"ada"' },
  bookmarks: { id: '1', user: '1', problem: '1', note: '"new"' },
  statuses: { id: '1', user: '1', problem: '1', status: '"reading"' },
  plants: { id: '1', user: '1', name: '"New"', target: '5' },
};

const integers: Record<Numbered, string[]> = {
  problems: ['id', 'rating'],
  records: ['id'],
  bookmarks: ['id', 'user', 'problem'],
  statuses: ['id', 'user', 'problem'],
  plants: ['id', 'user', 'target'],
};

const noDigits = [
  ...['1e0', '1E0', '1e3', '10e-1', '1.0', '1.000000000000000000000', '0.9999999999999999999'],
  ...['-0', '-0.0', '0.0', '0e9', '1.5', '1e400', '9007199254740993.0', '9.007199254740993e15'],
  ...['9223372036854775808', '-9223372036854775809', '18446744073709551617', '1'.repeat(2000)],
];
/** Texts that JSON itself refuses; a cell of CSV may hold them. */
const noJson = ['01', '-01', '+1', '1.', '.1', '0x1', '1n', '1_000', 'NaN', 'Infinity', '１', '--1', '1-', "'-1", "'1"];
const otherKinds = ['"1"', '""', 'true', '[1]', '{"rawJSON":"1"}'];

function fileOf(what: Numbered, field: string, text: string, format: Format): string {
  const row = Object.entries({ ...rows[what], [field]: text });
  if (format === 'csv') {
    const cells = row.map(([name, cell]) => (name === field ? `"${text}"` : cell));
    return `${row.map(([name]) => name).join(',')}\r\n${cells.join(',')}\r\n`;
  }
  const object = `{${row.map(([name, cell]) => `"${name}":${cell}`).join(',')}}`;
  return format === 'json' ? `[\n ${object}]` : object;
}

async function gardenWithOne(t: TestContext): Promise<Garden> {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [{ id: 1, title: 'Old', source: 'cses', source_key: '1' }]);
  await garden.import('plants', [{ id: 1, user: 1, name: 'Old', target: 1 }]);
  return garden;
}

for (const format of formats) {
  test(`as ${format} an integer that is not its plain digits is a bad row, and nothing changes`, {
    skip: onceOnly,
  }, async (t) => {
    const garden = await gardenWithOne(t);
    const place = { json: 'line 2, column 2', ndjson: 'line 1, column 1', csv: 'line 2, column 1' }[format];
    const texts = format === 'csv' ? [...noDigits, ...noJson, ' 1', '1 '] : [...noDigits, ...otherKinds];
    const refused: Parameters<typeof assertAllRefused>[1][number][] = [];
    for (const what of Object.keys(integers) as Numbered[]) {
      for (const field of integers[what]) {
        const isShort = field === 'rating';
        const bits = isShort ? 'int32' : 'int64';
        const reason = new RegExp(`${place}: ${field} is .*; expected an ${bits} in plain digits, such as 42`);
        for (const text of [...texts, ...(isShort ? ['2147483648', '-2147483649'] : [])])
          refused.push([reason, what, fileOf(what, field, text, format), { format }]);
      }
    }
    for (const text of format === 'csv' ? [] : noJson) {
      const file = fileOf('problems', 'id', text, format);
      refused.push([/[Ll]ine \d, column \d+: /, 'problems', file, { format }]);
    }
    await assertAllRefused(garden, refused);
  });

  test(`as ${format} the sentence about a bad integer shows it as it is written`, {
    skip: onceOnly,
  }, async (t) => {
    const garden = await openGarden(t);
    for (const text of ['1e3', '-0', '0.9999999999999999999', '9223372036854775808', '1e400']) {
      const shown = format === 'csv' ? `"${text}"` : text;
      const reason = new RegExp(`: id is ${shown}; expected`);
      await assertRefused(garden, reason, 'problems', fileOf('problems', 'id', text, format), { format });
    }
  });

  test(`as ${format} plain digits of the whole range are kept exactly`, async (t) => {
    const garden = await gardenWithOne(t);
    const ids = ['0', '-1', '42', '9007199254740991', '9007199254740992', '9007199254740993'];
    ids.push('-9007199254740993', '9223372036854775807', '-9223372036854775808');
    for (const id of ids) {
      const file = fileOf('plants', 'id', id, format);
      assert.deepEqual((await garden.import('plants', file, { format })).report, report({ read: 1, new: 1 }));
    }
    const stored = await garden.store.reader.selectFrom('plants').select('id').execute();
    assert.deepEqual(stored.map(({ id }) => String(id)).toSorted(), ['1', ...ids].toSorted());
    for (const rating of ['2147483647', '-2147483648', '0']) {
      await garden.import('problems', fileOf('problems', 'rating', rating, format), { format });
      assert.equal((await garden.rows('problems'))[0]?.['rating'], Number(rating));
    }
  });
}

test('an entry that is a number is no row, however it is written', async (t) => {
  const garden = await openGarden(t);
  for (const text of ['7', '7.0', '-0', '9223372036854775808', '1e400']) {
    const reason = new RegExp(`The entry is ${text}; expected an object`);
    await assertRefused(garden, reason, 'problems', `[${text}]`);
    await assertRefused(garden, reason, 'problems', text, { format: 'ndjson' });
  }
});
