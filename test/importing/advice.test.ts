/**
 * What a sentence tells somebody to do costs nothing: where they do it, every row that was exported before is exported still, or, after a
 * rename, the same row under the new name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle, handlesAtMost, removeHandle, renameByHand } from '../../src/practice/handles.ts';
import { markSolved } from '../../src/practice/marks.ts';
import { renameMember } from '../../src/practice/members.ts';
import { findHandleByName } from '../../src/store/handles.ts';
import english from '../../src/words/en.json' with { type: 'json' };
import { readZip, zipOf } from '../support/zips.ts';
import { another, archiveOf, idOf, lived } from './lived-garden.ts';
import { type Garden, type Sent, submissionsOf } from './support.ts';

interface Advice {
  /** A part of the sentence with the advice: of a refusal, or of a page. */
  says: RegExp;
  refused?(garden: Garden): Promise<unknown>;
  follow(garden: Garden): Promise<unknown>;
  /** A name of ada that the advice changes. */
  renamed?: readonly [before: string, after: string];
}

type Import = Parameters<Garden['import']>;
const strict = { trustsIds: false } as const;
const mine = { member: 'ada' } as const;
const importing =
  (...call: Import) =>
  (garden: Garden) =>
    garden.import(...call);
const without = (ids: object, what: Import[0], row: object) => ({
  refused: importing(what, [{ ...row, ...ids }], strict),
  follow: importing(what, [row], strict),
});
const sent = (handle: string, ...keys: string[]) => submissionsOf(handle, ...keys.map((key): Sent => [key, 'OK', 900]));
const own = 'codeforces-submissions';
const star = { username: 'ada', source: 'codeforces', source_key: '1C' };
const leetcode = { data: { recentAcSubmissionList: [{ title: 'Two', titleSlug: 'two', timestamp: '1700000000' }] } };
const rating = { username: 'ada', source: 'cses', handle: 'ada', contest: '1', title: 'One', rating: 1 };
const ratings = [{ ...rating, rated_at: '2026-01-01T00:00:00.000Z' }];
const idOfHandle = async (garden: Garden, name: string) =>
  (await findHandleByName(garden.store.reader, await idOf(garden, 'ada'), 'codeforces', name))?.id ?? 0n;
const rename = async (garden: Garden, from: string, to: string) =>
  renameByHand(garden.store, { id: await idOfHandle(garden, from) }, to, false);
/** With a review of somebody else, or not. */
const archiveWith = (username: string) => async (garden: Garden) => {
  const files = readZip(await archiveOf(garden));
  files.set('reviews.ndjson', files.get('reviews.ndjson')?.replace('"ada"', username) ?? '');
  return garden.import('archive', await zipOf(files), strict);
};
const linesOf = async (garden: Garden) => (await garden.everything()).split('\n').filter(Boolean);
/** A handle that is linked again is so since now. */
const comparable = (line: string) => line.replace(/"former_names":.*/, '');

const advices: readonly Advice[] = [
  { says: /leave id and problem out/, ...without({ id: 1, problem: 1 }, 'bookmarks', star) },
  { says: /leave user out/, ...without({ user: 99 }, 'bookmarks', star) },
  { says: /leave the id out or rename one/, ...without({ id: 99 }, 'records', { username: 'ada' }) },
  { says: /leave the id out/, ...without({ id: 1 }, 'records', { username: 'carl' }) },
  { says: /leave the id out/, ...without({ id: 7 }, 'plants', { username: 'ada', name: 'Herbs', target: 2 }) },
  { says: /leave the id out/, ...without({ id: 1 }, 'problems', { title: 'New', source: 'cses', source_key: '1' }) },
  { says: /correct it, or import the row with/, refused: archiveWith('"bob"'), follow: archiveWith('"ada"') },
  {
    says: /name this member’s handle|enter it in the field “Handle”/,
    refused: importing('leetcode-submissions', leetcode, mine),
    follow: importing('leetcode-submissions', leetcode, { ...mine, handle: 'pond' }),
  },
  {
    says: /if the name changed, rename the handle first/,
    refused: importing(own, sent('ada_new', '1A'), { ...mine, handle: 'ada_cf' }),
    follow: async (garden) => {
      await rename(garden, 'ada_cf', 'ada_new');
      await garden.import(own, sent('ada_new', '1A'), { ...mine, handle: 'ada_cf' });
    },
    renamed: ['ada_cf', 'ada_new'],
  },
  {
    says: /import handles first/,
    refused: importing('ratings', ratings, strict),
    follow: async (garden) => {
      await garden.import('handles', [{ username: 'ada', source: 'cses', name: 'ada' }], strict);
      await garden.import('ratings', ratings, strict);
    },
  },
  {
    says: /Upload the file in parts/,
    follow: async (garden) => {
      for (const keys of [['1A'], ['1A', '2B'], ['2B']]) await garden.import(own, sent('ada_new', ...keys), mine);
    },
  },
  {
    says: /link the handle again, then sync or import the same files/,
    follow: async (garden) => {
      await garden.import(own, sent('ada_two', '1C', '2A'), mine);
      const before = (await linesOf(garden)).map(comparable);
      const id = await idOfHandle(garden, 'ada_two');
      await garden.store.write((tx) => removeHandle(tx, id));
      await garden.import(own, sent('ada_two', '1C', '2A'), mine);
      assert.deepEqual((await linesOf(garden)).map(comparable), before);
    },
  },
  {
    says: /import the list again with a day later/,
    follow: async (garden) => {
      await garden.import('problems', [{ id: 50, title: 'Undated', source: 'cses', source_key: '50' }]);
      const ada = await idOf(garden, 'ada');
      for (const at of [null, '2026-01-01T00:00:00.000Z', null])
        await markSolved(garden.store, ada, new Map([[50n, at]]));
      const row = (await garden.rows('statuses')).find(({ problem }) => problem === 50);
      assert.deepEqual([row?.['status'], row?.['updated_at']], ['complete', '2026-01-01T00:00:00.000Z']);
    },
  },
  {
    says: /import the archive again tomorrow/,
    follow: async (garden) => {
      const archive = await archiveOf(garden);
      for (let day = 0; day < 2; day++) await garden.import('archive', archive, strict);
      assert.deepEqual(await archiveOf(garden), archive);
    },
  },
  {
    says: /If a name changed, rename its handle/,
    refused: async (garden) => {
      const ada = await idOf(garden, 'ada');
      for (let at = 1; at <= handlesAtMost; at++) await addHandle(garden.store, ada, 'uva', String(at));
    },
    follow: (garden) => rename(garden, 'ada_new', 'ada_now'),
    renamed: ['ada_new', 'ada_now'],
  },
];

async function assertNothingLost(garden: Garden, before: string[], { says, renamed = ['', ''] }: Advice) {
  const [from, to] = renamed.map((name) => `"${name}"`);
  const now = new Set((await linesOf(garden)).map(comparable));
  const renamedLine = (line: string) => (line.includes('"ada"') ? line.replace(from ?? '', to ?? '') : line);
  const lost = before.map(renamedLine).map(comparable);
  assert.deepEqual(
    lost.filter((line) => !now.has(line)),
    [],
    `lost by: ${says}`,
  );
}

test('whoever does what a sentence says loses nothing', async (t) => {
  const garden = await lived(t);
  const sentences = Object.values(english).join('\n');
  for (const advice of advices) {
    assert.match(sentences, advice.says);
    if (advice.refused) await assert.rejects(advice.refused(garden), advice.says);
    const before = await linesOf(garden);
    await advice.follow(garden);
    await assertNothingLost(garden, before, advice);
  }
});

test('an archive is read by a member who took its name, as a refusal says, beside what they have', async (t) => {
  const [here, there] = [await lived(t), await another(t)];
  const archive = await archiveOf(here);
  await there.import('bookmarks', [{ ...star, username: 'carl' }]);
  const upload = async (username: string) =>
    there.import('archive', archive, { ...strict, owner: await idOf(there, username) });
  await assert.rejects(upload('carl'), /change your username in your profile first, then upload it again/);
  await there.store.write((tx) => renameMember(tx, 'carl', 'ada'));
  await upload('ada');
  assert.equal((await there.rows('bookmarks')).length, 3);
});
