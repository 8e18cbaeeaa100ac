/**
 * npm run replay and garden sync together, as people try them without a connection; and what the replayed judges refuse, because the
 * judges do.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { signedPath } from '../../src/judges/codeforces.ts';
import { contestFeeds } from '../../src/judges/contest-feeds.ts';
import { judgeOf } from '../../src/judges/judges.ts';
import { replayAoj } from '../replay/aoj.ts';
import { replayAtCoder } from '../replay/atcoder.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { replayCses } from '../replay/cses.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import { acceptedRow, replayLeetCode, replayLeetCodeCn } from '../replay/leetcode.ts';
import { limited, limits } from '../replay/limits.ts';
import { replayLuogu, replayVjudge } from '../replay/solved-lists.ts';
import { replayUva } from '../replay/uva.ts';
import { replayYukicoder } from '../replay/yukicoder.ts';
import { gardenHere } from '../support/commands.ts';
import { root, temporaryDatabase, withStore } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';
import { needsData, realPath } from '../support/real-data.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from './support.ts';

const gym = (id: number) => ({ contest: { id }, problems: [], rows: [] });
const [key, secret] = ['a'.repeat(40), 'b'.repeat(40)];
/** Signed when the row is tried: a signature is good for five minutes. */
const signed =
  (contestId: string, by = { key, secret }, ageMs = 0) =>
  () =>
    signedPath('contest.standings', { contestId }, by, new Date(Date.now() - ageMs), '123456');
const failed = (comment: string) => JSON.stringify({ status: 'FAILED', comment });
const nonGym = failed(
  'contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters',
);
const standings = (rest: string) => `/contest.standings?contestId=${rest}`;
const noUser = (field: string) => failed(`${field}: User with handle nobody not found`);
const notSigned = 'You have to be authenticated to use this method';

const headers = { 'Content-Type': 'application/json', Referer: 'https://leetcode.cn' };
const graphql = (query: string, name: string): RequestInit => {
  const variables = { username: name, userSlug: name };
  return { method: 'POST', headers, body: JSON.stringify({ query, variables }) };
};
const as = (token: string) => ({ headers: { 'X-Auth-Token': token } });
const contentOnly = { headers: { 'x-lentille-request': 'content-only' } };
const recent = 'query { matchedUser recentAcSubmissionList { titleSlug } }';
const accepted = Array.from({ length: 25 }, (_, at) => acceptedRow(`task-${at}`, at + 1));
const sentAt = { id: 1, time: '2026-01-01T12:00:00Z', outcome_status: 'pass' } as const;
const sentTo = (problem: string, id: number, points: number) => ({ id, user: 'ada', problem, points, result: 'AC' });

const cses = replayCses({ tasks: [], members: { ada: { 1068: [sentAt] } } });
const replayed = {
  codeforces: replayCodeforces({
    status: { ada: [{ contestId: 1 }, { contestId: 100_004 }, { contestId: 100_003 }] },
    standings: { 1: gym(1), 3: { ...gym(3), contest: { phase: 'BEFORE' } }, 100001: gym(100_001) },
    gated: { 100002: gym(100_002), 100003: gym(100_003) },
    closed: { 100004: gym(100_004) },
    keys: { [key]: secret },
  }),
  atcoder: replayAtCoder({ submissions: [] }),
  cses: cses.answer,
  dmoj: replayDmoj({
    submissions: [sentTo('p1', 1, 5), sentTo('p2', 2, 0), sentTo('p3', 3, 5)],
    problems: ['p1', 'p2', 'p3'].map((code) => ({ code, points: 5 })),
    archived: [3],
  }),
  uva: replayUva({ submissions: { ada: [] } }),
  aoj: replayAoj({ submissions: [] }),
  yukicoder: replayYukicoder({ ada: [] }),
  leetcode: replayLeetCode({ ada: accepted, hidden: null }),
  'leetcode-cn': replayLeetCodeCn({ ada: accepted }),
  vjudge: replayVjudge({}),
  luogu: replayLuogu({ 7: { status: 200, data: { user: { uid: 7 } } } }),
};

type Refusal = [path: string | (() => string), status: number, answer: string | RegExp, request?: RequestInit];

/**
 * What each judge refuses or leaves out, after shared notes about them; a few requests that are answered stand beside those. A
 * text stands in the answer.
 */
const refusals: { [Judge in keyof typeof replayed]: Refusal[] } = {
  codeforces: [
    [standings('1'), 200, '"OK"'],
    [standings('1&lang=en'), 200, '"OK"'],
    ...['from=1', 'count=1', 'handles=ada', 'showUnofficial=true'].map((more): Refusal => {
      return [standings(`1&${more}`), 400, nonGym];
    }),
    [standings('1&apiKey=x'), 400, failed('apiKey: Incorrect API key')],
    [standings('1'), 400, nonGym, { method: 'POST' }],
    [signed('1'), 400, nonGym],
    [standings('2'), 400, failed('contestId: Contest with id 2 not found')],
    [standings('3'), 400, failed('contestId: Contest with id 3 has not started')],
    [standings('100001&from=1&count=1'), 200, '"OK"'],
    [standings('100002'), 400, failed(`contestId: ${notSigned}`)],
    [standings('100003'), 400, failed(notSigned)],
    [signed('100003'), 200, '"OK"'],
    [standings('100001&handles=ada'), 200, '"OK"'],
    [standings('100001&handles=ada;nobody'), 400, noUser('handles')],
    [standings('100004'), 400, failed('contestId: Contest with id 100004 not found')],
    [signed('100004'), 200, '"OK"'],
    [signed('100004', undefined, 301_000), 400, failed('time: Incorrect time')],
    [signed('100004', { key: 'c', secret }), 400, failed('apiKey: Incorrect API key')],
    [signed('100004', { key, secret: 'c' }), 400, failed('apiSig: Incorrect signature')],
    ['/user.status?handle=ada', 200, '"result":[{"contestId":1},{"contestId":100003}]'],
    ['/user.status?handle=nobody', 400, noUser('handle')],
    [
      `/user.status?handle=${'x'.repeat(25)}`,
      400,
      failed('handle: Field should contain between 3 and 24 characters, inclusive'),
    ],
    ['/user.rating?handle=nobody', 400, noUser('handle')],
    ['/user.info?handles=ada;nobody;none', 400, noUser('handles')],
  ],
  atcoder: [
    ['/atcoder-api/v3/user/submissions?user=ada', 400, 'from_second'],
    ['/atcoder-api/v3/user/submissions?from_second=0', 400, 'user'],
    ['/atcoder-api/v3/user/submission_count?user=ada&from_second=0', 400, 'to_second'],
    ['/atcoder-api/v3/user/submissions?user=nobody&from_second=0', 200, /^\[\]$/],
    ['/resources/problems.json', 403, '', { headers: { 'Accept-Encoding': 'identity' } }],
  ],
  cses: [
    ['/login', 401, 'invalid_api_key', as('another')],
    ['/login', 401, 'pending_api_key', as('begun')],
    ['/courses/problemset/list', 401, 'pending_api_key', as('begun')],
    ['/courses/problemset/submissions?task=1068', 401, 'invalid_api_key'],
    ['/courses/problemset/submissions', 400, 'client_error', as('confirmed')],
    ['/courses/another/list', 400, 'client_error', as('confirmed')],
  ],
  dmoj: [
    ['/api/v2/user/nobody', 404, '"error":{"code":404'],
    ['/api/v2/submissions?user=nobody', 200, '"objects":[]'],
    ['/api/v2/submissions?user=ada&page=2', 404, '"error"'],
    ['/api/v2/submissions?user=ada&result=WA', 200, '"objects":[]'],
    ['/api/v2/user/ada', 200, '"solved_problems":["p1"]'],
    ['/api/v2/contest/nothing', 404, '"error"'],
    ['/api/v2/problems', 400, /^Invalid authorization header$/, { headers: { Authorization: 'Bearer x' } }],
    ['/api/v2/problems', 401, /^Invalid token$/, { headers: { Authorization: `Bearer ${'x'.repeat(48)}` } }],
  ],
  uva: [['/uname2uid/nobody', 200, /^0$/]],
  aoj: [
    ['/users/nobody', 404, 'USER_NOT_FOUND_ERROR'],
    ['/submission_records/users/nobody?page=0&size=1000', 200, /^\[\]$/],
  ],
  yukicoder: [['/solved/name/nobody', 404, 'NotFound']],
  leetcode: [
    ['/graphql', 400, '<html>'],
    ['/graphql', 400, '<html>', { ...graphql(recent, 'ada'), headers: { 'Content-Type': 'application/json' } }],
    ['/graphql', 400, 'Cannot query field \\"__schema\\"', graphql('{ __schema }', 'ada')],
    ['/graphql', 200, '"matchedUser":null', graphql(recent, 'nobody')],
    ['/graphql', 200, '"recentAcSubmissionList":null', graphql(recent, 'hidden')],
    ['/graphql', 200, /^(?!.*"task-4").*"task-5"/, graphql(recent, 'ada')],
    ['/contest/api/info/nothing/', 200, '"error"'],
  ],
  'leetcode-cn': [
    ['/graphql/noj-go/', 403, '<html>'],
    ['/graphql/noj-go/', 200, '"recentACSubmissions":null', graphql('', 'nobody')],
    ['/graphql/noj-go/', 200, /^(?!.*"task-9").*"task-10"/, graphql('', 'ada')],
    ['/graphql/', 200, '"userProfilePublicProfile":null', graphql('', 'nobody')],
  ],
  vjudge: [
    ['/user/solveDetail/nobody', 500, 'error'],
    ['/user/submissions', 200, 'Please login first'],
  ],
  luogu: [
    ['/user/7/practice', 200, '<title>'],
    ['/user/7/practice', 200, /^(?!.*passed)/, contentOnly],
    ['/user/8/practice', 404, '404', contentOnly],
    ['/user/ada/practice', 404, 'not found'],
    ['/user/7/practice', 403, '', { headers: { 'User-Agent': 'Mozilla/5.0' } }],
    ['/user/7/practice', 403, '', { headers: { 'User-Agent': 'python-requests/2' } }],
  ],
};

test('replayed judges refuse what the judges refuse', async (t) => {
  const { url } = await replayOf(t, replayed);
  const tokens = new Map<string, string>();
  for (const name of ['begun', 'confirmed']) {
    const answer = await fetch(`${url}/cses/login`, { method: 'POST' });
    tokens.set(name, ((await answer.json()) as Record<string, string>)['X-Auth-Token'] ?? '');
  }
  cses.confirm(tokens.get('confirmed') ?? '', 'ada');
  for (const [judge, rows] of Object.entries(refusals)) {
    for (const [pathOrSigned, status, expected, request] of rows) {
      const path = typeof pathOrSigned === 'string' ? pathOrSigned : pathOrSigned();
      const answer = await fetch(`${url}/${judge}${path}`, withToken(request, tokens));
      const text = await answer.text();
      assert.equal(answer.status, status, `${judge}${path} ${text}`);
      assert.ok(typeof expected === 'string' ? text.includes(expected) : expected.test(text), `${path} ${text}`);
    }
  }
});

function withToken(request: RequestInit = {}, tokens: ReadonlyMap<string, string>): RequestInit {
  const headers = new Headers(request.headers);
  const token = headers.get('X-Auth-Token') ?? '';
  if (tokens.has(token)) headers.set('X-Auth-Token', tokens.get(token) ?? '');
  return { ...request, headers };
}

test('the garden asks no judge as often as the judge refuses', async (t) => {
  for (const [source, limit] of Object.entries(limits)) {
    const { intervalMs = 0 } = judgeOf(source)?.api ?? {};
    assert.ok(intervalMs * limit.most >= limit.ms, source);
    const { url } = await replayOf(t, { judge: limited(() => ({ body: '' }), limit) });
    const statuses: number[] = [];
    for (let at = 0; at <= limit.most; at++) statuses.push((await fetch(`${url}/judge/`)).status);
    assert.deepEqual(statuses, [...Array(limit.most).fill(200), limit.refusal.status], source);
  }
  assert.ok((contestFeeds.get('clist')?.api.intervalMs ?? 0) * 10 >= 60_000);
});

test('the recorded answers are served, and go wrong when asked to', needsData, async (t) => {
  const port = await freePort();
  const main = join(root, 'test', 'replay', 'main.ts');
  const child = spawn(process.execPath, [main, '--data', realPath(), '--port', String(port)]);
  t.after(() => child.kill());
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await until('the replay', () => /handle add NAME dmoj/.test(printed));
  const [, JUDGE_URLS = ''] = /JUDGE_URLS=(\S+)/.exec(printed) ?? [];
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async () => {});
  const run = (...args: string[]) => gardenHere(args, { databaseUrl, env: { JUDGE_URLS } });
  const good = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  await good('member', 'create', 'ada');
  assert.match(await good('sync'), /Nobody has a handle at a judge that is asked: link one with garden handle add/);
  await good('handle', 'add', 'ada', 'codeforces', 'rishgod');
  await good('handle', 'add', 'ada', 'dmoj', 'ada');
  await good('handle', 'add', 'ada', 'cses', 'ada');
  assert.match(await good('sync', '--judge', 'cses'), /CSES shows submissions only to their author/);
  assert.match(await good('sync', '--judge', 'dmoj', '--catalogue'), /DMOJ, problems: 3 added\./);
  const trial = await good('sync', '--judge', 'dmoj', '--dry-run');
  assert.match(trial, /ada, ada at DMOJ: Statuses: 3 added\.\nDry run: nothing was changed\./s);
  assert.match(
    await good('sync'),
    /ada, rishgod at Codeforces: Statuses: .*\n {2}89 submissions: .*\nada, ada at DMOJ: Statuses: 3 added/s,
  );
  assert.match(await good('sync', '--judge', 'dmoj'), /Statuses: 3 unchanged/);

  const wrong = await fetch(`http://127.0.0.1:${port}/faults?judge=codeforces&kind=page&count=1`);
  assert.equal(wrong.status, 200);
  const { code, stdout, stderr } = await run('sync');
  assert.equal(code, 1);
  assert.match(
    stdout,
    /rishgod at Codeforces: Codeforces only lets people in a browser through\. .*\nada, ada at DMOJ: Statuses: 3 unchanged/s,
  );
  assert.match(stderr, /1 of 2 runs failed \(see above\); the others were saved\./);
});
