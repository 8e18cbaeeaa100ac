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
/** In this time each timer that could run beside a read runs without one. */
const idleMs = 400;
/** A rarer timer may run beside one read, but not beside each of these. */
const readsEach = 5;
let nextId = 0;

/** Reads an item that was never asked for. */
async function readItem(ask: Client, headers: Readonly<Record<string, string>>): Promise<void> {
  nextId++;
  const { status } = await ask(`/problem_list/api/problems/${nextId}/`, { headers });
  assert.equal(status, 200);
  await sleep(settleMs);
}

/** The functions of src that run meanwhile, by their places, each with its file. */
async function functionsRun(session: Session, work: () => Promise<void>): Promise<Map<string, string>> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const run = new Map<string, string>();
  for (const { url, functions } of result.filter((script) => script.url.startsWith(`${source}/`))) {
    const file = url.slice(source.length + 1).replace(/\.ts$/, '');
    for (const { ranges } of functions) {
      const [whole] = ranges;
      if (whole && whole.count > 0) run.set(`${file}:${whole.startOffset}-${whole.endOffset}`, file);
    }
  }
  return run;
}

/** The files of which a function runs at every such read, and not only by the clock. */
async function filesPassed(session: Session, ask: Client, headers = {}): Promise<string[]> {
  // The first read prepares what all others have in common.
  await readItem(ask, headers);
  const byClock = await functionsRun(session, () => sleep(idleMs));
  let passed: string[] | undefined;
  for (let count = 0; count < readsEach; count++) {
    const run = await functionsRun(session, () => readItem(ask, headers));
    const files = new Set([...run].filter(([place]) => !byClock.has(place)).map(([, file]) => file));
    passed = passed?.filter((file) => files.has(file)) ?? [...files];
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
