/**
 * The numbers and pages of the problem list: whatever is filtered and however it is ordered, the number is that of the rows, the
 * pages together are the whole list, and the numbers of judges and topics are those of the rows after any change.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { setBookmarks, setStatus } from '../../src/practice/marks.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import {
  countMatches,
  exactFirst,
  listInRatingRange,
  listProblemIds,
  listProblemPage,
  narrowSearch,
  type ProblemFilter,
  problemCounter,
  problemListing,
  problemSortFields,
} from '../../src/store/problem-lists.ts';
import {
  deleteProblem,
  findIdsByKeys,
  findProblemsByIds,
  readCatalogue,
  updateProblem,
} from '../../src/store/problems.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import type { Store } from '../../src/store/store.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';
import { testStore } from '../support/databases.ts';
import { importProblems, importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { indexesOf } from '../support/statements.ts';

const tags = ['dp', 'trees', 'geometry'];
const sources = ['codeforces', 'atcoder', 'cses'];
const states = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'] as const;
const count = 120;

async function garden(
  t: Parameters<typeof temporaryDatabase>[0],
): Promise<{ store: Store; memberId: bigint; databaseUrl: string }> {
  const { databaseUrl, store } = await openGarden(t);
  await importProblems(databaseUrl, count, (place) => ({
    source: sources[place % 3],
    title: `${['Pond', 'Brook', 'Creek'][place % 4] ?? 'Pond_%'} ${(place * 37) % 50}`,
    rating: place % 5 === 0 ? null : 800 + (place % 11) * 100,
    tags: tags.filter((_tag, at) => (place >> at) % 2 === 1),
  }));
  await memberWithToken(databaseUrl, 'ada');
  await memberWithToken(databaseUrl, 'bob');
  const judged = [4, 8, 40].map((problem) => ({
    username: 'ada',
    problem,
    status: 'complete',
    origin: 'judge',
    updated_at: '2026-01-01T00:00:00.000Z',
  }));
  await importRows(databaseUrl, 'statuses', judged);
  const { id: memberId = 0n } = (await findMemberByName(store.reader, 'ada')) ?? {};
  const { id: bob = 0n } = (await findMemberByName(store.reader, 'bob')) ?? {};
  await store.write(async (tx) => {
    for (const [place, status] of states.entries()) {
      const problemIds = Array.from({ length: 6 }, (_, nth) => BigInt(1 + place + nth * 9));
      await setStatus(tx, { memberId, problemIds, status });
      await setStatus(tx, { memberId: bob, problemIds: [BigInt(100 + place)], status });
    }
    await setBookmarks(tx, memberId, [1n, 5n, 90n], true);
    await setBookmarks(tx, bob, [2n], true);
  });
  return { store, memberId, databaseUrl };
}

/** Every choice of each filter with every choice of every other would be many: each pair of filters is met. */
function filtersOf(memberId: bigint): ProblemFilter[] {
  const parts: Omit<ProblemFilter, 'memberId'>[][] = [
    [...states, 'unsolved' as const].map((status) => ({ status })),
    [{ isBookmarked: true }],
    [{ source: 'codeforces' }, { source: 'nowhere' }],
    [{ tags: ['dp'] }, { tags: ['dp', 'trees'] }, { tags: ['unheard of'] }],
    [{ withoutTags: ['dp'] }, { withoutTags: ['dp', 'geometry'] }],
    [{ ratingMin: 1200 }, { ratingMax: 1300 }, { ratingMin: 900, ratingMax: 1500 }],
    [{ q: 'pond' }, { q: 'pond_%' }, { q: 'zzz' }],
  ];
  const filters: ProblemFilter[] = [{ memberId }];
  for (const [place, some] of parts.entries()) {
    for (const one of some) {
      filters.push({ memberId, ...one });
      for (const others of parts.slice(place + 1))
        for (const other of others) filters.push({ memberId, ...one, ...other });
    }
  }
  return filters;
}

test('a number is that of the rows, and of the member’s own words among them', async (t) => {
  const { store, memberId } = await garden(t);
  const own = await store.reader
    .selectFrom('statuses')
    .select(['problem_id', 'self_status'])
    .where('user_id', '=', memberId)
    .execute();
  const said = new Map(own.map((row) => [row.problem_id, row.self_status]));
  const counter = problemCounter(store, memberId);
  for (const filter of filtersOf(memberId)) {
    const what = JSON.stringify(filter, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
    const ids = await listProblemIds(store.reader, filter);
    assert.equal(await counter.countFound(filter), ids.length, what);
    const narrow = await narrowSearch(store, filter);
    assert.equal(narrow.idsJson === undefined, filter.q === undefined, what);
    assert.deepEqual(await listProblemIds(store.reader, narrow), ids, what);
    assert.equal(await counter.countFound(narrow), ids.length, what);
    const words = await counter.countBySelfStatus(filter);
    for (const word of [...states, null])
      assert.equal(
        words.get(word) ?? 0,
        ids.filter((id) => (said.has(id) ? said.get(id) : 'not_started') === word).length,
        what,
      );
  }
});

test('the pages of a list are the whole list in its order, from either end', async (t) => {
  const { store, memberId } = await garden(t);
  const [idField] = problemSortFields;
  assert(idField);
  for (const field of problemSortFields) {
    for (const isDescending of [false, true]) {
      for (const filters of [{}, { q: 'pond' }, { status: 'unsolved' as const }, { tags: ['dp'] }]) {
        const filter = { memberId, ...filters };
        const keys = [{ field, isDescending }];
        if (field !== idField) keys.push({ field: idField, isDescending: false });
        const page = { keys, after: undefined, limit: count };
        const whole = (await problemListing(filter).list(store.reader, page)).map(({ id }) => id);
        const total = whole.length;
        const paged: bigint[] = [];
        for (let offset = 0; offset < total; offset += 7) {
          const rows = await listProblemPage(store.reader, filter, keys, { offset, limit: 7, total });
          paged.push(...rows.map(({ id }) => id));
        }
        assert.deepEqual(paged, whole, `${field.name} ${isDescending} ${JSON.stringify(filters)}`);
      }
    }
  }
});

test('the embedded store reads a list along the index that its filter or its order names', async (t) => {
  if (testStore === 'postgres') return t.skip('PostgreSQL chooses by what it knows of the rows');
  const { store, memberId } = await garden(t);
  const band = { source: 'cses', from: 800, to: 900, tag: undefined };
  assert.deepEqual(await indexesOf(store.reader, (db) => listInRatingRange(db, band, 5)), ['problems_by_filters']);
  for (const [name, filter, indexes] of [
    ['rating', {}, ['problems_by_rating']],
    ['title', {}, ['problems_by_title']],
    ['id', { isUnrated: true }, []],
    ['title', { idsJson: '[1,2]' }, []],
  ] as const) {
    const keys = problemSortFields
      .filter((field) => field.name === name)
      .map((field) => ({ field, isDescending: false }));
    const page = (db: Db) =>
      listProblemPage(db, { memberId, isGym: false, ...filter }, keys, { offset: 0, limit: 7, total: count });
    assert.deepEqual(await indexesOf(store.reader, page), indexes, `${name} ${JSON.stringify(filter)}`);
  }
  for (const [filter, indexes] of [
    [{ source: 'cses', ratingMin: 900 }, ['problems_by_filters']],
    [{ ratingMin: 900 }, ['problems_by_rating']],
    [{ q: 'pond' }, ['problems_by_filters']],
    [{ isUnrated: true }, []],
  ] as const) {
    const found = (reader: Db) =>
      problemCounter({ ...store, reader }, memberId).countFound({ memberId, isGym: false, ...filter });
    assert.deepEqual(await indexesOf(store.reader, found), indexes, JSON.stringify(filter));
  }
});

async function countedFacts(db: Db) {
  const grouped = async (table: 'problems' | 'problem_tags', column: 'source' | 'tag') => {
    const { rows } = await sql<{ name: string; count: bigint }>`
      SELECT ${sql.ref(column)} AS name, count(*) AS count FROM ${sql.table(table)}
      GROUP BY 1 ORDER BY 2 DESC, 1`.execute(db);
    return rows;
  };
  const judges = await grouped('problems', 'source');
  return {
    total: judges.reduce((sum, one) => sum + one.count, 0n),
    sources: judges.map(({ name, count }) => ({ source: name, count })),
    topics: (await grouped('problem_tags', 'tag')).map(({ name, count }) => ({ tag: name, count })),
  };
}

test('the numbers of judges and topics follow every change of a problem', async (t) => {
  const { store } = await garden(t);
  const check = async () => {
    const { total, sources, topics, bySource, byTag } = await readCatalogue(store.reader);
    const facts = { total, sources, topics };
    assert.deepEqual(facts, await countedFacts(store.reader));
    assert.deepEqual(bySource, new Map(sources.map(({ source, count }) => [source, count])));
    assert.deepEqual(byTag, new Map(topics.map(({ tag, count }) => [tag, count])));
    return facts;
  };
  assert.equal((await check()).total, BigInt(count));
  const change = (work: (tx: Db, rows: Awaited<ReturnType<typeof findProblemsByIds>>) => Promise<void>) =>
    store.write(async (tx) => {
      await work(tx, (await findProblemsByIds(tx, [1n, 2n, 3n])).slice(0, 3));
      await bumpRevisions(tx, ['problems']);
    });
  await change(async (tx, rows) => {
    for (const row of rows) await updateProblem(tx, row, { ...row, tags: '["dp","new","new"]' }, () => false);
  });
  assert.equal((await check()).topics.find(({ tag }) => tag === 'new')?.count, 3n);
  await change(async (tx, rows) => {
    for (const row of rows) await updateProblem(tx, row, { ...row, source: 'moved', tags: '[]' }, () => false);
  });
  const moved = await check();
  assert.equal(moved.sources.find(({ source }) => source === 'moved')?.count, 3n);
  assert.ok(!moved.topics.some(({ tag }) => tag === 'new'), 'a topic without a problem is gone');
  await change(async (tx, rows) => {
    for (const row of rows) await deleteProblem(tx, row);
  });
  assert.equal((await check()).total, BigInt(count - 3));
  const failed = store.write(async (tx) => {
    const [row] = await findProblemsByIds(tx, [9n]);
    assert(row);
    await deleteProblem(tx, row);
    await bumpRevisions(tx, ['problems']);
    assert.equal((await readCatalogue(tx)).total, BigInt(count - 4));
    throw new Error('called off');
  });
  await assert.rejects(failed, /called off/);
  await check();
});

test('a search follows every change of a problem, also by another process, and gardens have their own', async (t) => {
  const { store, memberId, databaseUrl } = await garden(t);
  const beside = await openStore(databaseUrl, { create: false, lockTimeoutMs: 5_000 });
  t.after(() => beside.close());
  const other = await garden(t);
  const found = async (asked: Store, q: string, source?: string) => {
    const filter: ProblemFilter = { memberId, q, source };
    const total = await problemCounter(asked, memberId).countFound(filter);
    const ids = await listProblemIds(asked.reader, await narrowSearch(asked, filter));
    assert.equal(ids.length, total);
    return total;
  };
  const ponds = await found(store, 'pond ');
  assert.equal(await found(store, 'pond '), ponds);
  assert.ok((await found(store, 'pond ', 'cses')) < ponds);
  await beside.write(async (tx) => {
    const [row] = await findProblemsByIds(tx, [1n]);
    assert(row);
    assert.match(row.title, /^Pond /);
    await updateProblem(tx, row, { ...row, title: 'Well' }, () => false);
    await bumpRevisions(tx, ['problems']);
  });
  assert.equal(await found(store, 'pond '), ponds - 1);
  assert.equal(await found(store, 'WELL'), 1);
  assert.equal(await found(other.store, 'pond '), ponds);
  assert.equal(await found(other.store, 'well'), 0);
});

test('a search goes on by ids up to 500 of them', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const ids = Array.from({ length: 501 }, (_, place) => 2n ** 63n - 501n + BigInt(place));
  await importProblems(databaseUrl, ids, (place) => ({ title: `Pond ${place}` }));
  const filter: ProblemFilter = { memberId: 1n, q: 'pond' };
  const counter = problemCounter(store, 1n);
  assert.deepEqual(await narrowSearch(store, filter), filter);
  assert.equal(await counter.countFound(filter), 501);
  await store.write(async (tx) => {
    const [row] = await findProblemsByIds(tx, [2n ** 63n - 1n]);
    assert(row);
    await deleteProblem(tx, row);
    await bumpRevisions(tx, ['problems']);
  });
  const few = await narrowSearch(store, filter);
  assert.deepEqual(await listProblemIds(store.reader, few), ids.slice(0, 500));
  assert.equal(few.q, undefined);
  assert.equal(await counter.countFound(few), 500);
  assert.equal(await counter.countFound(filter), 500);
});

test('what is asked for by its whole title, key or alias comes first', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const rows = [
    { title: 'Pond 1' },
    { title: 'Old pond' },
    { title: 'Pond' },
    { title: 'Brook', source_key: 'POND' },
    { title: 'Creek', aliases: ['old', 'pond'] },
    { title: 'Ponds' },
    { title: 'pond_' },
  ];
  await importProblems(databaseUrl, rows.length, (place) => rows[place] ?? {});
  const list = async (q: string) => {
    const filter: ProblemFilter = { memberId: 1n, q };
    const [field] = problemSortFields;
    assert(field);
    const keys = [exactFirst(store.reader, q), { field, isDescending: false }];
    const total = await problemCounter(store, 1n).countFound(filter);
    const page = { offset: 0, limit: 10, total };
    return (await listProblemPage(store.reader, filter, keys, page)).map(({ id }) => Number(id));
  };
  assert.deepEqual(await list('pond'), [3, 4, 5, 1, 2, 6, 7]);
  assert.deepEqual(await list('Pond_'), [7]);
  assert.deepEqual(await list('po'), [1, 2, 3, 4, 5, 6, 7]);
});

test('a search is never kept older than the problems are, however its reads and their changes overlap', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importProblems(databaseUrl, 1, () => ({ title: 'Pond' }));
  const open = () => openStore(databaseUrl, { create: false, lockTimeoutMs: 5_000 });
  const [store, beside] = [await open(), await open()];
  t.after(() => Promise.all([store.close(), beside.close()]));
  const filter: ProblemFilter = { memberId: 1n, q: 'well' };
  const search = { q: 'well', source: undefined };
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  let isChanging = true;
  const askOn = async () => {
    for (; isChanging; await nextTurn()) await Promise.all([narrowSearch(store, filter), countMatches(store, search)]);
  };
  const change = async () => {
    for (let nth = 1; nth <= 60; nth++) {
      const isWell = nth % 2 === 1;
      await (nth % 3 === 0 ? beside : store).write(async (tx) => {
        const [problem] = await findProblemsByIds(tx, [1n]);
        assert(problem);
        await updateProblem(tx, problem, { ...problem, title: isWell ? 'Well' : 'Pond' }, () => false);
        await bumpRevisions(tx, ['problems']);
      });
      assert.equal((await narrowSearch(store, filter)).idsJson, isWell ? '[1]' : '[]');
      assert.equal(await countMatches(store, search), isWell ? 1n : 0n);
    }
  };
  await Promise.all([change().finally(() => (isChanging = false)), askOn(), askOn(), askOn()]);
});

test('a key that is searched for in a garden without problems names none', async (t) => {
  const store = await openStore(await temporaryDatabase(t), { create: true, lockTimeoutMs: 5_000 });
  t.after(() => store.close());
  const { sources } = await readCatalogue(store.reader);
  assert.deepEqual(sources, []);
  assert.deepEqual(await findIdsByKeys(store.reader, [], ['4A']), []);
});
