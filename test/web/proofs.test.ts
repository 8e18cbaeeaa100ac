/**
 * Proofs of handles, driven without script against a replayed judge and an OpenID server on loopback: what proves, what does
 * not and why, and that nobody learns from it what others have.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { codeforces, identity, openGarden, submissionsOf } from '../importing/support.ts';
import { type AtCoderRows, replayAtCoder } from '../replay/atcoder.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { type OpenIdServer, startOpenId } from '../replay/openid.ts';
import { startReplay } from '../replay/replay.ts';
import { backFrom } from '../support/away.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributeOf, attributesOf } from '../support/elements.ts';
import { type Browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const handles = '/authentication/account/handles/';
const back = '/authentication/openid/codeforces/';
const clientPath = '/authentication/staff/providers/codeforces/';

interface Row {
  creationTimeSeconds: number;
  [name: string]: unknown;
}

const mayCheckAgain = (databaseUrl: string) =>
  tamper(databaseUrl, "UPDATE proof_tasks SET asked_at = '2000-01-01T00:00:00.000Z'", 'DELETE FROM request_slots');

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob');
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const garden = await openGarden(t, databaseUrl);
  await garden.import('codeforces-problems', codeforces({ ...identity('4A'), name: 'Watermelon', rating: 800 }));
  const status: Record<string, Row[]> = { ada_cf: [], shared: [] };
  const replay = await startReplay({ codeforces: replayCodeforces({ status }) });
  t.after(() => replay.close());
  const openId = await startOpenId(t);
  const { url } = await serveHere(t, {
    databaseUrl,
    env: { JUDGE_URLS: `codeforces=${replay.url}/codeforces,codeforces-openid=${openId.url}` },
  });
  const later = () => mayCheckAgain(databaseUrl);
  /** Sends to the judge, seconds from now. */
  const send = (handle: string, key: string, verdict: string, seconds: number, others: string[] = []) => {
    const [row] = (submissionsOf(handle, [key, verdict as 'OK', 1]) as { result: Row[] }).result;
    const at = Math.floor(Date.now() / 1000) + seconds;
    const members = [handle, ...others].map((name) => ({ handle: name }));
    const author = { members, participantType: 'PRACTICE', ghost: false };
    const before = status[handle] ?? [];
    status[handle] = [{ ...(row as Row), id: at, creationTimeSeconds: at, author }, ...before];
  };
  const proofs = async () =>
    (await rowsOf(databaseUrl, 'SELECT handle_id, method, subject FROM handle_proofs ORDER BY 1')).map(
      ({ handle_id, method, subject }) => [Number(handle_id), method, subject],
    );
  const enter = (name: string) => browserOf(url, name);
  return { databaseUrl, garden, replay, status, openId, later, send, proofs, enter };
}

async function link(browser: Browser, handle: string, judge = 'codeforces'): Promise<Page> {
  await browser.open(handles);
  return browser.submit({ name: 'handle' }, { judge, handle });
}

const press = (browser: Browser, act: 'begin' | 'check') => browser.submit({ name: 'act', value: act });
const said = (page: Page) => textOf(page, '.notice');

test('a compile error sent to the named problem in time proves a handle; anything else is told and proves nothing', async (t) => {
  const { enter, send, later, proofs, replay, status, databaseUrl } = await world(t);
  const ada = await enter('ada');
  const linked = await link(ada, 'ada_cf');
  assert.match(textOf(linked, '[data-proof]'), /^Not verified\. Verify: ada_cf$/);
  await ada.open(`${handles}1/proof/`);
  const task = await press(ada, 'begin');
  assert.equal(task.hops[0]?.status, 303);
  assert.match(
    textOf(task, '[data-task="4A"]'),
    /^As ada_cf, submit a program that does not compile, .* to CF4A Watermelon before [\d:]+ UTC\. You started at [\d:]+ UTC\.$/,
  );
  assert.equal(attributeOf(task, '[data-task] a', 'href'), 'https://codeforces.com/problemset/problem/4/A');
  const hasty = await press(ada, 'check');
  assert.deepEqual([hasty.status, replay.log.length], [429, 0]);
  assert.match(said(hasty), /^Not checked: wait ten seconds/);

  const tries = [
    [() => {}, /shows no submission that ada_cf sent alone/],
    [() => send('ada_cf', '4A', 'COMPILATION_ERROR', 1, ['bob_cf']), /shows no submission that ada_cf sent alone/],
    [
      () => send('ada_cf', '5B', 'COMPILATION_ERROR', 2),
      /no submission to the problem\. Your newest is 5B at .*“Compile error”/,
    ],
    [() => send('ada_cf', '4A', 'COMPILATION_ERROR', -60), /4A at .* was before you started/],
    [() => send('ada_cf', '4A', 'COMPILATION_ERROR', 700), /4A at .* was after the 10 minutes/],
    [() => send('ada_cf', '4A', 'TESTING', 3), /4A at .* is still being judged/],
    [() => send('ada_cf', '4A', 'WRONG_ANSWER', 4), /4A at .* has the verdict “Wrong answer”/],
  ] as const;
  for (const [prepare, expected] of tries) {
    prepare();
    await later();
    const refused = await press(ada, 'check');
    assert.deepEqual([refused.status, await proofs()], [422, []]);
    assert.match(said(refused), expected);
    if (expected.source.includes('still')) status['ada_cf'] = [];
  }
  send('ada_cf', '4A', 'COMPILATION_ERROR', 5);
  status['ada_cf']?.unshift({ id: 9 } as never);
  await later();
  const done = await press(ada, 'check');
  assert.equal(said(done), 'Verified. The handle is yours.');
  assert.match(textOf(done, '[data-proof="submission"]'), /^Verified by a submission on \d+ \w+ \d{4}$/);
  assert.deepEqual(await proofs(), [[1, 'submission', null]]);
  assert.match(textOf(await ada.open(`${handles}1/proof/`), '[aria-labelledby="by-submission"]'), /already verified/);

  await ada.open(`${handles}1/`);
  await ada.submit({ name: 'expected' });
  assert.deepEqual(await proofs(), [], 'a proof goes with its handle');
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT handle_id FROM proof_tasks'), [{ handle_id: null }]);
});

test('a compile error at AtCoder proves a handle, once AtCoder Problems knows of it', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada');
  const garden = await openGarden(t, databaseUrl);
  await garden.import('atcoder-problems', [{ id: 'abc1_a', contest_id: 'abc1', problem_index: 'A', name: 'Pond' }]);
  await garden.import('atcoder-models', { abc1_a: { difficulty: 500, is_experimental: false } });
  const submissions: AtCoderRows['submissions'] = [];
  const replay = await startReplay({ atcoder: replayAtCoder({ submissions }) });
  t.after(() => replay.close());
  const { url } = await serveHere(t, { databaseUrl, env: { JUDGE_URLS: `atcoder=${replay.url}/atcoder` } });
  const ada = await browserOf(url, 'ada');
  await link(ada, 'ada_ac', 'atcoder');
  await ada.open(`${handles}1/proof/`);
  const task = await press(ada, 'begin');
  assert.match(
    textOf(task, '#by-submission ~ *, [aria-labelledby="by-submission"]'),
    /AtCoder Problems .* some minutes/,
  );
  const send = (problem_id: string, result: string, seconds: number) => {
    const epoch_second = Math.floor(Date.now() / 1000) + seconds;
    const row = { id: epoch_second, epoch_second, user_id: 'Ada_AC', problem_id, contest_id: 'abc1', result };
    submissions.push({ ...row, language: 'C++' } as AtCoderRows['submissions'][number]);
  };
  const check = async () => {
    await mayCheckAgain(databaseUrl);
    return said(await press(ada, 'check'));
  };
  assert.match(await check(), /AtCoder shows no submission that ada_ac sent alone/);
  send('abc1_a', 'CE', -3600);
  assert.match(await check(), /abc1_a at .* was before you started/);
  send('abc1_b', 'CE', 1);
  send('abc1_a', 'WA', 2);
  assert.match(await check(), /abc1_a at .* has the verdict “Wrong answer”/);
  send('abc1_a', 'CE', 3);
  assert.equal(await check(), 'Verified. The handle is yours.');
});

test('a judge that is down or refuses proves nothing and says so, and a new problem is drawn after ten minutes only', async (t) => {
  const { enter, later, replay, proofs, garden, databaseUrl } = await world(t);
  const more = Array.from({ length: 40 }, (_, at) => ({ ...identity(`${100 + at}A`), name: 'Task', rating: 900 }));
  await garden.import('codeforces-problems', codeforces(...more));
  const ada = await enter('ada');
  await link(ada, 'ada_cf');
  await ada.open(`${handles}1/proof/`);
  await press(ada, 'begin');
  const drawn = () => rowsOf(databaseUrl, 'SELECT problem_id FROM proof_tasks');
  const first = await drawn();
  for (let again = 0; again < 3; again++) {
    const id = again + 1;
    await ada.open(`${handles}${id}/`);
    await ada.submit({ name: 'expected' });
    await link(ada, `other_${again}`);
    await ada.open(`${handles}${id + 1}/proof/`);
    await press(ada, 'begin');
    assert.deepEqual(await drawn(), first);
  }
  await later();
  replay.fail('codeforces', { kind: 'page', status: 403 });
  const refused = await press(ada, 'check');
  assert.equal(refused.status, 502);
  assert.match(said(refused), /^Codeforces only lets people in a browser through\./);
  await later();
  // Deep or wide, it would take thirty times its size in the memory of the process that serves everybody.
  replay.fail('codeforces', { kind: 'large', bytes: 2 * 1024 * 1024 });
  assert.match(said(await press(ada, 'check')), /^Codeforces sent an answer of more than 1 MiB/);
  await later();
  const unknown = await press(ada, 'check');
  assert.match(said(unknown), /^Codeforces has no user other_2\./);
  assert.deepEqual(await proofs(), []);
  const long = "UPDATE proof_tasks SET drawn_at = '2000-01-01T00:00:00.000Z', begun_at = '2000-01-01T00:00:00.000Z'";
  const seen = new Set<string>();
  for (let round = 0; round < 8; round++) {
    await tamper(databaseUrl, long);
    const over = await ada.open(`${handles}4/proof/`);
    assert.match(textOf(over, '[data-task] + p'), /^The 10 minutes are over\./);
    await press(ada, 'begin');
    seen.add(String((await drawn())[0]?.['problem_id']));
  }
  assert.ok(seen.size > 1, 'problems are chosen at random');
});

test('a proof changes nothing that another member sees, who cannot reach it either; staff see both', async (t) => {
  const { enter, send, later, proofs } = await world(t);
  const [ada, bob, root] = [await enter('ada'), await enter('bob'), await enter('root')];
  await link(ada, 'shared');
  await link(bob, 'shared');
  await link(bob, 'dmoj_me', 'dmoj');
  const before = textOf(await bob.open(handles), 'main .handles');
  assert.ok(before);
  await ada.open(`${handles}1/proof/`);
  await press(ada, 'begin');
  send('shared', '4A', 'COMPILATION_ERROR', 1);
  await later();
  assert.match(said(await press(ada, 'check')), /^Verified/);
  const after = await bob.open(handles);
  assert.equal(textOf(after, 'main .handles'), before);
  assert.match(textOf(after, '[data-handle="3"] [data-proof]'), /^DMOJ offers no way to verify a handle/);
  await bob.open(`${handles}2/proof/`);
  const { fields } = bob.filled({ name: 'act', value: 'begin' });
  const kept = await proofs();
  for (const path of ['1', '99', '3'].map((id) => `${handles}${id}/proof/`)) {
    const shown = await bob.open(path);
    const sent = await bob.post(path, fields);
    assert.deepEqual([shown.status, sent.status], [404, 404], path);
  }
  assert.equal((await bob.open(`${handles}x/proof/`)).status, 400);
  assert.equal((await bob.open(back)).status, 404, 'no client, no such page');
  assert.equal((await bob.post(back, { ...Object.fromEntries(fields), purpose: 'proof' })).status, 404);
  assert.deepEqual(await proofs(), kept);

  const member = '/authentication/staff/members/';
  const paths = new Set(attributesOf(await root.open(member), `a[href^="${member}"]`, 'href'));
  const texts = await Promise.all([...paths].map(async (path) => (await root.ask(path)).text));
  assert.ok(texts.some((text) => /verified on/.test(text)));
  assert.equal(texts.filter((text) => /Also verified by <bdi>ada<\/bdi>/.test(text)).length, 1);
});

async function visit(browser: Browser): Promise<string> {
  await browser.open(handles);
  const { path, fields } = browser.filled({ within: '[aria-labelledby="openid"]' });
  return backFrom(await browser.post(path, fields));
}

async function enterClient(root: Browser, { client }: OpenIdServer): Promise<Page> {
  await root.open(clientPath);
  const filling = { client_id: client.id, client_secret: client.secret };
  return root.submit({ name: 'act', value: 'save' }, filling);
}

test('staff enter client id and secret, which is never shown; members prove by signing in at the judge', async (t) => {
  const { enter, openId, proofs, databaseUrl } = await world(t);
  const [ada, root] = [await enter('ada'), await enter('root')];
  const settings = await enterClient(root, openId);
  assert.match(said(settings), /^Saved and active\./);
  assert.match(textOf(settings, '[data-provider=codeforces]'), /Nobody can sign in with it/);
  const form = await root.open(clientPath);
  assert.equal(form.text.includes(openId.client.secret), false);
  assert.match(form.text, /http:\/\/localhost:\d+\/authentication\/openid\/codeforces\//);

  const way = await visit(ada);
  const [asked] = openId.asked;
  assert.deepEqual(
    ['scope', 'code_challenge_method', 'client_id', 'response_type'].map((name) => asked?.get(name)),
    ['openid', 'S256', 'garden-client', 'code'],
  );
  const done = await ada.open(way);
  assert.deepEqual([done.path, said(done)], [`${handles}?done=proved`, 'Verified. The handle is yours.']);
  assert.deepEqual(await proofs(), [[1, 'openid', '4711']]);
  assert.match(textOf(done, '[data-handle="1"] h2'), /Ada_CF/);

  openId.person.handle = 'ada.queen';
  const renamed = await ada.open(await visit(ada));
  assert.match(textOf(renamed, '[data-handle="1"] [data-renamed]'), /^Ada_CF is now ada\.queen \(since /);
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT name FROM handles'), [{ name: 'ada.queen' }]);
  // Codeforces may leave the nonce out.
  openId.next.claims = { nonce: undefined };
  assert.match(said(await ada.open(await visit(ada))), /^Verified/);

  await root.open(clientPath);
  const off = await root.submit({ name: 'act', value: 'remove' });
  assert.match(textOf(off, '[data-provider=codeforces]'), /Not set up\./);
  assert.equal((await ada.open(handles)).document.querySelector('[aria-labelledby="openid"]'), null);
  assert.equal((await ada.open(`${back}?code=x&state=y`)).status, 404);
  assert.equal((await proofs()).length, 1);
  const deeds = await rowsOf(databaseUrl, 'SELECT what FROM staff_log ORDER BY id');
  assert.deepEqual(deeds, [{ what: 'provider-saved codeforces' }, { what: 'provider-removed codeforces' }]);
});

test('what comes back from the judge and is not the good answer to this visit is refused in plain words', async (t) => {
  const { enter, openId, proofs } = await world(t);
  const [ada, bob, root] = [await enter('ada'), await enter('bob'), await enter('root')];
  await enterClient(root, openId);
  const refusals: [OpenIdServer['next'], RegExp][] = [
    [{ claims: { nonce: 'another' } }, /belongs to another sign-in. Nothing was verified/],
    [{ claims: { handle: undefined } }, /did not say which handle is yours/],
    [{ claims: { handle: '<b>x</b>' } }, /^“<b>x<\/b>” contains “<”\. A handle at Codeforces has/],
    [{ isDeclined: true }, /^You did not allow it at Codeforces/],
  ];
  for (const [next, expected] of refusals) {
    openId.next = next;
    const refused = await ada.open(await visit(ada));
    assert.ok([422, 502].includes(refused.status), `${refused.status}`);
    assert.match(said(refused), expected);
    openId.next = {};
  }
  const foreign = await visit(bob);
  for (const way of [foreign, foreign.replace(/state=[^&]+/, 'state=x')]) {
    const refused = await ada.open(way);
    assert.deepEqual([refused.status, /did not start in this browser/.test(said(refused))], [422, true], way);
  }
  assert.deepEqual(await proofs(), []);
  const good = await visit(ada);
  // Another tab that set out later ends nobody's visit.
  await visit(ada);
  assert.match(said(await ada.open(good)), /^Verified/);
  const again = await ada.open(good);
  assert.deepEqual([again.path, said(again)], ['/authentication/account/handles/', ''], 'Back leads on');
  assert.equal((await proofs()).length, 1);
});
