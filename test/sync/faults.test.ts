/** Whatever a judge answers, a sync says what happened, changes nothing, and the next run ends with exactly the right rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { faultKindOf } from '../../src/judges/faults.ts';
import type { Judge } from '../../src/judges/judge.ts';
import { judgeOf, judges } from '../../src/judges/judges.ts';
import { type Garden, submissionsOf } from '../importing/support.ts';
import { aojRow, replayAoj } from '../replay/aoj.ts';
import { acceptedRow as atcoderRow, replayAtCoder } from '../replay/atcoder.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { dmojRow, replayDmoj } from '../replay/dmoj.ts';
import { acceptedRow, replayLeetCode, replayLeetCodeCn } from '../replay/leetcode.ts';
import type { Fault } from '../replay/replay.ts';
import { handleAt, passedAtLuogu, replayLuogu, replayVjudge } from '../replay/solved-lists.ts';
import { replayUva } from '../replay/uva.ts';
import { replayYukicoder, solvedRow } from '../replay/yukicoder.ts';
import { askReplay, gardenWithHandle, keptIn, replayOf, siteNamed, syncing } from './support.ts';

const second = Math.floor(Date.now() / 1000) - 86_400;
const sent = {
  codeforces: submissionsOf('ada', ['1A', 'OK', second], ['2A', 'WRONG_ANSWER', second - 5]),
  atcoder: [1, 2].map((id) => atcoderRow(id, 'ada', second + id)),
  dmoj: [1, 2].map((id) => dmojRow(id, `p${id}`, (second + id) * 1000)),
};
const replayed = {
  codeforces: replayCodeforces({
    status: { ada: (sent.codeforces as { result: unknown[] }).result },
    standings: { 1: { contest: { id: 1, name: 'Round 1' }, problems: [], rows: [] } },
  }),
  atcoder: replayAtCoder({ submissions: sent.atcoder }),
  dmoj: replayDmoj({ submissions: sent.dmoj }),
  aoj: replayAoj({ submissions: [1, 2].map((id) => aojRow(id, '0598', 4, second * 1000)) }),
  yukicoder: replayYukicoder({ ada: [1, 2].map((number) => solvedRow(number, second)) }),
  leetcode: replayLeetCode({ ada: [1, 2].map((at) => acceptedRow(`task-${at}`, second)) }),
  'leetcode-cn': replayLeetCodeCn({ ada: [1, 2].map((at) => acceptedRow(`task-${at}`, second)) }),
  vjudge: replayVjudge({ ada: { acRecords: { Kattis: ['zamka'], UVA: ['100'] }, failRecords: {} } }),
  luogu: replayLuogu({ 7: passedAtLuogu('P1001', 'CF1A') }),
  uva: replayUva({ submissions: { ada: [1, 2].map((id) => [id, id, 90, 0, second, 5, 1]) } }),
};

/** Faults, each with its kind and its sentence; a judge that is busy or down for a moment is asked again. */
const cases: [fault: Fault, kind: string, says: string][] = [
  [{ kind: 'call limit' }, 'busy', 'says that we send too many requests\\. We try again later\\.'],
  [{ kind: 'status', status: 500 }, 'down', 'is down: it answered 500\\. We try again later\\.'],
  [{ kind: 'status', status: 502 }, 'down', 'is down: it answered 502\\.'],
  [{ kind: 'page', status: 502 }, 'down', 'is down: it answered 502 with a page\\.'],
  [
    { kind: 'page', status: 403 },
    'refused',
    `only lets people in a browser through\\. For now, import your submissions or solved problems yourself, from your browser or a`,
  ],
  [
    { kind: 'answer', status: 403, body: 'The page is temporarily blocked by administrator.' },
    'refused',
    'refused this server: “The page is temporarily blocked by administrator\\.” \\(403\\)\\. For now, import ',
  ],
  [
    { kind: 'answer', status: 403, body: '{"status":"FAILED","comment":"Not you","message":"Not you"}' },
    'refused',
    '(?:refused this server: “Not you” \\(403\\)\\.|only lets people in)',
  ],
  [
    { kind: 'answer', status: 401, body: 'Log in first' },
    'refused',
    'shows this only to people who are signed in there',
  ],
  [
    { kind: 'answer', status: 200, body: '\n<form><input name=a type="password"></form>' },
    'refused',
    'shows this only to people who are signed in',
  ],
  [{ kind: 'answer', status: 200, body: '<html><script>location.reload()</script>' }, 'refused', 'only lets people in'],
  [{ kind: 'answer', status: 200, body: '<style>p{}</style><p>Access Denied' }, 'refused', 'only lets people in'],
  [{ kind: 'answer', status: 202, body: '<p>One moment<script>x()</script>' }, 'refused', 'only lets people in'],
  [
    { kind: 'answer', status: 200, body: '<p>We are back soon.<script>x()</script>' },
    'down',
    'is down: it answered 200',
  ],
  [{ kind: 'answer', status: 302, body: '' }, 'refused', 'only lets people in'],
  [{ kind: 'redirect', to: '?f0a28=1' }, 'refused', 'only lets people in'],
  [{ kind: 'redirect', to: '/cdn-cgi/challenge' }, 'refused', 'only lets people in'],
  [{ kind: 'redirect', to: '/accounts/login/?next=/' }, 'refused', 'shows this only to people who are signed in'],
  [{ kind: 'truncated' }, 'odd answer', 'answered 200 with text that is not JSON, perhaps cut off\\.'],
  [{ kind: 'stalled', ms: 60_000 }, 'down', 'did not answer within 0\\.3 seconds\\.'],
  [
    { kind: 'redirect', to: 'elsewhere' },
    'odd answer',
    'redirected to another address, which we don’t follow\\. An administrator can set the judge’s new address\\.',
  ],
  [{ kind: 'reset' }, 'down', 'could not be reached \\(\\w+\\)\\. We try again later\\.'],
];

/** Judges for which a list without rows means that nothing was sent. */
const mayBeEmpty: readonly string[] = ['atcoder', 'aoj', 'yukicoder'];

/** VJudge answers a name that nobody has with 500. */
const casesOf = (source: string) =>
  source === 'vjudge' ? cases.filter(([fault]) => fault.kind !== 'status' || fault.status !== 500) : cases;

/** The rows that a sync leaves: submissions, or judge statuses where a list has no days. */
async function countKept(garden: Garden): Promise<number> {
  const { solves, statuses } = await keptIn(garden);
  return solves.length || statuses.length;
}

const asked = [
  ...(['codeforces', 'atcoder', 'dmoj', 'uva', 'aoj', 'yukicoder'] as const),
  ...(['leetcode', 'leetcode-cn', 'vjudge', 'luogu'] as const),
];

for (const source of asked) {
  test(`all that can go wrong at ${source}`, async (t) => {
    const replay = await replayOf(t, replayed);
    const elsewhere = await replayOf(t, replayed);
    const { garden, handle } = await gardenWithHandle(t, source, handleAt(source));
    const { branch, source: judge } = siteNamed(source);
    const { site } = branch ?? (judgeOf(judge) as Judge);
    // Only a judge that stalls is to be given up early, on a busy machine too.
    const asking = ({ kind }: Fault, retries: number, earlyMs: number) => {
      const answerMs = kind === 'stalled' ? earlyMs : 20_000;
      return askReplay(garden.store, source, replay, { pace: { retries, answerMs } });
    };
    const empty = await keptIn(garden);
    // DMOJ is asked for solved problems after a page, and Codeforces for contests too.
    const places = source === 'dmoj' ? [0, 1] : [0];
    const failing = casesOf(source).flatMap((one) => places.map((place) => [...one, place] as const));
    for (const [sent, kind, says, place] of failing) {
      const isMoved = sent.kind === 'redirect' && sent.to === 'elsewhere';
      const fault = isMoved ? { ...sent, to: `${elsewhere.url}/${source}` } : sent;
      const isFault = (error: Error) => {
        assert.match(error.message, new RegExp(`^${site} ${says}`), fault.kind);
        assert.ok(kind.includes(faultKindOf(error) ?? 'none'), `${fault.kind}: ${faultKindOf(error)}`);
        return true;
      };
      const ask = asking(sent, 0, 300);
      replay.fail(source, ...Array(place).fill({ kind: 'none' }), fault);
      await assert.rejects(syncHandle(garden.store, handle, ask), isFault);
      if (source === 'codeforces') {
        replay.fail(source, fault);
        await assert.rejects(judges.codeforces.api.contest?.(ask, '1') ?? Promise.resolve(), isFault);
      }
      assert.deepEqual(await keptIn(garden), empty, fault.kind);
    }
    assert.equal(elsewhere.log.length, 0, 'a redirect is not followed');
    const [row] = await garden.store.reader.selectFrom('syncs').selectAll().execute();
    assert.deepEqual([row?.failures, row?.cursor], [BigInt(failing.length), null]);

    const passing = casesOf(source)
      .filter(([, kind]) => /busy|down/.test(kind))
      .map(([fault]) => fault);
    for (const fault of passing) {
      replay.fail(source, fault);
      // On a busy machine an answer that is good may come too late, and is asked for once more.
      await syncHandle(garden.store, handle, asking(fault, 5, 1_000));
    }
    assert.equal(await countKept(garden), 2);
    const [good] = await garden.store.reader.selectFrom('syncs').selectAll().execute();
    assert.deepEqual([good?.failures, good?.fault, good?.fault_text], [0n, null, null]);
  });

  test(`an answer of ${source} that is JSON of another shape is a fault, not a crash`, async (t) => {
    let body = '';
    const { sync } = await syncing(t, source, () => ({ body }));
    for (const value of [
      null,
      [],
      [null],
      [1],
      {},
      { result: [] },
      'x',
      [{ 4: 1 }],
      { status: 'OK', result: [null] },
    ]) {
      body = JSON.stringify(value);
      if (mayBeEmpty.includes(source) && body === '[]') continue;
      await assert.rejects(sync(), /sent an unexpected answer/, body);
    }
  });
}

/** By GET, by POST and as a page: the client that counts the bytes is the same for every judge. */
for (const source of ['codeforces', 'leetcode', 'luogu'] as const)
  test(`an answer of ${source} without an end is not read to its end`, async (t) => {
    const { garden, handle, replay } = await syncing(t, source, replayed[source]);
    const ask = askReplay(garden.store, source, replay, { pace: { answerMs: 120_000 } });
    replay.fail(source, { kind: 'large', bytes: 2 ** 34 });
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 5);
    t.after(() => clearInterval(watching));
    await assert.rejects(
      syncHandle(garden.store, handle, ask),
      /sent an answer of more than 32 MiB, which is too large\. We try again later\./,
    );
    assert.ok(most < 128 * 2 ** 20, `${most} bytes at once`);
  });

for (const source of asked.slice(2)) {
  test(`${source} says that it is asked too often, and a clock that moves loses and doubles nothing`, async (t) => {
    const { garden, replay, sync } = await syncing(t, source, replayed[source]);
    replay.fail(source, { kind: 'status', status: 429 });
    await assert.rejects(sync(), /says that we send too many requests\./);
    await sync();
    const kept = await keptIn(garden);
    assert.equal(await countKept(garden), 2);
    for (const days of [400, -400, 0]) {
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + days * 86_400_000 });
      await sync();
      t.mock.timers.reset();
      assert.deepEqual(await keptIn(garden), kept, `${days} days later`);
    }
  });
}

const full = Array.from({ length: 500 }, (_, at) => ({ ...sent.atcoder[0], id: at + 1, epoch_second: second + at }));

for (const [source, body] of [
  ['codeforces', sent.codeforces],
  ['atcoder', full],
  ['dmoj', { data: { objects: sent.dmoj, has_more: true } }],
  ['aoj', [1, 2].map((id) => aojRow(id, '0598', 4, second * 1000))],
] as const)
  test(`a run at ${source} ends where a cache answers the same whatever page is asked for`, async (t) => {
    const { sync } = await syncing(t, source, () => ({ body }));
    const count = source === 'atcoder' ? 500 : 2;
    for (const isDryRun of [true, false, false]) {
      const { report, asked, ids } = await sync({ isDryRun });
      assert.deepEqual([report.read, ids.length], [count, isDryRun ? 0 : count]);
      const pages = asked.filter((path) => !path.includes('/user/'));
      assert.ok(pages.length <= 3, `${pages.length} requests`);
    }
  });

test('a judge that says when to come again is asked no sooner, and not in this run where that is long', async (t) => {
  const { garden, handle, replay } = await syncing(t, 'dmoj', replayed.dmoj);
  const ask = askReplay(garden.store, 'dmoj', replay, { pace: { retries: 2, retryMs: 200 } });
  const gap = () => (replay.log[1]?.at ?? 0) - (replay.log[0]?.at ?? 0);
  for (const said of [() => '1', () => new Date(Date.now() + 2000).toUTCString()]) {
    replay.log.length = 0;
    replay.fail('dmoj', {
      ...({ kind: 'status', status: 429 } as const),
      // It is said when the judge answers.
      get retryAfter() {
        return said();
      },
    });
    await syncHandle(garden.store, handle, ask);
    assert.ok(gap() >= 600, `${said}: ${gap()} ms`);
  }
  replay.log.length = 0;
  replay.fail('dmoj', { kind: 'status', status: 503, retryAfter: '3600' });
  await assert.rejects(syncHandle(garden.store, handle, ask), /is down: it answered 503/);
  assert.equal(replay.log.length, 1);
});
