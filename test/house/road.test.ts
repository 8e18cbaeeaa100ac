/**
 * The road of a request: which files of src a read of one item passes that no cache holds, as V8 counts the functions that run.
 * docs/architecture.md shows the list, so a file that joins the road has to be added there on purpose.
 */
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { importRows, memberWithToken, root, temporaryFile } from '../support/garden.ts';
import { type Client, client } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { matchesIn } from '../support/matches.ts';
import { read, tableOf } from './support.ts';

const architecture = read('docs/architecture.md');
const source = pathToFileURL(join(root, 'src')).href;
/** Longer than the server takes to note an answer that its client has. */
const settleMs = 20;
/** A timer of the server may run beside one read, but hardly beside each of these. */
const readsEach = 5;
let nextId = 0;

/** Reads an item that was never asked for. */
async function readItem(ask: Client, headers: Readonly<Record<string, string>>): Promise<void> {
  nextId++;
  const { status } = await ask(`/problem_list/api/problems/${nextId}/`, { headers });
  assert.equal(status, 200);
  await sleep(settleMs);
}

/** The files of which a function runs at every such read, without their endings. */
async function filesPassed(session: Session, ask: Client, headers = {}): Promise<string[]> {
  // The first read prepares what all others have in common.
  await readItem(ask, headers);
  let passed: string[] | undefined;
  for (let count = 0; count < readsEach; count++) {
    await session.post('Profiler.takePreciseCoverage');
    await readItem(ask, headers);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const files = result
      .filter(({ url, functions }) => {
        return url.startsWith(`${source}/`) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      })
      .map(({ url }) => url.slice(source.length + 1).replace(/\.ts$/, ''));
    passed = passed?.filter((file) => files.includes(file)) ?? files;
  }
  return passed?.toSorted() ?? [];
}

test('a read that no cache holds passes the files that docs/architecture.md shows, and no other', async (t) => {
  const databaseUrl = await temporaryFile(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const rows = Array.from({ length: 100 }, (_, place) => ({ source: 'codeforces', source_key: `${place}A` }));
  await importRows(
    databaseUrl,
    'problems',
    rows.map((row) => ({ ...row, title: `Problem ${row.source_key}` })),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const ask = client(url, token);
  const session = new Session();
  session.connect();
  t.after(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

  const shown = tableOf(architecture, 'file').map(([file = '']) => file);
  const plain = await filesPassed(session, ask);
  assert.deepEqual(plain, shown.toSorted());

  const values: Readonly<Record<string, string>> = {
    Accept: '*/*',
    'Accept-Encoding': 'gzip, deflate, br',
    'If-None-Match': '"another"',
  };
  const besides = tableOf(architecture, 'header');
  assert.deepEqual(
    besides.map(([name]) => name),
    Object.keys(values),
  );
  for (const [name = '', cell = ''] of besides) {
    const passed = await filesPassed(session, ask, { [name]: values[name] ?? '' });
    const more = passed.filter((file) => !plain.includes(file));
    const told = matchesIn(cell, /[a-z]+\/[a-z-]+/g).map(([file]) => file);
    assert.deepEqual(more, told.toSorted(), name);
  }
});
