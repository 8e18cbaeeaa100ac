/** The throttle of sign-ins and sign-ups, with a clock of its own: whom it stops, and whom nobody can have it stop. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Attempt, entryThrottle } from '../../src/auth/entry-throttle.ts';
import { isDeviceOf, newDevice } from '../../src/auth/sessions.ts';
import { AppError } from '../../src/errors.ts';
import { openStore } from '../../src/store/open.ts';
import { onceOnly } from '../support/databases.ts';
import { temporaryDatabase } from '../support/garden.ts';

const started = Date.UTC(2026, 0, 1);
const quarter = 15 * 60_000;

async function clocked(t: TestContext) {
  let now = started;
  const databaseUrl = await temporaryDatabase(t);
  const process = async () => {
    const store = await openStore(databaseUrl, { create: true, lockTimeoutMs: 60_000 });
    t.after(() => store.close());
    const throttle = entryThrottle(store, () => now);
    /** Answers what takes a wrong attempt back, or undefined where it is refused. */
    const tries = async (username: string, network: string, rest: Partial<Attempt> = {}) => {
      try {
        const attempt = await throttle.begin({
          username,
          network,
          device: undefined,
          isKnown: false,
          ...rest,
        });
        attempt.fail();
        return { succeed: () => store.writeConcurrently(attempt.succeed) };
      } catch (error) {
        assert.ok(error instanceof AppError && error.status === 429, String(error));
        return undefined;
      }
    };
    /** With the right password; rejects where it is refused. */
    const enters = async (username: string, network: string, isKnown = false) => {
      const attempt = await throttle.begin({ username, network, device: undefined, isKnown });
      await store.writeConcurrently(attempt.succeed);
    };
    return { store, throttle, tries, enters };
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { ...(await process()), process, pass };
}

test('ten wrong passwords for one account from one network, then none for a quarter of an hour', async (t) => {
  const { tries, store, pass } = await clocked(t);
  for (let time = 0; time < 10; time++) assert.ok(await tries('ada', '1.1.1.1'));
  const counts = () => store.reader.selectFrom('attempts').selectAll().orderBy('digest').execute();
  const before = await counts();
  assert.equal(await tries('ADA', '1.1.1.1'), undefined, 'a name in other letters is the same');
  assert.deepEqual(await counts(), before, 'what is refused writes nothing');
  assert.ok(await tries('bob', '1.1.1.1'), 'another account');
  pass(quarter - 1);
  assert.equal(await tries('ada', '1.1.1.1'), undefined);
  pass(1);
  assert.ok(await tries('ada', '1.1.1.1'));
});

test('right passwords count nothing', async (t) => {
  const { tries } = await clocked(t);
  for (let time = 0; time < 60; time++) await (await tries('ada', '1.1.1.1'))?.succeed();
  assert.ok(await tries('ada', '1.1.1.1'));
});

test('of many guesses at once as many go through as the limit says', async (t) => {
  const { tries } = await clocked(t);
  const through = await Promise.all(Array.from({ length: 40 }, () => tries('ada', '1.1.1.1')));
  assert.equal(through.filter(Boolean).length, 10);
});

test('guesses from many networks stop at fifty for an account, and leave its member in', {
  skip: onceOnly,
}, async (t) => {
  const { tries, enters } = await clocked(t);
  let through = 0;
  for (let place = 0; place < 80; place++) if (await tries('ada', `9.9.9.${place}`)) through++;
  assert.equal(through, 50);
  assert.equal(await tries('ada', '1.1.1.1', { isKnown: true }), undefined, 'a wrong password is refused anywhere');
  assert.equal(await tries('ada', '8.8.8.8'), undefined);
  await assert.rejects(enters('ada', '8.8.8.8'));
  await enters('ada', '1.1.1.1', true);
  assert.ok(await tries('ada', '8.8.8.8', { device: 'hers' }), 'in a browser that was hers before');
  assert.ok(await tries('bob', '8.8.8.8'));
});

test('a browser of the member has its own count, whatever others in the same room do', async (t) => {
  const { tries } = await clocked(t);
  for (let time = 0; time < 11; time++) await tries('ada', '1.1.1.1', { isKnown: true });
  assert.equal(await tries('ada', '1.1.1.1', { isKnown: true }), undefined);
  for (let time = 0; time < 10; time++) assert.ok(await tries('ada', '1.1.1.1', { device: 'hers' }));
  assert.equal(await tries('ada', '1.1.1.1', { device: 'hers' }), undefined, 'who took it may not guess on');
  assert.ok(await tries('ada', '1.1.1.1', { device: 'her other one' }));
});

test('one network with many names stops at a hundred, and takes no place from others', {
  skip: onceOnly,
}, async (t) => {
  const { tries, enters } = await clocked(t);
  let through = 0;
  await tries('made-up-0', '5.5.5.5');
  for (let place = 0; place < 150; place++) if (await tries(`made-up-${place}`, '6.6.6.6')) through++;
  assert.equal(through, 100);
  for (const name of ['ada', 'bob', 'eve']) assert.ok(await tries(name, '1.1.1.1'), name);
  for (let time = 0; time < 2; time++) await tries('ada', '6.6.6.6', { isKnown: true });
  await enters('ada', '6.6.6.6', true);
});

test('nobody learns from answers or counts where a member is known', { skip: onceOnly }, async (t) => {
  for (const isKnown of [true, false]) {
    const { tries } = await clocked(t);
    const answers: boolean[] = [];
    const guess = async (name: string, rest = {}) => answers.push((await tries(name, '6.6.6.6', rest)) !== undefined);
    for (let place = 0; place < 98; place++) await tries(`made-up-${place}`, '6.6.6.6');
    for (let time = 0; time < 2; time++) await guess('ada', { isKnown });
    await guess('bob');
    await guess('ada', { isKnown });
    await guess('eve');
    assert.deepEqual(answers, [true, true, true, false, false], String(isKnown));
  }
});

test('a class of forty mistypes five times each and misspells names, and nobody who types the right password waits', {
  skip: onceOnly,
}, async (t) => {
  const { tries, enters } = await clocked(t);
  for (let pupil = 0; pupil < 40; pupil++) {
    for (let time = 0; time < 5; time++) assert.ok(await tries(`pupil-${pupil}`, '7.7.7.7'), `${pupil} ${time}`);
    assert.ok(await tries(`misspelt-${pupil}`, '7.7.7.7'));
    await (await tries(`pupil-${pupil}`, '7.7.7.7'))?.succeed();
  }
  for (let place = 0; place < 25; place++) await tries(`made-up-${place}`, '7.7.7.7');
  assert.equal(await tries('late', '7.7.7.7'), undefined, 'a wrong password is refused as all others are');
  await enters('ada', '7.7.7.7');
  await assert.rejects(enters('late', '7.7.7.7'), { status: 429 });
  assert.equal(await tries('late', '7.7.7.7'), undefined);
});

test('the counts hold in every process and after a restart', async (t) => {
  const { tries, process, store } = await clocked(t);
  for (let time = 0; time < 5; time++) assert.ok(await tries('ada', '1.1.1.1'));
  const other = await process();
  for (let time = 0; time < 5; time++) assert.ok(await other.tries('ada', '1.1.1.1'));
  assert.equal(await tries('ada', '1.1.1.1'), undefined);
  assert.equal(await (await process()).tries('ada', '1.1.1.1'), undefined);
  const rows = await store.reader.selectFrom('attempts').selectAll().execute();
  assert.doesNotMatch(
    JSON.stringify(rows, (_, value) => String(value)),
    /ada|1\.1\.1/,
  );
});

test('what is over is removed by the next attempt', async (t) => {
  const { tries, store, pass } = await clocked(t);
  const count = async () => (await store.reader.selectFrom('attempts').select('digest').execute()).length;
  for (let place = 0; place < 30; place++) await tries(`made-up-${place}`, `network-${place}`);
  assert.equal(await count(), 90);
  pass(quarter);
  await tries('ada', '1.1.1.1');
  assert.equal(await count(), 3);
});

test('sixty accounts, sixty visits to a demo and 300 starts of a proof a quarter of an hour from one network', {
  skip: onceOnly,
}, async (t) => {
  const { throttle, pass } = await clocked(t);
  for (const [door, most] of [
    ['beginSignUp', 60],
    ['beginDemo', 60],
    ['beginOpenId', 300],
  ] as const) {
    for (let time = 0; time < most; time++) await throttle[door]('1.1.1.1');
    await assert.rejects(throttle[door]('1.1.1.1'), { status: 429 }, door);
    await throttle[door]('2.2.2.2');
    pass(quarter);
    await throttle[door]('1.1.1.1');
  }
});

test('a device cookie is good for the account and password that signed it, and for no other', () => {
  const device = newDevice('hash of ada');
  assert.ok(isDeviceOf(device, 'hash of ada'));
  assert.notEqual(newDevice('hash of ada'), device);
  assert.ok(!isDeviceOf(device, 'hash of bob'));
  for (const forged of [
    '',
    '.',
    device.slice(1),
    `${device}x`,
    device.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
    device.split('.')[0] ?? '',
    `${newDevice('x').split('.')[0]}.${device.split('.')[1]}`,
  ])
    assert.ok(!isDeviceOf(forged, 'hash of ada'), forged);
});
