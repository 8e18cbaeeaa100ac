/** listRecords and getRecord: a member sees their own record, staff see all. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, temporaryDatabase, tokensFor } from '../support/garden.ts';
import { assertRefusal, client, exactJson, idsOf } from '../support/http.ts';
import { edges, malformedIds } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';

const path = '/authentication/api/records/';
const ascending = [...edges].sort((a, b) => (a < b ? -1 : 1));

test('records', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [
    ...edges.map((id) => ({ id, username: `m${id}` })),
    {
      id: 50n,
      username: 'ada',
      first_name: 'Ada',
      last_name: '',
      email: 'ada@example.org',
      phone: '+44 20',
      city: 'London',
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-02-03T05:05:06+01:00',
    },
    { id: 51n, username: 'boss', role: 'staff' },
  ]);
  const [edge, ada, boss] = await tokensFor(databaseUrl, [`m${2n ** 53n + 1n}`, 'ada', 'boss']);
  const server = await serveHere(t, { databaseUrl });
  const asEdge = client(server.url, edge);
  const asAda = client(server.url, ada);
  const asBoss = client(server.url, boss);

  await t.test('a record has exactly the fields of the contract, in its order, all of them present', async () => {
    const { status, text } = await asAda(`${path}50/`);
    assert.equal(status, 200);
    assert.equal(
      text,
      '{"id":50,"username":"ada","first_name":"Ada","last_name":"","email":"ada@example.org","phone":"+44 20",' +
        '"address":null,"city":"London","state":null,"zipcode":null,"role":"member",' +
        '"created_at":"2026-01-02T03:04:05.678Z","updated_at":"2026-02-03T04:05:06.000Z"}',
    );
  });

  await t.test('a member lists their own record alone', async () => {
    assert.deepEqual(idsOf(await asAda(path)), [50n]);
    assert.deepEqual(idsOf(await asEdge(path)), [2n ** 53n + 1n]);
    assert.equal((await asAda(`${path}?count=true`)).headers['x-total-count'], '1');
    assert.equal((await asAda(`${path}?q=boss`)).text, '[]');
    assert.equal((await asAda(`${path}?role=staff`)).text, '[]');
  });

  await t.test('staff list all records in ascending id order over the whole of int64', async () => {
    const all = [...ascending, 50n, 51n].sort((a, b) => (a < b ? -1 : 1));
    assert.deepEqual(idsOf(await asBoss(path)), all);
  });

  await t.test('each id names its own record', async () => {
    for (const id of edges) {
      const row = exactJson((await asBoss(`${path}${id}/`)).text) as { id: bigint; username: string };
      assert.deepEqual([row.id, row.username], [id, `m${id}`]);
    }
  });

  await t.test('another member’s record is not there, and neither is an absent one', async () => {
    const foreign = await asEdge(`${path}${2n ** 53n}/`);
    assertRefusal(foreign, 40401, 'There is no record 9007199254740992 that this token may see; check the id.');
    assertRefusal(await asBoss(`${path}9007199254740999/`), 40401);
  });

  await t.test('an id that is no int64 is refused by name', async () => {
    for (const id of malformedIds) assertRefusal(await asBoss(`${path}${id}/`), 40001, /is not an int64/);
    assertRefusal(await asBoss(`${path}/`), 40400);
  });

  await t.test('user is no parameter here, and items take none', async () => {
    assertRefusal(await asBoss(`${path}?user=50`), 40002, /"user"/);
    assertRefusal(await asBoss(`${path}50/?user=50`), 40002, 'Unknown parameter "user"; this operation takes none.');
    assertRefusal(await asBoss(`${path}50/?limit=1`), 40002);
  });

  await t.test('q looks in username, names and email; role filters', async () => {
    assert.deepEqual(idsOf(await asBoss(`${path}?q=ADA%40EX`)), [50n]);
    assert.deepEqual(idsOf(await asBoss(`${path}?q=london`)), []);
    assert.deepEqual(idsOf(await asBoss(`${path}?role=staff`)), [51n]);
    assert.deepEqual(idsOf(await asBoss(`${path}?role=member&q=m900`)), [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n]);
  });
});
