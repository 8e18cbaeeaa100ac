/** Lists of a catalogue that was imported at one moment, and answers that some of their clients do not wait for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestBytes } from '../faults/attack.ts';
import { testStore } from '../support/databases.ts';
import { idsOf, nextOf, problems } from '../support/http.ts';
import { askAndLeave, largeCatalogue } from '../support/large-catalogue.ts';
import { connectTo, readAll } from '../support/sockets.ts';

const rowCount = testStore === 'sqlite' ? 100_000 : 30_000;

test('a large catalogue of one moment', async (t) => {
  const { url, token, ask } = await largeCatalogue(t, rowCount);

  await t.test('pages of one moment follow each other', async () => {
    for (const order of ['updated_at', '-updated_at']) {
      const first = await ask(`${problems}?order=${order}&limit=1000`);
      assert.deepEqual(
        [...idsOf(first), ...idsOf(await ask(nextOf(first) ?? ''))],
        Array.from({ length: 2000 }, (_, place) => BigInt(place + 1)),
      );
    }
  });

  await t.test('a body goes on being made for the clients that still wait', async () => {
    const target = `${problems}?order=title&rating_min=3399&limit=100`;
    const [reply] = await Promise.all([ask(target), askAndLeave(`${url}${target}`, token, 0)]);
    assert.equal(idsOf(reply).length, 100);
  });

  await t.test('clients that ended their side and still read get answers that begin soon', async () => {
    const answers = Array.from({ length: 12 }, async (_, place) => {
      const socket = connectTo(url).end(requestBytes(`${problems}?limit=${100 + place}`, token, 'Connection: close'));
      return readAll(socket);
    });
    for (const text of await Promise.all(answers)) assert.match(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\}\]$/);
  });
});
