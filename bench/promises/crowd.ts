/** Many people at the sign-in at once, or beside an import: nobody waits long or takes much memory, and each gets their own page. */
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { hashPassword } from '../../src/auth/passwords.ts';
import { networkLimiter } from '../../src/auth/rate-limits.ts';
import { createMember } from '../../src/practice/members.ts';
import { setPasswordHash } from '../../src/store/members.ts';
import { browser, memberWithPassword, signIn, usualPassword } from '../../test/support/forms.ts';
import { serve, temporaryDatabase, withStore } from '../../test/support/garden.ts';
import { memoryOf } from '../../test/support/processes.ts';
import { imported, staffImports, uploaded } from '../../test/support/uploads.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };

const many = 100;

test(
  `${many} sign-ins at once stay under 256 MB, and a member who is in does not wait for them`,
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
    const began = performance.now();
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
      // So seldom that the looks themselves are no crowd.
      await sleep(40);
    }
    const whole = performance.now() - began;
    for (const { status, text } of await signingIn) assert.equal(status, 303, text);
    assert(looks > 3, `${looks} looks`);
    assert(longest < whole / 4, `${longest} of ${whole} ms`);
    const { peak = Number.NaN } = memoryOf(child.pid) ?? {};
    assert(peak < 256 * 1024, `${peak} KiB`);
    for (const [place, { one }] of crowd.entries()) {
      const { text } = await one.ask('/dashboard/history/');
      assert.ok(text.includes(`aria-label="Account of ${names[place]}"`), names[place]);
    }
    t.diagnostic(`${Math.round(peak / 1024)} MiB, ${Math.round(longest)} of ${Math.round(whole)} ms, ${looks} looks`);
  },
);

test('while a file is imported, the slowest page takes less than half of the import', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serve(t, { databaseUrl, env: { WORKERS: '2' } });
  const [staff, ada] = [await signIn(url, 'root'), await signIn(url, 'ada')];
  const rows = Array.from({ length: 12_000 }, (_, n) => `made,${n},Problem ${n},"[""dp"",""graphs""]"`);
  const file = { name: 'problems.csv', bytes: `source,source_key,title,tags\n${rows.join('\n')}\n` };
  await uploaded(staff, staffImports, { file });
  let isDone = false;
  const began = performance.now();
  const importing = imported(staff).finally(() => {
    isDone = true;
  });
  const took: number[] = [];
  while (!isDone) {
    const since = performance.now();
    assert.equal((await ada.open('/authentication/account/')).status, 200);
    took.push(performance.now() - since);
  }
  const whole = performance.now() - began;
  assert.ok((await importing).document.querySelector('[data-state=imported]'));
  const said = `${took.length} pages in ${Math.round(whole)} ms, the slowest in ${Math.max(...took).toFixed(0)} ms`;
  t.diagnostic(said);
  assert.ok(Math.max(...took) < whole / 2, said);
});

test('forty pages of one member at once, in two sessions, wait behind a page of another', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  for (const name of ['ada', 'ben']) await memberWithPassword(databaseUrl, name);
  const { url } = await serve(t, { databaseUrl, env: { WORKERS: '1' } });
  const [first, second, ben] = await Promise.all(['ada', 'ada', 'ben'].map((name) => signIn(url, name)));
  assert(first && second && ben);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const answered: string[] = [];
  const ask = (who: string, { cookies }: typeof ben) =>
    new Promise<void>((resolve, reject) => {
      const headers = { Cookie: `session=${cookies.get('session')}` };
      const request = get(`${url}/problem_list/`, { agent, headers }, (response) => {
        answered.push(response.statusCode === 200 ? who : `${who} ${response.statusCode}`);
        response.resume().on('end', resolve);
      });
      request.on('error', reject);
    });
  // The connections are made, and the page is built for the first time.
  await Promise.all(Array.from({ length: 41 }, () => ask('nobody', ben)));
  answered.length = 0;
  const sent = Array.from({ length: 40 }, (_, place) => ask('ada', place % 2 === 0 ? first : second));
  sent.push(ask('ben', ben));
  await Promise.all(sent);
  assert.equal(answered.filter((who) => who === 'ada').length, 40);
  const before = answered.indexOf('ben');
  assert(before < 20, `${before} pages of ada came before that of ben`);

  const all = () => [...Array.from({ length: 500 }, () => ask('ada', first)), ask('ben', ben)];
  // The first time makes the connections.
  await Promise.all(all());
  answered.length = 0;
  await Promise.all(all());
  assert.deepEqual([...new Set(answered)].toSorted(), ['ada', 'ada 429', 'ben']);
});

test('requests without a token from 200,000 networks in a second take less than 8 MB', (t) => {
  // Not t.mock: it keeps every call.
  const { now } = performance;
  t.after(() => Object.assign(performance, { now }));
  Object.assign(performance, { now: () => 5_000 });
  setFlagsFromString('--expose-gc');
  const heap = () => {
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const limit = networkLimiter(100);
  const before = heap();
  for (let n = 0; n < 200_000; n++) limit(`2001:db8:${(n >> 16).toString(16)}:${(n & 65_535).toString(16)}::1`);
  const grown = heap() - before;
  t.diagnostic(`${grown.toFixed(1)} MB more`);
  assert.ok(grown < 8, `${grown} MB`);
  assert.ok(!limit('2001:db8:ffff::1'), 'further networks share a count');
});
