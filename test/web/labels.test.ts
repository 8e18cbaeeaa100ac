/** Own labels: added and removed without a script, found and counted, moved with their problem, and nobody else's. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { writeArchive } from '../../src/importing/archive.ts';
import { writeNotes } from '../../src/importing/notes-writer.ts';
import {
  areLabels,
  assertRoomForLabels,
  checkedLabels,
  countLabels,
  labelLimits,
  labelsIn,
} from '../../src/practice/labels.ts';
import { redo, setBookmarks, setLabel, setNote, undo } from '../../src/practice/marks.ts';
import { createMember } from '../../src/practice/members.ts';
import { mergeProblem, restoreProblem } from '../../src/practice/merging.ts';
import { findBookmarks } from '../../src/store/bookmarks.ts';
import { exported, openGarden } from '../importing/support.ts';
import { textOf } from '../support/forms.ts';
import { importRows, memberWithToken, temporaryDatabase, withStore } from '../support/garden.ts';
import { client } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { readZip } from '../support/zips.ts';

const problems = [1, 2, 3].map((id) => ({ id, source: 'cses', source_key: String(id), title: `Pond ${id}` }));
const list = '/problem_list/';
const add = { within: '.label-form' };

test('a label is one line of visible signs, the same in any case', () => {
  assert.deepEqual(checkedLabels([' Off by one ', 'OFF BY ONE', 'e\u0301', '\u00e9', '👩‍💻']), [
    'Off by one',
    'é',
    '👩‍💻',
  ]);
  const { characters, ofProblem } = labelLimits;
  assert.deepEqual([characters, ofProblem], [50, 20]);
  checkedLabels([...Array(20).keys()].map((n) => `${'𝛼'.repeat(48)}${n}`));
  for (const wrong of ['', ' ', 'a\nb', 'a\0', '\u202eab', '\u200b', '\ud800', '𝛼'.repeat(51)])
    assert.throws(() => checkedLabels([wrong]), { code: 'invalidValue' }, JSON.stringify(wrong));
  assert.throws(() => checkedLabels([...Array(21).keys()].map(String)), { code: 'invalidValue' });
  assert.ok(areLabels(['b', 'A']));
  for (const wrong of ['a', [], ['a', 1], ['a', 'A'], [' a'], ['\0']])
    assert.ok(!areLabels(wrong), JSON.stringify(wrong));
  assertRoomForLabels(4_999);
  assert.throws(() => assertRoomForLabels(5_000), { code: 'invalidValue' });
});

async function world(t: TestContext) {
  const garden = await openGarden(t);
  await garden.import('problems', problems);
  const { store } = garden;
  const { id: ada } = await store.write((tx) => createMember(tx, { username: 'ada', role: 'member' }));
  const labels = async (problem = 1n) => labelsIn((await findBookmarks(store.reader, ada, [problem]))[0]);
  const label = (text: string, problem = 1n, isOn = true) => setLabel(store, ada, problem, text, isOn);
  return { garden, store, ada, labels, label };
}

test('star, note and labels of a problem stay apart, and each change is undone', async (t) => {
  const { store, ada, labels, label } = await world(t);
  await label('Parity');
  const second = await label('PARITY', 2n);
  assert.deepEqual([await labels(), await labels(2n)], [['Parity'], ['Parity']], 'the spelling that is used already');
  assert.equal((await label('parity')).changed, 0);
  await undo(store, ada, second.batch ?? 0n);
  assert.deepEqual(await labels(2n), []);
  await redo(store, ada, second.batch ?? 0n);
  await setNote(store, ada, 1n, 'a note');
  await setBookmarks(store, ada, [1n], true);
  await setBookmarks(store, ada, [1n], false);
  const [noted] = await findBookmarks(store.reader, ada, [1n]);
  await label('greedy');
  await label('parity', 1n, false);
  const [row] = await findBookmarks(store.reader, ada, [1n]);
  assert.deepEqual([row?.note, row?.is_starred, labelsIn(row)], ['a note', 0n, ['greedy']]);
  assert.equal(row?.updated_at, noted?.updated_at, 'the time of the note');
  await setNote(store, ada, 1n, '');
  await label('greedy', 1n, false);
  assert.deepEqual(await findBookmarks(store.reader, ada, [1n]), [], 'nothing is left of it');
  for (let n = 0; n < 20; n++) await label(`label ${n}`, 3n);
  await assert.rejects(label('one more', 3n), { code: 'invalidValue' });
  await label('Label 7');
  const counts = (await countLabels(store.reader, ada)).map((one) => `${one.label} ${one.count}`);
  assert.equal(counts.length, 21);
  assert.deepEqual(counts.slice(0, 5), ['label 7 2', 'Parity 1', 'label 0 1', 'label 1 1', 'label 10 1']);
});

test('labels are in the archive and the notes, move with a merged problem and come back', async (t) => {
  const { garden, store, ada, labels, label } = await world(t);
  for (const [text, problem] of [
    ['b', 1n],
    ['A', 1n],
    ['a', 2n],
    ['c', 2n],
  ] as const)
    await label(text, problem);
  await setNote(store, ada, 2n, 'a note');
  const archive = await buffer(writeArchive(store.reader, ada));
  const there = await openGarden(t);
  await there.import('problems', problems);
  await there.import('archive', archive);
  for (const what of ['bookmarks', 'changes'] as const)
    assert.equal(await exported(there.store, what, 'csv'), await exported(store, what, 'csv'));
  const row = { username: 'ada', source: 'cses', source_key: '3', starred: 'no' };
  const many = [...Array(21).keys()].map(String);
  const wrong = [['x\ny'], many, []].map((labels) => ({ ...row, labels }));
  await assert.rejects(garden.import('bookmarks', wrong), /^AppError: No row is valid/);
  const notes = readZip(await buffer(writeNotes(store.reader, ada)));
  assert.match([...notes.values()].join(), /^labels: \["A", "c"\]\n---$/m);
  await mergeProblem(store, 2n, 1n);
  assert.deepEqual(await labels(), ['b', 'A', 'c']);
  await restoreProblem(store, 2n);
  assert.deepEqual(
    [await labels(), await labels(2n)],
    [
      ['b', 'A'],
      ['A', 'c'],
    ],
  );
});

test('nobody else sees a label, whatever their role', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  await membersNamed(databaseUrl, 'ada', 'bob');
  const staff = await memberWithToken(databaseUrl, 'root', { role: 'staff' });
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  await ada.open(`${list}problem/1/`);
  assert.equal(
    textOf(await ada.submit(add, { label: 'off <by> one' }), '.undo p'),
    'Pond 1: label “off <by> one” added',
  );
  assert.equal((await ada.submit(add, { label: 'x'.repeat(51) })).status, 422);
  await ada.open(`${list}problem/2/`);
  await ada.submit(add, { label: 'Off <BY> one' });
  const found = await ada.open(`${list}?label=${encodeURIComponent('OFF <by> ONE')}`);
  assert.match(found.text, /data-total="2"/);
  assert.match((await ada.open(`${list}?label=off`)).text, /data-total="0"/);
  await ada.open(`${list}problem/1/`);
  await ada.submit({ within: '.star-form', name: 'bookmark' });
  for (const name of ['bob', 'root']) {
    const other = await browserOf(url, name);
    for (const path of [`${list}problem/1/`, `${list}?label=off+%3Cby%3E+one`, '/dashboard/progress/', '/dashboard/']) {
      const { text } = await other.open(path);
      assert.doesNotMatch(text.replaceAll(/label: “.*?”|value=".*?"/g, ''), /off &lt;by/, `${name} ${path}`);
    }
    assert.match((await other.open(`${list}?label=off+%3Cby%3E+one`)).text, /data-total="0"/);
  }
  const ask = client(url, staff.token);
  for (const path of ['/dashboard/api/bookmarks/?user=all', `${list}api/problems/`])
    assert.doesNotMatch((await ask(path)).text, /off|label/i, path);
  const bobs = await withStore(databaseUrl, async ({ reader }) => buffer(writeArchive(reader, 2n)));
  assert.doesNotMatch([...readZip(bobs)].filter(([name]) => name !== 'README.txt').join(), /off <by/);
  await ada.open(`${list}problem/2/`);
  const gone = await ada.submit({ within: '.labels', name: 'label_gone' });
  assert.equal(gone.document.querySelectorAll('.labels li').length, 0);
});
