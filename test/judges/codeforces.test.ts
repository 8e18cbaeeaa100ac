/** Codeforces' files: the catalogue, twins and submissions, good and bad, small and real. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { guessKinds } from '../../src/importing/resources.ts';
import { codeforces, signedPath } from '../../src/judges/codeforces.ts';
import type { CatalogueEntry, JudgeFile } from '../../src/judges/judge.ts';
import { all, assertBadFile, chunksOf, realFile } from '../support/files.ts';
import { needsData } from '../support/real-data.ts';
import { entriesOf, faultsIn, realEntries, valuesIn } from './support.ts';

const { files } = codeforces;

const problem = {
  contestId: 1874,
  index: 'F',
  name: ' Jellyfish and OEIS ',
  rating: 3500,
  tags: ['dp', 'math', 'dp'],
};
const author = { members: [{ handle: 'ada' }], participantType: 'PRACTICE', ghost: false };
const submission = {
  id: 1,
  contestId: 1874,
  creationTimeSeconds: 1608387223,
  problem: { contestId: 1874, index: 'F', name: 'Jellyfish and OEIS', tags: [] },
  author,
  programmingLanguage: 'GNU C++17',
  testset: 'TESTS',
  verdict: 'OK',
};

function catalogue(...problems: unknown[]) {
  return { status: 'OK', result: { problems, problemStatistics: [{ contestId: 1 }] } };
}

const columnsOf = (listed: readonly CatalogueEntry[]) => listed.map(({ columns }) => columns);

function answer(...result: unknown[]) {
  return { status: 'OK', result };
}

test('a problem is known by its contest and index, with its page, rating and tags', async () => {
  const unrated = { ...problem, index: 'A1', rating: undefined, tags: [] };
  const values = await valuesIn(files.problems, catalogue(problem, unrated));
  assert.deepEqual(columnsOf(values), [
    {
      source_key: '1874F',
      title: 'Jellyfish and OEIS',
      url: 'https://codeforces.com/problemset/problem/1874/F',
      rating: 3500n,
      tags: '["dp","math"]',
    },
    {
      source_key: '1874A1',
      title: 'Jellyfish and OEIS',
      url: 'https://codeforces.com/problemset/problem/1874/A1',
      rating: null,
      tags: '[]',
    },
  ]);
});

test('a problem of the acmsguru archive has its own key and page', async () => {
  const old = { problemsetName: 'acmsguru', index: '100', name: 'A+B', tags: [] };
  const [value] = columnsOf(await valuesIn(files.problems, catalogue(old)));
  assert.equal(value?.source_key, 'acmsguru-100');
  assert.equal(value?.url, 'https://codeforces.com/problemsets/acmsguru/problem/99999/100');
  assert.equal(codeforces.problemPage('acmsguru-100'), value?.url);
  const sent = { ...submission, contestId: 99999, problem: old };
  const byContest = { ...submission, problem: { contestId: 99999, index: '100' } };
  const byName = {
    ...submission,
    contestId: undefined,
    problem: { ...old, contestId: null, problemsetName: 'ACMSGURU' },
  };
  for (const { key, contest } of await valuesIn(files.submissions, answer(sent, byContest, byName)))
    assert.deepEqual([key, contest], ['acmsguru-100', null]);
});

const badProblems: [change: object | null, fault: string][] = [
  [{ contestId: '1874' }, 'contestId is "1874"; expected a whole number from 1 to 2147483647.'],
  [{ contestId: 0 }, 'contestId is 0; expected a whole number from 1 to 2147483647.'],
  [{ contestId: undefined }, 'contestId is missing; expected a whole number from 1 to 2147483647.'],
  [{ index: 'F/../..' }, 'index is "F/../.."; expected 1 to 8 letters and digits.'],
  [{ name: '  ' }, 'name is "  "; expected text of 1 to 500 characters.'],
  [{ name: 'x\0' }, 'name is "x\\u0000"; expected text of 1 to 500 characters.'],
  [{ name: 'x'.repeat(501) }, `name is "${'x'.repeat(56)}...; expected text of 1 to 500 characters.`],
  [{ rating: 3500.5 }, 'rating is 3500.5; expected a whole number from 0 to 10000.'],
  [{ rating: -1 }, 'rating is -1; expected a whole number from 0 to 10000.'],
  [{ tags: 'dp' }, 'tags is "dp"; expected a list.'],
  [{ tags: ['dp', 7] }, 'tags[1] is 7; expected text of 1 to 100 characters.'],
  [null, 'The entry is null; expected an object.'],
];

test('a problem with a wrong field is a bad entry that names the field, what it is and what it should be', async () => {
  const changed = badProblems.map(([change]) => change && { ...problem, ...change });
  const faults = await faultsIn(files.problems, catalogue(...changed));
  assert.deepEqual(
    faults,
    badProblems.map(([, fault]) => fault),
  );
});

test('the numbers of solvers stand in a list beside the problems, and a list of another shape adds none', async () => {
  const figures = [
    null,
    7,
    { contestId: 1874, index: 'E', solvedCount: 1 },
    { contestId: 1874, index: 'F', solvedCount: 9214 },
  ];
  const read = async (problemStatistics: unknown) => {
    const text = JSON.stringify({ status: 'OK', result: { problems: [problem], problemStatistics } });
    return (await valuesIn(files.problems, text)).map(({ solverCount }) => solverCount);
  };
  assert.deepEqual(await read(figures), [9214n]);
  const twice = [problem, { ...problem, index: 'E' }];
  const counts = twice.map(({ contestId, index }, at) => ({ contestId, index, solvedCount: at + 1 }));
  for (const problemStatistics of [counts, counts.toReversed()]) {
    const text = JSON.stringify({ status: 'OK', result: { problems: twice, problemStatistics } });
    const listed = await valuesIn(files.problems, text);
    assert.deepEqual(
      listed.map(({ solverCount }) => solverCount),
      [1n, 2n],
    );
  }
  for (const other of [undefined, [], {}, 'x', [{ index: 'F' }]]) assert.deepEqual(await read(other), [undefined]);
  const odd = `{"result":{"problems":[null,5,9007199254740993],"problemStatistics":[{"solvedCount":1}]}}`;
  assert.equal((await faultsIn(files.problems, odd)).length, 3);
  const raw = `{"result":{"problems":[${JSON.stringify(problem)}],"problemStatistics":[{"contestId":1874.0,"index":"F","solvedCount":1}]}}`;
  const [unmatched] = await valuesIn(files.problems, raw);
  assert.equal(unmatched?.solverCount, undefined);
  const wrong = { problems: [problem], problemStatistics: [{ ...problem, solvedCount: 'many' }] };
  assert.deepEqual(await faultsIn(files.problems, { result: wrong }), [
    'solvedCount is "many"; expected a whole number from 0 to 9007199254740991.',
  ]);
});

test('a bad entry stands among the good ones with its place', async () => {
  const text = `{"status":"OK","result":{"problems":[\n${JSON.stringify(problem)},\n {"contestId":1}]}}`;
  const entries = await all(entriesOf(files.problems, text));
  assert.deepEqual(
    entries.map(({ line, column }) => [line, column]),
    [
      [2, 1],
      [3, 2],
    ],
  );
});

test('an integer too large for a contest is bad, not rounded', async () => {
  const text = '{"status":"OK","result":{"problems":[{"contestId":9007199254740993,"index":"A"}]}}';
  const [fault] = await faultsIn(files.problems, text);
  assert.match(fault ?? '', /^contestId is 9007199254740993;/);
});

test('each twin row is a group of keys', async () => {
  const shared = [
    { contestId: 2, index: 'D1', id: '2D1' },
    { contestId: 3, index: 'A' },
  ];
  const row = { contestId: 1, index: 'B', id: '1B', shared };
  assert.deepEqual(await valuesIn(files.twins, answer(row)), [['1B', '2D1', '3A']]);
  const wrong = [
    { contestId: 1, index: 'B', shared: [] },
    { contestId: 1, index: 'B', shared: [{ contestId: 1 }] },
  ];
  assert.deepEqual(await faultsIn(files.twins, answer(...wrong)), [
    'shared is an empty list; expected a list of at least one problem.',
    'shared[0].index is missing; expected 1 to 8 letters and digits.',
  ]);
});

test('a submission tells its problem, its time, who sent it and the ruling', async () => {
  const { contestId: _, ...withoutContest } = submission.problem;
  const faults = ['FAILED', 'CRASHED', 'INPUT_PREPARATION_CRASHED'];
  const submissions = [
    submission,
    { ...submission, verdict: 'WRONG_ANSWER' },
    { ...submission, verdict: undefined },
    { ...submission, contestId: 100_001, problem: withoutContest },
    { ...submission, verdict: 'COMPILATION_ERROR' },
    ...faults.map((verdict) => ({ ...submission, verdict })),
    { ...submission, testset: 'PRETESTS' },
    { ...submission, verdict: 'TESTING' },
    ...['CONTESTANT', 'VIRTUAL', 'PRACTICE'].map((participantType) => ({
      ...submission,
      author: {
        ...author,
        participantType,
        startTimeSeconds: 1_608_380_000,
        teamId: participantType === 'PRACTICE' ? '77' : 77,
        members: [{ handle: 'ada' }, { handle: 'bob' }],
      },
    })),
    { ...submission, author: { ...author, participantType: 'OUT_OF_COMPETITION' } },
    { ...submission, author: { ...author, participantType: 'MANAGER' } },
    { ...submission, problem: { ...submission.problem, name: 'x'.repeat(501) } },
    { ...submission, author: undefined, programmingLanguage: undefined },
    { ...submission, author: { members: [{}], participantType: 'constructor' }, programmingLanguage: 7, verdict: 7 },
    { ...submission, programmingLanguage: `${'x'.repeat(199)}🌊`, verdict: 'X'.repeat(101) },
    { ...submission, programmingLanguage: ' ', verdict: '' },
    { ...submission, contestId: 104_520, problem: { index: '1A', name: `\0${'🌊'.repeat(300)}` } },
    { ...submission, contestId: 1_045_201, problem: { index: 'A', name: null } },
    { ...submission, contestId: 104_521, problem: { index: '00', name: 5 } },
  ];
  const untitled = {
    id: '1',
    key: '1874F',
    handles: ['ada'],
    submittedAt: '2020-12-19T14:13:43.000Z',
    contest: '1874',
    verdictClass: 'solved',
    verdict: 'OK',
    participation: 'practice',
    language: 'GNU C++17',
    isGym: false,
  };
  const told = { ...untitled, title: 'Jellyfish and OEIS' };
  assert.deepEqual(await valuesIn(files.submissions, answer(...submissions)), [
    told,
    { ...told, verdictClass: 'tried', verdict: 'WRONG_ANSWER' },
    { ...told, verdictClass: 'pending', verdict: null },
    { ...untitled, contest: '100001', key: '100001F', isGym: true, problem: { title: 'Jellyfish and OEIS' } },
    { ...told, verdictClass: 'void', verdict: 'COMPILATION_ERROR' },
    ...faults.map((verdict) => ({ ...told, verdictClass: 'void', verdict })),
    { ...told, verdictClass: 'pending' },
    { ...told, verdictClass: 'pending', verdict: 'TESTING' },
    ...['team', 'virtual', 'practice'].map((participation) => ({
      ...told,
      handles: ['ada', 'bob'],
      participation,
      isTeam: true,
      ...(participation !== 'practice' && { judgeTeam: '77' }),
      ...(participation === 'virtual' && { virtualBeganAt: '2020-12-19T12:13:20.000Z' }),
    })),
    { ...told, participation: 'contest' },
    { ...told, participation: null },
    { ...told, title: 'x'.repeat(500) },
    { ...told, handles: [], participation: null, language: null },
    { ...told, handles: [], participation: null, language: null, verdictClass: 'pending', verdict: null },
    { ...told, language: 'x'.repeat(199), verdictClass: 'tried', verdict: 'X'.repeat(100) },
    { ...told, language: null, verdictClass: 'pending', verdict: null },
    { ...untitled, contest: '104520', key: '104520-1A', isGym: true, problem: { title: '🌊'.repeat(250) } },
    { ...untitled, contest: '1045201', key: '1045201A', isGym: true, problem: {} },
    { ...untitled, contest: '104521', key: '10452100', isGym: true, problem: {} },
  ]);
});

test('a submission with a wrong field is a bad entry', async () => {
  const submissions = [
    { ...submission, creationTimeSeconds: '1608387223' },
    { ...submission, problem: null },
    { ...submission, problem: { ...submission.problem, contestId: 1.5 } },
    { ...submission, id: -1 },
  ];
  assert.deepEqual(await faultsIn(files.submissions, answer(...submissions)), [
    'creationTimeSeconds is "1608387223"; expected a whole number from 0 to 253402300799.',
    'problem is null; expected an object.',
    'problem.contestId is 1.5; expected a whole number from 1 to 2147483647.',
    'id is -1; expected a whole number from 0 to 9007199254740991.',
  ]);
});

test('the key of an index that begins with a digit is of one problem, whose page has the key', () => {
  for (const [key, page, place] of [
    ['1874F', 'problemset/problem/1874/F', ['1874', 'F']],
    ['92101', 'problemset/problem/921/01', ['921', '01']],
    ['104520-1A', 'gym/104520/problem/1A', ['104520', '1A']],
    ['1045201A', 'gym/1045201/problem/A', ['1045201', 'A']],
    ['104520-123', 'gym/104520/problem/123', ['104520', '123']],
    ['100000A', 'gym/100000/problem/A', ['100000', 'A']],
    ['99998A', 'problemset/problem/99998/A', ['99998', 'A']],
  ] as const) {
    const url = `https://codeforces.com/${page}`;
    assert.equal(codeforces.problemPage(key), url);
    assert.equal(codeforces.problemKeyAt(new URL(url), undefined), key);
    assert.deepEqual(Object.values(codeforces.contestPositionOf(key) ?? {}), place);
    assert.equal(codeforces.isGym(key), page.startsWith('gym'));
  }
  for (const key of ['acmsguru-100', '104520-A', '12', 'A'])
    assert.equal(codeforces.contestPositionOf(key), undefined, key);
});

test('a contest has its times, its phase, and the difficulty of a gym', async () => {
  const contest = { id: 4, name: 'Pond', phase: 'BEFORE', durationSeconds: 0, startTimeSeconds: 9 };
  const changed = (...changes: object[]) => answer(...changes.map((change) => ({ ...contest, ...change })));
  const difficulties = [0, 1, 5, 6].map((difficulty) => ({ difficulty }));
  const found = await valuesIn(files.contests, changed({ startTimeSeconds: null, phase: undefined }, ...difficulties));
  const row = { key: '4', title: 'Pond', duration_s: 0n, starts_at: '1970-01-01T00:00:09.000Z', phase: 'BEFORE' };
  assert.deepEqual(found, [
    { ...row, starts_at: null, phase: null, difficulty: null },
    ...[null, 1n, 5n, null].map((difficulty) => ({ ...row, difficulty })),
  ]);
  assert.deepEqual(
    await faultsIn(files.contests, changed({ id: 0 }, { durationSeconds: -1 }, { phase: 7 }, { name: 7 })),
    [
      'id is 0; expected a whole number from 1 to 2147483647.',
      'durationSeconds is -1; expected a whole number from 0 to 2147483647.',
      'phase is 7; expected text of 1 to 100 characters.',
      'name is 7; expected text of 1 to 500 characters.',
    ],
  );
});

test('a ladder is of one division and letter, and a submission has its page', () => {
  const { ladderOf, most } = codeforces.libraryRules;
  const rounds = [
    'Round 889 (Div. 2)',
    'Round 1 (X, Div. 1, by Y)',
    'CodeTON 7 (Div. 1 + Div. 2)',
    'Edu (Rated for Div. 2)',
  ];
  assert.deepEqual(
    rounds.map((title) => ladderOf(title, 'C2')),
    ['Div. 2 C', 'Div. 1 C', undefined, undefined],
  );
  assert.deepEqual([ladderOf('Round 889 (Div. 2)', 'G'), most], [undefined, 100]);
  const pageOf = (key: string, contest: string | null, id = '7') => codeforces.submissionPage({ id, key, contest });
  assert.deepEqual(
    [
      pageOf('99999A', '99999'),
      pageOf('100000A', '100000'),
      pageOf('acmsguru-100', null),
      pageOf('4A', null),
      pageOf('4A', '4', 'x'),
    ],
    [
      'https://codeforces.com/contest/99999/submission/7',
      'https://codeforces.com/gym/100000/submission/7',
      'https://codeforces.com/problemsets/acmsguru/submission/99999/7',
      undefined,
      undefined,
    ],
  );
  assert.deepEqual(['99999', '100000'].map(codeforces.gymTitle), [undefined, 'Gym 100000']);
  const { spread, shift, usualStrength } = codeforces.chanceModel;
  assert.deepEqual([spread, shift, usualStrength], [350, 50, 1400]);
});

test('a signed call has its parameters in order, and the SHA-512 of them as codeforces.com/apiHelp says', () => {
  // Its example: contest.hacks of 566 with the key xxx, the secret yyy, this time and the six characters 123456.
  const at = new Date(1_779_968_966_999);
  const path = signedPath('contest.hacks', { contestId: '566' }, { key: 'xxx', secret: 'yyy' }, at, '123456');
  const signed = 'contest.hacks?apiKey=xxx&contestId=566&time=1779968966';
  assert.equal(path, `/${signed}&apiSig=123456${hash('sha512', `123456/${signed}#yyy`)}`);
  assert.equal(path.length, `/${signed}&apiSig=`.length + 6 + 128);
});

test('twins may come as the module that cftracker keeps, and its faults have their places', async () => {
  const module = (json: string, end = ';\n') => valuesIn(files.twins, `export const jsonData = ${json}${end}`);
  const json = JSON.stringify({
    status: 'OK',
    result: [{ contestId: 1, index: 'B', shared: [{ contestId: 2, index: 'D' }] }],
  });
  for (const end of [';\n', '']) assert.deepEqual(await module(json, end), [['1B', '2D']]);
  const kinds = guessKinds(`export const jsonData = ${json}`).map(({ what }) => what);
  assert.deepEqual(kinds, ['codeforces-twins']);
  await assertBadFile(module('{"status":"OK",result:[]}'), /^Line 1, column 40/);
  await assertBadFile(valuesIn(files.problems, `export const x = ${json}`), /import it with codeforces-twins/);
  await assertBadFile(valuesIn(files.twins, '[{"contestId":1,"parentContestId":1}]'), /not an object/);
});

test("a failed answer is refused with Codeforces' own words", async () => {
  const failed = '{"status":"FAILED","comment":"handle: User with handle nobody not found"}';
  const sentence =
    /^Codeforces answered "FAILED": "handle: User with handle nobody not found", so the file has no data/;
  await assertBadFile(valuesIn(files.problems, failed), sentence);
  await assertBadFile(valuesIn(files.twins, failed), sentence);
  await assertBadFile(valuesIn(files.submissions, chunksOf(failed, 1)), sentence);
});

test('another kind of file is named, with the import that takes it', async () => {
  const task = { id: 'abc001_1', contest_id: 'abc001', problem_index: 'A', name: 'x', title: 'A. x' };
  const { problems, submissions, twins } = files;
  const sentences: [file: JudgeFile, content: unknown, sentence: RegExp][] = [
    [
      problems,
      answer(submission),
      /^This looks like Codeforces user\.status, not Codeforces problemset\.problems: import it with codeforces-submissions --member NAME\.$/,
    ],
    [
      submissions,
      catalogue(problem),
      /Codeforces problemset\.problems, not Codeforces user\.status: import it with codeforces-problems\.$/,
    ],
    [twins, catalogue(problem), /problemset\.problems, not Codeforces shared problems/],
    [
      problems,
      chunksOf(JSON.stringify([task]), 1),
      /AtCoder problems\.json, not Codeforces problemset\.problems: import it with atcoder-problems/,
    ],
    [
      submissions,
      answer({ id: 1, phase: 'FINISHED', durationSeconds: 1 }),
      /contest\.list, not Codeforces user\.status: import it with codeforces-contests\.$/,
    ],
    [problems, [], /^The document is not an object/],
    [problems, { status: 'OK' }, /^The file has no "result\.problems"/],
    [problems, answer(), /^"result" is not an object/],
  ];
  for (const [file, content, sentence] of sentences) await assertBadFile(valuesIn(file, content), sentence);
});

test('the real catalogue has 11,363 problems and no key twice', needsData, async () => {
  const problems = await realEntries(files.problems, 'codeforces/problemset.problems.2026-08.json', 11_363);
  const rows = columnsOf(problems);
  assert.equal(rows.filter(({ rating }) => rating === null).length, 283);
  assert.ok(rows.some(({ source_key }) => source_key === '1874F'));
});

test('the real twins have 2,934 rows', needsData, async () => {
  const twins = await valuesIn(files.twins, realFile('codeforces/shared-problems.2026-08.json'));
  assert.equal(twins.length, 2_934);
  assert.deepEqual(twins[0], ['2066A', '2067D']);
});

test('the real submissions are 1,557, 30 of them in gyms, and 89', needsData, async () => {
  const sent = (name: string) => valuesIn(files.submissions, realFile(`codeforces/user.status.${name}.json`));
  const submissions = await sent('gbuenoandrade-1557');
  assert.equal(submissions.length, 1_557);
  assert.equal(submissions.filter(({ isGym }) => isGym).length, 30);
  assert.equal((await sent('rishgod-89')).length, 89);
});
