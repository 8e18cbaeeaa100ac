/** A process that syncs the only handle of a garden with a replayed judge, and can be killed meanwhile. */
import { askerOf } from '../../src/jobs/asking.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { judgeOf } from '../../src/judges/judges.ts';
import { findHandle, listHandles } from '../../src/store/handles.ts';
import { openStore } from '../../src/store/open.ts';

const [address = '', url = ''] = process.argv.slice(2);
const store = await openStore(address, { create: false, lockTimeoutMs: 10_000 });
const [first] = await listHandles(store.reader);
const handle = first && (await findHandle(store.reader, first.id));
const judge = handle && judgeOf(handle.source);
if (!handle || !judge) throw new Error('there is no handle');
const place = { url: `${url}/${handle.source}`, mayBePrivate: true };
await syncHandle(store, handle, askerOf(store, judge, { place, pace: { intervalMs: 0, retryMs: 5 } }));
await store.close();
