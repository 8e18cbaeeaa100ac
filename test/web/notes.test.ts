/** Notes and editorials: a note stands without a star, is found by its words, and is nobody else's. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeArchive } from '../../src/importing/archive.ts';
import { writeCards, writeNotes } from '../../src/importing/notes-writer.ts';
import { setNote, setStatus, undo } from '../../src/practice/marks.ts';
import { findBookmarks } from '../../src/store/bookmarks.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { exported, openGarden } from '../importing/support.ts';
import { attributeOf, attributesOf, totalIn } from '../support/elements.ts';
import { textOf } from '../support/forms.ts';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { bookmarks, client, idsOf } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { readZip } from '../support/zips.ts';

const list = '/problem_list/';
const noteForm = { within: '#your-note', name: 'note' };

const problems = [
  ['codeforces', '1A', 'Theatre', 'https://codeforces.com/problemset/problem/1/A'],
  ['atcoder', 'abc100_d', 'Cakes', 'https://atcoder.jp/contests/abc100/tasks/abc100_d'],
  ['leetcode', 'two-sum', 'CON', 'https://leetcode.com/problems/two-sum/'],
  ['cses', '1068', 'a/b: "c"?'],
].map(([source, source_key, title, url = null], place) => ({ id: place + 1, source, source_key, title, url }));
const people = [
  { id: 1, username: 'ada' },
  { id: 2, username: 'bob' },
];

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  await membersNamed(databaseUrl, 'ada', 'bob');
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const staff = await memberWithToken(databaseUrl, 'root', { role: 'staff' });
  const { url, stderr } = await serveHere(t, { databaseUrl });
  const enter = (name: string) => browserOf(url, name);
  const clients = { api: client(url, token), staff: client(url, staff.token) };
  return { databaseUrl, url, stderr, ada: await enter('ada'), enter, ...clients };
}

test('a note without a star is no bookmark, and star and note are undone apart', async (t) => {
  const { ada, api, staff } = await world(t);
  const paths = [bookmarks, `${bookmarks}?order=note`, `${bookmarks}?updated_since=2000-01-01T00:00:00Z`];
  const isNone = async () => {
    for (const path of paths) assert.equal((await api(path)).text, '[]', path);
    for (const format of ['text/csv', 'application/x-ndjson'])
      assert.doesNotMatch((await api(bookmarks, { headers: { Accept: format } })).text, /recipe/);
    assert.equal((await api(`${bookmarks}2/`)).status, 404);
    assert.equal((await staff(`${bookmarks}?user=all`)).text, '[]');
    assert.deepEqual(idsOf(await api('/problem_list/api/problems/?bookmarked=true')), []);
    assert.equal(idsOf(await api('/problem_list/api/problems/?bookmarked=false')).length, 4);
    assert.match((await ada.open(`${list}?bookmarked=true`)).text, /data-total="0"/);
  };
  await ada.open(`${list}problem/2/`);
  const saved = await ada.submit(noteForm, { note: 'recipe' });
  assert.match(textOf(saved, '.undo p'), /^Cakes: note saved$/);
  const note = saved.path;
  await isNone();
  const page = await ada.open(list);
  assert.equal(attributeOf(page, '[data-problem="2"] .star', 'aria-pressed'), 'false');
  assert.ok(page.document.querySelector('[data-problem="2"] .mark-note'));
  await ada.submit({ within: '[data-problem="2"]', name: 'bookmark' });
  assert.equal(JSON.parse((await api(`${bookmarks}2/`)).text).note, 'recipe');
  assert.equal((await ada.open(note)).document.querySelectorAll('.undo button').length, 1);
  const refused = await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal(refused.status, 412, 'a star that came later stands on the note');
  await ada.open(`${list}problem/2/`);
  const off = await ada.submit({ within: '.star-form', name: 'bookmark' });
  assert.match(textOf(off, '.undo p'), /star removed/);
  await isNone();
  assert.equal(textOf(off, 'textarea'), 'recipe');
  await ada.open(off.path);
  await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal((await api(`${bookmarks}2/`)).status, 200);
  await ada.open(`${list}problem/2/`);
  await ada.submit(noteForm, { note: '' });
  assert.equal(JSON.parse((await api(`${bookmarks}2/`)).text).note, null);
});

test('a note of 65,536 characters of three bytes is kept whole, one more is refused', async (t) => {
  const { ada } = await world(t);
  const long = '木'.repeat(65_536);
  await ada.open(`${list}problem/1/`);
  assert.equal((await ada.submit(noteForm, { note: long })).status, 200);
  const refused = await ada.submit(noteForm, { note: `${long}木` });
  assert.equal(refused.status, 422);
  assert.match(textOf(refused, '[role="alert"]'), /It has 65,537 characters; the limit is 65,536/);
  assert.equal(textOf(await ada.open(`${list}problem/1/`), 'textarea'), long);
});

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: n + 10, source: 'cses', source_key: `n${n}`, title: 'N' }));
const noteOn = (problem: number, note: string) => ({ username: 'ada', problem, note });

test('a member keeps 32 MiB of notes, and downloads one file at a time', async (t) => {
  const { ada, enter, databaseUrl, url, stderr } = await world(t);
  await importRows(databaseUrl, 'problems', many(513));
  const longest = many(512).map(({ id }) => noteOn(id, 'x'.repeat(65_536)));
  await importRows(databaseUrl, 'bookmarks', longest);
  const save = async (problem: number, note: string) => {
    await ada.open(`${list}problem/${problem}/`);
    return ada.submit(noteForm, { note });
  };
  const refused = await save(1, 'one more');
  assert.match(refused.text, /up to 10,000 notes, with 32 MiB in all/);
  assert.deepEqual([refused.status, textOf(refused, 'textarea')], [422, 'one more']);
  const garden = await openGarden(t, databaseUrl);
  const owner = (await findMemberByName(garden.store.reader, 'ada'))?.id ?? 0n;
  const rows = [noteOn(1, 'y'), noteOn(10, 'shorter'), noteOn(2, 'z')];
  const { badRows } = await garden.import('bookmarks', rows, { owner, skipsBad: true });
  assert.match(badRows.join('\n'), /^line 1, .* up to 10,000 notes.*$/, 'the last has room');
  assert.equal((await save(1, 'one more')).status, 200);
  // What was deleted does not come back beside what took its room.
  await save(11, '');
  await garden.import('bookmarks', [noteOn(522, 'x'.repeat(65_536))], { owner });
  const undone = await ada.submit({ name: 'undo' });
  assert.match(undone.text, /up to 10,000 notes/);
  assert.equal((await findBookmarks(garden.store.reader, owner, [11n]))[0]?.note ?? null, null);

  const path = '/authentication/account/data/bookmarks/';
  const Cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const start = (target: string) => {
    const sent = request(url + target, { headers: { Cookie }, agent: false }).end();
    const answered = new Promise((resolve) =>
      sent.on('error', () => {}).on('response', (one) => resolve(one.statusCode)),
    );
    return { sent, answered };
  };
  const first = start(path);
  assert.equal(await first.answered, 200);
  const second = start(path);
  const dashboard = async () => (await ada.open('/dashboard/')).status;
  for (let n = 0; n < 5; n++) assert.equal(await Promise.race([second.answered.then(() => 'early'), dashboard()]), 200);
  assert.equal((await (await enter('bob')).ask(path)).status, 200, 'nobody else waits');
  first.sent.destroy();
  assert.equal(await second.answered, 200, 'it begins when the client of the first leaves');
  second.sent.destroy();
  const leaving = start(path.replace('bookmarks', 'archive'));
  setTimeout(() => leaving.sent.destroy(), 20);
  assert.equal((await ada.ask(path)).status, 200);
  assert.equal(stderr(), '', 'who leaves is no failure');
});

test('archives and files bring notes without stars along; files from before have stars alone', async (t) => {
  const garden = await openGarden(t);
  await garden.import('problems', problems);
  await garden.import('records', people);
  const at = '2026-01-02T03:04:05.000Z';
  const row = (source_key: string, source: string, more: object) => ({ username: 'ada', source, source_key, ...more });
  await garden.import('bookmarks', [
    row('1A', 'codeforces', { note: 'as before', created_at: at, updated_at: at }),
    row('abc100_d', 'atcoder', { note: 'alone', starred: 'no', created_at: at, updated_at: at }),
    row('1068', 'cses', { starred: 'no', editorial_at: at, created_at: at, updated_at: at }),
  ]);
  const shown = async (one: typeof garden) =>
    (JSON.parse(await exported(one.store, 'bookmarks', 'json')) as Record<string, unknown>[]).map((found) =>
      ['source_key', 'note', 'starred', 'editorial_at'].map((name) => found[name]),
    );
  const rows = [
    ['1A', 'as before', 'yes', null],
    ['abc100_d', 'alone', 'no', null],
    ['1068', null, 'no', at],
  ];
  const sorted = (all: unknown[]) => all.map((one) => JSON.stringify(one)).toSorted();
  assert.deepEqual(sorted(await shown(garden)), sorted(rows));
  const archive = Buffer.concat(await writeArchive(garden.store.reader, 1n).toArray());
  const other = await openGarden(t);
  await other.import('problems', problems);
  await other.import('archive', archive as never, { trustsIds: false });
  assert.deepEqual(sorted(await shown(other)), sorted(rows));
  const { report } = await garden.import('bookmarks', [row('1068', 'cses', { starred: 'no', editorial_at: null })], {
    skipsBad: true,
  });
  assert.equal(report.bad, 1, 'a row with nothing in it');
});

test('words of one’s own notes are found, in any case, and nobody else’s', async (t) => {
  const { ada, enter } = await world(t);
  const bob = await enter('bob');
  for (const [id, note] of [
    [1, 'Segment TREE over Straße'],
    [2, 'tree 100%'],
  ] as const) {
    await ada.open(`${list}problem/${id}/`);
    await ada.submit(noteForm, { note });
  }
  for (const [who, words, ...found] of [
    [ada, 'tree', '1', '2'],
    [ada, 'STRASSE'],
    [ada, 'STRAßE  tree', '1'],
    [ada, '0%', '2'],
    [ada, '_'],
    [bob, 'tree'],
  ] as const) {
    const page = await who.open(`${list}?${new URLSearchParams({ note: words })}`);
    assert.deepEqual(attributesOf(page, 'tr[data-problem]', 'data-problem'), found, words);
  }
  const none = await ada.open(`${list}?q=segment`);
  assert.ok(none.text.includes('?note=segment'));
  assert.equal(totalIn(await ada.open(`${list}bulk/?note=tree`)), 2);
});

test('an editorial is asked for, remembered for its member alone, and suggested when the problem is solved', async (t) => {
  const { ada, enter, api } = await world(t);
  const bob = await enter('bob');
  const address = 'https://leetcode.com/problems/two-sum/editorial/';
  const page = await ada.open(`${list}problem/3/`);
  assert.equal(page.text.includes(address), false);
  const asked = await ada.submit({ within: 'aside', name: 'editorial' });
  assert.ok(asked.text.includes(`href="${address}"`));
  assert.match(textOf(asked, '[data-editorial]'), /^You opened it on /);
  assert.equal((await api(bookmarks)).text, '[]');
  assert.equal((await bob.open(`${list}problem/3/`)).document.querySelector('[data-editorial]'), null);
  const solved = await ada.submit({ within: '.verdict', name: 'status', value: 'complete' });
  assert.match(textOf(solved, '.undo-how span'), /You opened the editorial/);
  assert.equal(textOf(solved, '.undo-how .suggested'), 'Editorial');
  assert.ok(solved.document.querySelector('.how [value="editorial"]')?.hasAttribute('checked'));
  const told = await ada.submit({ within: '.undo-how', name: 'how', value: 'alone' });
  assert.equal(told.document.querySelector('.how [value="editorial"]')?.hasAttribute('checked'), false);
  const ofContest = 'href="https://atcoder.jp/contests/abc100/editorial"';
  assert.equal((await bob.open(`${list}problem/2/`)).text.includes(ofContest), false);
  const plain = await bob.submit({ within: '.verdict', name: 'status', value: 'complete' });
  assert.ok(plain.text.includes('https://atcoder.jp/contests/abc100/tasks/abc100_d/editorial'));
  assert.ok(plain.text.includes(ofContest));
  assert.doesNotMatch(textOf(plain, '.undo-how span'), /editorial/);
});

test('notes go out as Markdown with front matter under safe names, and as cards without formulas', async (t) => {
  const garden = await openGarden(t);
  const long = { id: 6, source: 'cses', source_key: 'k'.repeat(56), title: `.${'x'.repeat(118)}é. ` };
  const alike = { id: 5, source: 'cses', source_key: '1068?', title: 'A\\B: <C>|', rating: 1200 };
  await garden.import('problems', [...problems, alike, long]);
  await garden.import('records', people);
  const notes = { 1: '# Idea\n\n---\ttab', 3: '=1+1', 4: 'one', 5: '"two"', 6: '' };
  const labels = { 5: ['dp', 'x: "y"'] } as Record<string, string[]>;
  const rows = Object.entries(notes).map(([id, note]) => {
    return { username: 'ada', problem: Number(id), note, starred: 'no', labels: labels[id] ?? [] };
  });
  await garden.import('bookmarks', [...rows, { username: 'bob', problem: 1, note: 'secret' }]);
  const [first, second] = ['2026-01-01T12:00:00.000Z', '2026-01-02T12:00:00.000Z'];
  await garden.import('statuses', [
    { username: 'ada', problem: 1, status: 'complete', updated_at: second },
    { username: 'ada', problem: 3, status: 'complete', updated_at: second, judge_status: 'complete', judge_at: first },
    { username: 'ada', problem: 4, status: 'reading', updated_at: first, judge_status: 'complete', judge_at: first },
    { username: 'ada', problem: 5, status: 'complete', origin: 'judge', updated_at: first },
  ]);
  const { reader } = garden.store;
  const files = readZip(Buffer.concat(await writeNotes(reader, 1n).toArray()));
  const page = (fields: readonly string[], note: string) => {
    const names = ['url', 'title', 'judge', 'rating', 'status', 'solved', 'due'];
    const lines = names.map((name, at) => `${name}:${fields[at] ? ` ${fields[at]}` : ''}\n`);
    return `---\n${lines.join('')}${fields[7] ?? ''}---\n\n${note}\n`;
  };
  const [theatre, two] = [problems[0], problems[2]].map((one) => `"${one?.url}"`);
  const [solved, cses] = ['"solved"', '"CSES"'];
  assert.deepEqual(Object.fromEntries(files), {
    'Theatre (codeforces 1A).md': page(
      [`${theatre}`, '"Theatre"', '"Codeforces"', '', solved, '2026-01-02', '2026-01-05'],
      notes[1],
    ),
    'CON (leetcode two-sum).md': page(
      [`${two}`, '"CON"', '"LeetCode"', '', solved, '2026-01-01', '2026-01-05'],
      notes[3],
    ),
    'a b c (cses 1068).md': page(['', '"a/b: \\"c\\"?"', cses, '', '"reading"', '', ''], notes[4]),
    'A B C (cses 1068) 2.md': page(
      ['', '"A\\\\B: <C>|"', cses, '1200', solved, '2026-01-01', '2026-01-04', 'labels: ["dp", "x: \\"y\\""]\n'],
      notes[5],
    ),
    [`${'x'.repeat(118)} (cses ${'k'.repeat(55)}).md`]: page(
      ['', JSON.stringify(long.title), cses, '', '"not_started"'],
      '',
    ),
  });
  let cards = '';
  for await (const text of writeCards(reader, 1n)) cards += text;
  assert.ok(cards.startsWith('#separator:tab\n#html:false\n"Theatre\nhttps://codeforces.com/'));
  assert.ok(cards.includes(`"\t"'=1+1"\n`) && cards.includes('\t"""two"""\n'));
  assert.doesNotMatch([...files.values(), cards].join(), /secret/);
});

test('a history keeps 32 MiB: the oldest changes give way, and the newest is undone', async (t) => {
  const { store, ...garden } = await openGarden(t);
  await garden.import('problems', problems);
  await garden.import('records', people);
  await setStatus(store, { memberId: 1n, problemIds: [3n], status: 'complete' });
  for (let n = 0; n < 300; n++) await setNote(store, 1n, 1n, 'xy'.charAt(n % 2).repeat(65_536));
  const changes = await store.reader.selectFrom('changes').selectAll().orderBy('id').execute();
  assert.ok(changes.length > 240 && changes.length < 260, `${changes.length} of 131 kB`);
  assert.ok(changes.every(({ kind }) => kind === 'note'));
  await undo(store, 1n, changes.at(-1)?.id ?? 0n);
  assert.match((await findBookmarks(store.reader, 1n, [1n]))[0]?.note ?? '', /^x/);
});

test('a zip of notes waits for its reader, with few of them in memory', async (t) => {
  const garden = await openGarden(t);
  await garden.import('problems', many(100));
  await garden.import('records', people);
  const text = () => randomBytes(40_000).toString('base64');
  await garden.import(
    'bookmarks',
    many(100).map(({ id }) => noteOn(id, text())),
  );
  let read = 0;
  const zip = writeNotes(garden.store.reader, 1n, (count) => {
    read += count;
  });
  await sleep(500);
  assert.equal(read, 0);
  assert.equal(readZip(Buffer.concat(await zip.toArray())).size, 100);
});

test('the page of one’s data sends both', async (t) => {
  const { ada } = await world(t);
  await ada.open(`${list}problem/1/`);
  await ada.submit(noteForm, { note: 'mine' });
  const page = await ada.open('/authentication/account/data/');
  for (const what of ['notes', 'notes-anki']) {
    const href = `/authentication/account/data/${what}/`;
    assert.ok(page.document.querySelector(`a[href="${href}"]`));
    const sent = await ada.ask(href);
    assert.equal(sent.status, 200);
    assert.match(String(sent.headers['content-disposition']), /attachment; filename="?notes\.(zip|tsv)/);
  }
});
