/** Many people at the doors at once: nobody waits long or takes much memory, and each gets their own page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../../src/auth/passwords.ts';
import { createMember } from '../../src/practice/members.ts';
import { setPasswordHash } from '../../src/store/members.ts';
import { browser, memberWithPassword, signIn, usualPassword } from '../support/forms.ts';
import { serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { memoryOf } from '../support/processes.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };

const many = 100;

test(
  `${many} sign-ins at once stay under 256 MB, and a member who is in waits less than 2 s`,
  onLinux,
  async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const names = Array.from({ length: many }, (_, place) => `member-${place}`);
    const digest = await hashPassword(usualPassword);
    await memberWithPassword(databaseUrl, 'ada');
    await withStore(databaseUrl, (store) =>
      store.write(async (tx) => {
        for (const username of names) {
          const { id } = await createMember(tx, { username });
          await setPasswordHash(tx, id, digest);
        }
      }),
    );
    const { url, child } = await serve(t, { databaseUrl });
    const ada = await signIn(url, 'ada');
    const crowd = await Promise.all(
      names.map(async (username) => {
        const one = browser(url);
        await one.open('/authentication/sign-in/');
        // Prepared, because this process would itself be too busy with reading pages.
        const { path, fields } = one.filled({ name: 'password' }, { username, password: usualPassword });
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        return { one, send: () => one.ask(path, { method: 'POST', headers, body: String(fields) }) };
      }),
    );
    // On connections of its own: the crowd's wait for each other.
    const cookie = `session=${ada.cookies.get('session')}`;
    let isDone = false;
    const signingIn = Promise.all(crowd.map(({ send }) => send())).finally(() => {
      isDone = true;
    });
    let longest = 0;
    let looks = 0;
    while (!isDone) {
      const since = performance.now();
      const look = await fetch(`${url}/problem_list/`, { headers: { Cookie: cookie } });
      assert.ok((await look.text()).includes('Account of ada'));
      longest = Math.max(longest, performance.now() - since);
      looks++;
      // Often enough to meet any wait of two seconds, and so seldom that the looks themselves are no crowd.
      await sleep(40);
    }
    for (const { status, text } of await signingIn) assert.equal(status, 303, text);
    assert(looks > 3, `${looks} looks`);
    assert(longest < 2_000, `${longest} ms`);
    const { peak = Number.NaN } = memoryOf(child.pid) ?? {};
    assert(peak < 256 * 1024, `${peak} KiB`);
    for (const [place, { one }] of crowd.entries()) {
      const { text } = await one.ask('/dashboard/history/');
      assert.ok(text.includes(`aria-label="Account of ${names[place]}"`), names[place]);
    }
    t.diagnostic(`${Math.round(peak / 1024)} MiB, ${Math.round(longest)} ms, ${looks} looks`);
  },
);
