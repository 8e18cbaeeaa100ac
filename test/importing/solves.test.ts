/**
 * A member's submissions: under which handle they are kept, what a judge's verdicts make of statuses and never touch, and what unlinking
 * a handle takes back.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addHandle, removeHandle } from '../../src/practice/handles.ts';
import { listRenamedProblems } from '../../src/practice/merging.ts';
import { listHandles } from '../../src/store/handles.ts';
import { listSolvesOfProblem } from '../../src/store/solves.ts';
import { acceptedRow } from '../replay/leetcode.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { rowsOf } from '../support/databases.ts';
import { keptRows } from '../support/kept-rows.ts';
import { needsData, readReal } from '../support/real-data.ts';
import {
  assertRefused,
  codeforces,
  codeforcesNamed,
  exported,
  type Garden,
  identity,
  openGarden,
  planted,
  report,
  type Sent,
  second,
  submissions,
  submissionsOf,
  twins,
} from './support.ts';

function send(garden: Garden, ...sent: Sent[]) {
  return garden.import('codeforces-submissions', submissions(...sent), { member: 'ada' });
}

/** Each status, such as `1 2 complete judge 40`: the member, the problem, what is said by whom, and since which second. */
async function words(garden: Garden): Promise<string[]> {
  const rows = await garden.rows('statuses');
  return rows.map((row) => {
    const since = Date.parse(String(row['updated_at'])) / 1000;
    return [row['user'], row['problem'], row['status'], row['origin'], since].join(' ');
  });
}

const kept = ({ store }: Garden) => keptRows(store.reader);

async function unlink(garden: Garden, name: string, owner?: bigint) {
  const handles = await listHandles(garden.store.reader);
  const { id = 0n } = handles.find((handle) => handle.name === name) ?? {};
  return garden.store.write((tx) => removeHandle(tx, id, owner));
}

test('tried is practicing since the first try, solved is complete since the first solve', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A');
  const sent: Sent[] = [
    ['1A', 'WRONG_ANSWER', 10],
    ['1A', 'OK', 30],
    ['1A', 'OK', 20],
    ['2A', undefined, 50],
    ['2A', 'TIME_LIMIT_EXCEEDED', 40],
  ];
  const first = await send(garden, ...sent);
  assert.deepEqual(first.report, report({ read: 5, new: 2 }));
  assert.deepEqual(first.notes, ['5 submissions: 5 to 2 problems known here, 1 of them solved (complete)']);
  assert.deepEqual(await words(garden), ['1 1 complete judge 20', '1 2 practicing judge 40']);
  const before = await garden.everything();
  const again = await send(garden, ...sent);
  assert.deepEqual(again.report, report({ read: 5, kept: 2 }));
  assert.equal(await garden.everything(), before);
});

test('a judge only moves forward: an older file without the solve changes nothing', async (t) => {
  const garden = await planted(t, '1A', '2A');
  await send(garden, ['1A', 'OK', 20], ['2A', 'WRONG_ANSWER', 20]);
  const back = await send(garden, ['1A', 'WRONG_ANSWER', 90]);
  assert.deepEqual(back.report, report({ read: 1, kept: 1 }));
  const forth = await send(garden, ['1A', 'OK', 10], ['2A', 'OK', 95]);
  assert.deepEqual(forth.report, report({ read: 2, changed: 2 }));
  assert.deepEqual(await words(garden), ['1 1 complete judge 10', '1 2 complete judge 95']);
});

test('a verdict never shows over a mark set by hand, and is kept beside it', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const at = second(90);
  await garden.import('statuses', [{ user: 1, problem: 1, status: 'not_started', updated_at: at }]);
  await send(garden, ['1A', 'OK', 20], ['2A', 'OK', 30]);
  await garden.import('statuses', [{ user: 1, problem: 2, status: 'skipped', origin: 'self', updated_at: at }]);
  assert.deepEqual(await words(garden), ['1 1 not_started self 90', '1 2 skipped self 90']);
  const kept = garden.store.reader.selectFrom('statuses').select(['judge_status', 'judge_at']).orderBy('problem_id');
  const judged = [second(20), second(30)].map((judge_at) => ({ judge_status: 'complete', judge_at }));
  assert.deepEqual(await kept.execute(), judged);
  const again = await send(garden, ['1A', 'OK', 20]);
  assert.deepEqual(again.report, report({ read: 1, kept: 1 }));
});

test('a solve under any of its keys counts once', async (t) => {
  const garden = await planted(t, '1A');
  await garden.import('codeforces-twins', twins(['1A', '2A', '3A']));
  const { report: figures, notes } = await send(garden, ['3A', 'OK', 50], ['2A', 'OK', 40], ['1A', 'WRONG_ANSWER', 1]);
  assert.deepEqual(figures, report({ read: 3, new: 1 }));
  assert.deepEqual(notes, ['3 submissions: 3 to 1 problem known here under 3 keys, 1 of them solved (complete)']);
  assert.deepEqual(await words(garden), ['1 1 complete judge 40']);
});

test('unknown problems are unmatched, each once, and those of gyms come with their submissions', async (t) => {
  const garden = await planted(t, '1A');
  const sent = ['1A', '77B', '77B', '100001A', '100002B'].map((key, n): Sent => [key, 'OK', n + 1]);
  const { notes, lines, ...imported } = await send(garden, ...sent);
  assert.deepEqual(imported.report, report({ read: 5, new: 3, unmatched: 1 }));
  assert.deepEqual(notes, [
    '2 problems new here.',
    '5 submissions: 3 to 3 problems known here, 3 of them solved (complete); 2 to 1 problem not known here',
  ]);
  assert.match(lines[0] ?? '', /^unmatched codeforces 77B: no such problem here; import /);
  const keys = (await garden.rows('problems')).map(({ source_key }) => source_key);
  assert.deepEqual(keys, ['1A', '100001A', '100002B'], 'importing submissions makes no problem that a catalogue lists');
  const gyms = await garden.store.reader.selectFrom('contests').select(['key', 'is_gym', 'starts_at']).execute();
  assert.deepEqual(
    gyms,
    ['100001', '100002'].map((key) => ({ key, is_gym: 1n, starts_at: null })),
  );
});

test('submissions touch their member alone, also in a dry run', async (t) => {
  const garden = await planted(t, '1A');
  await garden.import('statuses', [{ username: 'bob', problem: 1, status: 'ignored', updated_at: second(5) }]);
  const before = await garden.everything();
  const file = submissions(['1A', 'OK', 20]);
  const dry = await garden.import('codeforces-submissions', file, { member: 'ADA', isDryRun: true });
  assert.equal(await garden.everything(), before);
  const wet = await garden.import('codeforces-submissions', file, { member: 'ADA' });
  assert.deepEqual(dry, wet);
  assert.deepEqual(await words(garden), ['1 1 complete judge 20', '2 1 ignored self 5']);
});

test('a problem of a contest of the last thirty days comes with its title, before its catalogue', async (t) => {
  const now = Date.parse('2026-03-31T12:00:00.000Z');
  t.mock.timers.enable({ apis: ['Date'], now });
  const garden = await planted(t);
  const edge = now / 1000 - 30 * 86_400;
  const contest = (id: number, startTimeSeconds: number) => {
    return { id, name: `Round ${id}`, phase: 'FINISHED', durationSeconds: 7200, startTimeSeconds };
  };
  const result = [contest(500, edge), contest(501, edge - 1)];
  await garden.import('codeforces-contests', { status: 'OK', result });
  const sent: Sent[] = [
    ['500A', 'OK', edge],
    ['500B', 'OK', edge - 1],
    ['501A', 'OK', edge],
    ['502A', 'OK', edge],
  ];
  await send(garden, ...sent);
  const problems = async () => (await garden.rows('problems')).map(({ title, url, rating }) => [title, url, rating]);
  const url = 'https://codeforces.com/problemset/problem/500/A';
  assert.deepEqual(await problems(), [['500A', url, null]]);
  const places = await garden.store.reader.selectFrom('contest_problems').select(['key', 'position']).execute();
  assert.deepEqual(places, [{ key: '500A', position: 'A' }]);
  await garden.import('codeforces-problems', codeforces({ ...identity('500A'), name: 'Pond', rating: 800 }));
  await send(garden, ...sent);
  assert.deepEqual(await problems(), [['Pond', url, 800]], 'the catalogue knows more');
});

test('a submission without an id is the one of its second, where the judge renamed its problem', async (t) => {
  const garden = await planted(t);
  const { reader } = garden.store;
  const accepted = async (...sent: [slug: string, at: number][]) => {
    const recentAcSubmissionList = sent.map(([slug, at]) => acceptedRow(slug, at));
    const options = { member: 'ada', handle: 'ada_lc', origin: 'server' } as const;
    await garden.import('leetcode-submissions', { data: { recentAcSubmissionList } }, options);
    const solves = await reader.selectFrom('solves').select('key').orderBy('key').execute();
    const keys = solves.map(({ key }) => key);
    assert.equal((await garden.rows('statuses')).length, keys.length);
    return keys.join();
  };
  assert.equal(await accepted(['one', 10], ['three', 20], ['two', 20]), 'one,three,two');
  for (const _ of [1, 2]) assert.equal(await accepted(['first', 10]), 'first,three,two');
  assert.equal(await accepted(['third', 20], ['two', 20]), 'first,third,two', 'the other of this second is listed');
  const pairs = await listRenamedProblems(reader, ['leetcode']);
  const names = pairs.map(({ before, after }) => `${before.source_key} ${after.source_key}`);
  assert.deepEqual(names.toSorted(), ['one first', 'three third']);
  assert.equal(await accepted(['x', 20], ['y', 20]), 'first,third,two,x,y', 'nobody knows which of two it was');
});

test('a file without submissions changes nothing', async (t) => {
  assert.deepEqual((await send(await planted(t))).report, report({}));
});

test('a problem shows what was sent to it under any key: the newest first, with the judge’s own words', async (t) => {
  const garden = await planted(t, '1A', '3A');
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  await send(garden, ['1A', 'WRONG_ANSWER', 10], ['2A', 'OK', 20], ['1A', undefined, 30], ['3A', 'OK', 40]);
  const { reader } = garden.store;
  const common = { source: 'codeforces', name: 'ada_cf', handle_id: 1n, is_team: 0n, origin: 'file' };
  const told = (contest: string, at: number, verdict_class: string, verdict: string | null) => ({
    ...common,
    participation: 'practice',
    language: 'GNU C++17',
    submission_id: `${contest}0000${at}`,
    key: `${contest}A`,
    contest,
    verdict_class,
    verdict,
    submitted_at: second(at),
  });
  assert.deepEqual(await listSolvesOfProblem(reader, { userId: 1n, problemId: 1n, limit: 9 }), [
    told('1', 30, 'pending', null),
    told('2', 20, 'solved', 'OK'),
    told('1', 10, 'tried', 'WRONG_ANSWER'),
  ]);
  assert.deepEqual(
    await listSolvesOfProblem(reader, { userId: 2n, problemId: 1n, limit: 9 }),
    [],
    'another member sees none of it',
  );
});

test('a compile error alone is no try, and neither is what the judge has not ruled on', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A');
  const first = await send(
    garden,
    ['1A', 'COMPILATION_ERROR', 10],
    ['2A', undefined, 20],
    ['3A', 'COMPILATION_ERROR', 30],
    ['3A', 'WRONG_ANSWER', 40],
  );
  assert.deepEqual(first.report, report({ read: 4, new: 1 }));
  assert.deepEqual(await words(garden), ['1 3 practicing judge 40']);
});

test('a pending submission gets its final ruling later, and an old file takes none back', async (t) => {
  const garden = await planted(t, '1A', '2A');
  await send(garden, ['1A', 'TESTING', 10], ['2A', undefined, 20]);
  assert.deepEqual(await words(garden), []);
  const final = await send(garden, ['1A', 'OK', 10], ['2A', 'WRONG_ANSWER', 20]);
  assert.deepEqual(final.report, report({ read: 2, new: 2 }));
  const after = ['1 1 complete judge 10', '1 2 practicing judge 20'];
  assert.deepEqual(await words(garden), after);
  const before = await kept(garden);
  const old = await send(garden, ['1A', 'TESTING', 10], ['2A', undefined, 20]);
  assert.deepEqual([old.report, old.hasWritten], [report({ read: 2, kept: 2 }), false]);
  assert.deepEqual(await kept(garden), before);
});

test('a file takes back what the judge took back, says so, and an older file changes nothing', async (t) => {
  const keys = Array.from({ length: 12 }, (_, n) => `${n + 1}A`);
  const garden = await planted(t, ...keys);
  const sent = (...verdicts: string[]) => keys.map((key, n): Sent => [key, verdicts[n] ?? 'SKIPPED', n + 1]);
  const accepted = sent(...keys.map(() => 'OK'));
  await send(garden, ...accepted);
  const some = await send(garden, ...sent('OK', 'CHALLENGED', 'REJECTED', 'WRONG_ANSWER').slice(0, 4));
  assert.equal(some.notes.at(-1), 'Codeforces no longer accepts 2 submissions: 2A, 3A');
  const later = await send(garden, ...sent('OK', 'CHALLENGED', 'REJECTED', 'WRONG_ANSWER', 'OK', 'OK').slice(3));
  assert.equal(later.notes.at(-1), 'Codeforces no longer accepts 6 submissions: 7A, 8A, 9A, 10A, 11A, 12A');
  const solved = ['1A', '4A', '5A', '6A'];
  const expected = keys.map(
    (key, n) => `1 ${n + 1} ${solved.includes(key) ? 'complete' : 'practicing'} judge ${n + 1}`,
  );
  assert.deepEqual(await words(garden), expected);
  assert.deepEqual([some.report.changed, later.report.changed], [2, 6]);
  const other = await planted(t, ...keys);
  await send(other, ...accepted);
  const { notes } = await send(other, ...sent());
  const ten = keys.slice(0, 10).join(', ');
  assert.equal(notes.at(-1), `Codeforces no longer accepts 12 submissions: ${ten} and 2 more`);
  const old = await send(garden, ...accepted);
  assert.deepEqual([old.hasWritten, await words(garden)], [false, expected]);
});

test('a submission that stands in a file twice is kept once, with its final ruling', async (t) => {
  const garden = await planted(t, '1A');
  const both = await send(garden, ['1A', 'OK', 10], ['1A', 'TESTING', 10]);
  assert.deepEqual(both.report, report({ read: 2, new: 1 }));
  const rows = await garden.store.reader.selectFrom('solves').select('verdict').execute();
  assert.deepEqual(rows, [{ verdict: 'OK' }]);
});

test('of more than a thousand submissions to a problem the solves and the oldest stay', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const tries = Array.from({ length: 1_001 }, (_, n): Sent => ['1A', 'WRONG_ANSWER', 10 + n]);
  const { notes } = await send(garden, ...tries, ['1A', 'OK', 5_000], ['2A', 'OK', 6_000]);
  assert.match(notes.join(), /at most 1000 submissions to a problem/);
  assert.deepEqual(await words(garden), ['1 1 complete judge 5000', '1 2 complete judge 6000']);
  // Files of a few each keep to it too, also with submissions that were to another problem before.
  const few = (key: string) =>
    send(garden, ...Array.from({ length: 20 }, (_, n): Sent => [key, 'WRONG_ANSWER', 7_000 + n]));
  assert.match((await few('1A')).notes.join(), /at most 1000 submissions to a problem/);
  await few('1B');
  assert.match((await few('1A')).notes.join(), /at most 1000 submissions to a problem/);
  const toFirst = garden.store.reader.selectFrom('solves').selectAll().where('key', '=', '1A');
  assert.equal((await toFirst.execute()).length, 1_000);
});

test('the file names the handle; --handle picks one of a file of many, and the others are bad rows', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const [mine, theirs] = [submissions(['1A', 'OK', 10]), submissionsOf('tourist', ['2A', 'OK', 20])] as {
    result: unknown[];
  }[];
  const mixed = { status: 'OK', result: [...(mine?.result ?? []), ...(theirs?.result ?? [])] };
  const what = 'codeforces-submissions';
  const two = /The file has 2 handles under which .* --handle NAME\.$/;
  await assertRefused(garden, two, what, mixed, { member: 'ada' });
  const options = { member: 'ada', handle: 'ADA_cf' };
  await assertRefused(garden, /this was submitted by tourist, not by ADA_cf;/, what, mixed, options);
  const picked = await garden.import(what, mixed, { ...options, skipsBad: true });
  assert.deepEqual(picked.report, report({ read: 2, new: 1, bad: 1 }));
  await garden.import(what, mine, { member: 'ada' });
  const handles = await listHandles(garden.store.reader);
  assert.deepEqual(
    handles.map(({ username, name, submissions: sent }) => [username, name, sent]),
    [['ada', 'ADA_cf', 1n]],
  );
});

test('a file that names no handle needs --handle, or a member with one handle at this judge', async (t) => {
  const garden = await planted(t, '1A');
  const file = submissions(['1A', 'OK', 10]) as { result: Record<string, unknown>[] };
  for (const row of file.result) delete row['author'];
  const what = 'codeforces-submissions';
  const unsaid = /^The file does not say under which handle .* --handle NAME\.$/;
  await assertRefused(garden, unsaid, what, file, { member: 'ada' });
  await garden.store.write((tx) => addHandle(tx, 1n, 'codeforces', 'Ada'));
  assert.deepEqual((await garden.import(what, file, { member: 'ada' })).report, report({ read: 1, new: 1 }));
  await garden.store.write((tx) => addHandle(tx, 1n, 'codeforces', 'ada_two'));
  await assertRefused(garden, /--handle NAME\.$/, what, file, { member: 'ada' });
});

test('a team’s submissions count for the handle that is in all of them', async (t) => {
  const garden = await planted(t, '1A', '2A');
  const file = submissions(['1A', 'OK', 10], ['2A', 'OK', 20]) as {
    result: { author: { members: unknown[]; participantType: string } }[];
  };
  const author = file.result[0]?.author;
  assert.ok(author);
  author.members.unshift({ handle: 'bob_cf' });
  author.participantType = 'CONTESTANT';
  await garden.import('codeforces-submissions', file, { member: 'ada' });
  const [first, second_] = await garden.store.reader
    .selectFrom('solves')
    .selectAll()
    .orderBy('submission_id')
    .execute();
  assert.deepEqual([first?.participation, second_?.participation], ['team', 'practice']);
  assert.deepEqual(
    (await listHandles(garden.store.reader)).map(({ name }) => name),
    ['ada_cf'],
  );
});

test('a catalogue, twins or problems that come later find what was unmatched', async (t) => {
  const garden = await planted(t);
  const sent: Sent[] = [
    ['1A', 'OK', 10],
    ['2A', 'WRONG_ANSWER', 20],
    ['3A', 'OK', 30],
    ['4A', 'OK', 40],
  ];
  const first = await send(garden, ...sent);
  assert.deepEqual([first.report, first.hasWritten], [report({ read: 4, unmatched: 4 }), true]);
  assert.deepEqual(await words(garden), []);
  const { notes, report: figures } = await garden.import('codeforces-problems', codeforcesNamed('Problem', '1A', '9A'));
  assert.deepEqual([figures, notes], [report({ read: 2, new: 2 }), ['One problem had submissions here already.']]);
  await garden.import('codeforces-twins', twins(['9A', '2A']));
  await garden.import('problems', [{ title: 'Three', source: 'codeforces', source_key: '3A' }]);
  assert.deepEqual(await words(garden), ['1 1 complete judge 10', '1 2 practicing judge 20', '1 3 complete judge 30']);
  const early = await kept(garden);
  assert.equal((await send(garden, ...sent)).hasWritten, false);
  assert.deepEqual(await kept(garden), early, 'as if the catalogue had been here first');
});

test('submissions under a second handle leave the first one what the judge itself does not move', async (t) => {
  const garden = await planted(t);
  const row = { id: 1, epoch_second: 10, problem_id: 'abc1_a', contest_id: 'abc1', result: 'AC', language: 'C++' };
  const shared = async (name: string, origin: 'file' | 'server') => {
    const file = [{ ...row, user_id: name }];
    const { hasWritten } = await garden.import('atcoder-submissions', file, { member: 'ada', origin });
    const handles = await listHandles(garden.store.reader);
    return [hasWritten, handles.map(({ name, submissions: sent }) => `${name} ${sent}`).join()];
  };
  assert.deepEqual(await shared('ada_one', 'file'), [true, 'ada_one 1']);
  assert.deepEqual(await shared('ada_two', 'file'), [true, 'ada_one 1,ada_two 1']);
  assert.deepEqual(await shared('ada_two', 'server'), [true, 'ada_one 0,ada_two 1']);
});

test('twins that merge take their submissions along', async (t) => {
  const garden = await planted(t, '1A', '2A');
  await send(garden, ['1A', 'WRONG_ANSWER', 10], ['2A', 'OK', 20], ['2A', 'OK', 30]);
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  assert.deepEqual(await words(garden), ['1 1 complete judge 20']);
  assert.equal((await listSolvesOfProblem(garden.store.reader, { userId: 1n, problemId: 1n, limit: 9 })).length, 3);
  await unlink(garden, 'ada_cf');
  assert.deepEqual(await words(garden), []);
});

test('unlinking a handle takes back what came with it, and nothing else', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A', '4A');
  const at = second(90);
  await garden.import('statuses', [
    { user: 1, problem: 2, status: 'skipped', updated_at: at },
    { user: 1, problem: 4, status: 'complete', origin: 'judge', updated_at: at },
    { user: 2, problem: 1, status: 'reading', updated_at: at },
  ]);
  const file = submissionsOf('bob_cf', ['1A', 'OK', 1]);
  await garden.import('codeforces-submissions', file, { member: 'bob' });
  const [before, everything] = [await kept(garden), await garden.everything()];
  await send(garden, ['1A', 'OK', 10], ['2A', 'OK', 20], ['3A', 'WRONG_ANSWER', 30], ['4A', 'WRONG_ANSWER', 40]);
  const more = submissionsOf('ada_two', ['1A', 'OK', 50], ['3A', 'OK', 60]);
  await garden.import('codeforces-submissions', more, { member: 'ada' });
  const rest = ['2 1 reading self 90', '1 2 skipped self 90', '1 3 complete judge 60', '1 4 complete judge 90'];
  assert.deepEqual(await words(garden), ['1 1 complete judge 10', ...rest]);
  assert.equal(await unlink(garden, 'ada_cf', 2n), undefined, 'it is not bob’s');
  const revisions = () => garden.store.revisions(['statuses', 'statuses:1', 'statuses:2']);
  const [all = 0n, own = 0n, other = 0n] = await revisions();
  await unlink(garden, 'ada_cf');
  assert.deepEqual(await revisions(), [all + 1n, own + 1n, other], 'entity tags follow');
  assert.deepEqual(await words(garden), ['1 1 complete judge 50', ...rest]);
  await unlink(garden, 'ada_two');
  assert.deepEqual(await kept(garden), before);
  assert.equal(await garden.everything(), everything);
});

test('a word of an older import that submissions overtook comes back with unlinking, also elsewhere', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A');
  const judged = { judge_status: 'practicing', judge_at: second(5) };
  await garden.import('statuses', [
    { user: 1, problem: 1, status: 'practicing', origin: 'judge', updated_at: second(5) },
    { user: 1, problem: 2, status: 'reading', updated_at: second(6), ...judged },
  ]);
  const [before, everything] = [await kept(garden), await garden.everything()];
  await send(garden, ['1A', 'WRONG_ANSWER', 10], ['2A', 'OK', 10], ['3A', 'OK', 10]);
  await send(garden, ['1A', 'OK', 20], ['1A', 'WRONG_ANSWER', 10]);
  await garden.import('codeforces-submissions', submissionsOf('ada_two', ['1A', 'OK', 30]), { member: 'ada' });
  assert.deepEqual((await words(garden))[0], '1 1 complete judge 20');
  const other = await planted(t, '1A', '2A', '3A');
  for (const what of ['statuses', 'handles', 'submissions'] as const)
    await other.import(what, JSON.parse(await exported(garden.store, what, 'json')));
  for (const one of [garden, other]) {
    await unlink(one, 'ada_two');
    assert.deepEqual((await words(one))[0], '1 1 complete judge 20');
    await unlink(one, 'ada_cf');
    const { statuses: left } = (await kept(one)) as { statuses: unknown };
    assert.deepEqual(left, (before as { statuses: unknown }).statuses);
  }
  assert.equal(await garden.everything(), everything);
});

test('a word of an older import stays until submissions say as much', async (t) => {
  const garden = await planted(t, '1A', '2A', '3A');
  const old = ['practicing', 'complete', 'complete'].map((status, n) => ({
    user: 1,
    problem: n + 1,
    status,
    origin: 'judge',
    updated_at: second(5),
  }));
  await garden.import('statuses', old);
  const again = await send(garden, ['1A', 'OK', 10], ['2A', 'OK', 20], ['3A', 'WRONG_ANSWER', 30]);
  assert.deepEqual(again.report, report({ read: 3, changed: 2, kept: 1 }));
  assert.deepEqual(await words(garden), ['1 1 complete judge 10', '1 2 complete judge 20', '1 3 complete judge 5']);
});

test('a deleted member’s handles and submissions go too', async (t) => {
  const garden = await planted(t, '1A');
  await send(garden, ['1A', 'OK', 10]);
  await garden.store.write((tx) => tx.deleteFrom('members').where('id', '=', 1n).execute());
  for (const table of ['handles', 'solves'])
    assert.deepEqual(await rowsOf(garden.databaseUrl, `SELECT * FROM ${table}`), []);
});

const options = { member: 'ada' };

async function plantReal(t: TestContext): Promise<Garden> {
  const garden = await openGarden(t, await catalogueDatabase(t, 'folded'));
  await garden.import('records', [{ username: 'ada' }]);
  return garden;
}

interface Submitted {
  verdict: string;
  creationTimeSeconds: number;
  problem: { contestId: number; index: string };
}

/**
 * The words as imports made them before submissions were kept, except that a compile error was a try then: here that dates one
 * of the 472 problems 35 seconds earlier.
 */
async function wordsByHand(garden: Garden, sent: readonly Submitted[]): Promise<string[]> {
  const keys = await garden.store.reader.selectFrom('problem_keys').selectAll().execute();
  const ids = new Map(keys.map(({ key, problem_id }) => [key, Number(problem_id)]));
  const byId = Map.groupBy(sent, ({ problem }) => ids.get(`${problem.contestId}${problem.index}`));
  const earliest = (some: readonly Submitted[]) => Math.min(...some.map((one) => one.creationTimeSeconds));
  return [...byId]
    .filter(([id]) => id !== undefined)
    .toSorted(([a = 0], [b = 0]) => a - b)
    .map(([id, some]) => {
      const solved = some.filter(({ verdict }) => verdict === 'OK');
      if (solved.length > 0) return `1 ${id} complete judge ${earliest(solved)}`;
      return `1 ${id} practicing judge ${earliest(some.filter(({ verdict }) => verdict !== 'COMPILATION_ERROR'))}`;
    });
}

test(
  '1,557 real submissions: 467 solved and 12 tried, whole or half at a time, and none after unlinking',
  needsData,
  async (t) => {
    const garden = await plantReal(t);
    const [before, everything] = [await kept(garden), await garden.everything()];
    const text = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
    const { result } = JSON.parse(text) as { result: Submitted[] };
    const whole = await garden.import('codeforces-submissions', text, options);
    assert.deepEqual(whole.report, report({ read: 1557, new: 479, unmatched: 1 }));
    const found = await words(garden);
    const count = (status: string) => found.filter((word) => word.includes(status)).length;
    assert.deepEqual([count('complete'), count('practicing')], [467, 12]);
    assert.deepEqual(found, await wordsByHand(garden, result));
    const keyed = async (one: Garden) =>
      await one.store.reader
        .selectFrom('statuses')
        .innerJoin('problems', 'problems.id', 'statuses.problem_id')
        .select(['source_key', 'judge_status', 'judge_at'])
        .orderBy('source_key')
        .execute();
    const named = await keyed(garden);
    const after = await kept(garden);
    const again = await garden.import('codeforces-submissions', text, options);
    assert.deepEqual([again.report.kept, again.hasWritten], [479, false]);
    assert.deepEqual(await kept(garden), after);
    await unlink(garden, 'gbuenoandrade');
    assert.deepEqual(await kept(garden), before);
    assert.equal(await garden.everything(), everything);
    const halves = await plantReal(t);
    for (const half of [result.slice(700), result.slice(0, 900)])
      await halves.import('codeforces-submissions', { status: 'OK', result: half }, options);
    assert.deepEqual(await keyed(halves), named, 'problems of gyms may come in another order');
    const late = await planted(t);
    await late.import('codeforces-submissions', text, options);
    await late.import('codeforces-twins', await readReal('codeforces/shared-problems.2026-08.json'));
    await late.import('codeforces-problems', await readReal('codeforces/problemset.problems.2026-08.json'));
    await late.import('codeforces-twins', await readReal('codeforces/shared-problems.2026-08.json'));
    assert.deepEqual(await keyed(late), named, 'the catalogue came last');
  },
);
