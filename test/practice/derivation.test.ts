/** Statuses are what a short model makes of all submissions and marks, whatever the order in which they come and go. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addHandle, removeHandle, renameHandle } from '../../src/practice/handles.ts';
import { setNote, setStatus, undo } from '../../src/practice/marks.ts';
import { mergeProblem, removeProblem, restoreProblem } from '../../src/practice/merging.ts';
import { saveSolvedList } from '../../src/practice/solved-lists.ts';
import type { BookmarksTable } from '../../src/store/bookmarks.ts';
import { listHandles } from '../../src/store/handles.ts';
import type { State } from '../../src/store/statuses.ts';
import { codeforces, type Garden, identity, planted, second, submissionsOf, twins } from '../importing/support.ts';
import { testStore } from '../support/databases.ts';
import { countStatements } from '../support/statements.ts';

/* The model. Problems of `twinKeys` may become one. */

const twinKeys = ['1A', '2A', '3A', '4A'];
const otherKeys = ['5A', '6A', '7A', '8A'];
const keys = [...twinKeys, ...otherKeys];
const far: readonly (State | null)[] = [null, 'not_started', 'ignored', 'skipped', 'reading', 'practicing', 'complete'];
const verdicts = {
  TESTING: 'pending',
  COMPILATION_ERROR: 'void',
  WRONG_ANSWER: 'tried',
  OK: 'solved',
  CHALLENGED: 'revoked',
} as const;
const classes = ['pending', 'void', 'tried', 'solved', 'revoked'];

type Dated = readonly [State, string | null];

class Model {
  readonly sent = new Map<
    string,
    { member: string; handle: string; id: string; key: string; verdict: string; at: number }
  >();
  readonly own = new Map<string, State>();
  /** Judge statuses that did not come from submissions. */
  readonly brought = new Map<string, Dated>();
  readonly lists = new Map<string, string[]>();
  readonly handles = new Set<string>();
  /** Members whose handle `two` became `one`, which a file that still says `two` means. */
  readonly renamed = new Set<string>();
  /** The key whose problem each key names by now. */
  readonly names = new Map(keys.map((key) => [key, key]));
  readonly known = new Set(keys.slice(0, -1));

  judged(member: string, problem: string): Dated | undefined {
    const sent = [...this.sent.values()].filter((one) => one.member === member && this.names.get(one.key) === problem);
    const first = (of: readonly string[]) => {
      const moments = sent.filter(({ verdict }) => of.includes(verdict)).map(({ at }) => at);
      return moments.length > 0 ? second(Math.min(...moments)) : undefined;
    };
    const [solved, tried] = [first(['solved']), first(['tried', 'revoked'])];
    const said = solved ? (['complete', solved] as const) : tried ? (['practicing', tried] as const) : undefined;
    const isListed = this.lists.get(member)?.includes(problem);
    const other = isListed ? (['complete', null] as const) : this.brought.get(`${member} ${problem}`);
    if (!said || !other) return said ?? other;
    return far.indexOf(said[0]) >= far.indexOf(other[0]) ? said : other;
  }

  rows(): string[] {
    return ['ada', 'bob'].flatMap((member) =>
      keys.flatMap((key) => {
        const [own, judge] = [this.own.get(`${member} ${key}`), this.judged(member, key)];
        if (this.names.get(key) !== key || !this.known.has(key) || (!own && !judge)) return [];
        return [member, key, own ?? null, ...(judge ?? [null, null])].join();
      }),
    );
  }
}

async function rowsOf({ store: { reader } }: Garden): Promise<string[]> {
  const rows = await reader
    .selectFrom('statuses')
    .innerJoin('members', 'members.id', 'user_id')
    .innerJoin('problems', 'problems.id', 'problem_id')
    .select(['username', 'source_key', 'self_status', 'judge_status', 'judge_at'])
    .orderBy('username')
    .orderBy('source_key')
    .execute();
  return rows.map((row) => Object.values(row).join());
}

/* What happens, in the garden and in the model. */

const member = fc.constantFrom('ada', 'bob');
const handle = fc.constantFrom('one', 'two');
const key = fc.constantFrom(...keys, '5A', '6A', '5A', '6A');
const at = fc.nat(4);
const state = fc.constantFrom<State>('complete', 'not_started', 'practicing', 'skipped', 'reading');
type World = {
  garden: Garden;
  model: Model;
  undoable: Map<string, { batch: bigint; before: (State | undefined)[]; keys: string[] }>;
};
type Step = (world: World) => Promise<void>;

/** Steps of one kind, with what they do in the report of a failure. */
const steps = <Given>(name: string, given: fc.Arbitrary<Given>, take: (given: Given, world: World) => Promise<void>) =>
  given.map((one): Step => {
    const step: Step = (world) => take(one, world);
    return Object.assign(step, { toString: () => `${name} ${JSON.stringify(one)}` });
  });

const memberIdOf = (name: string) => (name === 'ada' ? 1n : 2n);

async function idOf({ store }: Garden, name: string): Promise<bigint> {
  const row = await store.reader.selectFrom('problem_keys').selectAll().where('key', '=', name).executeTakeFirst();
  assert(row, name);
  return row.problem_id;
}

const send = steps(
  'send',
  fc.record({
    member,
    handle,
    origin: fc.constantFrom('file', 'server', 'browser'),
    sent: fc.array(fc.tuple(key, fc.constantFrom(...(Object.keys(verdicts) as (keyof typeof verdicts)[])), at), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
  async ({ member, handle, origin, sent }, { garden, model }) => {
    await garden.import('codeforces-submissions', submissionsOf(handle, ...sent), { member, origin });
    const isFormer = handle === 'two' && model.renamed.has(member) && !model.handles.has(`${member} two`);
    const current = isFormer ? 'one' : handle;
    model.handles.add(`${member} ${current}`);
    for (const [key, word, at] of sent) {
      const id = `${key.slice(0, -1)} ${at}`;
      const name = `${member} ${current} ${id}`;
      const [before, verdict] = [model.sent.get(name), verdicts[word]];
      const isLater = classes.indexOf(verdict) >= classes.indexOf(before?.verdict ?? 'pending');
      const isRuled = origin !== 'file' || isLater;
      model.sent.set(name, {
        member,
        handle: current,
        id,
        key,
        at,
        verdict: isRuled ? verdict : (before?.verdict ?? verdict),
      });
    }
  },
);

const mark = steps(
  'mark',
  fc.record({ member, keys: fc.uniqueArray(key, { minLength: 1 }), status: state }),
  async ({ member, keys: some, status }, { garden, model, undoable }) => {
    const marked = [...new Set(some.filter((one) => model.known.has(one)).map((one) => model.names.get(one) ?? ''))];
    const problemIds = await Promise.all(marked.map((one) => idOf(garden, one)));
    const before = marked.map((one) => model.own.get(`${member} ${one}`));
    const { batch } = await setStatus(garden.store, { memberId: memberIdOf(member), problemIds, status });
    for (const one of marked) {
      const isUnsaid = status === 'not_started' && !model.own.get(`${member} ${one}`) && !model.judged(member, one);
      if (!isUnsaid) model.own.set(`${member} ${one}`, status);
    }
    if (batch !== undefined) undoable.set(member, { batch, before, keys: marked });
  },
);

const undoLast = steps('undoLast', member, async (member, { garden, model, undoable }) => {
  const last = undoable.get(member);
  if (!last) return;
  undoable.delete(member);
  await undo(garden.store, memberIdOf(member), last.batch);
  for (const [nth, one] of last.keys.entries()) {
    const before = last.before[nth];
    if (before === undefined) model.own.delete(`${member} ${one}`);
    else model.own.set(`${member} ${one}`, before);
  }
});

const bring = steps(
  'bring',
  fc.record({
    member,
    status: fc.constantFrom<State>('complete', 'practicing', 'reading'),
    origin: fc.constantFrom('self', 'judge'),
    at,
  }),
  async ({ member, status, origin, at }, { garden, model, undoable }) => {
    const name = `${member} 5A`;
    const judged = model.judged(member, '5A');
    // Beside what submissions say, a status from elsewhere would stand until the next submission.
    if (origin === 'judge' && judged && !model.brought.has(name)) return;
    if (origin === 'judge' && [...model.sent.values()].some((one) => one.member === member && one.key === '5A')) return;
    const updated_at = new Date(at * 1000 + 500).toISOString();
    const row = { username: member, source: 'codeforces', source_key: '5A', status, origin, updated_at };
    await garden.import('statuses', [row]);
    undoable.delete(member);
    if (origin === 'self') model.own.set(name, status);
    else model.brought.set(name, [status, updated_at]);
  },
);

const list = steps(
  'list',
  fc.record({ member, keys: fc.uniqueArray(fc.constantFrom('6A', '7A'), { minLength: 1 }) }),
  async ({ member, keys: some }, { garden: { store }, model }) => {
    const memberId = memberIdOf(member);
    const known = (await listHandles(store.reader, memberId)).find(({ source }) => source === 'vjudge');
    const own = known ?? (await addHandle(store, memberId, 'vjudge', member));
    const named = some.map((name) => ({
      source: 'codeforces',
      key: name,
      url: `https://example.org/${name}`,
      isGym: false,
    }));
    await saveSolvedList(store, own as never, named);
    model.lists.set(member, [...(model.lists.get(member) ?? []), ...some]);
  },
);

const unlink = steps(
  'unlink',
  fc.record({ member, name: fc.constantFrom('one', 'two', 'vjudge') }),
  async ({ member, name }, { garden: { store }, model }) => {
    const all = await listHandles(store.reader, memberIdOf(member));
    const found = all.find((one) => (name === 'vjudge' ? one.source === name : one.name === name));
    if (!found) return;
    await store.write((tx) => removeHandle(tx, found.id));
    if (name === 'vjudge') model.lists.delete(member);
    if (name === 'one') model.renamed.delete(member);
    model.handles.delete(`${member} ${name}`);
    for (const [id, one] of model.sent) if (one.member === member && one.handle === name) model.sent.delete(id);
  },
);

const rename = steps('rename', fc.constant({}), async (_, { garden: { store }, model }) => {
  await renameHandle(store, 'codeforces', 'two', 'one');
  for (const member of ['ada', 'bob']) {
    if (!model.handles.delete(`${member} two`)) continue;
    model.handles.add(`${member} one`);
    model.renamed.add(member);
  }
  for (const [name, one] of [...model.sent]) {
    if (one.handle !== 'two') continue;
    model.sent.delete(name);
    const joined = `${one.member} one ${one.id}`;
    if (!model.sent.has(joined)) model.sent.set(joined, { ...one, handle: 'one' });
  }
});

/** Makes two problems one, in the model. */
function join(model: Model, kept: string, dropped: string): void {
  for (const member of ['ada', 'bob']) {
    const [one, other] = [kept, dropped].map((name) => model.own.get(`${member} ${name}`) ?? null);
    const further = far.indexOf(one ?? null) >= far.indexOf(other ?? null) ? one : other;
    if (further) model.own.set(`${member} ${kept}`, further);
    model.own.delete(`${member} ${dropped}`);
  }
  for (const [key, name] of model.names) if (name === dropped) model.names.set(key, kept);
}

const merge = steps(
  'merge',
  fc.record({
    keys: fc.uniqueArray(fc.constantFrom(...twinKeys), { minLength: 2, maxLength: 2 }),
    byStaff: fc.boolean(),
  }),
  async ({ keys: [one = '', other = ''], byStaff }, { garden, model, undoable }) => {
    const [kept = '', dropped = ''] = [one, other].map((name) => model.names.get(name) ?? '').toSorted();
    if (kept === dropped) return;
    if (byStaff) await mergeProblem(garden.store, await idOf(garden, dropped), await idOf(garden, kept));
    else await garden.import('codeforces-twins', twins([one, other]));
    undoable.clear();
    join(model, kept, dropped);
  },
);

const removeAndRestore = steps('removeAndRestore', key, async (name, { garden, model }) => {
  if (!model.known.has(name)) return;
  const id = await idOf(garden, name);
  await removeProblem(garden.store, id);
  await restoreProblem(garden.store, id);
});

const catalogue = steps('catalogue', fc.constant({}), async (_, { garden, model }) => {
  await garden.import('codeforces-problems', codeforces({ ...identity('8A'), name: 'Late' }));
  model.known.add('8A');
});

const step = fc.oneof(
  { weight: 6, arbitrary: send },
  { weight: 3, arbitrary: mark },
  { weight: 2, arbitrary: undoLast },
  { weight: 2, arbitrary: bring },
  list,
  { weight: 2, arbitrary: unlink },
  rename,
  merge,
  removeAndRestore,
  catalogue,
);

test('after any sequence of changes statuses are what the model says', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24, size: 'max' }), async (steps) => {
      const model = new Model();
      const garden = await planted(t, ...model.known);
      const world: World = { garden, model, undoable: new Map() };
      for (const [nth, one] of steps.entries()) {
        await one(world);
        assert.deepEqual(await rowsOf(garden), model.rows(), `after step ${nth}`);
      }
    }),
    { numRuns: testStore === 'sqlite' ? 30 : 10, endOnFailure: true },
  );
});

test('a status from elsewhere comes back when the judge takes back the solve that replaced it', async (t) => {
  const garden = await planted(t, '1A');
  const row = { username: 'ada', source: 'codeforces', source_key: '1A', origin: 'judge', updated_at: second(90) };
  await garden.import('statuses', [{ ...row, status: 'complete' }]);
  const send = (verdict: string) =>
    garden.import('codeforces-submissions', submissionsOf('one', ['1A', verdict, 20]), { member: 'ada' });
  await send('OK');
  assert.deepEqual(await rowsOf(garden), [`ada,1A,,complete,${second(20)}`]);
  await send('CHALLENGED');
  assert.deepEqual(await rowsOf(garden), [`ada,1A,,complete,${second(90)}`]);
});

test('an undone merge gives back what its members have not changed since, and nothing else', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T12:00:00Z') });
  const garden = await planted(t, '1A', '2A');
  const { store } = garden;
  const mark = (memberId: bigint, problemId: bigint, status: State) =>
    setStatus(store, { memberId, problemIds: [problemId], status });
  const notes = async () =>
    (await store.reader.selectFrom('bookmarks').selectAll().orderBy('user_id').orderBy('problem_id').execute()).map(
      ({ user_id, problem_id, note }) => `${user_id} ${problem_id} ${note}`,
    );
  for (const memberId of [1n, 2n]) {
    await mark(memberId, 1n, 'reading');
    await mark(memberId, 2n, 'complete');
    await setNote(store, memberId, 1n, 'one');
    await setNote(store, memberId, 2n, 'two');
  }
  await mergeProblem(store, 2n, 1n);
  assert.deepEqual(await rowsOf(garden), ['ada,1A,complete,,', 'bob,1A,complete,,']);
  assert.deepEqual(await notes(), ['1 1 one\ntwo', '2 1 one\ntwo']);
  t.mock.timers.tick(1000);
  await mark(1n, 1n, 'skipped');
  await setNote(store, 2n, 1n, 'three');
  await restoreProblem(store, 2n);
  assert.deepEqual(await rowsOf(garden), [
    'ada,1A,skipped,,',
    'ada,2A,complete,,',
    'bob,1A,reading,,',
    'bob,2A,complete,,',
  ]);
  assert.deepEqual(await notes(), ['1 1 one', '1 2 two', '2 1 three', '2 2 two']);
  await assert.rejects(restoreProblem(store, 2n), { code: 'unknownItem' }, 'there is nothing more to undo');
});

test('a merge joins the bookmarks of both problems, and its undo leaves them as they were', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const { store } = garden;
  const moment = fc.integer({ min: 1, max: 4 }).map(second);
  const bookmark = fc
    .record({
      note: fc.constantFrom(null, 'one', 'two', 'one\ntwo'),
      is_starred: fc.constantFrom(0n, 1n),
      created_at: moment,
      updated_at: moment,
      editorial_at: fc.option(moment),
      labels: fc.constantFrom(null, '["x"]', '["x","y"]'),
    })
    .filter((one) => one.is_starred === 1n || Boolean(one.note ?? one.editorial_at ?? one.labels));
  type Bookmark = Omit<BookmarksTable, 'user_id' | 'problem_id'>;
  const joined = ([kept, dropped]: [Bookmark, Bookmark]): Bookmark => {
    const stars = [kept, dropped].filter((one) => one.is_starred === 1n);
    const since = (stars.length > 0 ? stars : [kept, dropped]).map((one) => one.created_at).sort();
    const labels = new Set([kept, dropped].flatMap((one) => JSON.parse(one.labels ?? '[]')));
    const notes = [kept.note, dropped.note].filter((one) => one !== null);
    const [own = [], other = []] = notes.map((one) => one.split('\n'));
    const isRepeated = other.every((line) => own.includes(line));
    return {
      note: isRepeated ? (notes[0] ?? null) : notes.join('\n'),
      is_starred: stars.length > 0 ? 1n : 0n,
      created_at: since[0] ?? '',
      updated_at: [kept.updated_at, dropped.updated_at].sort()[1] ?? '',
      editorial_at: [kept.editorial_at, dropped.editorial_at].filter((one) => one !== null).sort()[0] ?? null,
      labels: labels.size > 0 ? JSON.stringify([...labels]) : null,
    };
  };
  const rows = () =>
    store.reader.selectFrom('bookmarks').selectAll().orderBy('user_id').orderBy('problem_id').execute();
  await fc.assert(
    fc.asyncProperty(fc.tuple(bookmark, bookmark), bookmark, async (both, alone) => {
      const before = [
        { user_id: 1n, problem_id: 1n, ...both[0] },
        { user_id: 1n, problem_id: 2n, ...both[1] },
        { user_id: 2n, problem_id: 2n, ...alone },
      ];
      await store.write(async (tx) => {
        await tx.deleteFrom('bookmarks').execute();
        await tx.insertInto('bookmarks').values(before).execute();
      });
      await mergeProblem(store, 2n, 1n);
      assert.deepEqual(await rows(), [
        { user_id: 1n, problem_id: 1n, ...joined(both) },
        { user_id: 2n, problem_id: 1n, ...alone },
      ]);
      await restoreProblem(store, 2n);
      assert.deepEqual(await rows(), before);
    }),
    { numRuns: 30 },
  );
});

test('a mark takes at most 12 statements, and an import reads the submissions of its problems twice', async (t) => {
  const names = Array.from({ length: 150 }, (_, n) => `${n + 1}A`);
  const garden = await planted(t, ...names);
  const statements = countStatements(t);
  const count = async (work: () => Promise<unknown>) => {
    const before = statements();
    await work();
    return statements() - before;
  };
  const imported = (sent: number) => {
    const some = names.slice(0, sent).map((name, n) => [name, 'OK', n] as [string, string, number]);
    return count(() => garden.import('codeforces-submissions', submissionsOf('one', ...some), { member: 'ada' }));
  };
  const taken = { one: await imported(1), again: await imported(1), many: await imported(150) };
  const marked = await count(() => setStatus(garden.store, { memberId: 1n, problemIds: [1n], status: 'reading' }));
  t.diagnostic(`${JSON.stringify(taken)}, a mark ${marked}`);
  assert.ok(marked <= 12, `${marked} statements for a mark`);
  assert.ok(taken.one <= 23 && taken.again <= 14 && taken.many <= 46, JSON.stringify(taken));
});
