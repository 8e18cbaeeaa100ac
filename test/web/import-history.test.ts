/** Members bring what they solved elsewhere: the report says what would change, and the import is one change with one undo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submittedAt } from '../../src/importing/solved-files.ts';
import { rowsOf } from '../support/databases.ts';
import { attributeOf, attributesOf, textsOf } from '../support/elements.ts';
import { type Browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { ponds } from '../support/ponds.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { type ZipEntry, zipFile } from '../support/zips.ts';

const path = '/problem_list/import/';
const paste = async (one: Browser, text: string, judge = '') => {
  await one.open(path);
  return one.submit({ name: 'text' }, { text, judge });
};
const choose = async (one: Browser, name: string, bytes: string | Uint8Array) => {
  await one.open(path);
  return one.submit({ name: 'file' }, { file: { name, bytes } });
};
const figures = (page: Page) =>
  ['fresh', 'added', 'done'].map((name) => Number(attributeOf(page, 'section[data-fresh]', `data-${name}`)));
const save = { within: 'main form', name: 'content' };

test('code in archives of LeetHub, BaekjoonHub and Harwest is kept with its problem, and what is not kept is named', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', [
    {
      id: 1,
      source: 'leetcode',
      source_key: 'two-sum',
      title: 'Two Sum',
      url: 'https://leetcode.com/problems/two-sum/',
    },
    { id: 2, source: 'codeforces', source_key: '4A', title: 'Watermelon' },
  ]);
  const ada = await browserOf((await serveHere(t, { databaseUrl })).url, 'ada');
  const look = (files: readonly ZipEntry[]) => choose(ada, 'repo.zip', zipFile(files));
  const odd = Buffer.from([0x23, 0xff, 0x0d, 0x0a, 0xc7]);
  const large = Buffer.alloc(65_537, 'x');
  const hub = [
    { name: 'r-main/0001-two-sum/0001-two-sum.py', text: odd },
    { name: 'r-main/0001-two-sum/0001-two-sum.cpp', text: large },
    { name: 'r-main/0001-two-sum/README.md', text: 'x' },
    { name: 'r-main/백준/Silver/1463. 1로 만들기/1로 만들기.cc', text: 'int main();' },
  ];
  const looked = await look(hub);
  assert.match(
    textOf(looked, 'main'),
    /your code of these problems \(2 files\).*1 file of code was not added: 0001-two-sum\.cpp\. .*64 KiB/,
  );
  const stored = async () =>
    (await rowsOf(databaseUrl, 'SELECT problem_id, file, code, submission FROM solutions ORDER BY id')).map((row) => [
      ...[Number(row['problem_id']), row['file'], row['submission']],
      Buffer.from(String(row['code']), 'base64').toString('latin1'),
    ]);
  assert.deepEqual(await stored(), [], 'nothing before it is confirmed');
  const saved = await ada.submit({ name: 'do', value: 'save' });
  assert.match(textOf(saved, 'main'), /2 files of code were added/);
  const first = [1, '0001-two-sum.py', null, odd.toString('latin1')];
  const [, baekjoon] = await stored();
  assert.deepEqual(await stored(), [first, [baekjoon?.[0], '1로 만들기.cc', null, 'int main();']]);
  assert.doesNotMatch(textOf(await look(hub), 'main'), /your code of these/, 'it is here already');
  const problem_url = 'https://codeforces.com/contest/4/problem/A';
  const row = { problem_url, problem_name: 'Watermelon', timestamp: 'Mar/15/2023 10:11', language: 'GNU C++17' };
  const rows = Array.from({ length: 12 }, (_, n) => ({
    ...row,
    submission_url: `https://judge.example/${n}`,
    path: `codeforces\\4\\${n}.cpp`,
  }));
  const harwest = [
    { name: 'my-repo/submissions.json', text: JSON.stringify(Object.fromEntries(rows.entries())) },
    ...rows.map((_, n) => ({ name: `my-repo/codeforces/4/${n}.cpp`, text: `${n}` })),
  ];
  await look(harwest);
  await ada.submit({ name: 'do', value: 'save' }, { 'keep-code': false });
  assert.equal((await stored()).length, 2, 'only what is ticked is kept');
  await look(harwest);
  const rest = await ada.submit({ name: 'do', value: 'save' });
  assert.match(
    textOf(rest, 'main'),
    /10 files of code were added\. 2 files of code were not added: 10\.cpp, 11\.cpp\. .*up to 10/,
  );
  assert.deepEqual((await stored())[2], [2, '0.cpp', 'https://judge.example/0', '0']);
});

test('a history is looked at, imported, and undone as one change', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', ponds(5));
  const user = Number(await memberWithPassword(databaseUrl, 'ada'));
  await importRows(databaseUrl, 'statuses', [
    { user, problem: 1, status: 'complete', updated_at: '2025-01-02T03:04:05.000Z' },
  ]);
  const { url } = await serveHere(t, { databaseUrl, env: { ADDED_PER_DAY: '4' } });
  const ada = await browserOf(url, 'ada');
  const statuses = async () => {
    const rows = await rowsOf(databaseUrl, 'SELECT self_status, self_at FROM statuses ORDER BY problem_id');
    return rows.map(({ self_status, self_at }) => `${self_status} ${String(self_at).slice(0, 10)}`);
  };
  const undo = async () => {
    await ada.open('/dashboard/history/');
    return ada.submit({ within: '.event', name: 'undo' });
  };
  const text = `Solved:
https://codeforces.com/contest/1/problem/A and https://vjudge.net/problem/CodeForces-2A
<a href="https://codeforces.com/problemset/problem/3/A">Pond</a>
https://open.kattis.com/problems/zamka https://open.kattis.com/users/ada`;

  await t.test('the menu leads here, and nothing changes before the report is sent', async () => {
    const home = await ada.open('/dashboard/');
    assert.ok(home.document.querySelector(`.add-menu a[href$="${path}"]`));
    const report = await paste(ada, text);
    assert.deepEqual(figures(report), [2, 1, 1]);
    assert.match(textOf(report, 'main'), /1 entry was not recognized/);
    assert.match(textOf(report, 'main'), /such as a column Date, are not read/);
    assert.equal((await statuses()).length, 1);
  });

  await t.test('without a day: solved, day unknown, with the added one, and one undo', async () => {
    await paste(ada, text);
    const done = await ada.submit(save, { add: true });
    assert.match(done.path, /changed=\d+/);
    assert.match(textOf(done, 'body'), /3 problems: now solved, day unknown/);
    assert.deepEqual(await statuses(), ['complete 2025-01-02', ...Array(3).fill('complete null')]);
    assert.equal((await rowsOf(databaseUrl, 'SELECT * FROM first_solves')).length, 1);
    assert.match(textOf(await ada.open('/dashboard/history/'), 'main'), /3 problems/);
    await undo();
    assert.equal((await statuses()).length, 1);
  });

  await t.test('on one day: each counts on it, and one of an unknown day gets it', async () => {
    await paste(ada, '2A', 'codeforces');
    await ada.submit(save);
    const report = await paste(ada, '1A 2A 3A', 'codeforces');
    assert.deepEqual(figures(report), [1, 0, 2]);
    const wrong = await ada.submit(save, { when: 'day', day: '2999-01-01' });
    assert.equal(wrong.status, 422);
    assert.deepEqual(figures(wrong), [1, 0, 2]);
    await ada.submit(save, { when: 'day', day: '2025-09-01' });
    assert.deepEqual(await statuses(), ['complete 2025-01-02', 'complete 2025-09-01', 'complete 2025-09-01']);
    const same = await paste(ada, '1A 2A 3A', 'codeforces');
    assert.deepEqual(figures(same), [0, 0, 3]);
    assert.equal(same.document.querySelector('button[value=save]'), null);
  });

  await t.test('a day that is filled in counts, also beside “Day unknown”', async () => {
    await paste(ada, '4A', 'codeforces');
    await ada.submit(save, { when: 'unknown', day: '2025-09-02' });
    assert.equal((await statuses()).at(-1), 'complete 2025-09-02');
    await undo();
  });

  await t.test(
    'a handle is linked here first, each way says whether it has dates, and other pages lead here',
    async () => {
      await memberWithPassword(databaseUrl, 'bob');
      const bob = await browserOf(url, 'bob');
      for (const page of ['/dashboard/', '/authentication/account/handles/'])
        assert.ok((await bob.open(page)).document.querySelector(`main a[href$="${path}"]`), page);
      const dates = (page: Page) => textsOf(page, '.import-dates');
      const [none, file] = ['No dates: day unknown', 'With dates if the file has them. Otherwise: day unknown'];
      const first = await bob.open(path);
      assert.deepEqual(dates(first), ['With dates. From VJudge, Luogu: no dates, day unknown', none, file]);
      assert.match((await bob.submit({ name: 'handle' }, { judge: 'vjudge', handle: 'b/b' })).path, /handles/);
      for (const judge of ['vjudge', 'codeforces']) {
        await bob.open(judge === 'vjudge' ? path : '/authentication/account/handles/');
        await bob.submit({ name: 'handle' }, { judge, handle: 'bob' });
      }
      const linked = await bob.open(path);
      assert.deepEqual(dates(linked), ['With dates', none, none, file]);
      assert.equal(linked.document.querySelector('main [name=handle]'), null);
      const lost = await paste(bob, 'https://nowhere.example/x/y');
      assert.ok(lost.document.querySelector('main a[href$="/problem_list/lists/new/"]'));
    },
  );

  await t.test('no more are added than the member may add', async () => {
    const report = await paste(ada, '1000 1001 1002 1003 1004', 'timus');
    assert.deepEqual(figures(report), [0, 3, 0]);
    assert.match(textOf(report, 'main'), /You can add 3 problems now; 2 more are left out/);
    await ada.submit(save, { add: false });
    assert.equal((await statuses()).length, 3);
  });

  await t.test('as long a text is pasted as a file may have', async () => {
    const many = Array.from({ length: 9500 }, (_, at) => `https://atcoder.jp/contests/abc${at}/tasks/abc${at}_a`);
    assert.equal((await paste(ada, many.join('\n'))).status, 200);
  });

  await t.test('a file is read as a text is; hostile input changes nothing', async () => {
    const content = '<!doctype html><a href="https://codeforces.com/problemset/problem/5/A">Pond</a>';
    assert.deepEqual(figures(await choose(ada, 'profile.html', content)), [1, 0, 0]);
    for (const bad of ['', '\0', 'nothing here', '\u202e\ud800', '[]', '{"a":1}']) {
      const page = await paste(ada, bad, 'kattis');
      assert.ok(page.status === 422 || figures(page)[0] === 0, JSON.stringify(bad));
    }
    const many = [
      '{"id":"9223372036854775807"}',
      '{"url":"javascript:alert(1)","solvedAt":"2999"}',
      '7',
      'null',
      '"x"',
    ];
    for (const content of ['{}', 'null', `[["",${many}],["9223372036854775807"]]`, '[1,2]', 'x']) {
      await paste(ada, '4A', 'codeforces');
      const sent = await ada.submit(save, { content });
      assert.ok([200, 422].includes(sent.status), `${sent.status} ${content}`);
    }
    assert.equal((await statuses()).length, 3);
  });

  await t.test('a page saved as HTML only is read where its judge is chosen', async () => {
    const bytes =
      '<!doctype html><title>Ada</title><a href="/problems/zeroone">Zero one</a><a href="/users/ada">Ada</a>';
    const file = { name: 'ada.html', bytes };
    assert.equal((await choose(ada, file.name, bytes)).status, 422);
    const report = await ada.submit({ name: 'file' }, { file, judge: 'kattis' });
    assert.deepEqual(figures(report), [0, 1, 0]);
    assert.equal(report.document.querySelector('.lost-address'), null);
    const from = `<!doctype html>\n<!-- saved from url=(0035)https://open.kattis.com/users/ada -->${bytes}`;
    assert.deepEqual(figures(await choose(ada, 'x', from)), [0, 1, 0]);
  });

  await t.test('what a file marks as not solved is not solved, and what is not clear is asked for first', async () => {
    const before = (await statuses()).length;
    const rows = ['TRUE', 'FALSE', 'twice', ''].map(
      (done, at) => `x,${done},https://codeforces.com/contest/${at + 2}/problem/A`,
    );
    const csv = (count: number) => ['Problem,Done,Link', ...rows.slice(0, count)].join('\n');
    const clear = await paste(ada, csv(2));
    assert.deepEqual(figures(clear), [0, 0, 1], 'only 2A, which is solved');
    assert.match(textOf(clear, 'section:has(#statuses)'), /Done: TRUE 1 problem.*Done: FALSE 1 problem/s);
    const contest = 'https://codeforces.com/contest/9';
    const asked = await paste(ada, `${csv(4)}\n\n${contest}`);
    assert.equal(asked.document.querySelector('[value=save], [data-fresh]'), null, 'nothing can be saved yet');
    assert.deepEqual(attributesOf(asked, 'input[name^=solved-][checked]', 'name'), ['solved-0']);
    assert.equal(asked.document.querySelectorAll('input[name^=solved-]').length, 4);
    assert.match(textOf(asked, 'section:has(#lost)'), /contest\/9 This is a contest, not a problem/);
    const box = { name: 'solved-1' };
    const chosen = await ada.submit(box, { 'solved-0': false, 'solved-1': true });
    assert.deepEqual(figures(chosen), [1, 0, 0]);
    assert.match(textOf(chosen, 'main'), /1 entry was not recognized/);
    const none = await ada.submit(box, { 'solved-1': false });
    assert.deepEqual(figures(none), [0, 0, 0]);
    assert.equal(none.document.querySelector('[value=save]'), null);
    await ada.submit(box, { 'solved-2': true, 'solved-3': true });
    await ada.submit(save);
    const solved = await rowsOf(
      databaseUrl,
      'SELECT source_key FROM statuses JOIN problems ON problems.id = problem_id',
    );
    assert.deepEqual(solved.slice(before), [{ source_key: '5A' }]);
    await undo();
    const many = Array.from({ length: 201 }, (_, at) => `x,note ${at},https://codeforces.com/contest/${at}/problem/A`);
    const rare = await paste(ada, ['Problem,Status,Link', ...many].join('\n'));
    assert.match(textOf(rare, 'section:has(#statuses)'), /note 199 1 problem.*1 more/s);
    for (const content of ['', '[["",7,["x"],{"id":"1","status":1}]]', 'null']) {
      await paste(ada, csv(4));
      assert.equal((await ada.submit(box, { content, lost: '[1]' })).status, 200, content);
    }
  });

  await t.test('files of other programs are read, or refused with a sentence that says why', async () => {
    const send = (name: string, bytes: string | Buffer) => choose(ada, name, bytes);
    const wide = await send(
      'solved.txt',
      Buffer.from('\ufeffŽába https://codeforces.com/contest/5/problem/A', 'utf16le'),
    );
    assert.deepEqual(figures(wide), [1, 0, 0]);
    const userProgressOnProblems = { 'cf-5A': 'Solved', 'ac-abc139_d': 'Solved', 'usaco-964': 'Solved' };
    const guide = await send('usacoguide-userdata.json', JSON.stringify({ userProgressOnProblems }));
    assert.deepEqual(figures(guide), [1, 1, 0]);
    assert.match(textOf(guide, 'main'), /own names for these problems\. .*“content”.*ac-abc139_d/s);
    const stat = { question__title: 'T two-sum', question__title_slug: 'two-sum' };
    const all = { stat_status_pairs: [{ stat, status: 'ac' }], filler: 'x'.repeat(2_000_000) };
    const leetcode = await send('all.json', JSON.stringify(all));
    assert.deepEqual(figures(leetcode), [0, 1, 0]);
    assert.match(textOf(leetcode, '.addable'), /T two-sum/);
    assert.equal((await send('all.json', JSON.stringify({ ...all, filler: 'x'.repeat(4_300_000) }))).status, 422);
    const submissions = [{ judgeId: 1, problemId: 'GRL_6_A', submissionDate: 1554323123921, status: 4 }];
    const aoj = await send('ada.json', JSON.stringify(submissions));
    assert.match(textOf(aoj, '.fault'), /looks like Aizu Online Judge submissions .*upload page/);
    assert.ok(aoj.document.querySelector('.notice a[href$="/data/upload/"]'));
    const zip = zipFile([{ name: 'repo/0001-two-sum/0001-two-sum.py', text: 'x' }]);
    assert.deepEqual(figures(await send('repo.zip', zip)), [0, 1, 0]);
    for (const [bytes, sentence] of [
      [Buffer.from('4A né', 'latin1'), /not UTF-8 at byte 5/],
      [zip.subarray(0, 60), /could not be read/],
      [zipFile([{ name: '../백준/S/1. x/a', text: 'x' }]), /could not be read/],
      [zipFile([{ name: 'src/main.c', text: 'x' }]), /No solved problems found in this ZIP/],
      ['{"schemaVersion":1}', /No problems found/],
      [Buffer.alloc(1_100_000, 'a '), /at most 1 MiB/],
    ] as const) {
      const page = await send('x', bytes as Buffer);
      assert.equal(page.status, 422);
      assert.match(textOf(page, '.fault'), sentence);
    }
  });

  await t.test('the real forms of these files are read', needsData, async () => {
    const send = async (name: string) => figures(await choose(ada, 'x.json', await readReal(`reach/${name}`)));
    assert.deepEqual(await send('leetsrs/export.composed.json'), [0, 1, 0]);
    assert.deepEqual(await send('usaco-guide/usacoguide-userdata.composed.json'), [1, 0, 0]);
    const readme = await readReal('reach/baekjoonhub/README-template.md');
    const report = await paste(ada, readme);
    assert.equal(submittedAt(readme), '2023-03-15T01:11:12.000Z');
    assert.deepEqual(figures(report), [0, 1, 0]);
  });

  await t.test('problems are added under the titles that a text has for them', async () => {
    await paste(ada, '<!-- practice-list/1 -->\n# Mine\n\n- [Zero & one](https://open.kattis.com/problems/zeroone)');
    const done = await ada.submit(save, { add: true });
    const [row] = await rowsOf(databaseUrl, `SELECT title FROM problems WHERE url LIKE '%/zeroone'`);
    assert.equal(row?.['title'], 'Zero & one');
    assert.match(done.path, /changed=/);
    await undo();
  });

  await t.test('a repository of BaekjoonHub has the times of its submissions', async () => {
    const dated = '### 제출 일자\n\n2023년 3월 15일 0:05:12\n';
    const hub = zipFile([
      { name: 'repo/백준/Silver/1463. 1로 만들기/README.md', text: dated },
      { name: 'repo/0001-two-sum/0001-two-sum.py', text: 'x' },
    ]);
    const looked = await choose(ada, 'repo.zip', hub);
    assert.match(textOf(looked, 'main'), /1 problem gets the date of its submission/);
    await ada.submit(save, { add: true });
    const solves = await rowsOf(
      databaseUrl,
      `SELECT source, self_at FROM statuses JOIN problems ON problems.id = problem_id
      WHERE source IN ('boj', 'leetcode') ORDER BY source`,
    );
    assert.deepEqual(solves, [
      { source: 'boj', self_at: '2023-03-14T15:05:12.000Z' },
      { source: 'leetcode', self_at: null },
    ]);
    assert.deepEqual(figures(await choose(ada, 'repo.zip', hub)), [0, 0, 2], 'the second time');
    await undo();
  });
});
