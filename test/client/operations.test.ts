/** The client's nine operations against a running garden: every id exact, as string and as bigint. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, isGardenError } from '../../client/src/client.ts';
import { hostileIds, hostileTitle, idsOf, planted } from './support.ts';

test('a client', async (t) => {
  const { server, ada, root } = await planted(t);
  const client = createClient({ baseUrl: server.url, token: ada.token });
  const exact = createClient({ baseUrl: `${server.url}/`, token: ada.token, ids: 'bigint' });
  const staff = createClient({ baseUrl: server.url, token: root.token });

  await t.test('lists problems with ids exact to the last digit, as strings or as bigints where asked to', async () => {
    const [problems, exactly] = [await client.listProblems(), await exact.listProblems()];
    deepEqual(idsOf(problems), hostileIds);
    deepEqual(idsOf(exactly), hostileIds.map(BigInt));
    for (const { title } of [...problems, ...exactly]) equal(title, hostileTitle);
  });

  await t.test('looks up problems by string, bigint and safe number', async () => {
    for (const id of hostileIds) {
      equal((await client.getProblem(id)).id, id);
      equal((await exact.getProblem(BigInt(id))).id, BigInt(id));
    }
    equal((await client.getProblem(7)).id, '7');
    equal((await client.getProblem(-0)).id, '0');
  });

  await t.test('reads bookmarks', async () => {
    const bookmarks = await client.listBookmarks();
    deepEqual(
      bookmarks.map(({ id, problem, user }) => [id, problem, user]),
      hostileIds.map((id) => [id, id, ada.memberId]),
    );
    const bookmark = await exact.getBookmark('9007199254740993');
    deepEqual(
      [bookmark.id, bookmark.problem, bookmark.user, bookmark.note],
      [9007199254740993n, 9007199254740993n, BigInt(ada.memberId), hostileTitle],
    );
  });

  await t.test('reads statuses', async () => {
    const statuses = await exact.listProblemStatuses({ status: 'complete' });
    deepEqual(
      statuses.map(({ problem, status }) => [problem, status]),
      hostileIds.map((id) => [BigInt(id), 'complete']),
    );
    const status = await staff.getProblemStatus('9223372036854775807');
    deepEqual(
      [status.problem, status.user, status.status, status.updated_at],
      ['9223372036854775807', root.memberId, 'not_started', null],
    );
  });

  await t.test('reads records', async () => {
    deepEqual(
      (await staff.listRecords({ order: '-username' })).map(({ username }) => username),
      ['root', 'ada'],
    );
    deepEqual(idsOf(await staff.listRecords({ role: 'staff' })), [root.memberId]);
    equal((await client.getRecord(ada.memberId)).username, 'ada');
    equal((await exact.getRecord(ada.memberId)).id, BigInt(ada.memberId));
  });

  await t.test('names another user by any kind of id, and "all"', async () => {
    for (const user of [ada.memberId, BigInt(ada.memberId), Number(ada.memberId)]) {
      equal((await staff.getProblemStatus(7, { user })).status, 'complete');
      equal((await staff.getBookmark(7, { user })).user, ada.memberId);
      equal((await staff.listBookmarks({ user })).length, hostileIds.length);
    }
    equal((await staff.listProblemStatuses({ user: 'all' })).length, hostileIds.length);
    equal((await staff.listProblemStatuses()).length, 0);
  });

  await t.test('sends a list as a repeated parameter and leaves out what is undefined', async () => {
    equal((await client.listProblems({ tag: ['dp'], q: undefined })).length, hostileIds.length);
    equal((await client.listProblems({ tag: ['dp', 'graphs'] })).length, 0);
    equal((await client.listProblems({ bookmarked: false })).length, 0);
    equal((await client.listProblems({ q: '"id":9007199254740993,"user":-1} \\"' })).length, hostileIds.length);
  });

  await t.test('deletes exactly the plant that was named, once', async () => {
    for (const id of hostileIds) {
      equal(await client.deletePlant(id), undefined);
      await rejects(client.deletePlant(id), (error) => isGardenError(error) && error.status === 404);
    }
  });
});
