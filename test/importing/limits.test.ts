/** What a member may have of each noun is the same at every door: files of members, archives and the command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveImporter } from '../../src/importing/archive.ts';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import { type ImportName, importerOf } from '../../src/importing/resources.ts';
import { plantAgain, uproot } from '../../src/practice/planting.ts';
import { gardenHere } from '../support/commands.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { membersNamed } from '../support/members.ts';
import { zipOf } from '../support/zips.ts';
import { openGarden } from './support.ts';

const at = '2026-01-01T00:00:00.000Z';
const key = { source: 'codeforces', source_key: '1A' };
const long = (length: number) => 'x'.repeat(length);
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const content = (sections: unknown) => JSON.parse(JSON.stringify({ sections })) as object;
const change = { batch: 1, ...key, kind: 'note', before: null, made_at: at, undone_at: null };
const saved = (views: object[]) => ({ name: 'problem_views', value: JSON.stringify(views) });
const sent = {
  source: 'codeforces',
  handle: 'ada_cf',
  submission_id: '1',
  key: '1A',
  verdict_class: 'solved',
};

/** For each limit: the rows that reach it and are taken, and one row more, or longer, that is refused. */
const limits: readonly [kind: Exclude<ImportName, 'archive'>, fits: object[], beyond: object, why: RegExp][] =
  [
    [
      'handles',
      many(50, (n) => ({ source: 'codeforces', name: `h${n}xx` })),
      { source: 'codeforces', name: 'one_more' },
      /up to 50 handles/,
    ],
    ['handles', [], { source: 'codeforces', name: long(25) }, /A handle at Codeforces/],
    [
      'plants',
      many(200, (n) => ({ name: `p${n}`, target: 1 })),
      { name: 'one more', target: 1 },
      /up to 200 plants/,
    ],
    [
      'plants',
      [{ name: long(200), target: 1_000_000 }],
      { name: long(201), target: 1 },
      /at most 200 characters/,
    ],
    ['plants', [], { name: 'two\nlines', target: 1 }, /one line/],
    ['plants', [], { name: 'far', target: 1_000_001 }, /from 1 to 1000000/],
    ['plants', [], { name: 'topic', tag: long(201), target: 1 }, /at most 200 characters/],
    [
      'plants',
      [],
      { name: 'p', target: 1, edits: { before: [{ at, name: long(201), target: '1' }] } },
      /edits is not valid/,
    ],
    ['bookmarks', [{ ...key, note: long(10_000) }], { ...key, note: long(10_001) }, /at most 10000/],
    [
      'changes',
      [{ ...change, after: { note: long(10_000), created_at: at, updated_at: at } }],
      { ...change, after: { note: long(10_001), created_at: at, updated_at: at } },
      /after is not valid/,
    ],
    [
      'reviews',
      many(1000, (n) => ({
        ...key,
        grade: 'good',
        made_at: new Date(Date.parse(at) + n * 1000).toISOString(),
      })),
      { ...key, grade: 'good', made_at: '2026-02-01T00:00:00.000Z' },
      /at most 1000 reviews/,
    ],
    [
      'lists',
      many(200, (n) => ({
        name: `l${n}`,
        created_at: new Date(Date.parse(at) + n * 1000).toISOString(),
        content: content([]),
      })),
      { name: 'one more', created_at: '2026-02-01T00:00:00.000Z' },
      /up to 200 lists/,
    ],
    [
      'lists',
      [{ name: 'l', content: content(many(100, () => ({ name: 's' }))) }],
      { name: 'l', content: content(many(101, () => ({ name: 's' }))) },
      /up to 100 sections/,
    ],
    [
      'lists',
      [],
      { name: 'l', content: content([{ problems: [{ ...key, added_at: '+010000-01-01T00:00:00Z' }] }]) },
      /added_at/,
    ],
    [
      'preferences',
      [saved(many(20, (n) => ({ name: `v${n}`, query: '' })))],
      saved(many(21, (n) => ({ name: `v${n}`, query: '' }))),
      /with this value is not a preference/,
    ],
    ['preferences', [], saved([{ name: long(41), query: '' }]), /with this value is not a preference/],
    ['submissions', [], { ...sent, submission_id: long(101), submitted_at: at }, /submission_id/],
    ['submissions', [], { ...sent, submitted_at: '10000-01-01T00:00:00Z' }, /RFC 3339/],
  ];

test('every limit holds for files of members and for archives, whoever imports them', async (t) => {
  for (const door of ['member', 'archive'] as const)
    for (const [kind, fits, beyond, why] of limits) {
      const databaseUrl = await temporaryDatabase(t);
      const { ada } = await membersNamed(databaseUrl, 'ada');
      await importRows(databaseUrl, 'problems', [{ ...key, title: 'Theatre Square', rating: 1000 }]);
      if (kind === 'submissions')
        await importRows(databaseUrl, 'handles', [{ username: 'ada', source: 'codeforces', name: 'ada_cf' }]);
      const garden = await openGarden(t, databaseUrl);
      const take = async (given: readonly object[]) => {
        const rows = given.map((row) => `${JSON.stringify({ username: 'ada', ...row })}\n`).join('');
        const isArchive = door === 'archive';
        const bytes = isArchive
          ? zipOf(
              new Map([
                ['records.ndjson', '{"username":"ada"}\n'],
                [`${kind}.ndjson`, rows],
              ]),
            )
          : Buffer.from(rows);
        const importer = isArchive ? archiveImporter() : importerOf(kind, 'ndjson');
        const open = async () =>
          (async function* () {
            yield bytes;
          })();
        const file = await checkFile(importer, { open, skipsBad: true, trustsIds: false });
        const owner = door === 'member' ? ada : undefined;
        return applyFile(garden.store, file, { member: undefined, isDryRun: false, owner });
      };
      const what = `${kind} by ${door}: ${why}`;
      if (fits.length > 0) assert.deepEqual((await take(fits)).badRows, [], what);
      const { badRows, report } = await take([beyond]);
      assert.equal(report.bad, 1, what);
      assert.match(badRows[0] ?? '', why, what);
    }
});

test('the command line and the day on which a plant can be planted again have the same room', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada');
  const run = (...args: string[]) => gardenHere(args, { databaseUrl });
  const plants = many(200, (n) => ({ username: 'ada', name: `p${n}`, target: 1 }));
  await importRows(databaseUrl, 'plants', plants);
  await importRows(
    databaseUrl,
    'handles',
    many(50, (n) => ({ username: 'ada', source: 'codeforces', name: `h${n}xx` })),
  );
  for (const [args, why] of [
    [['plant', 'add', 'ada', '--name', 'more'], /up to 200 plants/],
    [['plant', 'add', 'ada', '--name', 'far', '--target', '1000001'], /from 1 to 1000000/],
    [['plant', 'add', 'ada', '--name', long(201)], /1 to 200 characters/],
    [['handle', 'add', 'ada', 'codeforces', 'more'], /up to 50 handles/],
    [['handle', 'add', 'ada', 'codeforces', long(25)], /A handle at Codeforces/],
  ] as const) {
    const { code, stderr } = await run(...args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, why);
  }
  const { store } = await openGarden(t, databaseUrl);
  const { id } = await store.reader.selectFrom('plants').select('id').executeTakeFirstOrThrow();
  await store.write((tx) => uproot(tx, ada, id));
  await importRows(databaseUrl, 'plants', [{ username: 'ada', name: 'new', target: 1 }]);
  await assert.rejects(
    store.write((tx) => plantAgain(tx, ada, id, new Date())),
    /up to 200 plants/,
  );
});
