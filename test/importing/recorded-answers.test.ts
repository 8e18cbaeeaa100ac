/**
 * The recorded answers of other sites and programs: each file is read by its door, or refused with a sentence that says why, and at
 * every door for members no file fails. `REAL_DATA=… npx node --test …/recorded-answers.test.ts` shows it for all of them.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { AppError } from '../../src/errors.ts';
import type { ImportName } from '../../src/importing/resources.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
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
const histories: readonly [name: string, fresh: number, added: number, done: number][] = [
  ['baekjoonhub/README-template.md', 0, 1, 0],
  ['leetsrs/export.composed.json', 0, 0, 1],
  ['usaco-guide/usacoguide-userdata.composed.json', 1, 0, 0],
];
const refusedHistories: readonly [name: string, why: RegExp][] = [
  ['hackerrank/recent_challenges.json', /^No problems found\. Paste their links/],
];

/** Answers for pages that are not here yet (upcoming contests, ratings), and documents of interfaces. */
const elsewhere =
  /^(?:address-book\/.*\.draft\.json|atcoder\/users\.history|clist|codechef|codeforces\/(?:user\.rating|contest\.standings)|competitive-companion\/match-patterns|contest-hive|cses|dmoj|leetcode\/(?:allContests|contestV2)|leetsrs\/.*\.txt|luogu\/.*\.(?:md|d\.ts)|uhunt\/raw)/;
/** Files that tests of their own read. */
const posts = 'competitive-companion/';

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

  await t.test('no file is forgotten', async () => {
    const known = new Set([...files, ...refusedFiles, ...histories, ...refusedHistories].map(([name]) => name));
    for (const name of [
      'address-book/companion-addresses.tsv',
      'luogu/user.practice.composed.json',
      'vjudge/user.solveDetail.json',
    ])
      known.add(name);
    const unknown = (await allFiles()).filter(
      (name) => !known.has(name) && !name.startsWith(posts) && !elsewhere.test(name),
    );
    assert.deepEqual(unknown, []);
  });

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

  await t.test('what members bring at the page of their history', async () => {
    const page = '/problem_list/import/';
    const results = [];
    for (const [name] of histories) {
      const { document } = await upload(page, await read(name));
      const panel = document.querySelector('section[data-fresh]');
      results.push([name, ...['fresh', 'added', 'done'].map((one) => Number(panel?.getAttribute(`data-${one}`)))]);
    }
    assert.deepEqual(results, histories);
    for (const [name, why] of refusedHistories)
      assert.match(faultsIn(await upload(page, await read(name))).join(), why);
  });

  await t.test('links of every site as one list', async () => {
    await ada.open('/problem_list/lists/new/');
    const page = await ada.submit({ name: 'text' }, { text: await read('address-book/companion-addresses.tsv') });
    const count = (what: string) => page.document.querySelectorAll(`[data-${what}]`).length;
    assert.equal(count('lost'), 0);
    assert.ok(count('addable') >= 100, `${count('addable')} to add`);
  });

  await t.test('no door fails at any of the files', async () => {
    await ada.open('/authentication/account/inbox/');
    const made = await ada.submit({ name: 'address', value: 'make' });
    const inbox = new URL(made.document.querySelector('[data-secret]')?.text ?? '').pathname;
    let sent = 0;
    for (const name of await allFiles()) {
      const text = await read(name);
      for (const page of ['/problem_list/import/', '/problem_list/lists/new/']) {
        const answer = await upload(page, text);
        assert.ok(
          answer.status === 200 || (answer.status === 422 && faultsIn(answer).length > 0),
          `${name} at ${page}`,
        );
      }
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
