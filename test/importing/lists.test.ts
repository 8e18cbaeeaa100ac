/** `garden import lists` takes links alone for problems, in rows and in texts, and adds unknown ones where it is asked to. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { writeList } from '../../src/importing/list-file.ts';
import { resolveLinks, textListImporter } from '../../src/importing/lists.ts';
import { readContent } from '../../src/store/lists.ts';
import { gardenHere } from '../support/commands.ts';
import { temporaryFolder } from '../support/garden.ts';
import { assertRefused, codeforcesNamed, exported, type Garden, gardenOf } from './support.ts';

const known = 'https://codeforces.com/contest/1/problem/A';
const copy = 'https://vjudge.net/problem/CodeForces-1B';
const unknown = 'https://www.spoj.com/problems/PRIME1/';

/** A garden of ada with two problems. */
async function withPonds(t: Parameters<typeof gardenOf>[0], ...more: string[]): Promise<Garden> {
  const garden = await gardenOf(t, 'ada');
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '1B', ...more));
  return garden;
}

async function contentOf({ store }: Garden) {
  const lists = await store.reader.selectFrom('lists').select(['id', 'name']).orderBy('id').execute();
  const problems = await store.reader.selectFrom('problems').select(['id', 'source_key', 'title']).execute();
  const keyOf = new Map(problems.map((row) => [row.id, row.source_key]));
  return Promise.all(
    lists.map(async ({ id, name }) => {
      const sections = await readContent(store.reader, id);
      return [name, ...sections.map((one) => [one.name, ...one.items.map((item) => keyOf.get(item.problem_id))])];
    }),
  );
}

test('a row of a list names problems by links alone, and unknown ones are left out or added', async (t) => {
  const garden = await withPonds(t);
  const list = (...problems: unknown[]) => [
    {
      username: 'ada',
      name: 'Camp',
      created_at: '2026-03-03T03:03:03Z',
      content: { sections: [{ name: 'One', problems }] },
    },
  ];
  const rows = list(known, { url: copy, memo: 'again' }, { url: unknown, title: 'Primes' });
  const dry = await garden.import('lists', rows, { isDryRun: true, addsUnknown: true });
  assert.deepEqual(dry.notes, ['1 problem added to the garden.']);
  assert.deepEqual(await contentOf(garden), []);
  const left = await garden.import('lists', rows);
  assert.deepEqual([left.report.new, left.report.unmatched], [1, 1]);
  assert.deepEqual(left.notes, [
    `Left out: 1 problem that the garden does not have: ${unknown}; --add-unknown adds links.`,
  ]);
  assert.deepEqual(await contentOf(garden), [['Camp', ['One', '1A', '1B']]]);
  const added = await garden.import('lists', rows, { addsUnknown: true });
  assert.deepEqual([added.report.changed, added.report.unmatched], [1, 0]);
  assert.deepEqual(await contentOf(garden), [['Camp', ['One', '1A', '1B', 'PRIME1']]]);
  assert.equal((await garden.rows('problems')).find(({ source }) => source === 'spoj')?.['title'], 'Primes');
  assert.equal((await garden.import('lists', rows)).hasWritten, false);
  const places = Array.from({ length: 12 }, (_, at) => ({ source: 'spoj', source_key: `NONE${at}` }));
  const { report, notes, lines } = await garden.import(
    'lists',
    list(known, ...places, { url: copy, memo: 'again' }, unknown),
  );
  assert.deepEqual([report.bad, report.kept, report.unmatched], [0, 1, 12]);
  assert.match(notes.join(), /^Left out: 12 problems .*: spoj NONE0, .*spoj NONE9, …; --add-unknown adds links/);
  assert.ok(lines.includes('unmatched problem spoj NONE11'));
  assert.deepEqual(await contentOf(garden), [['Camp', ['One', '1A', '1B', 'PRIME1']]]);
  for (const [wrong, reason] of [
    ['javascript:alert(1)', /javascript:alert\(1\): .*http/],
    ['https://user:word@example.org/x', /example\.org\/x: .*(name|password)/],
    [{ url: 7 }, /link/],
  ] as const)
    await assertRefused(garden, reason, 'lists', list(wrong), { addsUnknown: true });
});

test('lists of one file that were made at the same moment, or say no moment, stay apart', async (t) => {
  const [garden, other] = [await withPonds(t), await withPonds(t)];
  const listOf = (name: string, problem: string) => {
    return { username: 'ada', name, content: { sections: [{ name: '', problems: [problem] }] } };
  };
  const made = await garden.import('lists', [listOf('One', known), listOf('Two', copy), listOf('Two', known)]);
  assert.equal(made.report.new, 3);
  const whole = [
    ['One', ['', '1A']],
    ['Two', ['', '1B']],
    ['Two', ['', '1A']],
  ];
  assert.deepEqual(await contentOf(garden), whole);
  const rows = JSON.parse(await exported(garden.store, 'lists', 'json')) as { name: string; created_at: string }[];
  const two = rows.filter((_row, at) => at < 2);
  const { name: list, created_at: list_made_at } = two[1] ?? {};
  await garden.import('plants', [{ username: 'ada', name: 'p', target: 1, list, list_owner: 'ada', list_made_at }]);
  const [plant] = await garden.store.reader.selectFrom('plants').select(['list_id', 'list_name']).execute();
  assert.deepEqual(plant, { list_id: 2n, list_name: 'Two' });
  assert.equal((await other.import('lists', two, { trustsIds: false })).report.new, 2);
  assert.deepEqual(await contentOf(other), whole.slice(0, 2));
  assert.equal((await other.import('lists', [...two, ...two], { trustsIds: false })).report.kept, 4);
  await other.import('lists', [{ ...two[0], name: 'Renamed' }], { trustsIds: false });
  assert.deepEqual(await contentOf(other), [
    ['Renamed', ['', '1A']],
    ['Two', ['', '1B']],
  ]);
});

test('a row of a list that leaves fields out changes nothing of them', async (t) => {
  const garden = await withPonds(t);
  const row = { username: 'ada', created_at: '2026-03-03T03:03:03Z' };
  const [list, part, item] = ['list', 'part', 'item'].map((of) => `{"of":"${of}"}`);
  const added_at = '2026-01-01T00:00:00.000Z';
  const first = { url: known, memo: 'Sort', extras: item, added_at };
  const content = { extras: list, sections: [{ name: 'One', extras: part, problems: [first, copy] }] };
  await garden.import('lists', [{ ...row, name: 'Camp', visibility: 'garden', content }]);
  const { report } = await garden.import('lists', [{ ...row, name: 'Winter camp' }]);
  assert.equal(report.changed, 1);
  assert.deepEqual(await contentOf(garden), [['Winter camp', ['One', '1A', '1B']]]);
  const stored = await garden.store.reader.selectFrom('lists').select(['visibility', 'extras']).execute();
  assert.deepEqual(stored, [{ visibility: 'garden', extras: list }]);
  const [section] = await readContent(garden.store.reader, 1n);
  assert.equal(section?.extras, part);
  const [one, two] = section?.items ?? [];
  assert.deepEqual([one?.memo, one?.extras, one?.added_at], ['Sort', item, added_at]);
  assert.deepEqual([two?.memo, two?.extras], [null, null]);
});

const texts: readonly (readonly [what: string, text: string, unmatched?: number])[] = [
  [
    'practice-list/1',
    JSON.stringify({
      format: 'practice-list/1',
      title: 'Of a file',
      sections: [{ name: 'One', problems: [known, copy, unknown].map((url) => ({ url })) }],
    }),
  ],
  ['CSV', `section,url\nOne,${known}\nOne,${copy}\nOne,${unknown}\n`],
  ['text', `Solve ${known.slice(8)} first and/or ${copy} then\nand ${unknown}.\nhttps://example.org/\n`, 2],
  ['Markdown', `## One\n\n- [A](${known})\n- ${copy}\n- ${unknown}\n`],
];

for (const [what, text, unmatched = 1] of texts)
  test(`${what} becomes a list of the member, and only grows if it is imported again`, async (t) => {
    const garden = await withPonds(t);
    const first = await garden.import('lists', text, { member: 'ada' });
    assert.deepEqual([first.report.new, first.report.unmatched], [2, unmatched]);
    const whole = await garden.import('lists', text, { member: 'ada', addsUnknown: true });
    assert.deepEqual([whole.report.new, whole.report.kept], [1, 2]);
    const [[name, ...sections] = []] = await contentOf(garden);
    assert.equal(name, what === 'practice-list/1' ? 'Of a file' : 'file');
    assert.deepEqual(
      sections.flatMap((one) => (Array.isArray(one) ? one.slice(1) : [])),
      ['1A', '1B', 'PRIME1'],
    );
    const again = await garden.import('lists', text, { member: 'ada' });
    assert.deepEqual([again.report.kept, again.hasWritten], [3, false]);
  });

test('links become problems of their sections, each once and up to a limit, or say what they lead to', async (t) => {
  const garden = await withPonds(t, '1C', '1D');
  const resolve = (sections: Parameters<typeof resolveLinks>[1], most?: number) =>
    resolveLinks(garden.store.reader, sections, new Map(), most);
  const pond = (key: string) => `https://codeforces.com/contest/1/problem/${key}`;
  const [contest, lily] = ['https://codeforces.com/contest/4', 'https://pond.example/p/lily-pad'];
  const addresses = [...[...'AAABCD'].map(pond), 'and/or', contest, contest, lily, lily];
  const links = addresses.map((address, at) => ({ line: at || 1, address, title: '1. Lily Pad' }));
  const { sections, unmatched, ...counts } = await resolve(
    [
      { name: 'Empty', links: [] },
      { name: 'One', links },
    ],
    2,
  );
  assert.deepEqual(
    sections.map(({ name, items }) => [name, ...items.map(({ problem, line }) => `${line} ${problem.title}`)]),
    [['One', '1 Pond 1A', '3 Pond 1B', '9 Lily Pad']],
  );
  assert.deepEqual(counts, { repeatedCount: 1, overLimitCount: 2 });
  assert.deepEqual(
    unmatched.map(({ line, address, page }) => [line, address, page?.key]),
    [[7, contest, 'pageKind.contest']],
  );
  assert.equal((await resolve([{ name: 'One', links }])).overLimitCount, 0);
  const many = Array.from({ length: 102 }, (_, n) => ({ name: `${n}`, links: [{ line: n, address: `${lily}/${n}` }] }));
  const last = (await resolve(many)).sections.at(-1);
  assert.deepEqual([last?.name, last?.items.map(({ line }) => line)], ['99', [99, 100, 101]]);
  const modules = Array.from({ length: 1001 }, (_, n) => ({ name: '', extras: `{"id":${n}}`, links: [] }));
  await assert.rejects(resolve(modules), /1,?000/);
  assert.equal((await resolve(modules.slice(1))).sections.length, 1000, 'modules may be without problems');
});

test('a list in Markdown has each address whole, and a key where no address leads to the problem', () => {
  const [title, key] = ['A [b] #1', 'x `y`'];
  const problems = [
    { title, url: 'https://a.example/x (1)\t<y>', memo: 'a*b' },
    { title, source: 'made', key },
  ];
  const file = { title: 'T', by: 'ada', updated: '2026-01-01', sections: [{ name: 'One', problems }] };
  assert.deepEqual(writeList(file, 'md').split('\n').slice(-4), [
    '',
    '- [A \\[b\\] \\#1](https://a.example/x%20%281%29%09%3cy%3e) — a\\*b',
    '- A \\[b\\] \\#1 `made/x%20%60y%60`',
    '',
  ]);
});

test('a list without a title is named after its file', async () => {
  for (const [file, name] of [
    ['winter_camp.md', 'winter_camp'],
    ['a/b\\ponds.problems.JSON', 'ponds'],
    ['v1.2.txt', 'v1.2'],
    ['a.markdown', 'a.markdown'],
    ['.md', 'List'],
  ] as const)
    for await (const [entry] of textListImporter(file).read(Readable.from([Buffer.from(known)])))
      assert.equal(entry && 'value' in entry && (entry.value as { list: string }).list, name);
});

test('the command line says what would be added, adds it, and refuses flags that do not fit', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const path = join(await temporaryFolder(t), 'winter_camp.md');
  // Notepad saves UTF-16 with its mark.
  await writeFile(path, Buffer.from(`\ufeff# Primes\n\n- ${unknown}\n`, 'utf16le'));
  const run = (...more: string[]) => gardenHere(['import', 'lists', path, ...more], garden);
  const dry = await run('--member', 'ada', '--add-unknown', '--dry-run');
  assert.match(dry.stdout, /1 problem added to the garden\.\nDry run: nothing was changed\./, dry.stderr);
  const without = await run('--member', 'ada');
  assert.match(without.stdout, /1 not known here.*\nLeft out: 1 problem .*--add-unknown adds links/);
  const added = await run('--member', 'ada', '--add-unknown');
  assert.equal(added.code, 0, added.stderr);
  assert.deepEqual(await contentOf(garden), [['Primes', ['', 'PRIME1']]]);
  await writeFile(path, 'https://codeforces.com/contest/4\nhttps://pond.example/users/ada\nhttps://pond.example/p/4\n');
  const pages = await run('--member', 'ada', '--add-unknown', '--details');
  assert.match(pages.stderr + pages.stdout, /unmatched link https:\/\/codeforces\.com\/contest\/4, a contest\n/);
  assert.match(pages.stderr + pages.stdout, /unmatched link https:\/\/pond\.example\/users\/ada\n/);
  assert.match(pages.stdout, /1 problem added to the garden/);
  for (const [flags, reason] of [
    [['--member', 'ada', '--format', 'csv'], /--format works only for rows of garden export/],
    [['--member', 'ada', '--handle', 'x'], /--handle works only for submissions/],
  ] as const) {
    const { code, stderr } = await run(...flags);
    assert.notEqual(code, 0);
    assert.match(stderr, reason);
  }
  const other = await gardenHere(['import', 'statuses', path, '--add-unknown'], garden);
  assert.match(other.stderr, /--add-unknown works only for lists/);
});
