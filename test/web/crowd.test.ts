/** Many people at the doors at once, and members whose requests come mixed: nobody waits long, takes much memory or sees another's page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../../src/auth/passwords.ts';
import { createMember } from '../../src/practice/members.ts';
import { setPasswordHash } from '../../src/store/members.ts';
import { browser, memberWithPassword, signIn, textOf, usualPassword } from '../support/forms.ts';
import { importRows, serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { memoryOf } from '../support/processes.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };

test(
  'a hundred sign-ins at once stay under 256 MB, and a member who is in waits less than 2 s',
  onLinux,
  async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    await memberWithPassword(databaseUrl, 'ada');
    const { url, child } = await serve(t, { databaseUrl });
    const ada = await signIn(url, 'ada');
    const crowd = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const one = browser(url);
        await one.open('/authentication/sign-in/');
        return one;
      }),
    );
    let isDone = false;
    const signingIn = Promise.all(
      crowd.map(({ one, username }) =>
        one.submit({ name: 'password' }, { username, password: usualPassword }),
      ),
    ).finally(() => {
      isDone = true;
    });
    let longest = 0;
    let looks = 0;
    while (!isDone) {
      const since = performance.now();
      assert.equal((await ada.open('/problem_list/')).status, 200);
      longest = Math.max(longest, performance.now() - since);
      looks++;
      await sleep(5);
    }
    const pages = await signingIn;
    assert.equal(pages.filter(({ hops }) => hops[0]?.status === 303).length, 100);
    assert(looks > 3, `${looks} looks`);
    assert(longest < 2_000, `${longest} ms`);
    const { peak = Number.NaN } = memoryOf(child.pid) ?? {};
    assert(peak < 256 * 1024, `${peak} KiB`);
  },
);

test('a thousand mixed requests of three members never mix', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const names = ['ada', 'bob', 'eve'];
  for (const name of names) await memberWithPassword(databaseUrl, name);
  const problems = Array.from({ length: 3 }, (_, place) => ({
    id: place + 1,
    source: 'codeforces',
    source_key: `${place + 1}A`,
    title: `Problem ${place + 1}`,
    url: `https://codeforces.com/problemset/problem/${place + 1}/A`,
  }));
  await importRows(databaseUrl, 'problems', problems);
  const { url } = await serve(t, { databaseUrl, env: { WORKERS: '2' } });
  const states = ['reading', 'practicing', 'complete', 'skipped'];
  let requests = 0;
  await Promise.all(
    names.map(async (name, own) => {
      const one = await signIn(url, name);
      const saved = new Map<number, string>();
      for (let round = 0; round < 84; round++) {
        const id = (round % 3) + 1;
        const path = `/problem_list/problem/${id}/`;
        const before = await one.open(path);
        assert.equal(textOf(before, '.menu-title span'), name);
        const shown = before.document.querySelector(`[data-problem="${id}"]`)?.getAttribute('data-status');
        assert.equal(shown, saved.get(id) ?? 'not_started', `${name} sees their own word`);
        const value = states[(round + own) % states.length] ?? '';
        await one.submit({ within: `[data-problem="${id}"]`, name: 'status', value });
        saved.set(id, value);
        const history = await one.ask('/dashboard/history/');
        assert.match(history.text, new RegExp(`<p class="menu-title">${name} `));
        requests += 4;
      }
    }),
  );
  assert(requests >= 1_000, `${requests}`);
});
