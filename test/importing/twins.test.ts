/** Twins: all keys of one problem come to name one problem, and what members said of any of them is kept once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive } from '../../src/practice/derivation.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setNote, setStatus, undo } from '../../src/practice/marks.ts';
import { listChangesOfProblem } from '../../src/store/changes.ts';
import { readContent } from '../../src/store/lists.ts';
import type { State } from '../../src/store/statuses.ts';
import {
  codeforces,
  exported,
  type Garden,
  identity,
  planted,
  report,
  type Sent,
  submissions,
  twins,
} from './support.ts';

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

async function names(garden: Garden): Promise<unknown[]> {
  const problems = await garden.rows('problems');
  return problems.map(({ id, source_key, aliases }) => [id, source_key, aliases]);
}

/** Of what readers learn that it has changed. */
async function changedBy({ store }: Garden, work: () => Promise<unknown>): Promise<string[]> {
  const members = [1n, 2n].flatMap((id) => [`statuses:${id}`, `bookmarks:${id}`] as const);
  const scopes = ['problems', 'records', ...members] as const;
  const before = await store.revisions(scopes);
  await work();
  const after = await store.revisions(scopes);
  return scopes.filter((_scope, at) => before[at] !== after[at]);
}

test('twins that are both known fold into the one with the lower id; any key finds it', async (t) => {
  const garden = await planted(t, '420C', '7A', '421D');
  const first = await garden.import('codeforces-twins', twins(['421D', '420C']));
  assert.deepEqual(first.report, report({ read: 1, changed: 1, kept: 2 }));
  assert.equal(first.lines[0], 'changed codeforces 421D merged into 420C');
  assert.deepEqual(first.notes, ['1 problem merged, 0 further keys known.']);
  assert.deepEqual(await names(garden), [
    [1, '420C', ['421D']],
    [2, '7A', []],
  ]);
  const marks = ['420C', '421D'].map((source_key, at) => ({
    username: 'ada',
    source: 'codeforces',
    source_key,
    status: 'reading',
    updated_at: day(at + 1),
  }));
  await garden.import('statuses', marks);
  assert.deepEqual(
    (await garden.rows('statuses')).map(({ problem, updated_at }) => [problem, updated_at]),
    [[1, day(2)]],
  );
});

test('a second import of the same twins changes nothing, in either order of the two keys', async (t) => {
  const garden = await planted(t, '420C', '421D', '7A');
  await garden.import('codeforces-twins', twins(['420C', '421D'], ['7A', '8A']));
  const before = await garden.everything();
  for (const file of [twins(['420C', '421D'], ['7A', '8A']), twins(['8A', '7A'], ['421D', '420C'], ['420C', '421D'])]) {
    const { report: figures } = await garden.import('codeforces-twins', file);
    assert.deepEqual([figures.new, figures.changed, figures.kept], [0, 0, 4]);
    assert.equal(await garden.everything(), before);
  }
});

test('twins are read from the module of cftracker too', async (t) => {
  const garden = await planted(t, '420C', '421D');
  const module = (end: string) => `export const jsonData = ${JSON.stringify(twins(['420C', '421D']))}${end}`;
  const { report: figures } = await garden.import('codeforces-twins', module(';\n'));
  assert.deepEqual([figures.read, figures.changed], [1, 1]);
  await assert.rejects(garden.import('codeforces-twins', module(' + 1')), /found "\+ 1"/);
});

test('a key of no known problem becomes an alias; keys without a known problem are unmatched', async (t) => {
  const garden = await planted(t, '1A');
  const { report: figures, notes } = await garden.import('codeforces-twins', twins(['2A', '1A', '3A'], ['8A', '9A']));
  assert.deepEqual(figures, report({ read: 2, new: 2, kept: 1, unmatched: 2 }));
  assert.deepEqual(notes, ['0 problems merged, 2 further keys known.']);
  assert.deepEqual(await names(garden), [[1, '1A', ['2A', '3A']]]);
});

test('groups that share a key are one group, in one file and over several', async (t) => {
  const garden = await planted(t, '5A', '4A', '3A', '2A');
  await garden.import('codeforces-twins', twins(['2A', '3A'], ['4A', '5A'], ['3A', '4A']));
  assert.deepEqual(await names(garden), [[1, '5A', ['2A', '3A', '4A']]]);
  await garden.import('codeforces-twins', twins(['6A', '2A']));
  assert.deepEqual(await names(garden), [[1, '5A', ['2A', '3A', '4A', '6A']]]);
});

test('groups that meet only in a problem known under both are one too: no name is lost', async (t) => {
  const garden = await planted(t, '1A', '3A', '5A');
  await garden.import('codeforces-twins', twins(['3A', '4A']));
  await garden.import('codeforces-twins', twins(['1A', '3A', '7A'], ['4A', '5A'], ['4A', '6A']));
  assert.deepEqual(await names(garden), [[1, '1A', ['3A', '4A', '5A', '6A', '7A']]]);
  const again = ['1A', '3A', '4A', '5A', '6A', '7A'].map((key) => ({ ...identity(key), name: 'Any' }));
  const { report: figures } = await garden.import('codeforces-problems', codeforces(...again));
  assert.deepEqual(figures, report({ read: 6, changed: 1, kept: 5 }), 'every key is taken by the one problem');
});

test('a twin that is merged keeps its places in lists, once in each', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A');
  const list = async (name: string, ...keys: string[]) =>
    garden.store.write((tx) =>
      makeList(tx, {
        ownerId: 1n,
        name,
        content: [{ name: '', items: keys.map((key) => ({ problem: BigInt(key.charAt(0)), memo: key })) }],
      }),
    );
  const [one, both] = [await list('one', '2A', '3A'), await list('both', '2A', '1A')];
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  const memos = async (id: bigint) =>
    (await readContent(garden.store.reader, id)).flatMap(({ items }) =>
      items.map((item) => [item.problem_id, item.memo]),
    );
  assert.deepEqual(await memos(one), [
    [1n, '2A'],
    [3n, '3A'],
  ]);
  assert.deepEqual(await memos(both), [[1n, '1A']]);
});

test('statuses merge: the further with its date, of equal ones the earlier; each member for themselves', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const status = (user: number, problem: number, status: string, at: string, origin = 'self') => {
    return { user, problem, status, origin, updated_at: at };
  };
  await garden.import('statuses', [
    status(1, 1, 'complete', day(9)),
    status(1, 2, 'practicing', day(1)),
    status(1, 1, 'complete', day(8), 'judge'),
    status(1, 2, 'complete', day(3), 'judge'),
    status(2, 2, 'reading', day(5)),
  ]);
  const changed = await changedBy(garden, () => garden.import('codeforces-twins', twins(['1A', '2A'])));
  assert.deepEqual(changed, ['problems', 'statuses:1', 'statuses:2']);
  assert.deepEqual(await garden.rows('statuses'), [
    { id: 1, user: 1, problem: 1, status: 'complete', origin: 'self', updated_at: day(9) },
    { id: 1, user: 2, problem: 1, status: 'reading', origin: 'self', updated_at: day(5) },
  ]);
  const judged = await garden.store.reader.selectFrom('statuses').selectAll().where('user_id', '=', 1n).execute();
  assert.deepEqual([judged[0]?.judge_status, judged[0]?.judge_at], ['complete', day(3)]);
});

test('tries at the twin of a solved problem make its review card harder, as if both were one from the start', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const sent = (day: number) => Date.UTC(2026, 0, day) / 1000;
  await garden.import(
    'codeforces-submissions',
    submissions(['1A', 'OK', sent(5)], ...[1, 2, 3, 4].map((day) => ['2A', 'WRONG_ANSWER', sent(day)] as Sent)),
    { member: 'ada' },
  );
  const { store } = garden;
  const card = async () => {
    const [row] = await store.reader.selectFrom('review_cards').selectAll().execute();
    return [row?.first_grade, row?.due_day, row?.turn];
  };
  assert.deepEqual(await card(), ['easy', 20465n, 4n]);
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  assert.deepEqual(await card(), ['hard', 20459n, 2n]);
  await store.write((tx) => derive(tx, 1n, [1n]));
  assert.deepEqual(await card(), ['hard', 20459n, 2n], 'to derive it anew changes nothing');
});

test('bookmarks merge: the earlier date, and every note once', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A', '4A');
  const mark = (user: number, problem: number, note: string | null, at: string) => {
    return { user, problem, note, created_at: at, updated_at: at };
  };
  await garden.import('bookmarks', [
    mark(1, 1, 'first', day(5)),
    mark(1, 2, 'second', day(2)),
    mark(1, 3, 'first', day(7)),
    mark(1, 4, null, day(8)),
    mark(2, 4, 'mine', day(3)),
  ]);
  const merge = () => garden.import('codeforces-twins', twins(['1A', '2A', '3A', '4A']));
  assert.deepEqual(await changedBy(garden, merge), ['problems', 'bookmarks:1', 'bookmarks:2']);
  assert.deepEqual(await garden.rows('bookmarks'), [
    { id: 1, user: 1, problem: 1, note: 'first\nsecond', created_at: day(2), updated_at: day(8) },
    { id: 1, user: 2, problem: 1, note: 'mine', created_at: day(3), updated_at: day(3) },
  ]);
});

test('a note without a star, and the first time an editorial was asked for, merge with a star', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A', '4A');
  const mark = (problem: number, starred: string, at: string, more: object) => {
    return { user: 1, problem, created_at: at, updated_at: at, starred, ...more };
  };
  await garden.import('bookmarks', [
    mark(1, 'no', day(2), { note: 'alone' }),
    mark(2, 'yes', day(5), { editorial_at: day(4) }),
    mark(3, 'no', day(3), { editorial_at: day(3) }),
    mark(4, 'no', day(1), { note: 'apart' }),
  ]);
  await garden.import('codeforces-twins', twins(['1A', '2A', '3A']));
  const rows = JSON.parse(await exported(garden.store, 'bookmarks', 'json')) as Record<string, unknown>[];
  assert.deepEqual(
    rows.map((row) => [row['id'], row['note'], row['starred'], row['created_at'], row['editorial_at']]),
    [
      [1, 'alone', 'yes', day(5), day(3)],
      [4, 'apart', 'no', day(1), null],
    ],
  );
});

test('the problem that stays takes over what only its twin has of editorial and video', async (t) => {
  const garden = await planted(t, '1A', '2A');
  await garden.import('problems', [{ id: 2, editorial_url: 'https://e.example/', video_url: 'https://v.example/' }]);
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  const [row] = await garden.rows('problems');
  assert.deepEqual([row?.['editorial_url'], row?.['video_url']], ['https://e.example/', 'https://v.example/']);
});

test('the history of both problems stays, and what was changed together is undone together', async (t) => {
  const keys = Array.from({ length: 30 }, (_, place) => `${place + 1}A`);
  const garden = await planted(t, ...keys);
  const { store } = garden;
  const problemIds = keys.map((_, place) => BigInt(place + 1));
  const mark = (ids: readonly bigint[], status: State) =>
    store.write((tx) => setStatus(tx, { memberId: 1n, problemIds: ids, status }));
  await mark([2n], 'reading');
  await store.write((tx) => setNote(tx, 1n, 2n, 'from the twin'));
  const { batch = 0n } = await mark(problemIds, 'complete');
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  const shown = await listChangesOfProblem(store.reader, { userId: 1n, problemId: 1n });
  assert.deepEqual(
    shown.map(({ kind }) => kind),
    ['status', 'status', 'note', 'status'],
  );
  assert.equal((await garden.rows('statuses')).length, 29);
  const undone = await store.write((tx) => undo(tx, 1n, batch));
  assert.equal(undone.changed, 29);
  const [left, ...others] = await garden.rows('statuses');
  assert.deepEqual([left?.['problem'], left?.['status'], others], [1, 'reading', []]);
});

test('a dry run of twins folds nothing', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const before = await garden.everything();
  const dry = await garden.import('codeforces-twins', twins(['1A', '2A', '3A']), { isDryRun: true });
  assert.equal(await garden.everything(), before);
  assert.deepEqual(dry, await garden.import('codeforces-twins', twins(['1A', '2A', '3A'])));
  assert.deepEqual(dry.report, report({ read: 1, new: 1, changed: 1, kept: 2 }));
});
