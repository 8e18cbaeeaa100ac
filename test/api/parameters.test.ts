/** Query parameters: read strictly, refused by name, and text is searched in any case. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, bookmarks, client, idsOf, problems, records, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

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
      '2026-01-20T11:59:60.0Z',
    ]) {
      assert.equal(await since(text), expected, text);
    }
    for (const text of ['2026-01-20T12:00:00.0001Z', '2026-01-20T12:00:00.1Z'])
      assert.equal(await since(text), expected - 1, text);
    assert.equal(await since('0000-01-01T00:00:00Z'), rows.length);
    for (const text of [
      '2026-01-20',
      '2026-01-20T12:00:00',
      '2026-02-30T00:00:00Z',
      'yesterday',
      '',
      '2026-01-20 12:00:00Z',
      '0000-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
    ]) {
      assertRefusal(
        await asAda(`${problems}?updated_since=${encodeURIComponent(text)}`),
        40003,
        /"updated_since" must be an RFC 3339 time/,
      );
    }
    for (const target of [statuses, bookmarks, records]) {
      assert.equal((await asAda(`${target}?updated_since=9999-12-31T23:59:59Z`)).text, '[]');
    }
  });

  await t.test('an unknown parameter is refused with the nearest known one', async () => {
    const near = {
      limitt: 'limit',
      Order: 'order',
      cursr: 'cursor',
      updatedsince: 'updated_since',
      tags: 'tag',
      '': 'q',
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
    const long = await asAda(`${problems}?${'x'.repeat(61)}=1`);
    assertRefusal(long, 40002, /^Unknown parameter "x{60}"; did you mean "\w+"\?$/);
  });

  await t.test('a repeated parameter is refused by name', async () => {
    for (const name of ['limit', 'order', 'count', 'q', 'source']) {
      assertRefusal(
        await asAda(
          `${problems}?${name}=1&${name}=1`.replaceAll('count=1', 'count=true').replaceAll('order=1', 'order=id'),
        ),
        40004,
        new RegExp(`"${name}"`),
      );
    }
  });

  await t.test('a malformed parameter is refused by name, beyond the least and the most', async () => {
    const edges = 'limit=1 limit=1000 rating_min=-2147483648 rating_max=2147483647 tag=t1&tag=t1';
    for (const query of edges.split(' ')) assert.equal((await asAda(`${problems}?${query}`)).status, 200, query);
    const malformed =
      'limit=0 limit=1001 limit=-1 limit=1.5 limit=1e2 limit= limit limit=+5 limit=%D9%A1 count=yes ' +
      'count=1 order= order=tags order=aliases order=--id order=id,id order=id,-id order=id, ' +
      'rating_min=x rating_min=-2147483649 rating_max=2147483648 q= source= tag= status= bookmarked= cursor=';
    for (const query of malformed.split(' ')) {
      const [name] = query.split('=');
      assertRefusal(await asAda(`${problems}?${query}`), 40003, new RegExp(`"${name}"`));
    }
    for (const query of ['q=%', 'q=%ff', 'q=%00', '%E0%A4=1'])
      assertRefusal(await asAda(`${problems}?${query}`), 40003);
  });
});
