/** A process that syncs the only handle of a garden with a replayed judge, and can be killed meanwhile. */
import { siteClient } from '../../src/jobs/judge-client.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { siteOf } from '../../src/judges/judges.ts';
import { findHandle, listHandles } from '../../src/store/handles.ts';
import { openStore } from '../../src/store/open.ts';

const [address = '', url = ''] = process.argv.slice(2);
const store = await openStore(address, { create: false, lockTimeoutMs: 10_000 });
const [first] = await listHandles(store.reader);
const handle = first && (await findHandle(store.reader, first.id));
if (!handle) throw new Error('there is no handle');
const site = siteOf(handle.source, handle.name);
const places = new Map([[site.name, { url: `${url}/${site.name}`, mayBePrivate: true }]]);
await syncHandle(store, handle, siteClient(store, site, places, { pace: { intervalMs: 0, retryMs: 5 } }));
await store.close();
