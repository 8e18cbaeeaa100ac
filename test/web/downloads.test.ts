/** Downloads of one member take turns until each has arrived or its client has left; nobody else waits for them. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const path = '/authentication/account/data/bookmarks/';

test('a second file waits for the first, and begins when its client leaves', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob');
  const problems = Array.from({ length: 400 }, (_, n) => ({
    id: n + 1,
    source: 'cses',
    source_key: `${n}`,
    title: 'N',
  }));
  await importRows(databaseUrl, 'problems', problems);
  const note = 'x'.repeat(65_000);
  await importRows(
    databaseUrl,
    'bookmarks',
    problems.map(({ id }) => ({ username: 'ada', problem: id, note })),
  );
  const { url, stderr } = await serveHere(t, { databaseUrl });
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const started = () => {
    const sent = request(`${url}${path}`, { headers: { Cookie: cookie }, agent: false }).end();
    sent.on('error', () => {});
    return { sent, answered: new Promise((resolve) => sent.on('response', (one) => resolve(one.statusCode))) };
  };
  const first = started();
  assert.equal(await first.answered, 200);
  const second = started();
  let isAnswered = false;
  second.answered.then(() => {
    isAnswered = true;
  });
  for (let n = 0; n < 5; n++) assert.equal((await ada.open('/dashboard/')).status, 200, 'pages do not wait');
  assert.equal((await bob.ask(path)).status, 200, 'nor do other members');
  assert.ok(!isAnswered, 'the first is still on its way');
  first.sent.destroy();
  assert.equal(await second.answered, 200);
  second.sent.destroy();
  const leaving = request(`${url}${path.replace('bookmarks', 'archive')}`, {
    headers: { Cookie: cookie },
    agent: false,
  });
  leaving.on('error', () => {}).end();
  setTimeout(() => leaving.destroy(), 20);
  assert.equal((await ada.ask(path)).status, 200);
  assert.equal(stderr(), '', 'who leaves is no failure');
});
