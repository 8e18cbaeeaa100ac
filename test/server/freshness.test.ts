/**
 * Answers that are kept in memory are never stale: a read that begins after a change was committed sees the change, in every process.
 * GARDEN_FRESHNESS_READS sets how many reads race with the writers; a million take some minutes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importProblems, importRows, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

const reads = Number(process.env['GARDEN_FRESHNESS_READS'] ?? 300);
const readers = 16;
const problem = '/problem_list/api/problems/7/';
const page = '/problem_list/api/problems/?limit=3';
const statuses = '/problem_list/api/status/?status=complete';

interface Written {
  edition: number;
  isOver: boolean;
}

test(`${reads} reads in two processes while another writes: none is stale`, {
  timeout: 600_000 + reads * 5,
}, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ann');
  const written: Written = { edition: 0, isOver: false };
  await write(databaseUrl, 0);
  const servers = await Promise.all([
    serve(t, { databaseUrl, env: { RATE_LIMIT: '0' } }),
    serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } }),
  ]);
  const writing = (async () => {
    for (let edition = 1; !written.isOver; edition++) {
      await write(databaseUrl, edition);
      written.edition = edition;
      // Half of the time nothing changes for a while, so that answers are kept and must be dropped again.
      await new Promise((resolve) => setTimeout(resolve, edition % 2 === 0 ? 30 : 0));
    }
  })();
  const counts = { fresh: 0, notModified: 0 };
  // On a slow machine the reads may be over before much was written: they go on until there was a race.
  const wasRaced = () => written.edition > 10 && counts.fresh > 10 && counts.notModified > 10;
  const reading = Array.from({ length: readers }, async (_, reader) => {
    const url = servers[reader % servers.length]?.url ?? '';
    const target = [problem, page, statuses][reader % 3] ?? problem;
    let known: { tag: string; edition: number } | undefined;
    for (let read = 0; read < reads / readers || !wasRaced(); read++) {
      const least = written.edition;
      const headers: Record<string, string> = {
        'Accept-Encoding': reader % 2 === 0 ? 'gzip;q=0' : 'identity',
        ...(known && read % 2 === 1 && { 'If-None-Match': known.tag }),
      };
      const reply = await send(url, target, { token, headers });
      if (reply.status === 304) {
        counts.notModified++;
        assert(known && known.edition >= least, `304 for edition ${known?.edition}, ${least} was written`);
        continue;
      }
      assert.equal(reply.status, 200, reply.text);
      const edition = editionOf(target, reply.text);
      assert(edition >= least, `${target}: edition ${edition}, ${least} was written`);
      counts.fresh++;
      known = { tag: String(reply.headers.etag), edition };
    }
  });
  try {
    await Promise.all(reading);
  } finally {
    written.isOver = true;
    await writing;
  }
  t.diagnostic(`${written.edition} changes, ${counts.fresh} bodies, ${counts.notModified} times 304`);
});

async function write(databaseUrl: string, edition: number): Promise<void> {
  await importProblems(databaseUrl, [1, 7, 9], () => ({ title: `edition ${edition}` }));
  await importRows(databaseUrl, 'statuses', [
    { username: 'ann', problem: 1, status: 'complete', updated_at: timeOf(edition) },
  ]);
}

function editionOf(target: string, text: string): number {
  const found = JSON.parse(text) as { title: string } | { title?: string; updated_at?: string }[];
  const [first] = [found].flat();
  if (target === statuses)
    return (Date.parse(first && 'updated_at' in first ? (first.updated_at ?? '') : '') - epoch) / 1000;
  return Number(first?.title?.replace('edition ', ''));
}

const epoch = Date.parse('2026-01-01T00:00:00.000Z');

function timeOf(edition: number): string {
  return new Date(epoch + edition * 1000).toISOString();
}
