/**
 * The recorded answers of other sites and programs: each file is read by its door, or refused with a sentence that says why, and at
 * every door for members no file fails. `REAL_DATA=… npm test …/recorded-answers.test.ts` shows it for all of them.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { AppError } from '../../src/errors.ts';
import type { ImportName } from '../../src/importing/resources.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { problemAt } from '../../src/judges/addresses.ts';
import { replayLuogu, replayVjudge } from '../replay/solved-lists.ts';
import { memberWithPassword, type Page } from '../support/forms.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { needsData, readReal, realPath } from '../support/real-data.ts';
import { askReplay, link, replayOf } from '../sync/support.ts';
import { codeforcesNamed, openGarden } from './support.ts';

/** Files of an import, with how many rows it reads and how many of them are new. */
const files: readonly [name: string, what: ImportName, read: number, isNew: number][] = [
  ['aoj/courses.tasks.novisteps.json', 'aoj-problems', 100, 100],
  ['aoj/submission_records.users.json', 'aoj-submissions', 3, 2],
  ['atcoder/problem-models.three.json', 'atcoder-models', 3, 0],
  ['codeforces/user.status.gym-rows-30.json', 'codeforces-submissions', 30, 7],
  ['leetcode/cn.recentACSubmissions.composed.json', 'leetcode-cn-submissions', 1, 1],
  ['leetcode/recentAcSubmissionList.alfa-leetcode-api.json', 'leetcode-submissions', 20, 19],
  ['leetcode/zerotrac.data.first-300.json', 'leetcode-ratings', 300, 300],
  ['uhunt/p.one-row.json', 'uva-problems', 1, 1],
  ['uhunt/subs-user.composed.json', 'uva-submissions', 3, 1],
  ['yukicoder/solved.name.json', 'yukicoder-submissions', 3, 3],
];

/** Files that no import takes, with the sentence that says so. */
const refusedFiles: readonly [name: string, what: ImportName, why: RegExp][] = [
  ['aoj/challenges.icpc_prelim.contests.novisteps.json', 'aoj-problems', /is not a list: this is another kind of file/],
  ['cftracker/shared-contests.json', 'codeforces-twins', /is not an object: this is another kind of file/],
  ['leetcode/problems.alfa-leetcode-api.json', 'leetcode-ratings', /is not a list: this is another kind of file/],
];

/** Texts and files for the page of one's history: newly solved, to be added, solved already. */
const histories: Readonly<Record<string, readonly [fresh: number, added: number, done: number]>> = {
  'address-book/companion-addresses.tsv': [0, 118, 0],
  'baekjoonhub/README-template.md': [0, 1, 0],
  'hackerrank/recent_challenges.json': [0, 2, 0],
  'leetsrs/export.composed.json': [0, 0, 1],
  // An example of an address.
  'luogu/problems.md': [0, 1, 0],
  'luogu/user.practice.composed.json': [0, 0, 1],
  'usaco-guide/usacoguide-userdata.composed.json': [1, 0, 0],
  'vjudge/user.solveDetail.json': [0, 0, 99],
};
/** The files among the others that another page takes, as the sentence calls them, or that only administrators import. */
const otherKinds: Readonly<Record<string, string>> = {
  'aoj/challenges.icpc_prelim.contests.novisteps.json': 'problems (problems), which only administrators',
  'aoj/courses.tasks.novisteps.json': 'problems (problems), which only administrators',
  'aoj/submission_records.users.json': 'Aizu Online Judge submissions (submission_records): use the upload page',
  'atcoder/problem-models.three.json': 'AtCoder difficulties (problem-models.json), which only administrators',
  'codeforces/contest.standings.1474.one-row.json': 'problems (problemset.problems), which only administrators',
  'codeforces/user.status.gym-rows-30.json': 'Codeforces submissions (user.status): use the upload page',
  'leetcode/cn.recentACSubmissions.composed.json': 'of leetcode.cn): use the upload page',
  'leetcode/recentAcSubmissionList.alfa-leetcode-api.json': '(recentAcSubmissionList): use the upload page',
  'leetcode/zerotrac.data.first-300.json': 'LeetCode problems (problem ratings), which only administrators',
  'uhunt/subs-user.composed.json': 'UVa submissions (subs-user): use the upload page',
  'yukicoder/solved.name.json': 'yukicoder submissions (solved): use the upload page',
};

const read = (name: string) => readReal(`reach/${name}`);

async function serveGarden(t: TestContext) {
  const garden = await openGarden(t);
  const { databaseUrl } = garden;
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '4A', '1474A'));
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl, env: { ADDED_PER_DAY: '5000', ADDED_PER_MEMBER: '9000' } });
  const ada = await browserOf(url, 'ada');
  const upload = async (page: string, bytes: string): Promise<Page> => {
    await ada.open(page);
    return ada.submit({ name: 'file' }, { file: { name: 'given', bytes } });
  };
  return { garden, url, ada, upload };
}

const faultsIn = ({ document }: Page) => document.querySelectorAll('.fault').map(({ text }) => text.trim());

test('each recorded answer is imported, or refused with a sentence that says why', needsData, async (t) => {
  const { garden, url, ada, upload } = await serveGarden(t);

  await t.test('files of judges', async () => {
    const results: unknown[] = [];
    for (const [name, what] of files) {
      const handle = /^(?:leetcode|yukicoder)/.test(name) && { handle: 'ada' };
      const { report } = await garden.import(what, await read(name), { member: 'ada', ...handle });
      results.push([name, what, report.read, report.new]);
    }
    assert.deepEqual(results, files);
    for (const [name, what, why] of refusedFiles)
      await assert.rejects(garden.import(what, await read(name), { member: 'ada' }), (error: AppError) => {
        assert.match(error.message, why, name);
        return true;
      });
  });

  await t.test('lists of solved problems', async () => {
    const vjudge = JSON.parse(await read('vjudge/user.solveDetail.json'));
    const luogu = JSON.parse(await read('luogu/user.practice.composed.json'));
    const replay = await replayOf(t, { vjudge: replayVjudge({ ada: vjudge }), luogu: replayLuogu({ 7: luogu }) });
    const sync = async (source: 'vjudge' | 'luogu', name: string) => {
      const handle = await link(garden, source, name);
      return (await syncHandle(garden.store, handle, askReplay(garden.store, source, replay))).report.read;
    };
    assert.deepEqual([await sync('vjudge', 'ada'), await sync('luogu', '7')], [99, 1]);
  });

  await t.test('each file at the page of one’s history', async () => {
    for (const name of await allFiles()) {
      const page = await upload('/problem_list/import/', await read(name));
      const panel = page.document.querySelector('section[data-fresh]');
      const figures = ['fresh', 'added', 'done'].map((one) => Number(panel?.getAttribute(`data-${one}`)));
      const isPost = /^competitive-companion\/(?!match-patterns)/.test(name);
      if (panel && isPost)
        assert.ok(
          figures.some((count) => count > 0),
          name,
        );
      else if (panel) assert.deepEqual([name, ...figures], [name, ...(histories[name] ?? [])]);
      else {
        assert.ok(!isPost && !histories[name] && page.status === 422, name);
        const why = otherKinds[name] ?? 'No problems found. Paste their links';
        assert.ok(faultsIn(page).join().includes(why), `${name}: ${faultsIn(page)}`);
      }
    }
  });

  await t.test('links of every site as one list, each with its title', async () => {
    const text = await read('address-book/companion-addresses.tsv');
    await ada.open('/problem_list/lists/new/');
    const looked = await ada.submit({ name: 'text' }, { text });
    assert.equal(looked.document.querySelectorAll('[data-lost]').length, 0);
    await ada.submit({ within: 'main form', name: 'content' }, { name: 'All sites', add: true });
    const rows = await garden.rows('problems');
    const titles = new Map(rows.map(({ source, source_key, title }) => [`${source} ${source_key}`, String(title)]));
    const named = text
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => {
        const [, address = '', name = ''] = row.split('\t');
        const { source, key } = problemAt(address, new Map()) ?? {};
        return { problem: `${source} ${key}`, name };
      });
    assert.ok(named.length >= 170);
    // Some are there in two languages. Letters and numbers of a contest are no part of a title.
    const isTitle = (title: string, name: string) =>
      name.endsWith(title) && /^(?:(?:Problem |#)?[A-Z\d]+(?:[.:]| -) )?$/.test(name.slice(0, -title.length));
    const wrong = [...Map.groupBy(named, ({ problem }) => problem)].filter(
      ([problem, some]) => !some.some(({ name }) => isTitle(titles.get(problem) ?? '-', name)),
    );
    assert.deepEqual(wrong, []);
  });

  await t.test('no door fails at any of the files', async () => {
    await ada.open('/authentication/account/inbox/');
    const made = await ada.submit({ name: 'address', value: 'make' });
    const inbox = new URL(made.document.querySelector('[data-secret]')?.text ?? '').pathname;
    let sent = 0;
    for (const name of await allFiles()) {
      const text = await read(name);
      const page = await upload('/problem_list/lists/new/', text);
      assert.ok(page.status === 200 || (page.status === 422 && faultsIn(page).length > 0), name);
      // An inbox takes 60 requests a minute.
      if (sent++ >= 55) continue;
      const type = name.endsWith('.json') ? 'application/json' : 'text/plain';
      const answer = await send(url, inbox, { method: 'POST', body: text, headers: { 'Content-Type': type } });
      const { message } = JSON.parse(answer.text) as { message?: string };
      assert.ok(answer.status === 200 || (answer.status === 400 && message), `${name} at the inbox: ${answer.status}`);
    }
  });
});

async function allFiles(): Promise<string[]> {
  const entries = await readdir(realPath('reach'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'PROVENANCE.md')
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(realPath('reach').length + 1))
    .toSorted();
}
