/** docs/schemas: what people take out fits the schemas, which are made from the fields of the code. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { schemaFiles } from '../../release/schemas.ts';
import { writeArchive } from '../../src/importing/archive.ts';
import { renderListFile } from '../../src/importing/list-file.ts';
import { listJudgeAddresses } from '../../src/practice/judge-addresses.ts';
import { findVisibleList } from '../../src/store/lists.ts';
import { read } from '../house/support.ts';
import { fillGarden } from '../support/shown.ts';
import { readZip } from '../support/zips.ts';
import { archiveOf, lived } from './lived-garden.ts';
import { gardenOf, openGarden } from './support.ts';

const schemaOf = (name: string) => Compile(JSON.parse(schemaFiles().get(name) ?? ''));
const archive = schemaOf('archive.json');
const list = schemaOf('practice-list.json');
const course = schemaOf('practice-course.json');

test('courses as files fit their schema, and wrong ones do not', async (t) => {
  const { store, ...garden } = await gardenOf(t, 'ada');
  const [problems, resources] = [[{ url: 'https://cses.fi/problemset/task/1068' }], [{ url: 'https://r.example/' }]];
  const modules = [
    { id: 1, title: 'Loops', needs: [], about: 'First.', resources, problems, done: 1 },
    { title: 'Trees', needs: [1, 'x'], problems },
    { id: 'x', title: 'Read', problems: [] },
  ];
  const given = { format: 'practice-course/1', title: 'Camp', licence: 'CC0-1.0', modules };
  await garden.import('lists', JSON.stringify(given), { member: 'ada', addsUnknown: true });
  const found = await findVisibleList(store.reader, 1n, 1n);
  assert.ok(found);
  const file = JSON.parse(await renderListFile(store.reader, found, 'json', new Map()));
  assert.deepEqual(file.modules[0].problems[0].also, ['2'], 'a problem in two modules');
  for (const one of [given, file]) assert.ok(course.Check(one), JSON.stringify(course.Errors(one)).slice(0, 1000));
  const [first] = modules;
  const broken = [{ done: 0 }, { needs: '1' }, { id: '' }, { problems: undefined }, { resources: [{}] }];
  for (const one of [{ format: 'practice-list/1' }, ...broken.map((part) => ({ modules: [{ ...first, ...part }] }))])
    assert.ok(!course.Check(JSON.parse(JSON.stringify({ ...given, ...one }))), JSON.stringify(one));
});

type Rows = Record<string, Record<string, unknown>[]>;

function rowsIn(zip: Buffer): Rows {
  const files = [...readZip(zip)].filter(([name]) => name !== 'README.txt');
  return Object.fromEntries(
    files.map(([name, text]) => [
      name,
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ]),
  );
}

test('docs/schemas has what npm run generate writes', () => {
  for (const [name, text] of schemaFiles()) assert.equal(read(`docs/schemas/${name}`), text, 'run: npm run generate');
});

test('archives and lists as files fit their schemas, and wrong ones do not', async (t) => {
  const { store } = await openGarden(t);
  await fillGarden(store);
  const sample = rowsIn(await buffer(writeArchive(store.reader, 1n)));
  const archives = [sample, rowsIn(await archiveOf(await lived(t)))];
  for (const rows of archives) assert.ok(archive.Check(rows), JSON.stringify(archive.Errors(rows)).slice(0, 1000));
  for (const [name, all] of archives.flatMap((one) => Object.entries(one))) {
    const [row] = all;
    if (!row) continue;
    const wrong = [{ ...row, id: 7 }, { ...row, username: 7 }, { username: row['username'] }];
    for (const one of wrong) assert.ok(!archive.Check({ ...sample, [name]: [one] }), `${name} ${JSON.stringify(one)}`);
  }
  const filledFiles = new Set(archives.flatMap((one) => Object.keys(one).filter((name) => one[name]?.length)));
  assert.deepEqual(
    Object.keys(archives[0] ?? {}).filter((name) => !filledFiles.has(name)),
    [],
  );
  assert.ok(!archive.Check({}) && !archive.Check({ ...sample, 'secrets.ndjson': [] }));
  const places = await listJudgeAddresses(store.reader, new Map());
  for (const id of [1n, 3n]) {
    const found = await findVisibleList(store.reader, id, 1n);
    assert.ok(found);
    const file: Rows = JSON.parse(await renderListFile(store.reader, found, 'json', places));
    assert.ok(list.Check(file), JSON.stringify(list.Errors(file)).slice(0, 1000));
    const broken = [{ format: 'practice-list/2' }, { sections: [{ name: 'First' }] }, { title: '' }];
    for (const one of broken) assert.ok(!list.Check({ ...file, ...one }), JSON.stringify(one));
  }
});
