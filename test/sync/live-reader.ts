/** A process that syncs with a replayed judge by its live feed, almost without pauses, until it is killed. */
import { runSyncSchedule } from '../../src/jobs/schedule.ts';
import { openStore } from '../../src/store/open.ts';

const [address = '', url = ''] = process.argv.slice(2);
const store = await openStore(address, { create: false, lockTimeoutMs: 10_000 });
await runSyncSchedule(store, {
  // Two processes with one name both believe that they lead.
  holder: 'one',
  judgeUrls: new Map([['codeforces', `${url}/codeforces`]]),
  liveMb: 250,
  signal: new AbortController().signal,
  log: () => {},
  pollMs: 20,
  pace: { retries: 0, intervalMs: 0, retryMs: 5, liveMs: 10 },
});
