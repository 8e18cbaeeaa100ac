/** A member waits for one contest at a time, in all processes that share a database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestContest } from '../../src/jobs/sync-on-request.ts';
import { openGarden } from '../importing/support.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import { memberWithPassword } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from './support.ts';

test('a second request of a member is refused while the first one waits, also by another process', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const [ada, bob] = [await memberWithPassword(databaseUrl, 'ada'), await memberWithPassword(databaseUrl, 'bob')];
  const [{ store: one }, { store: other }] = [await openGarden(t, databaseUrl), await openGarden(t, databaseUrl)];
  const replay = await replayOf(t, { dmoj: replayDmoj({ submissions: [], shown: {} }) });
  const place = { url: `${replay.url}/dmoj`, mayBePrivate: true };
  const ask = (store: typeof one, member: bigint) =>
    requestContest(store, member, { source: 'dmoj', key: 'pond', place });
  replay.fail('dmoj', { kind: 'stalled', ms: 3_000 });
  const first = ask(one, ada).catch((error: { code: string }) => error.code);
  await until('the request', () => replay.log.length === 1);
  await assert.rejects(ask(other, ada), { code: 'invalidValue' });
  assert.equal(replay.log.length, 1, 'the judge is not asked');
  assert.equal(await first, 'judgeFailed');
  await assert.rejects(ask(other, ada), { code: 'judgeFailed' }, 'then it is asked again');
  await assert.rejects(ask(one, bob), { code: 'judgeFailed' });
});
