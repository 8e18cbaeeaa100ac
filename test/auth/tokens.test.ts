/** Tokens: their form, the refusals of bad ones, and that no token is stored in clear. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { makeToken, tokenGuard } from '../../src/auth/tokens.ts';
import { allScopes, operationIds, operations } from '../../src/contract/operations.ts';
import { shutdownTimes } from '../../src/server/stopping.ts';
import { commandLine, gardenHere } from '../support/commands.ts';
import { allThatIsKept } from '../support/databases.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { importProblems, memberWithToken, temporaryDatabase, withStore } from '../support/garden.ts';
import { assertRefusal, likeness, problems, send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { ownMs } from '../support/processes.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function checksum(text: string): string {
  let crc = 0xffffffffn;
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  let rest = crc ^ 0xffffffffn;
  let sum = '';
  for (let digit = 0; digit < 6; digit++, rest /= 62n) sum = alphabet[Number(rest % 62n)] + sum;
  return sum;
}

test('tokens', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const cli = commandLine(databaseUrl);
  const create = (flags: string) =>
    cli.json<{ token: string; expires_at: string }>(`token create ada --name test ${flags}`);
  const ada = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, [7]);
  const server = await serveHere(t, { databaseUrl });
  const ask = (token: string | undefined, target = problems, method = 'GET') =>
    send(server.url, target, { method, ...(token !== undefined && { token }) });

  await t.test('a token is pgt_, 30 base62 characters and 6 of their CRC-32', () => {
    const [, random = '', sum = ''] = /^pgt_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(ada.token) ?? [];
    assert.equal(checksum('123456789'), '3jZRME');
    assert.equal(sum, checksum(random));
  });

  await t.test('without credentials the challenge has no error code', async () => {
    for (const authorization of [undefined, '', 'Basic YWRhOmFkYQ==', 'Bearer', 'pgt_abc', ada.token]) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const reply = await send(server.url, problems, { headers });
      assertRefusal(reply, 40100);
      assert.equal(reply.headers['www-authenticate'], 'Bearer', authorization);
      assert.equal(reply.headers['api-version'], '1.0.0');
    }
  });

  await t.test('every bad token is invalid_token, for any fault in it', async () => {
    const wrongSum = ada.token.slice(0, -1) + (ada.token.endsWith('0') ? '1' : '0');
    const unknown = `pgt_${'0'.repeat(30)}${checksum('0'.repeat(30))}`;
    for (const token of ['abc', 'pgt_', wrongSum, unknown, ada.token.toLowerCase(), `${ada.token} x`]) {
      const reply = await ask(token);
      assertRefusal(reply, 40101);
      assert.equal(reply.headers['www-authenticate'], 'Bearer error="invalid_token"', token);
    }
  });

  await t.test('the scheme counts in any case, and blanks around the token do not', async () => {
    for (const authorization of [`bearer ${ada.token}`, `BEARER   ${ada.token}`, `Bearer ${ada.token} `]) {
      const reply = await send(server.url, problems, { headers: { Authorization: authorization } });
      assert.equal(reply.status, 200, authorization);
    }
  });

  await t.test('a long header of blanks is refused as fast as any other', async (t) => {
    const { url } = await serveHere(t, { databaseUrl });
    const headers = { Authorization: `Bearer a${' '.repeat(15_000)}b` };
    const ms = await ownMs(async () => {
      for (let count = 0; count < 20; count++) assertRefusal(await send(url, problems, { headers }), 40101);
    });
    assert(ms < 2000, `${ms} ms`);
  });

  await t.test('a missing token is refused before anything else is checked, by every operation', async () => {
    for (const id of operationIds) {
      const { method, path } = operations[id];
      for (const value of ['7', 'abc', '404']) {
        const reply = await ask(undefined, `${path.replace('{id}', value)}?nonsense=1`, method);
        assertRefusal(reply, 40100);
      }
    }
  });

  await t.test(
    'a missing scope is refused before parameters and existence are checked, by every operation',
    async () => {
      const few = await create('--scope problems:read');
      const others = await create('--scope records:read --scope bookmarks:read --scope status:read');
      for (const id of operationIds) {
        const { method, path, scope } = operations[id];
        const token = scope === 'problems:read' ? others.token : few.token;
        for (const value of ['7', 'abc', '404']) {
          const reply = await ask(token, `${path.replace('{id}', value)}?nonsense=1`, method);
          assertRefusal(reply, 40300, new RegExp(`lacks the scope ${scope};`));
          assert.equal(reply.headers['www-authenticate'], 'Bearer error="insufficient_scope"');
        }
      }
      assert.equal((await ask(few.token)).status, 200);
      assertRefusal(await ask(few.token, `${problems}?status=complete`), 40300, /status:read/);
      assertRefusal(await ask(few.token, `${problems}?nonsense=1&bookmarked=true`), 40300, /bookmarks:read/);
    },
  );

  await t.test('malformed parameters and ids are refused before existence is checked', async () => {
    assertRefusal(await ask(ada.token, `${problems}abc/`), 40001);
    assertRefusal(await ask(ada.token, `${problems}404/?x=1`), 40002);
    assertRefusal(await ask(ada.token, `${problems}404/`), 40401);
  });

  await t.test('a token in the URL is no token', async () => {
    for (const name of ['access_token', 'token', 'Authorization']) {
      assertRefusal(await ask(undefined, `${problems}?${name}=${ada.token}`), 40100);
      assertRefusal(await ask(ada.token, `${problems}?${name}=${ada.token}`), 40002);
    }
  });

  await t.test('a token that has expired is refused as one that never was', async () => {
    const brief = await create('--expires 1s');
    await new Promise((resolve) => setTimeout(resolve, Date.parse(brief.expires_at) - Date.now() + 5));
    const expired = await ask(brief.token);
    assertRefusal(expired, 40101);
    assert.deepEqual(likeness(expired), likeness(await ask('abc')));
  });

  await t.test('uses are written down, and of the token itself only a digest is kept', async () => {
    const day = new Date().toISOString().slice(0, 10);
    await server.end({ ...shutdownTimes, quietMs: 0, acceptMs: 0, keepIdleMs: 0 });
    const listed = await cli.json<Record<string, unknown>[]>('token list');
    assert.match(
      String(listed[0]?.['last_used_at']),
      new RegExp(`^(${day}|${new Date().toISOString().slice(0, 10)})T`),
    );
    assert(!JSON.stringify(listed).includes('digest'));
    const kept = await allThatIsKept(databaseUrl);
    for (const part of kept) assert(!part.includes(ada.token.slice(4, 34)));
    const digest = createHash('sha256').update(ada.token).digest('hex');
    assert(kept.some((part) => part.includes(digest)));
  });
});

test('a token has a name of 1 to 100 characters, up to a year, and scopes of one kind', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  const usual = { userId: BigInt(memberId), name: 'x', scopes: ['records:read'], lifetimeMs: 1 };
  const year = 365 * 86_400_000;
  const make = (wanted: Partial<typeof usual>) =>
    withStore(databaseUrl, (store) => makeToken(store, { ...usual, ...wanted }));
  for (const wanted of [
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { lifetimeMs: 0 },
    { lifetimeMs: year + 1 },
    { scopes: ['practice:read', 'records:read'] },
  ])
    await assert.rejects(make(wanted), { code: 'invalidValue' }, JSON.stringify(wanted));
  const { token, expiresAt } = await make({ name: 'x'.repeat(100), lifetimeMs: year });
  assert.match(token, /^pgt_/);
  await withStore(databaseUrl, async (store) => {
    const end = Date.parse(expiresAt ?? '');
    const actor = async (now: number) =>
      (await tokenGuard(store, 'pgt').authenticate(`Bearer ${token}`, now, () => [])).actor;
    assert.equal((await actor(end - 1)).memberId, BigInt(memberId));
    await assert.rejects(actor(end), { code: 'invalidToken' });
  });
  assert.match((await make({ scopes: ['practice:read', 'practice:mark'] })).token, /^pgw_/);
});

test('a member has at most 100 valid tokens, through every door', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithToken(databaseUrl, 'bob');
  const wanted = { userId: ada, name: 'x', scopes: allScopes, lifetimeMs: 86_400_000 };
  const [first] = await withStore(databaseUrl, async (store) => {
    const made: bigint[] = [];
    for (let count = 0; count < 100; count++) made.push((await makeToken(store, wanted)).id);
    return made;
  });
  const says = /A member can have up to 100 valid tokens; revoke one first\./;
  const create = (username: string) => gardenHere(`token create ${username} --name x`, { databaseUrl });
  const refused = await create('ada');
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, says);
  assert.equal((await create('bob')).code, 0);

  const { url } = await serveHere(t, { databaseUrl });
  const own = await browserOf(url, 'ada');
  await own.open('/authentication/account/tokens/');
  const page = await own.submit({ name: 'name' }, { name: 'one more' });
  assert.equal(page.status, 422);
  assert.match(textOf(page, '#name-fault'), says);
  await gardenHere(`token revoke ${first}`, { databaseUrl });
  assert.equal((await own.submit({ name: 'name' }, { name: 'one more' })).hops[0]?.status, 303);
  assert.equal((await create('ada')).code, 2);
  await withStore(databaseUrl, (store) =>
    store.runChange((db) =>
      db
        .updateTable('tokens')
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .where('id', '=', (first ?? 0n) + 1n)
        .execute(),
    ),
  );
  assert.equal((await create('ada')).code, 0);
});
