/** Whoever does what a sentence tells them has every row still, or, after a rename, the same row under the new name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle, handlesAtMost, removeHandle, renameByHand } from '../../src/practice/handles.ts';
import { markSolved } from '../../src/practice/marks.ts';
import { findHandleByName } from '../../src/store/handles.ts';
import english from '../../src/words/en.json' with { type: 'json' };
import { idOf } from '../support/members.ts';
import { archiveOf, lived } from './lived-garden.ts';
import { type Garden, type Sent, submissionsOf } from './support.ts';

type Step = (garden: Garden) => Promise<unknown>;
/** The advice, what is refused with it, what somebody then does, and the name of ada that changes by it. */
type Advice = [says: RegExp, refused: Step | undefined, steps: Step[], renamed?: readonly [from: string, to: string]];

const importing =
  (...[what, input, options]: Parameters<Garden['import']>): Step =>
  (garden) =>
    garden.import(what, input, { trustsIds: false, ...options });
/** The same submissions under any name. */
const send = (handle: string, keys: string[], options: object = {}) => {
  const file = submissionsOf(handle, ...keys.map((key): Sent => [key, 'OK', 900]));
  return importing('codeforces-submissions', file, { member: 'ada', ...options });
};
const solved = { data: { recentAcSubmissionList: [{ title: 'Two', titleSlug: 'two', timestamp: '1700000000' }] } };
const handleNamed = async (garden: Garden, name: string) => {
  const found = await findHandleByName(garden.store.reader, await idOf(garden.store, 'ada'), 'codeforces', name);
  return { id: found?.id ?? 0n };
};
const rename = (from: string, to: string) => async (garden: Garden) =>
  renameByHand(garden.store, await handleNamed(garden, from), to, false);
const archive: Step = async (garden) => importing('archive', await archiveOf(garden))(garden);

const advices: readonly Advice[] = [
  [/Then import the archive again/, undefined, [archive, archive]],
  [
    /name this member’s handle|enter it in the field “Handle”/,
    importing('leetcode-submissions', solved, { member: 'ada' }),
    [importing('leetcode-submissions', solved, { member: 'ada', handle: 'pond' })],
  ],
  [
    /if the name changed, rename the handle first/,
    send('ada_new', ['1A'], { handle: 'ada_cf' }),
    [rename('ada_cf', 'ada_new'), send('ada_new', ['1A'], { handle: 'ada_cf' })],
    ['ada_cf', 'ada_new'],
  ],
  [
    /link the handle again, then sync or import the same files/,
    undefined,
    [
      send('ada_two', ['1C', '2A']),
      async (garden) => {
        const before = await linesOf(garden);
        const { id } = await handleNamed(garden, 'ada_two');
        await garden.store.write((tx) => removeHandle(tx, id));
        await send('ada_two', ['1C', '2A'])(garden);
        assert.deepEqual(await linesOf(garden), before);
      },
    ],
  ],
  [
    /import the list again with a day later/,
    undefined,
    [
      importing('problems', [{ title: 'Undated', source: 'cses', source_key: '50' }]),
      async (garden) => {
        const [problem] = (await garden.rows('problems')).filter(({ source_key }) => source_key === '50');
        const marked = async (at: string | null) =>
          markSolved(garden.store, await idOf(garden.store, 'ada'), new Map([[BigInt(String(problem?.id)), at]]));
        for (const at of [null, '2026-01-01T00:00:00.000Z', null]) await marked(at);
        assert.match((await linesOf(garden)).join(), /"source_key":"50","status":"complete",.{0,40}"2026-01-01T/);
      },
    ],
  ],
  [
    /If a name changed, rename its handle/,
    async (garden) => {
      const ada = await idOf(garden.store, 'ada');
      for (let at = 1; at <= handlesAtMost; at++) await addHandle(garden.store, ada, 'uva', String(at));
    },
    [rename('ada_new', 'ada_now')],
    ['ada_new', 'ada_now'],
  ],
];

/** A handle that is linked again is so since now. */
const linesOf = async (garden: Garden) =>
  (await garden.everything()).split('\n').map((line) => line.replace(/"former_names":.*/, ''));

test('whoever does what a sentence says loses nothing', async (t) => {
  const garden = await lived(t);
  for (const [says, refused, steps, [from, to] = ['', '']] of advices) {
    assert.match(Object.values(english).join('\n'), says);
    if (refused) await assert.rejects(refused(garden), says);
    const before = await linesOf(garden);
    for (const step of steps) await step(garden);
    const after = await linesOf(garden);
    const now = (line: string) => (line.includes('"ada"') ? line.replace(`"${from}"`, `"${to}"`) : line);
    assert.deepEqual(
      before.map(now).filter((line) => !after.includes(line)),
      [],
      `lost by: ${says}`,
    );
  }
});
