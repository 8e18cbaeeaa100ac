/** The CSES problem set, good and bad, small and real. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cses } from '../../src/judges/cses.ts';
import { replayCses } from '../replay/cses.ts';
import { assertBadFile } from '../support/files.ts';
import { needsData } from '../support/real-data.ts';
import { asking, assertFault, faultsIn, realEntries, stateAt, valuesIn } from './support.ts';

const { files } = cses;

const task = {
  category: 'Graph Algorithms',
  name: 'Counting Rooms',
  link: 'https://cses.fi/problemset/task/1192',
  solves: 1,
  submits: 2,
};

test('a task is known by the number in its link, tagged with its category', async () => {
  const tasks = [task, { ...task, link: `${task.link}/` }];
  const columns = {
    source_key: '1192',
    title: 'Counting Rooms',
    url: task.link,
    tags: '["graph algorithms"]',
  };
  assert.deepEqual(await valuesIn(files.problems, tasks), [
    { columns, solverCount: 1n },
    { columns: { ...columns, url: `${task.link}/` }, solverCount: 1n },
  ]);
});

test('a task with a wrong field is a bad entry', async () => {
  const tasks = [
    { ...task, link: 'https://evil.example/task/1' },
    { ...task, name: undefined },
    { ...task, solves: -1 },
  ];
  assert.deepEqual(await faultsIn(files.problems, tasks), [
    'link is "https://evil.example/task/1"; expected https://cses.fi/problemset/task/ and a task number.',
    'name is missing; expected text of 1 to 500 characters.',
    'solves is -1; expected a whole number from 0 to 9007199254740991.',
  ]);
});

test('a submission has its task, its time and both words of its language', async () => {
  const sent = { id: 7, task: '1068', user: 'ada', time: '2026-01-01T12:00:00Z', outcome_status: 'pass' };
  const languages = [{ name: 'C++', option: 'C++17' }, { name: 'Rust' }, { name: 'x'.repeat(201) }, null];
  const found = await valuesIn(
    files.submissions,
    languages.map((language) => ({ ...sent, language })),
  );
  assert.deepEqual(found[0], {
    id: '7',
    key: '1068',
    handles: ['ada'],
    submittedAt: '2026-01-01T12:00:00.000Z',
    contest: null,
    participation: null,
    isGym: false,
    verdictClass: 'solved',
    verdict: 'pass',
    language: 'C++ C++17',
  });
  assert.deepEqual(
    found.slice(1).map(({ language }) => language),
    ['Rust', 'x'.repeat(200), null],
  );
  const states = await valuesIn(
    files.submissions,
    ['fail', 'none'].map((outcome_status) => ({ ...sent, outcome_status })),
  );
  assert.deepEqual(
    states.map(({ verdictClass }) => verdictClass),
    ['tried', 'pending'],
  );
  const wrong = [
    { ...sent, task: '0' },
    { ...sent, outcome_status: 'passed' },
    { ...sent, id: -1 },
  ];
  assert.equal((await faultsIn(files.submissions, wrong)).length, 3);
});

test('a run asks for the tasks whose state has changed, by twenty, and says how far it is', async () => {
  const tasks = Array.from({ length: 23 }, (_, n) => ({ category: 'Pond', id: String(1000 + n), name: `Task ${n}` }));
  const sent = (id: number, outcome_status: 'pass' | 'fail') => ({ id, time: '2026-01-01T12:00:00Z', outcome_status });
  const of = (count: number) =>
    Object.fromEntries(tasks.slice(0, count).map(({ id }, n) => [id, [sent(n + 1, n === 1 ? 'fail' : 'pass')]]));
  const rows = { tasks, members: { ada: of(21) } };
  const { answer, confirm } = replayCses(rows);
  const { ask, run } = asking(answer);
  const { memberToken } = cses.api;
  const site = asking(replayCses(rows, 'https://judge.example').answer).ask;
  assert.match((await memberToken?.begin(site))?.address ?? '', /^https:\/\/judge\.example\/confirm/);
  confirm('t', 'ADA');
  rows.members = Object.assign(rows.members, { ADA: rows.members.ada });
  const runOf = async (cursor?: unknown, name = 'ada') => {
    const found = await run(memberToken?.submissions(ask, 't', name, stateAt(0, cursor)));
    return { ...found, tasks: found.paths.map((path) => /task=(\d+)/.exec(path)?.[1] ?? path) };
  };
  const first = await runOf();
  assert.deepEqual(first.tasks, ['/login', '/courses/problemset/list', ...tasks.slice(0, 21).map(({ id }) => id)]);
  const state = Object.fromEntries(tasks.slice(0, 21).map(({ id }, n) => [id, n === 1 ? 'fail' : 'pass']));
  assert.deepEqual([first.cursor, first.texts.length], [state, 4]);
  const { outcome_status, ...row } = JSON.parse(first.texts[1] ?? '')[1];
  assert.deepEqual([row.user, row.task, row.id, outcome_status], ['ADA', '1001', 2, 'fail']);
  assert.deepEqual(JSON.parse(first.texts[2] ?? ''), [
    { category: 'Pond', name: 'Task 20', link: 'https://cses.fi/problemset/task/1020' },
  ]);
  const again = await runOf({ ...state, 1003: 'fail' });
  assert.deepEqual(again.tasks.slice(2), ['1003']);
  assert.deepEqual((await runOf(state)).texts, []);
  await assert.rejects(runOf({}, 'bob'), /ADA confirmed at CSES, but the handle here is bob/);
});

test('what CSES says instead of data is told apart, and never quoted', async () => {
  const { begin, usernameOf } = cses.api.memberToken ?? {};
  const token = (text: string) => ({ 'X-Auth-Token': text, authentication_url: 'https://judge.example/confirm' });
  const answers: [status: number, body: unknown, kind: string][] = [
    [401, 'Token t is wrong', 'refused'],
    [403, 'Token t is wrong', 'refused'],
    [400, 'Token t is wrong', 'odd answer'],
    [401, { code: 'invalid_api_key' }, 'refused'],
    [400, { code: 'client_error', message: 'Too many requests' }, 'busy'],
    [400, { code: 'client_error', message: 'Token t' }, 'odd answer'],
    [400, { code: 'other', message: 'Too many requests' }, 'odd answer'],
    [429, {}, 'busy'],
    [503, {}, 'down'],
    [200, null, 'odd answer'],
    [201, token('t'), 'odd answer'],
    [200, token(''), 'odd answer'],
    [200, token('a b'), 'odd answer'],
    [200, token('x'.repeat(1001)), 'odd answer'],
    [200, { ...token('t'), 'X-Auth-Token': 7 }, 'odd answer'],
    [200, { ...token('t'), authentication_url: 'https://evil.example/' }, 'odd answer'],
  ];
  for (const [status, body, kind] of answers)
    await assertFault(async () => begin?.(asking(() => ({ status, body })).ask), kind, /^(?!.*Token)/s);
  const good = token('x'.repeat(1000));
  const begun = await begin?.(asking(() => ({ body: good })).ask);
  assert.deepEqual(begun, { token: 'x'.repeat(1000), address: good.authentication_url });
  await assert.rejects(async () => usernameOf?.(asking(() => ({ body: {} })).ask, 't'), /whose token it is/);
  const pending = asking(() => ({ status: 401, body: { code: 'pending_api_key' } })).ask;
  assert.equal(await usernameOf?.(pending, 't'), undefined);
  const odd = [
    { header: 'x', list: 'x' },
    null,
    {
      list: [
        { objectType: 'text', id: '1' },
        { objectType: 'task', id: '0' },
      ],
    },
  ];
  const { ask, run } = asking(() => ({ body: { sections: odd } }));
  assert.deepEqual((await run(cses.api.problems?.(ask))).texts, ['[]']);
});

test("another judge's file is refused by name", async () => {
  const other = '[{"id":"a","contest_id":"b","problem_index":"A"}]';
  await assertBadFile(valuesIn(files.problems, other), /AtCoder problems\.json, not CSES problem list/);
});

test('the real problem set has 300 tasks and no key twice', needsData, async () => {
  await realEntries(files.problems, 'cses/problemset.json', 300);
});
