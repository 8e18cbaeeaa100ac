/** Query parameters: read strictly, refused by name, and text is searched in any case. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, idsOf } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

const problems = '/problem_list/api/problems/';
const statuses = '/problem_list/api/status/';
const bookmarks = '/dashboard/api/bookmarks/';
const records = '/authentication/api/records/';

const titles = [
  '100% sure',
  'a_b',
  'a\\b',
  'axb',
  'MISSISSIPPI ſtream',
  '300 \u212a and \u212b',
  'ΟΔΥΣΣΕΥΣ',
  'οδυσσευς',
  'Straße',
  'STRASSE',
  'İstanbul',
  'ısıtma',
  'Ǆ ǅ ǆ',
  'ᏣᎳᎩ ꮳꮃꭹ',
  '𐐀𐐨',
];

const rows = titles.map((title, place) => ({
  id: place,
  title,
  source: 'here',
  source_key: `#${place}`,
  updated_at: `2026-01-${String(10 + place)}T12:00:00.000Z`,
}));

test('parameters', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', rows);
  const server = await serveHere(t, { databaseUrl });
  const asAda = client(server.url, token);

  await t.test('q finds text in any case by simple folding, and takes % and _ literally', async () => {
    const found = async (q: string) => {
      const ids = idsOf(await asAda(`${problems}?q=${encodeURIComponent(q)}`));
      return ids.map((id) => titles[Number(id)]);
    };
    const cases: [q: string, expected: string[]][] = [
      ['%', ['100% sure']],
      ['_', ['a_b']],
      ['\\', ['a\\b']],
      ['A_B', ['a_b']],
      ['A\\B', ['a\\b']],
      ['a%b', []],
      ['STREAM', ['MISSISSIPPI ſtream']],
      ['miſſiſſippi', ['MISSISSIPPI ſtream']],
      ['300 k AND å', ['300 \u212a and \u212b']],
      ['οδυσσευσ', ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς']],
      ['ΟΔΥΣΣΕΥς', ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς']],
      ['straße', ['Straße']],
      ['STRAẞE', ['Straße']],
      ['strasse', ['STRASSE']],
      ['istanbul', []],
      ['İSTANBUL', ['İstanbul']],
      ['ISITMA', []],
      ['ısıTMA', ['ısıtma']],
      ['ǆ Ǆ ǅ', ['Ǆ ǅ ǆ']],
      ['ꮳꮃꭹ ᏣᎳᎩ', ['ᏣᎳᎩ ꮳꮃꭹ']],
      ['𐐨𐐀', ['𐐀𐐨']],
    ];
    for (const [q, expected] of cases) assert.deepEqual(await found(q), expected, q);
  });

  await t.test('updated_since is inclusive and compares instants, not texts', async () => {
    const since = async (text: string) =>
      idsOf(await asAda(`${problems}?updated_since=${encodeURIComponent(text)}`)).length;
    const expected = rows.filter(({ updated_at }) => updated_at >= '2026-01-20T12:00:00.000Z').length;
    for (const text of [
      '2026-01-20T12:00:00Z',
      '2026-01-20T12:00:00.000z',
      '2026-01-20T14:30:00+02:30',
      '2026-01-19T12:00:01-23:59',
      '2026-01-20t11:59:59.9991Z',
    ]) {
      assert.equal(await since(text), expected, text);
    }
    assert.equal(
      await since('2026-01-20T12:00:00.0001Z'),
      rows.filter(({ updated_at }) => updated_at > '2026-01-20T12:00:00.000Z').length,
    );
    for (const text of [
      '2026-01-20',
      '2026-01-20T12:00:00',
      '2026-02-30T00:00:00Z',
      'yesterday',
      '',
      '2026-01-20 12:00:00Z',
    ]) {
      assertRefusal(
        await asAda(`${problems}?updated_since=${encodeURIComponent(text)}`),
        40003,
        /"updated_since" must be an RFC 3339 time/,
      );
    }
    for (const target of [statuses, bookmarks, records]) {
      assert.equal((await asAda(`${target}?updated_since=2999-01-01T00:00:00Z`)).text, '[]');
    }
  });

  await t.test('an unknown parameter is refused with the nearest known one', async () => {
    const near = {
      limitt: 'limit',
      Order: 'order',
      cursr: 'cursor',
      updatedsince: 'updated_since',
      tags: 'tag',
    };
    for (const [name, nearest] of Object.entries(near)) {
      assertRefusal(
        await asAda(`${problems}?${name}=1`),
        40002,
        `Unknown parameter "${name}"; did you mean "${nearest}"?`,
      );
    }
    assertRefusal(await asAda(`${statuses}?bookmarked=true`), 40002);
    for (const name of ['__proto__', 'constructor', 'toString'])
      assertRefusal(await asAda(`${problems}?${name}=1`), 40002);
    assertRefusal(await asAda(`${problems}?=1`), 40002);
  });

  await t.test('a repeated parameter is refused by name; tag may repeat', async () => {
    for (const name of ['limit', 'order', 'count', 'q', 'source']) {
      assertRefusal(
        await asAda(
          `${problems}?${name}=1&${name}=1`.replaceAll('count=1', 'count=true').replaceAll('order=1', 'order=id'),
        ),
        40004,
        new RegExp(`"${name}"`),
      );
    }
    assert.equal((await asAda(`${problems}?tag=t1&tag=t1`)).status, 200);
  });

  await t.test('a malformed parameter is refused by name', async () => {
    const malformed =
      'limit=0 limit=1001 limit=-1 limit=1.5 limit=1e2 limit= limit limit=+5 limit=%D9%A1 count=yes ' +
      'count=1 order= order=tags order=aliases order=--id order=id,id order=id,-id order=id, ' +
      'rating_min=x rating_max=2147483648 q= source= tag= status= bookmarked= cursor=';
    for (const query of malformed.split(' ')) {
      const [name] = query.split('=');
      assertRefusal(await asAda(`${problems}?${query}`), 40003, new RegExp(`"${name}"`));
    }
    for (const query of ['q=%', 'q=%ff', 'q=%00', '%E0%A4=1'])
      assertRefusal(await asAda(`${problems}?${query}`), 40003);
  });
});
