/** A catalogue that takes long to read as a whole, imported at one time: the worst case for lists. */
import { get } from 'node:http';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { rateLimiter } from '../../src/auth/rate-limits.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/server/log.ts';
import { buildServer } from '../../src/server/server.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { memberWithToken, temporaryDatabase } from './garden.ts';
import { client } from './http.ts';
import { listenHere } from './in-process.ts';

/** One statement, because an import would take half a minute. */
async function fill(store: Store, rowCount: number, memberId: string): Promise<void> {
  const at = sql.lit('2026-01-01T00:00:00.000Z');
  const last = sql.lit(rowCount);
  const member = sql.lit(BigInt(memberId));
  await store.write(async (tx) => {
    await sql`
      INSERT INTO problems (id, title, source, source_key, url, rating, tags, aliases, search_text, created_at, updated_at)
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${last})
      SELECT n, 'problem ' || (n * 31 % 7919), 'codeforces', 'k' || n, CASE WHEN n % 3 = 0 THEN 'https://example.org/' || n END,
        CASE WHEN n % 5 > 0 THEN 800 + n % 27 * 100 END, '["dp"]', '[]', 'problem ' || (n * 31 % 7919), ${at}, ${at}
      FROM number`.execute(tx);
    await sql`INSERT INTO problem_tags (tag, problem_id) SELECT 'dp', id FROM problems`.execute(tx);
    await sql`
      INSERT INTO statuses (user_id, problem_id, self_status, self_at)
      SELECT ${member}, id, 'complete', ${at} FROM problems WHERE id % 3 = 0`.execute(tx);
    await sql`
      INSERT INTO bookmarks (user_id, problem_id, note, created_at, updated_at)
      SELECT ${member}, id, 'again', ${at}, ${at} FROM problems WHERE id % 3 = 1`.execute(tx);
  });
}

export async function largeCatalogue(t: TestContext, rowCount: number) {
  const databaseUrl = await temporaryDatabase(t);
  const { token, memberId } = await memberWithToken(databaseUrl, 'ada', { role: 'staff' });
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 5_000 });
  await fill(store, rowCount, memberId);
  const config = readConfig({ databaseUrl, logLevel: 'silent', rateLimit: '0' });
  const garden = await buildServer(config, store, {
    log: openLog('silent').logger,
    limitRequests: rateLimiter(0),
    metrics: undefined,
    enqueueJob: () => {},
  });
  const url = await listenHere(t, garden, store);
  return { url, token, store, ask: client(url, token) };
}

export function askAndLeave(url: string, token: string, bytes: number): Promise<number> {
  return new Promise((resolve) => {
    let length = 0;
    const request = get(url, { agent: false, headers: { Authorization: `Bearer ${token}` } }, (response) => {
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length >= bytes) request.destroy();
      });
      response.on('close', () => resolve(length));
    });
    request.on('error', () => resolve(length));
    if (bytes === 0) setTimeout(() => request.destroy(), 150);
  });
}
