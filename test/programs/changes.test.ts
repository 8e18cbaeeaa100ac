/** The feed of changes: what a program must follow so that its copy is the practice of its member. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { expireFeeds } from '../../src/jobs/program-feeds.ts';
import { importResults } from '../../src/jobs/sync-runs.ts';
import { noLimits } from '../../src/practice/added-problems.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { findInboxAt, makeInbox, receiveProblems } from '../../src/practice/inbox.ts';
import { makeList, removeList } from '../../src/practice/lists.ts';
import { setBookmarks, setNote, setStatus } from '../../src/practice/marks.ts';
import { removeMember } from '../../src/practice/members.ts';
import { mergeProblem, removeProblem, restoreProblem } from '../../src/practice/merging.ts';
import { addSolution, removeSolution, restoreSolution } from '../../src/practice/solutions.ts';
import { asStaff } from '../../src/practice/staff.ts';
import { versionOfTimer } from '../../src/practice/timer-rules.ts';
import { startTimer, stopTimer, undoTimer } from '../../src/practice/timers.ts';
import type { Db } from '../../src/store/tables.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { importProblems, importRows, memberWithToken, serve, withStore } from '../support/garden.ts';
import { assertRefusal } from '../support/http.ts';
import { type Json, problemUrl, type program, programGarden, program as programOf } from './support.ts';

type Program = ReturnType<typeof program>;
type Copy = Map<string, Json>;

/** A busy machine may answer 503, which says to send it again. */
async function patiently(ask: () => ReturnType<Program>): ReturnType<Program> {
  let reply = await ask();
  for (let tries = 1; reply.status === 503 && tries < 9; tries++) reply = await ask();
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

/** Follows the feed from a place to its end. */
async function follow(as: Program, copy: Copy = new Map(), after?: string, limit = 100): Promise<string> {
  for (let more = true; more; ) {
    const path = `/changes?limit=${limit}${after === undefined ? '' : `&after=${after}`}`;
    const reply = await patiently(() => as(path));
    for (const item of reply.json.items) {
      const key = `${item.kind} ${item.id}`;
      if (item.state === null) copy.delete(key);
      else copy.set(key, item.state);
    }
    ({ next: after, more } = reply.json);
  }
  return after ?? '';
}

async function changesGarden(t: TestContext) {
  const garden = await programGarden(t);
  const { databaseUrl, ada } = garden;
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  const write = <T>(work: (tx: Db) => Promise<T>) => withStore(databaseUrl, (store) => store.write(work));
  const staff = await memberWithToken(databaseUrl, 'root', { role: 'staff' });
  const byStaff = (work: (tx: Db) => Promise<unknown>) =>
    withStore(databaseUrl, (store) =>
      asStaff({ store, member: { user_id: BigInt(staff.memberId) } }, work, 'problem-merged'),
    );
  let after = await follow(ada);
  /** The items since the last call, without their times. */
  const news = async (): Promise<Json[]> => {
    const { json } = await ada(`/changes?after=${after}`);
    after = json.next;
    return json.items;
  };
  return { ...garden, me: BigInt(memberId), write, byStaff, news };
}

const hundreds = Array.from({ length: 40 }, (_, n) => 100 + n);

const short = ({ kind, id, by, into }: Json) => [kind, id, by.kind, ...(into === null ? [] : [into])].join(' ');
const solve = (problem: number) => ({
  username: 'ada',
  problem,
  status: 'complete',
  updated_at: '2026-01-02T03:04:05Z',
});

test('every door writes the feed and says who it was', async (t) => {
  const { databaseUrl, ada, reader, me, write, byStaff, news } = await changesGarden(t);
  const shown = async () => (await news()).map(short);

  const marked = await ada.patch('/marks/7', { status: 'solved', minutes: 30 });
  const [time, mark] = (await news()).toSorted((one: Json, other: Json) => (one.kind > other.kind ? -1 : 1));
  assert.deepEqual([time.kind, time.problem, time.state.state, time.state.minutes], ['time', '7', 'ended', 30]);
  const { at, ...rest } = mark;
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000, at);
  const by = { kind: 'program', name: 'test' };
  const { change } = marked.json;
  const state = (await ada('/marks/7')).json;
  assert.deepEqual(rest, { kind: 'mark', id: '7', problem: '7', by, change, state, into: null });
  await ada.post(`/undo/${change}`);
  const [timeAfter, markAfter] = await news();
  assert.deepEqual([timeAfter, markAfter].map(short), [`time ${time.id} program`, 'mark 7 program']);
  assert.deepEqual([markAfter.change, markAfter.state.status, timeAfter.state], [null, 'not_started', null]);

  await write((tx) => setStatus(tx, { memberId: me, problemIds: [7n], status: 'complete' }));
  assert.deepEqual(await shown(), ['mark 7 website']);
  await importRows(databaseUrl, 'statuses', [solve(8)]);
  assert.deepEqual(await shown(), ['mark 8 import']);
  const graded = (await ada.post('/reviews/8', { grade: 'good' })).json;
  const [review] = await news();
  const { at: reviewedAt } = graded.review;
  assert.deepEqual([review.by, review.change, review.problem], [by, graded.change, '8']);
  assert.deepEqual(review.state, { problem: '8', grade: 'good', at: reviewedAt });
  await ada.post(`/undo/${graded.change}`);
  assert.equal((await news())[0].state, null);
  const handle = await write((tx) => addHandle(tx, me, 'codeforces', 'tourist'));
  const submission = { id: '1', key: '9A', submittedAt: '2026-05-01T00:00:00.000Z', handles: ['tourist'] };
  const verdict = { verdictClass: 'solved', verdict: 'OK', participation: null, contest: null } as const;
  const accepted = { ...submission, ...verdict, language: null, isGym: false };
  const sync = (news: object) =>
    withStore(databaseUrl, (store) => importResults(store, handle, [Object.assign({}, accepted, news)]));
  for (const earlier of [{}, { id: '2', submittedAt: '2026-04-01T00:00:00.000Z' }]) {
    await sync(earlier);
    assert.deepEqual(await shown(), ['mark 9 judge']);
  }
  await sync({ id: '3', key: '40A' });
  await ada.post('/problems', { url: problemUrl(40) });
  assert.deepEqual((await news()).map(({ kind, by }) => `${kind} ${by.kind}`).toSorted(), [
    'mark judge',
    'problem program',
  ]);
  const address = { source: 'codeforces', key: '4A', url: 'https://codeforces.com/contest/4/problem/A', isGym: false };
  const inbox = await write(async (tx) => findInboxAt(tx, await makeInbox(tx, me)));
  assert.ok(inbox);
  const arriving = [{ problem: address, title: 'Watermelon', status: 'reading' as const, list: 'Sent' }];
  await write((tx) => receiveProblems(tx, inbox, { channel: 'json', problems: arriving, lost: [] }, noLimits));
  const [list, arrived, problem] = await news();
  assert.deepEqual(
    [list, arrived, problem].map(({ kind, by }) => `${kind} ${by.kind}`),
    ['list inbox', 'mark inbox', 'problem inbox'],
  );
  assert.deepEqual(problem.state, (await ada(`/problems/${problem.id}`)).json);
  assert.deepEqual(list.state, (await ada('/lists')).json.items[0]);
  const { solution } = await write((tx) => addSolution(tx, me, { problem: 7n, file: 'a.py', code: Buffer.from('1') }));
  const [kept] = await news();
  assert.deepEqual(
    [short(kept), kept.state.file, kept.state.code],
    [`solution ${solution.id} website`, 'a.py', undefined],
  );
  assert.ok(!(await reader('/changes')).text.includes('a.py'), 'a solution needs practice:code');
  await write((tx) => removeSolution(tx, me, solution.id));
  assert.equal((await news())[0].state, null);
  await write((tx) => restoreSolution(tx, me, solution.id));
  assert.equal((await news())[0].state.file, 'a.py');

  await t.test('timers while they run are not in it', async () => {
    const now = new Date();
    const { timer } = (await write((tx) => startTimer(tx, me, 7n, now))) as Json;
    assert.deepEqual(await news(), []);
    await write((tx) => stopTimer(tx, me, timer.id, versionOfTimer(timer), { outcome: 'unsolved' }, now));
    assert.deepEqual(await shown(), [`time ${timer.id} website`]);
    const [row] = await rowsOf(databaseUrl, `SELECT * FROM timers WHERE id = ${timer.id}`);
    await write((tx) => undoTimer(tx, me, timer.id, versionOfTimer(row as never)));
    assert.equal((await news())[0].state, null);
  });

  await t.test('what staff merge, remove and bring back', async () => {
    const marks = async () => (await shown()).filter((one) => one.startsWith('mark'));
    await byStaff((tx) => mergeProblem(tx, 8n, 7n));
    assert.deepEqual((await marks()).toSorted(), ['mark 7 staff', 'mark 8 staff 7']);
    await byStaff((tx) => restoreProblem(tx, 8n));
    assert.deepEqual((await marks()).toSorted(), ['mark 7 staff', 'mark 8 staff']);
    await byStaff((tx) => removeProblem(tx, BigInt(problem.id)));
    const gone = (await news()).filter(({ kind }) => kind !== 'list');
    assert.deepEqual(gone.map(short).toSorted(), [`mark ${problem.id} staff`, `problem ${problem.id} staff`]);
    assert.ok(gone.every((item) => item.state === null));
    await importProblems(databaseUrl, [30]);
    const content = [{ name: '', items: [{ problem: 30n }] }];
    const listId = await write((tx) => makeList(tx, { ownerId: me, name: 'One', content }));
    await news();
    await byStaff((tx) => removeProblem(tx, 30n));
    assert.deepEqual(await shown(), [`list ${listId} staff`]);
    await importProblems(databaseUrl, [31]);
    for (const star of [true, false]) await write((tx) => setBookmarks(tx, me, [31n], star));
    await byStaff((tx) => removeProblem(tx, 31n));
    assert.equal((await news()).at(-1).state, null);
    await importProblems(databaseUrl, [31]);
    assert.deepEqual(await shown(), ['mark 31 import'], 'there is a mark to read again');
    await importRows(databaseUrl, 'problems', [{ id: 7, title: 'Renamed', source: 'codeforces', source_key: '7A' }]);
    assert.deepEqual(await shown(), ['mark 7 import'], 'its version is another');
  });
});

test('a place, its limits and its member', async (t) => {
  const { databaseUrl, server, ada, ben, nine, me, write } = await changesGarden(t);
  await write((tx) => setBookmarks(tx, me, [7n, 8n, 9n], true));
  await write((tx) => setNote(tx, me, 8n, 'Parity.'));
  const all = (await ada('/changes')).json;
  assert.deepEqual(all.items.map(short), ['mark 7 website', 'mark 9 website', 'mark 8 website'], 'each thing once');
  assert.equal(all.more, false);
  const first = (await ada('/changes?limit=1')).json;
  assert.deepEqual([first.items.length, first.more], [1, true]);
  assert.deepEqual((await ada(`/changes?limit=1000&after=${first.next}`)).json.items, all.items.slice(1));
  const end = await ada(`/changes?after=${all.next}`);
  assert.deepEqual(end.json, { items: [], next: all.next, more: false });
  const headers = { 'If-None-Match': end.headers.etag ?? '' };
  assert.equal((await ada(`/changes?after=${all.next}`, { headers })).status, 304);
  await write((tx) => setBookmarks(tx, me, [7n], false));
  assert.equal((await ada(`/changes?after=${all.next}`, { headers })).status, 200);

  const flipped = `${all.next.slice(0, 3)}${all.next[3] === 'A' ? 'B' : 'A'}${all.next.slice(4)}`;
  for (const after of [flipped, `${all.next}=`, `${all.next}A`, 'MQ', '1'])
    assertRefusal(await ada(`/changes?after=${after}`), 40005);
  assertRefusal(await ben(`/changes?after=${all.next}`), 40005, /"next"/);
  for (const limit of ['0', '1001', '-1', 'x']) assertRefusal(await ada(`/changes?limit=${limit}`), 40003);
  assertRefusal(await nine('/changes'), 40101);
  assert.deepEqual((await ben('/changes')).json.items, []);

  const long = 'x'.repeat(60_000);
  await importProblems(databaseUrl, hundreds);
  for (let id = 100n; id < 140n; id++) await write((tx) => setNote(tx, me, id, long));
  const page = await ada('/changes?limit=1000');
  assert.ok(page.text.length < 2 ** 21 && page.json.more, 'a page is bounded in bytes');
  const copy: Copy = new Map();
  await follow(ada, copy);
  assert.equal(copy.size, 43);

  const { json } = await ada('/changes?limit=2');
  await withStore(databaseUrl, (store) => expireFeeds(store, Date.now()));
  assert.equal((await ada(`/changes?after=${json.next}`)).status, 200);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 89 * 86_400_000 });
  const { token } = await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:read'] });
  const fresh = programOf(server.url, token);
  const slow = await fresh(`/changes?after=${json.next}&limit=1`);
  assert.equal(slow.status, 200);
  t.mock.timers.setTime(Date.now() + 2 * 86_400_000);
  for (const after of [json.next, slow.json.next]) assertRefusal(await fresh(`/changes?after=${after}`), 41000);
  const { next } = (await fresh('/changes?limit=1000')).json;
  await tamper(databaseUrl, 'UPDATE program_feeds SET place = 1');
  assertRefusal(await fresh(`/changes?after=${next}`), 41000, /Start again/);
});

test('what is gone stays 90 days, and what is there stays', async (t) => {
  const { databaseUrl, ada, me, write } = await changesGarden(t);
  await write((tx) => setStatus(tx, { memberId: me, problemIds: [7n], status: 'complete' }));
  const id = await write((tx) => makeList(tx, { ownerId: me, name: 'Gone' }));
  await write((tx) => removeList(tx, id, me));
  const shown = async () => (await ada('/changes')).json.items.map(short);
  const all = ['mark 7 website', `list ${id} website`];
  const expire = (days: number) =>
    withStore(databaseUrl, (store) => expireFeeds(store, Date.now() + days * 86_400_000));
  await expire(89);
  assert.deepEqual(await shown(), all);
  await expire(91);
  assert.deepEqual(await shown(), ['mark 7 website']);
  await write((tx) => removeMember(tx, 'ada'));
  assert.deepEqual(await rowsOf(databaseUrl, `SELECT * FROM program_feed_items WHERE user_id = ${me}`), []);
});

test('a feed begins with all that its member has', async (t) => {
  const { databaseUrl, server } = await changesGarden(t);
  const { memberId } = await memberWithToken(databaseUrl, 'cid');
  const cid = BigInt(memberId);
  const undated = { username: 'cid', problem: 8, status: 'complete', origin: 'judge', updated_at: null };
  const dated = { ...undated, problem: 9, updated_at: '2026-01-02T03:04:05Z' };
  await importRows(databaseUrl, 'statuses', [undated, dated]);
  await withStore(databaseUrl, async (store) => {
    await store.write((tx) => setNote(tx, cid, 7n, 'Note.'));
    await store.write((tx) => makeList(tx, { ownerId: cid, name: 'Mine', content: [] }));
  });
  const { token } = await memberWithToken(databaseUrl, 'cid', { scopes: ['practice:read'] });
  await memberWithToken(databaseUrl, 'cid', { scopes: ['practice:read'] });
  await withStore(databaseUrl, (store) => store.write((tx) => setNote(tx, cid, 8n, 'After.')));
  const { items } = (await programOf(server.url, token)('/changes')).json;
  assert.deepEqual(items.map(short).toSorted(), ['list 1 website', 'mark 7 website', 'mark 8 website', 'mark 9 judge']);
  assert.equal(items.at(-1).id, '8');
  assert.equal(items[0].at, '2026-01-02T03:04:05.000Z');
});

test('whoever follows the feed has what a fresh copy has, and what is read one by one, whatever is written', async (t) => {
  const { databaseUrl, ada, me, write, byStaff } = await changesGarden(t);
  const first = 20n;
  const count = 6n;
  await importProblems(databaseUrl, [20, 21, 22, 23, 24, 25]);
  const changes: string[] = [];
  const byProgram = async (asked: ReturnType<Program>) => {
    const { json } = await asked;
    if (json.change) changes.push(json.change);
  };
  const listIds = async () => (await ada('/lists')).json.items.map(({ id }: Json) => BigInt(id));
  const statuses = ['not_started', 'reading', 'practicing', 'complete'] as const;
  const doors: ((id: bigint, n: number) => Promise<unknown>)[] = [
    (id, n) => write((tx) => setStatus(tx, { memberId: me, problemIds: [id], status: statuses[n % 4] ?? 'complete' })),
    (id, n) => write((tx) => setBookmarks(tx, me, [id, first], n % 2 === 0)),
    (id, n) => write((tx) => setNote(tx, me, id, n % 3 === 0 ? '' : `note ${n}`)),
    (id, n) => byProgram(ada.patch(`/marks/${id}`, { status: 'solved', minutes: n + 1, add_note: `p ${n}` })),
    () => byProgram(ada.post(`/undo/${changes.pop() ?? 1}`)),
    (_, n) => byProgram(ada.post('/problems', { url: problemUrl(30 + n), list: 'New' })),
    async (id) => byProgram(ada.post(`/lists/${(await listIds())[0] ?? 1n}/problems`, { problem: String(id) })),
    (_, n) => write((tx) => makeList(tx, { ownerId: me, name: `Empty ${n}` })),
    async () => {
      const [list] = await listIds();
      if (list) await write((tx) => removeList(tx, list, me));
    },
    (id, n) => write((tx) => addSolution(tx, me, { problem: id, file: 'a.c', code: Buffer.from([n + 1]) })),
    (id) => importRows(databaseUrl, 'statuses', [{ ...solve(Number(id)), origin: 'judge' }]),
    (id, n) => importProblems(databaseUrl, [id], () => ({ title: `T${n}` })),
    (id) => byStaff((tx) => removeProblem(tx, id)),
    (id, n) => byStaff((tx) => mergeProblem(tx, id, first + (BigInt(n) % count))),
    (id) => byStaff((tx) => restoreProblem(tx, id)),
    (id) => byProgram(ada.post('/timer', { action: 'start', problem: String(id) })),
    () => byProgram(ada.post('/timer', { action: 'stop', outcome: 'solved' })),
  ];
  const refused = (error: Json) => assert.ok(error.code, error);
  const copy: Copy = new Map();
  let after: string | undefined;
  const writes = fc.array(fc.tuple(fc.nat(doors.length - 1), fc.nat(Number(count) - 1), fc.nat(9)), {
    minLength: 8,
    maxLength: 16,
  });
  await fc.assert(
    fc.asyncProperty(writes, fc.integer({ min: 1, max: 9 }), async (some, limit) => {
      for (const [door, problem, n] of some) await doors[door]?.(first + BigInt(problem), n).catch(refused);
      after = await follow(ada, copy, after, limit);
      const fresh: Copy = new Map();
      await follow(ada, fresh);
      assert.deepEqual([...copy].toSorted(), [...fresh].toSorted());
      // What is read one by one is in the feed, and only that.
      const byId = (lists: Json[]) => lists.toSorted((one, other) => Number(one.id) - Number(other.id));
      const lists = [...fresh].flatMap(([key, state]) => (key.startsWith('list ') ? [state] : []));
      assert.deepEqual(byId(lists), byId((await ada('/lists')).json.items));
      for (let id = first; id < first + count; id++) {
        const mark = fresh.get(`mark ${id}`);
        const { status, json } = await ada(`/marks/${id}`);
        const isUntouched = json.status === 'not_started' && !json.starred && json.note === null;
        if (mark || !isUntouched) assert.deepEqual(mark, status === 200 ? json : undefined);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test('beside 8 writers in two processes a reader misses nothing', async (t) => {
  const { databaseUrl, ada, tokens } = await programGarden(t);
  await importProblems(databaseUrl, hundreds);
  const other = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0', PROGRAM_WRITES: '0' } });
  const programs = [ada, programOf(other.url, tokens.ada)] as const;
  let running = 8;
  const writer = async (n: number) => {
    for (let round = 0; round < 8; round++) {
      const path = `/marks/${100 + ((n * 7 + round * 3) % 40)}`;
      await patiently(() => (programs[n % 2] ?? ada).patch(path, { note: `writer ${n} ${round}` }));
    }
    running--;
  };
  const copy: Copy = new Map();
  const reader = async () => {
    let after: string | undefined;
    while (running > 0) after = await follow(ada, copy, after, 3);
    await follow(ada, copy, after);
  };
  await Promise.all([reader(), ...Array.from({ length: 8 }, (_, n) => writer(n))]);
  const fresh: Copy = new Map();
  await follow(ada, fresh);
  assert.equal(fresh.size, 40);
  assert.deepEqual([...copy].toSorted(), [...fresh].toSorted());
});
