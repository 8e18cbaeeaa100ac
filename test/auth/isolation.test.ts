/**
 * One member against another: Ada knows every id, tag, cursor and parameter of Ben, and learns nothing from it, neither by
 * what is answered nor by how long it takes.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { operationIds, operations } from '../../src/contract/operations.ts';
import { importProblems, importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { bookmarks, client, idsOf, likeness, problems, type Reply, records, statuses } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { ownMs } from '../support/processes.ts';

const formats = ['application/json', 'application/x-ndjson', 'text/csv'];

/** An id that only Ben's rows have, and one of the same length that no row has. */
const [benId, nobodyId] = ['880011223344', '880011223345'];
const [benProblem, noProblem] = ['990011223344', '990011223345'];
const [benPlant, noPlant] = ['770011223344', '770011223345'];
const canary = (what: string) => `Canary-${what}-Zaubernuss`;
const timing = { rounds: 80, tries: 8, ratio: 1.2, noiseMs: 0.1 };

test('isolation', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const staff = await memberWithToken(databaseUrl, 'boss', { role: 'staff' });
  const ada = await memberWithToken(databaseUrl, 'ada');
  const benName = canary('name');
  const record = {
    id: BigInt(benId),
    username: benName,
    first_name: canary('first'),
    email: `${canary('mail')}@x.example`,
  };
  await importRows(databaseUrl, 'records', [{ ...record, phone: canary('phone'), address: canary('address') }]);
  const ben = await memberWithToken(databaseUrl, benName);
  await importProblems(databaseUrl, [1, 5, Number(benProblem), Number(noProblem)]);
  await importRows(databaseUrl, 'bookmarks', [
    { username: 'ada', problem: 1, note: 'mine' },
    ...[1, Number(benProblem)].map((problem) => ({
      username: benName,
      problem,
      note: canary(`note${problem}`),
    })),
  ]);
  await importRows(databaseUrl, 'statuses', [
    { username: 'ada', problem: 1, status: 'reading' },
    ...[1, Number(benProblem)].map((problem) => ({ username: benName, problem, status: 'skipped' })),
  ]);
  await importRows(databaseUrl, 'plants', [
    { id: 5n, username: 'ada', name: 'mine', target: 3 },
    { id: BigInt(benPlant), username: benName, name: canary('plant'), target: 3 },
  ]);
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const asAda = client(server.url, ada.token);
  const asBen = client(server.url, ben.token);
  const asStaff = client(server.url, staff.token);
  const targets = [
    records,
    bookmarks,
    statuses,
    problems,
    `${records}${benId}/`,
    ...[1, benProblem].flatMap((id) => [`${bookmarks}${id}/`, `${statuses}${id}/`]),
  ];

  const leaks = (reply: Reply, said: string): string[] =>
    [benId, benPlant, 'Zaubernuss', 'skipped'].filter(
      (secret) => !said.includes(secret) && (JSON.stringify(reply.headers) + reply.text).includes(secret),
    );

  await t.test('Ben and staff see what Ada must not', async () => {
    for (const target of [records, bookmarks]) assert.match((await asBen(target)).text, /Zaubernuss/);
    assert.match((await asBen(statuses)).text, /skipped/);
    assert.deepEqual(idsOf(await asStaff(`${bookmarks}?user=${benId}`)), [1n, BigInt(benProblem)]);
    assert.match((await asStaff(records)).text, /Zaubernuss/);
  });

  await t.test('no answer to Ada contains data of Ben, in any request and format', async () => {
    const tags: string[] = [];
    const cursors: string[] = [];
    for (const as of [asBen, asStaff]) {
      for (const target of targets) {
        for (const query of [
          '',
          '?limit=1',
          '?order=-updated_at&limit=1',
          `?user=${benId}`,
          `?user=${benId}&limit=1`,
          '?user=all&limit=1',
        ]) {
          for (const Accept of formats) {
            const { headers } = await as(target + query, { headers: { Accept } });
            if (headers.etag !== undefined) tags.push(headers.etag);
            const [, cursor] = /[?&]cursor=([\w-]+)/.exec(String(headers['link'] ?? '')) ?? [];
            if (cursor !== undefined) cursors.push(cursor);
          }
        }
      }
    }
    const cursorsOfBen = new Set(cursors);
    assert(new Set(tags).size > 50 && cursorsOfBen.size >= 5, `${tags.length} tags, ${cursors.length} cursors`);
    const queries = [
      '',
      `?user=${benId}`,
      '?user=all',
      `?q=${canary('mail')}`,
      '?q=zaubernuss',
      '?role=member&count=true',
      '?status=skipped',
      '?bookmarked=true',
      '?bookmarked=false&count=true',
      '?count=true&limit=1',
      '?updated_since=2000-01-01T00:00:00Z',
      '?order=-note,user',
      `?user=${benId}&count=true&limit=1`,
      ...[...cursorsOfBen].flatMap((cursor) => [
        `?cursor=${cursor}`,
        `?limit=1&cursor=${cursor}`,
        `?order=-updated_at&cursor=${cursor}`,
        `?user=${benId}&cursor=${cursor}`,
        `?user=all&cursor=${cursor}`,
      ]),
    ];
    let asked = 0;
    for (const id of operationIds) {
      const { method, path, kind } = operations[id];
      if (kind === 'deletion') continue;
      for (const value of path.includes('{id}') ? [benId, '1', benProblem, noProblem, benPlant] : ['']) {
        const own: readonly string[] = kind === 'collection' ? queries : queries.slice(0, -5 * (cursorsOfBen.size - 2));
        for (const [turn, query] of own.entries()) {
          const accepted: readonly string[] = kind === 'collection' ? formats : formats.slice(0, 1);
          for (const [place, Accept] of accepted.entries()) {
            const target: string = path.replace('{id}', value) + query;
            const isTurn = turn % accepted.length === place;
            for (const by of isTurn ? [method, 'HEAD'] : [method]) {
              const headers = { Accept, 'If-None-Match': tags.join(', ').slice(0, 12_000) };
              const reply = await asAda(target, { method: by, headers });
              assert.deepEqual(leaks(reply, target), [], `${by} ${target}: ${reply.text}`);
              if (!isForEveryone(target)) assert.notEqual(reply.status, 304, target);
              asked++;
            }
          }
        }
      }
    }
    t.diagnostic(`${asked} requests with ${tags.length} tags and ${cursorsOfBen.size} cursors of Ben's`);
    assert.deepEqual(idsOf(await asAda(bookmarks)), [1n]);
    assert.deepEqual(idsOf(await asAda(statuses)), [1n]);
    assert.deepEqual(idsOf(await asAda(records)), [BigInt(ada.memberId)]);
    for (const target of [bookmarks, statuses, records])
      assert.equal((await asAda(`${target}?count=true`)).headers['x-total-count'], '1');
  });

  const pairs: Record<string, [his: string, absent: string, method?: string]> = {
    'a record': [`${records}${benId}/`, `${records}${nobodyId}/`],
    'a bookmark': [`${bookmarks}${benProblem}/`, `${bookmarks}${noProblem}/`],
    'a bookmark of user=': [`${bookmarks}${benProblem}/?user=${benId}`, `${bookmarks}${benProblem}/?user=${nobodyId}`],
    'bookmarks of user=': [`${bookmarks}?user=${benId}`, `${bookmarks}?user=${nobodyId}`],
    'a status': [`${statuses}${benProblem}/`, `${statuses}${noProblem}/`],
    'a status of user=': [`${statuses}${benProblem}/?user=${benId}`, `${statuses}${benProblem}/?user=${nobodyId}`],
    'statuses of user=': [`${statuses}?user=${benId}`, `${statuses}?user=${nobodyId}`],
    'deleting a plant': [`/plants/${benPlant}`, `/plants/${noPlant}`, 'DELETE'],
  };

  await t.test('a row of Ben gets the same answer as one that does not exist', async () => {
    const plain = (reply: Reply, address: string) => {
      if (reply.status === 200) delete reply.headers.etag;
      let text = JSON.stringify(likeness(reply));
      for (const id of address.match(/\d{12}/g) ?? []) text = text.replaceAll(id, 'ID');
      return JSON.parse(text);
    };
    for (const [name, [his, absent, method = 'GET']] of Object.entries(pairs)) {
      for (const by of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const variants: Record<string, string>[] = [{}, { 'If-None-Match': '"x"' }, { Accept: 'text/csv' }];
        if (name !== 'a status') variants.push({ 'If-None-Match': '*' }, { 'Accept-Encoding': 'gzip' });
        for (const headers of variants) {
          const one = await asAda(his, { method: by, headers });
          const other = await asAda(absent, { method: by, headers });
          assert.deepEqual(plain(one, his), plain(other, absent), `${name} ${by}`);
        }
      }
    }
    assert.match((await asBen(records)).text, /Zaubernuss/, 'nothing of it is gone');
  });

  await t.test('what Ben changes changes no tag of Ada’s', async () => {
    const own = [
      records,
      `${records}${ada.memberId}/`,
      bookmarks,
      `${bookmarks}1/`,
      statuses,
      `${statuses}1/`,
      `${statuses}4/`,
    ];
    const tagsOf = async (as: typeof asAda) => Promise.all(own.map(async (target) => (await as(target)).headers.etag));
    const [before, benBefore] = [await tagsOf(asAda), await tagsOf(asBen)];
    await importRows(databaseUrl, 'bookmarks', [{ username: benName, problem: 5, note: canary('new') }]);
    await importRows(databaseUrl, 'statuses', [{ username: benName, problem: 5, status: 'ignored' }]);
    await importRows(databaseUrl, 'records', [{ ...record, city: canary('city') }]);
    assert.deepEqual(await tagsOf(asAda), before);
    const benAfter = await tagsOf(asBen);
    for (const place of [0, 2, 4]) assert.notEqual(benAfter[place], benBefore[place], own[place]);
    await importRows(databaseUrl, 'records', [{ username: 'ada', city: 'Here' }]);
    const after = await tagsOf(asAda);
    assert.notEqual(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.deepEqual(after.slice(2), before.slice(2));
  });

  // All work for SQLite is this process's own, which no busy core makes longer.
  await t.test('the time of an answer does not tell whether a row exists', async (t) => {
    const timeOf = (target: string, method: string) => ownMs(() => asAda(target, { method }));
    const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
    for (const [name, [his, absent, method = 'GET']] of Object.entries(pairs)) {
      const figures: string[] = [];
      let isAlike = false;
      // A machine that is busy with other things may slow one side more than the other, but not time and again.
      for (let tries = 0; tries < timing.tries && !isAlike; tries++) {
        const times: [number[], number[]] = [[], []];
        for (let round = 0; round < timing.rounds; round++) {
          for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
            times[side].push(await timeOf(side === 0 ? his : absent, method));
        }
        const [one, other] = [median(times[0]), median(times[1])];
        isAlike = Math.max(one, other) / Math.min(one, other) < timing.ratio || Math.abs(one - other) < timing.noiseMs;
        figures.push(`${one.toFixed(3)} and ${other.toFixed(3)} ms`);
      }
      t.diagnostic(`${name}, Ben's and absent rows: ${figures.join('; ')}`);
      assert(isAlike, `${name}: ${figures.join('; ')}`);
    }
  });
});

function isForEveryone(target: string): boolean {
  return target.startsWith(problems) && !/[?&](?:status|bookmarked)=/.test(target);
}
