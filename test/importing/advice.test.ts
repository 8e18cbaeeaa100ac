/**
 * What a sentence tells somebody to do costs nothing: where they do it, every row that was exported before is exported still, or, after a
 * rename, the same row under the new name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle, handlesAtMost, removeHandle, renameByHand } from '../../src/practice/handles.ts';
import { markSolved } from '../../src/practice/marks.ts';
import { findHandleByName } from '../../src/store/handles.ts';
import english from '../../src/words/en.json' with { type: 'json' };
import { readZip, zipOf } from '../support/zips.ts';
import { archiveOf, idOf, lived } from './lived-garden.ts';
import { type Garden, type Sent, submissionsOf } from './support.ts';

type Step = (garden: Garden) => Promise<unknown>;
/** The advice, what is refused with it, what somebody then does, and the name of ada that changes by it. */
type Advice = [says: RegExp, refused: Step | undefined, follow: Step, renamed?: readonly [from: string, to: string]];

type Import = Parameters<Garden['import']>;
const strict = { trustsIds: false } as const;
const importing =
  (...call: Import): Step =>
  (garden) =>
    garden.import(...call);
const without = (ids: object, what: Import[0], row: object) =>
  [importing(what, [{ ...row, ...ids }], strict), importing(what, [row], strict)] as const;
/** The same submissions under any name. */
const send = (handle: string, keys: string[], options: object = {}) => {
  const file = submissionsOf(handle, ...keys.map((key): Sent => [key, 'OK', 900]));
  return importing('codeforces-submissions', file, { member: 'ada', ...options });
};
const row = { username: 'ada', source: 'codeforces', source_key: '1C' };
const data = { recentAcSubmissionList: [{ title: 'Two', titleSlug: 'two', timestamp: '1700000000' }] };
const rated = { contest: '1', title: 'One', rating: 1, rated_at: '2026-01-01T00:00:00.000Z' };
const ratings = importing('ratings', [{ username: 'ada', source: 'cses', handle: 'ada', ...rated }], strict);
const handleNamed = async (garden: Garden, name: string) => {
  const found = await findHandleByName(garden.store.reader, await idOf(garden, 'ada'), 'codeforces', name);
  return { id: found?.id ?? 0n };
};
const rename = (from: string, to: string) => async (garden: Garden) =>
  renameByHand(garden.store, await handleNamed(garden, from), to, false);
const archive =
  (username = '"ada"'): Step =>
  async (garden) => {
    const files = readZip(await archiveOf(garden));
    files.set('reviews.ndjson', files.get('reviews.ndjson')?.replace('"ada"', username) ?? '');
    return garden.import('archive', await zipOf(files), strict);
  };
const inTurn =
  (...steps: Step[]): Step =>
  async (garden) => {
    for (const step of steps) await step(garden);
  };

const advices: readonly Advice[] = [
  [/leave id and problem out/, ...without({ id: 1, problem: 1 }, 'bookmarks', row)],
  [/leave user out/, ...without({ user: 99 }, 'bookmarks', row)],
  [/leave the id out or rename one/, ...without({ id: 99 }, 'records', { username: 'ada' })],
  [/leave the id out/, ...without({ id: 1 }, 'records', { username: 'carl' })],
  [/leave the id out/, ...without({ id: 7 }, 'plants', { username: 'ada', name: 'Herbs', target: 2 })],
  [/leave the id out/, ...without({ id: 1 }, 'problems', { title: 'New', source: 'cses', source_key: '1' })],
  [/correct it, or import the row with/, archive('"bob"'), archive()],
  [/Then import the archive again/, undefined, inTurn(archive(), archive())],
  [
    /name this member’s handle|enter it in the field “Handle”/,
    importing('leetcode-submissions', { data }, { member: 'ada' }),
    importing('leetcode-submissions', { data }, { member: 'ada', handle: 'pond' }),
  ],
  [
    /if the name changed, rename the handle first/,
    send('ada_new', ['1A'], { handle: 'ada_cf' }),
    inTurn(rename('ada_cf', 'ada_new'), send('ada_new', ['1A'], { handle: 'ada_cf' })),
    ['ada_cf', 'ada_new'],
  ],
  [
    /import handles first/,
    ratings,
    inTurn(importing('handles', [{ username: 'ada', source: 'cses', name: 'ada' }], strict), ratings),
  ],
  [
    /Upload the file in parts/,
    undefined,
    inTurn(send('ada_new', ['1A']), send('ada_new', ['1A', '2B']), send('ada_new', ['2B'])),
  ],
  [
    /link the handle again, then sync or import the same files/,
    undefined,
    async (garden) => {
      await send('ada_two', ['1C', '2A'])(garden);
      const before = await linesOf(garden);
      const { id } = await handleNamed(garden, 'ada_two');
      await garden.store.write((tx) => removeHandle(tx, id));
      await send('ada_two', ['1C', '2A'])(garden);
      assert.deepEqual(await linesOf(garden), before);
    },
  ],
  [
    /import the list again with a day later/,
    undefined,
    async (garden) => {
      await garden.import('problems', [{ id: 50, title: 'Undated', source: 'cses', source_key: '50' }]);
      const ada = await idOf(garden, 'ada');
      for (const at of [null, rated.rated_at, null]) await markSolved(garden.store, ada, new Map([[50n, at]]));
      assert.match((await linesOf(garden)).join(), /"source_key":"50","status":"complete",.{0,40}"2026-01-01T/);
    },
  ],
  [
    /If a name changed, rename its handle/,
    async (garden) => {
      const ada = await idOf(garden, 'ada');
      for (let at = 1; at <= handlesAtMost; at++) await addHandle(garden.store, ada, 'uva', String(at));
    },
    rename('ada_new', 'ada_now'),
    ['ada_new', 'ada_now'],
  ],
];

/** A handle that is linked again is so since now. */
const linesOf = async (garden: Garden) =>
  (await garden.everything()).split('\n').map((line) => line.replace(/"former_names":.*/, ''));

test('whoever does what a sentence says loses nothing', async (t) => {
  const garden = await lived(t);
  for (const [says, refused, follow, [from, to] = ['', '']] of advices) {
    assert.match(Object.values(english).join('\n'), says);
    if (refused) await assert.rejects(refused(garden), says);
    const before = await linesOf(garden);
    await follow(garden);
    const after = await linesOf(garden);
    const now = (line: string) => (line.includes('"ada"') ? line.replace(`"${from}"`, `"${to}"`) : line);
    const lost = before.map(now).filter((line) => !after.includes(line));
    assert.deepEqual(lost, [], `lost by: ${says}`);
  }
});
