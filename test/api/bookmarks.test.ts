/** listBookmarks and getBookmark: addressed by the problem's id, the token's own or, for staff, another member's. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importProblems, importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { assertRefusal, client, exactJson, idsOf, likeness, type Reply } from '../support/http.ts';
import { malformedIds } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';

const path = '/dashboard/api/bookmarks/';
const big = 2n ** 53n + 1n;
const formats = ['application/json', 'application/x-ndjson', 'text/csv'];

test('bookmarks', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    { id: 1, username: 'ada' },
    { id: big, username: 'ben' },
    { id: 3, username: 'boss', role: 'staff' },
    { id: 4, username: 'none' },
  ]);
  await importProblems(databaseUrl, [-5n, 7n, big - 1n, big, 2n ** 63n - 1n]);
  const at = '2026-03-01T00:00:00.000Z';
  await importRows(databaseUrl, 'bookmarks', [
    { username: 'ada', problem: big, note: 'mine', created_at: at, updated_at: at },
    { username: 'ada', problem: -5n, note: null, created_at: at, updated_at: at },
    { username: 'ben', problem: 7n, note: 'ben’s', created_at: at, updated_at: at },
    { username: 'ben', problem: big, note: 'ben’s', created_at: at, updated_at: at },
  ]);
  const [ada, boss, none] = await tokensFor(databaseUrl, ['ada', 'boss', 'none']);
  const server = await serveHere(t, { databaseUrl });
  const asAda = client(server.url, ada);
  const asBoss = client(server.url, boss);
  const asNone = client(server.url, none);
  const pairsOf = (text: string) =>
    (exactJson(text) as { id: bigint; user: bigint }[]).map(({ id, user }) => [id, user]);

  await t.test('a bookmark has exactly the fields of the contract', async () => {
    assert.equal(
      (await asAda(`${path}${big}/`)).text,
      `{"id":${big},"user":1,"problem":${big},"note":"mine","created_at":"${at}","updated_at":"${at}"}`,
    );
  });

  await t.test(
    'a member lists their own, by the problem’s id; a member without bookmarks gets an empty array',
    async () => {
      assert.deepEqual(pairsOf((await asAda(path)).text), [
        [-5n, 1n],
        [big, 1n],
      ]);
      assert.equal((await asNone(path)).text, '[]');
    },
  );

  await t.test('a cursor of everyone’s rows goes on in the rows of one member', async () => {
    for (const order of ['id', '-id', 'id,-user', '-id,-user']) {
      const rows = pairsOf((await asBoss(`${path}?user=all&order=${order}`)).text);
      assert.equal(rows.length, 4);
      for (let seen = 1; seen < rows.length; seen++) {
        const { headers } = await asBoss(`${path}?user=all&order=${order}&limit=${seen}`);
        const [, cursor] = /cursor=([^&>]+)/.exec(String(headers['link'])) ?? [];
        for (const user of [1n, big]) {
          const { text } = await asBoss(`${path}?user=${user}&order=${order}&cursor=${cursor}`);
          const expected = rows.slice(seen).filter(([, whose]) => whose === user);
          assert.deepEqual(pairsOf(text), expected, `${order} after ${seen}, ${user}`);
        }
      }
    }
  });

  await t.test('an item is there exactly if the member bookmarked the problem', async () => {
    assert.equal((await asAda(`${path}-5/`)).status, 200);
    const unmarked = await asAda(`${path}7/`);
    assertRefusal(unmarked, 40401, 'There is no bookmark (star) of problem 7 that this token may see; check the id.');
    const absent = await asAda(`${path}8/`);
    assert.deepEqual(likeness({ ...absent, text: absent.text.replace(' 8 ', ' 7 ') }), likeness(unmarked));
    assertRefusal(await asAda(`${path}${big - 1n}/`), 40401);
  });

  await t.test('an id that is no int64 is refused by name', async () => {
    for (const id of malformedIds) assertRefusal(await asAda(`${path}${id}/`), 40001);
  });

  await t.test('staff name another member, or all', async () => {
    assert.deepEqual(pairsOf((await asBoss(path)).text), []);
    assert.deepEqual(idsOf(await asBoss(`${path}?user=${big}`)), [7n, big]);
    assert.equal((await asBoss(`${path}7/?user=${big}`)).status, 200);
    assertRefusal(await asBoss(`${path}7/`), 40401);
    assertRefusal(await asBoss(`${path}7/?user=${big - 1n}`), 40402);
    assert.deepEqual(pairsOf((await asBoss(`${path}?user=all`)).text), [
      [-5n, 1n],
      [7n, big],
      [big, 1n],
      [big, big],
    ]);
    assert.equal((await asBoss(`${path}?user=all&count=true&limit=1`)).headers['x-total-count'], '4');
  });

  await t.test('only its member gets a note, in every format and order, and in every cursor of JSON', async () => {
    await importRows(databaseUrl, 'bookmarks', [{ username: 'boss', problem: 7n, note: 'staff’s own' }]);
    await importRows(databaseUrl, 'bookmarks', [{ username: 'ben', problem: 7n, note: 'ben’s '.repeat(200) }]);
    const orders = ['', 'note', '-note', 'created_at,-note,user', '-id'];
    const queries = orders.flatMap((order) =>
      ['', '&limit=1', '&limit=3'].map((limit) => order && `&order=${order}${limit}`),
    );
    for (const user of ['all', String(big), '1']) {
      for (const query of new Set(queries)) {
        for (const Accept of query.includes('limit') ? formats.slice(0, 1) : formats) {
          let target: string | undefined = `${path}?user=${user}${query}`;
          let rows = 0;
          while (target !== undefined) {
            const reply: Reply = await asBoss(target, { headers: { Accept } });
            assert.equal(reply.status, 200, target);
            const link: string = String(reply.headers['link'] ?? '');
            const cursor: string | undefined = /cursor=([\w-]+)/.exec(link)?.[1];
            const told = reply.text + Buffer.from(cursor ?? '', 'base64url').toString();
            assert.doesNotMatch(told, /ben’s|mine/, target);
            if (user === 'all') rows += told.match(/staff’s own/) ? 1 : 0;
            target = cursor && `${path}?user=${user}${query}&cursor=${cursor}`;
          }
          if (user === 'all') assert.ok(rows > 0, `${query}: staff read their own`);
        }
      }
    }
    const [first, ...rest] = pairsOf((await asBoss(`${path}?user=all&order=note`)).text);
    assert.deepEqual(first, [7n, 3n]);
    assert.deepEqual(
      rest,
      pairsOf((await asBoss(`${path}?user=all`)).text).filter(([, user]) => user !== 3n),
    );
    for (const target of [`7/?user=${big}`, `${big}/?user=1`, `-5/?user=1`]) {
      assert.match((await asBoss(path + target)).text, /"note":null/, target);
    }
    assert.match((await asBoss(`${path}7/?user=3`)).text, /"note":"staff’s own"/);
    assert.match((await asBoss(`${path}?user=3`)).text, /"note":"staff’s own"/);
    assert.match((await asAda(`${path}?user=1`)).text, /"note":"mine"/);
  });

  await t.test('user=all is for collections alone', async () => {
    assertRefusal(await asBoss(`${path}7/?user=all`), 40003, /"user" must be a decimal int64/);
    assertRefusal(await asAda(`${path}7/?user=all`), 40003);
    assertRefusal(await asAda(`${path}7/?all=1`), 40002, 'Unknown parameter "all"; did you mean "user"?');
  });

  await t.test('a member may name themselves, no other member, and not all', async () => {
    assert.deepEqual(idsOf(await asAda(`${path}?user=1`)), [-5n, big]);
    assert.equal((await asAda(`${path}-5/?user=1`)).status, 200);
    for (const target of [path, `${path}7/`, `${path}99/`]) {
      const foreign = await asAda(`${target}?user=4`);
      assertRefusal(foreign, 40402, 'There is no member 4 that this token may see; check "user".');
    }
    const all = await asAda(`${path}?user=all`);
    assertRefusal(all, 40301, /^Only administrators \(staff\)/);
  });

  await t.test('a malformed parameter is told before a member that does not exist', async () => {
    assertRefusal(await asBoss(`${path}?user=99&order=titel`), 40003, /"order"/);
    assertRefusal(await asBoss(`${path}?user=99&cursor=abc`), 40005);
    assertRefusal(await asBoss(`${path}?user=99`), 40402);
    for (const user of ['', 'ALL', '01', '9223372036854775808', '1&user=1']) {
      const reply = await asBoss(`${path}?user=${user}`);
      assertRefusal(reply, user.includes('&') ? 40004 : 40003, /"user"/);
    }
  });
});
