/** LeetCode's accepted submissions, of both sites, and the ratings of its problems, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { leetcode } from '../../src/judges/leetcode.ts';
import { listHandles } from '../../src/store/handles.ts';
import { openGarden } from '../importing/support.ts';
import { acceptedRow, replayLeetCode, replayLeetCodeCn } from '../replay/leetcode.ts';
import { assertBadFile } from '../support/files.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { asking, faultsIn, stateAt, valuesIn } from './support.ts';

const { ratings, submissions, 'cn-submissions': chinese } = leetcode.files;
const answer = (...rows: unknown[]) => ({ data: { recentAcSubmissionList: rows } });
const chineseAnswer = (...rows: unknown[]) => ({ data: { recentACSubmissions: rows } });
const second = Date.parse('2026-01-01T12:00:00Z') / 1000;
const question = {
  title: 'Two Sum',
  translatedTitle: '两数之和',
  titleSlug: 'two-sum',
  questionFrontendId: '1',
};

test('a submission has a time in quotes, an id of its own, and brings its problem', async () => {
  const [found] = await valuesIn(submissions, answer(acceptedRow('two-sum', second)));
  assert.deepEqual(found, {
    id: `${second}-two-sum`,
    key: 'two-sum',
    handles: [],
    submittedAt: '2026-01-01T12:00:00.000Z',
    contest: null,
    verdictClass: 'solved',
    verdict: 'Accepted',
    participation: null,
    language: 'rust',
    isGym: false,
    problem: { title: 'The two-sum' },
  });
  assert.equal(problemAt(leetcode.problemPage('two-sum'), new Map())?.key, 'two-sum', 'as the address book names it');
  const there = await valuesIn(chinese, chineseAnswer({ submissionId: 600, submitTime: second, question }));
  assert.deepEqual([there[0]?.id, there[0]?.problem], [found?.id, { title: 'Two Sum' }]);
  const numbered = await valuesIn(submissions, answer({ ...acceptedRow('two-sum', 0), timestamp: second }));
  assert.deepEqual(numbered[0]?.submittedAt, found?.submittedAt, 'a time without quotes too');
});

test('a problem of the Chinese site alone has its Chinese title, its address and its own letters', async () => {
  const questions = [
    { title: 'guess-stones', translatedTitle: '猜石子', titleSlug: 'guess-stones', questionFrontendId: 'LCP 201' },
    { title: null, translatedTitle: '池塘', titleSlug: 'aB3dEf', questionFrontendId: 'LCR 201' },
    { title: '', translatedTitle: '', titleSlug: 'Pond-Sum', questionFrontendId: '4001' },
    { title: 'Pond', translatedTitle: '池', titleSlug: 'pond', questionFrontendId: '' },
  ];
  const found = await valuesIn(
    chinese,
    chineseAnswer(...questions.map((one) => ({ submitTime: second, question: one }))),
  );
  const page = (slug: string) => `https://leetcode.cn/problems/${slug}/`;
  assert.deepEqual(
    found.map(({ key, problem }) => [key, problem]),
    [
      ['guess-stones', { title: '猜石子', url: page('guess-stones') }],
      ['aB3dEf', { title: '池塘', url: page('aB3dEf') }],
      ['pond-sum', {}],
      ['pond', { title: 'Pond' }],
    ],
  );
  assert.equal(leetcode.problemPage('aB3dEf'), page('aB3dEf'));
});

test('a wrong field makes a bad entry, and another kind of file is refused by name', async () => {
  const row = acceptedRow('two-sum', second);
  const wrong = [
    { ...row, timestamp: 'today' },
    { ...row, titleSlug: '../x' },
    { ...row, timestamp: null },
  ];
  assert.deepEqual(await faultsIn(submissions, answer(...wrong)), [
    'timestamp is "today"; expected a whole number from 0 to 253402300799.',
    'titleSlug is "../x"; expected a name of letters, digits, _ and -, as addresses have it.',
    'timestamp is null; expected a whole number from 0 to 253402300799.',
  ]);
  await assertBadFile(valuesIn(ratings, answer(row)), /import it with leetcode-submissions/);
  await assertBadFile(valuesIn(submissions, chineseAnswer()), /import it with leetcode-cn-submissions/);
});

test('a rating has its bounds', async () => {
  const rated = (Rating: number) => [{ TitleSlug: 'x', Title: 'y'.repeat(501), Rating }];
  const found = await valuesIn(ratings, rated(10_000));
  assert.deepEqual([found[0]?.columns.rating, found[0]?.columns.title?.length], [10_000n, 500]);
  assert.deepEqual(await faultsIn(ratings, rated(-1)), ['Rating is -1; expected a number from 0 to 10000.']);
});

test('a run says since when all is here, and which times are none', async () => {
  const runOf = async (handle: string, seconds: readonly number[], cursor?: unknown) => {
    const rows = { ada: seconds.map((at) => acceptedRow(`t${at}`, at)) };
    const { ask, run } = asking(handle === 'ada' ? replayLeetCode(rows) : replayLeetCodeCn(rows), leetcode.api);
    return (await run(leetcode.api.submissions?.(ask, handle, stateAt(second, cursor)))).cursor;
  };
  const twenty = Array.from({ length: 20 }, (_, n) => second - n);
  assert.deepEqual(await runOf('ada', twenty), { through: second, since: second - 19 });
  assert.deepEqual(await runOf('ada', twenty, { through: second - 19, since: 5 }), { through: second, since: 5 });
  assert.deepEqual(await runOf('ada', twenty, { through: second - 20, since: 5 }), {
    through: second,
    since: second - 19,
  });
  assert.deepEqual(await runOf('ada', twenty.slice(1)), { through: second - 1, since: second - 19 });
  assert.deepEqual(await runOf('ada', [0, 253_402_300_799, 253_402_300_800]), {
    through: 253_402_300_799,
    since: second,
  });
  assert.deepEqual(await runOf('ada', []), { through: 0, since: second });
  const here = 'leetcode.cn/ada';
  assert.deepEqual(await runOf(here, [second - 9], { through: 4, since: 3 }), {
    through: second - 9,
    since: second - 9,
  });
  assert.deepEqual(await runOf(here, [second - 9], { through: second - 9, since: 3 }), {
    through: second - 9,
    since: 3,
  });
  const since = leetcode.api.recentLimit?.completeSince({ through: 0, since: second });
  assert.equal(since, '2026-01-01T12:00:00.000Z');
});

test('nobody has a name for which LeetCode has neither user nor list', async () => {
  for (const body of [
    { data: { matchedUser: null, recentAcSubmissionList: null } },
    { errors: [{ message: 'That user does not exist.' }], data: { matchedUser: {}, recentAcSubmissionList: [] } },
  ]) {
    const { ask, run } = asking(() => ({ body }));
    const failing = run(leetcode.api.submissions?.(ask, 'ada', stateAt(second, undefined)));
    await assert.rejects(failing, /LeetCode has no user ada/);
  }
});

test('a contest has its problems by number, and those to come are listed', async () => {
  const questions = [
    { title_slug: 'two-sum', title: 'Two Sum' },
    { title_slug: 'aB3dEf', title: ' ' },
  ];
  const info = { contest: { title: 'Weekly 1', start_time: second, duration: 5400 }, questions };
  const { ask } = asking(replayLeetCode({}, { 'weekly-1': info }), leetcode.api);
  const times = { starts_at: '2026-01-01T12:00:00.000Z', duration_s: 5400n };
  assert.deepEqual(await leetcode.api.contest?.(ask, 'weekly-1'), {
    title: 'Weekly 1',
    phase: null,
    problems: [
      { key: 'two-sum', title: 'Two Sum', url: 'https://leetcode.com/problems/two-sum/', position: 'Q1' },
      { key: 'aB3dEf', title: 'aB3dEf', url: 'https://leetcode.cn/problems/aB3dEf/', position: 'Q2' },
    ],
    ...times,
  });
  assert.equal(await leetcode.api.contest?.(ask, 'weekly-2'), undefined);
  const listed = { title: 'Weekly 2', titleSlug: 'Weekly-2', startTime: second, duration: 5400 };
  const upcoming = asking(() => ({
    body: { data: { contestV2UpcomingContests: [listed, { ...listed, duration: -1 }] } },
  }));
  const { contests, skipped } = (await leetcode.api.upcoming?.(upcoming.ask, new Date())) ?? {};
  const url = 'https://leetcode.com/contest/weekly-2/';
  assert.deepEqual(contests, [{ source: 'leetcode', key: 'weekly-2', url, title: 'Weekly 2', ...times }]);
  assert.equal(skipped?.length, 1);
});

test('ratings are rounded, and go to the problem that a submission or a link has made', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ username: 'ada' }]);
  const list = { data: { recentAcSubmissionList: [acceptedRow('two-sum', second)] } };
  await garden.import('leetcode-submissions', list, { member: 'ada', handle: 'ada_lc' });
  const rated = (TitleSlug: string, Rating: unknown) => ({
    Rating,
    ID: 1,
    Title: `R ${TitleSlug}`,
    TitleSlug,
  });
  const file = JSON.stringify([rated('two-sum', 1234.5), rated('three-sum', 'N')]).replace('"N"', '3000.0');
  const { report } = await garden.import('leetcode-ratings', file);
  assert.deepEqual([report.new, report.changed], [1, 1]);
  const rows = await garden.rows('problems');
  assert.deepEqual(
    rows.map((row) => [row['source_key'], row['title'], row['rating'], row['url']]),
    [
      ['two-sum', 'R two-sum', 1235, 'https://leetcode.com/problems/two-sum/'],
      ['three-sum', 'R three-sum', 3000, 'https://leetcode.com/problems/three-sum/'],
    ],
  );
});

test('a file of leetcode.cn links a handle there, and never one at leetcode.com', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ username: 'ada' }]);
  const here = { data: { recentAcSubmissionList: [acceptedRow('two-sum', second)] } };
  const there = { data: { recentACSubmissions: [{ submissionId: 600, submitTime: second, question }] } };
  await garden.import('leetcode-submissions', here, { member: 'ada', handle: 'https://leetcode.com/u/ada_lc/' });
  await assert.rejects(
    garden.import('leetcode-cn-submissions', there, { member: 'ada' }),
    /does not say under which handle/,
    'the handle at leetcode.com is not meant',
  );
  const named = async () => (await listHandles(garden.store.reader)).map(({ name }) => name);
  await garden.import('leetcode-cn-submissions', there, { member: 'ada', handle: 'ada_lc' });
  assert.deepEqual(await named(), ['ada_lc', 'leetcode.cn/ada_lc']);
  for (const handle of [undefined, 'leetcode.cn/ada_lc', 'https://leetcode.cn/u/ada_lc/'])
    await garden.import('leetcode-cn-submissions', there, { member: 'ada', ...(handle && { handle }) });
  await garden.import('leetcode-submissions', here, { member: 'ada' });
  const handles = await listHandles(garden.store.reader);
  assert.deepEqual(
    handles.map(({ name, submissions }) => `${name} ${submissions}`),
    ['ada_lc 1', 'leetcode.cn/ada_lc 1'],
  );
  assert.equal((await garden.rows('problems')).length, 1);
});

test('real answers of LeetCode, and real ratings, are read', needsData, async () => {
  const real = (name: string) => readReal(`reach/leetcode/${name}`);
  const sent = await valuesIn(submissions, await real('recentAcSubmissionList.alfa-leetcode-api.json'));
  assert.deepEqual([sent.length, sent[0]?.submittedAt], [20, '2024-01-13T16:02:51.000Z']);
  const there = await valuesIn(chinese, await real('cn.recentACSubmissions.composed.json'));
  assert.deepEqual(
    there.map(({ key }) => key),
    ['two-sum'],
  );
  const rated = await valuesIn(ratings, await real('zerotrac.data.first-300.json'));
  assert.deepEqual([rated.length, rated[0]?.columns.rating], [300, 3774n]);
});
