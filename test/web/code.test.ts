/** Own code on the website: added, shown, compared, downloaded as it is, deleted and brought back; and found by nobody else. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeNotes } from '../../src/importing/notes-writer.ts';
import { exportRows, resourceNames, rowKinds } from '../../src/importing/row-kinds.ts';
import { addSolution } from '../../src/practice/solutions.ts';
import { sourceFiles } from '../house/support.ts';
import { openGarden } from '../importing/support.ts';
import { hrefsOf, textsOf, totalIn } from '../support/elements.ts';
import { textOf } from '../support/forms.ts';
import { importRows, memberWithToken, root } from '../support/garden.ts';
import { client } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { readZip } from '../support/zips.ts';

const problem = '/problem_list/problem/1/';
const paste = { name: 'code' };

async function world(t: TestContext, level = 'warn') {
  const { databaseUrl, store } = await openGarden(t);
  await importRows(databaseUrl, 'problems', ponds(2));
  const ids = await membersNamed(databaseUrl, 'ada', 'bob');
  const server = await serveHere(t, { databaseUrl, env: { LOG_LEVEL: level } });
  return { databaseUrl, ids, store, ...server, ada: await browserOf(server.url, 'ada') };
}

test('code is added by paste and by file, compared, downloaded byte for byte, deleted and brought back', async (t) => {
  const { ada } = await world(t);
  const lines = Array.from({ length: 30 }, (_, n) => `int a${n};`);
  await ada.open(`${problem}code/`);
  const refused = await ada.submit(paste, { file: 'a/', code: 'what was typed' });
  assert.equal(refused.status, 422);
  assert.match(textOf(refused, '.notice'), /needs a file name/);
  assert.ok(refused.text.includes('what was typed'));
  await ada.open(`${problem}code/`);
  const first = {
    file: 'a.cpp',
    code: lines.join('\r\n'),
    about: 'two <b>pointers',
    submission: 'https://judge.example/1',
  };
  assert.match(textOf(await ada.submit(paste, first), 'main'), /was added.*two <b>pointers.*a\.cpp, C\+\+, 259 bytes/s);
  assert.match(textOf(await ada.submit(paste, first), 'main'), /is here already/);
  const bytes = Buffer.from([...Buffer.from(lines.with(20, 'int b;').join('\n')), 0x0a, 0xe4, 0x1b, 0x0d]);
  const sent = await ada.submit({ within: 'form[enctype]', name: 'file' }, { file: { name: 'C:\\x\\ä.py', bytes } });
  const own = textOf(await ada.open(problem), '[data-code="2"]');
  assert.match(own, /ä\.py.*two <b>pointers.*a\.cpp/s);
  assert.doesNotMatch(own, /int a/, 'it is folded');
  const [second = ''] = hrefsOf(sent, '.codes a[href*="/code/"]');
  const shown = await ada.open(second);
  assert.match(textOf(shown, 'main'), /not UTF-8.*int b; int a21;.*ä\ufffd/s);
  assert.equal(shown.document.querySelectorAll('pre.source + [data-copy]').length, 1, 'it copies the code');
  assert.deepEqual(textsOf(shown, '.difference :is(ins, del)'), ['-int a20;', '+int b;', '+ä\ufffd']);
  const file = await ada.ask(`${second}file/`);
  assert.deepEqual([Buffer.from(file.bytes), file.headers['content-type']], [bytes, 'application/octet-stream']);
  assert.match(
    String(file.headers['content-disposition']),
    /attachment; filename="_\.py"; filename\*=UTF-8''%C3%A4\.py/,
  );
  await ada.open(second);
  const removed = await ada.submit({ within: 'main form', name: '' });
  assert.equal(hrefsOf(removed, '.codes a[href*="/code/"]').length, 1);
  assert.equal((await ada.ask(second)).status, 404);
  assert.match(textOf(await ada.submit({ within: '.undo', name: 'restore' }), 'main'), /The code is back.*ä\.py/s);
  assert.deepEqual(Buffer.from((await ada.ask(`${second}file/`)).bytes), bytes);
  assert.equal((await ada.ask(second.replace('problem/1/', 'problem/2/'))).status, 404);
});

test('two files of which too much differs are not compared', async (t) => {
  const { ada, ids, store } = await world(t);
  for (const [file, line] of [
    ['a.cpp', 'x'],
    ['b.cpp', 'y'],
  ] as const) {
    const code = Buffer.from(Array.from({ length: 5_000 }, (_, n) => `${line}${n}`).join('\n'));
    await addSolution(store, ids.ada, { problem: 1n, file, code });
  }
  const [second = ''] = hrefsOf(await ada.open(problem), '.codes a[href*="/code/"]');
  assert.match(textOf(await ada.open(second), 'main'), /differ too much/);
});

test('while a review is due, code is hidden until it is asked for', async (t) => {
  const { databaseUrl, ada, ids, store } = await world(t);
  const greedy = { problem: 1n, file: 'greedy.cpp', code: Buffer.from('x') };
  const { id } = (await addSolution(store, ids.ada, greedy)).solution;
  const paths = [problem, `${problem}code/`, `${problem}code/${id}/`];
  const isHidden = async (path: string) =>
    (await ada.open(path)).document.querySelector('.codes, .source')?.closest('details.reveal:not([open])') != null;
  for (const path of paths) assert.equal(await isHidden(path), false, path);
  const solved = { status: 'complete', origin: 'self', how: 'hint', updated_at: '2025-01-01T12:00:00Z' };
  await importRows(databaseUrl, 'statuses', [{ username: 'ada', problem: 1, ...solved }]);
  for (const path of paths) assert.equal(await isHidden(path), true, path);
});

test('the zip of notes has the code of each problem in a folder, byte for byte', async (t) => {
  const { ids, store } = await world(t);
  const code = Uint8Array.from({ length: 255 }, (_, place) => place + 1);
  for (const [n, file] of ['A.cpp', 'a.cpp', '..'].entries())
    await addSolution(store, ids.ada, { problem: 1n, file, code: code.subarray(n) });
  const zip = Buffer.concat(await writeNotes(store.reader, ids.ada).toArray());
  const folder = 'Pond 1 (codeforces 1A)';
  const names = [`${folder}/A.cpp`, `${folder}/a 2.cpp`, `${folder}/code`];
  assert.deepEqual([...readZip(zip).keys()], names);
  for (const [n, name] of names.entries())
    assert.equal(readZip(zip, 'latin1').get(name), Buffer.from(code.subarray(n)).toString('latin1'));
  assert.equal(readZip(Buffer.concat(await writeNotes(store.reader, ids.bob).toArray())).size, 0);
});

test('no other part of the program reads own code', () => {
  const readers = sourceFiles().filter((path) =>
    /'solutions'|\bFROM solutions\b|store\/solutions\.ts|\b(?:find|get|each)Solution\b/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  );
  assert.deepEqual(readers.toSorted(), [
    'src/importing/archive.ts',
    'src/importing/notes-writer.ts',
    'src/importing/solutions.ts',
    'src/practice/solutions.ts',
    'src/programs/changes.ts',
    'src/programs/representations.ts',
    'src/programs/solutions.ts',
    'src/store/added-problems.ts',
    'src/store/bookmarks.ts',
    'src/store/ids.ts',
    'src/store/inbox.ts',
    'src/store/problem-lists.ts',
    'src/store/program-feeds.ts',
    'src/store/removed-problems.ts',
    'src/store/solutions.ts',
    'src/store/solves.ts',
    'src/web/pages/account/data.ts',
    'src/web/pages/problems/code.ts',
  ]);
});

test('own code is found by the search of its member for words in it, and by no other search, export, answer of the API or line of the log', async (t) => {
  const { databaseUrl, ids, store, url, stderr, ada } = await world(t, 'debug');
  const mark = 'zq-own-code';
  const code = Buffer.from(mark);
  const one = { problem: 1n, file: `${mark}.cpp`, code, about: mark, submission: mark };
  const { id } = (await addSolution(store, ids.ada, one)).solution;
  const marks = [mark, code.toString('base64')];
  const hasNone = (answer: string, where: string) => {
    for (const one of marks) assert.ok(!answer.includes(one), where);
  };
  assert.ok((await ada.open(`${problem}code/${id}/`)).text.includes(mark));
  const bob = await browserOf(url, 'bob');
  const staff = await memberWithToken(databaseUrl, 'root', { role: 'staff' });
  for (const [browser, query, found] of [
    [ada, `note=own-CODE+${mark.slice(0, 2)}`, 1],
    [ada, `note=${mark}+absent`, 0],
    [ada, `q=${mark}`, 0],
    [bob, `note=${mark}`, 0],
    [await browserOf(url, 'root'), `note=${mark}`, 0],
  ] as const)
    assert.equal(totalIn(await browser.open(`/problem_list/?${query}`)), found, query);
  for (const name of resourceNames)
    for (const format of ['json', 'csv'] as const)
      for await (const chunk of exportRows(store.reader, rowKinds[name], format)) hasNone(chunk, name);
  const own = await memberWithToken(databaseUrl, 'ada');
  for (const { token } of [staff, own])
    for (const path of ['problem_list/api/problems', 'problem_list/api/status', 'dashboard/api/bookmarks'])
      for (const query of ['', `?q=${mark}`, '?user=all', '1/'])
        hasNone((await client(url, token)(`/${path}/${query}`)).text, path + query);
  const program = await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:read', 'practice:code'] });
  const found = await client(url, program.token)(`/practice/v1/problems?q=${mark}`);
  assert.deepEqual(JSON.parse(found.text).items, []);
  for (const path of ['', 'file/']) assert.equal((await bob.ask(`${problem}code/${id}/${path}`)).status, 404);
  hasNone((await bob.open(`${problem}code/`)).text, 'the page of another member');
  hasNone(stderr(), 'the log');
});
