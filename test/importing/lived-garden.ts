/** Two gardens with the same problems: one in which ada and bob have some of everything, and one to which they move. */
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { writeArchive } from '../../src/importing/archive.ts';
import { derive } from '../../src/practice/derivation.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setBookmarks, setNote, setStatus, undo } from '../../src/practice/marks.ts';
import { changeGoal, goalVersion, plant } from '../../src/practice/planting.ts';
import { saveView, setSwitch } from '../../src/practice/preferences.ts';
import { saveRatingHistory } from '../../src/practice/ratings.ts';
import { addSolution } from '../../src/practice/solutions.ts';
import { listHandlesWithoutCounts } from '../../src/store/handles.ts';
import { insertReviews } from '../../src/store/reviews.ts';
import { insertTimer } from '../../src/store/timers.ts';
import { idOf } from '../support/members.ts';
import { codeforces, type Garden, openGarden, submissions } from './support.ts';

export const problems = ['1A', '1B', '1C', '2A', '2B'].map((name) => ({
  name,
  index: name.slice(1),
  contestId: Number(name.slice(0, 1)),
}));
const note = 'a "note"\nwith 🌱, = and <b>markup</b>';

export const archiveOf = async (garden: Garden, username = 'ada') =>
  buffer(writeArchive(garden.store.reader, await idOf(garden.store, username)));

/** A garden in which ada has some of everything, and bob too. */
export async function lived(t: TestContext): Promise<Garden> {
  const garden = await openGarden(t);
  const { store } = garden;
  await garden.import('codeforces-problems', codeforces(...problems));
  await garden.import('records', [
    { username: 'bob' },
    { username: 'ada', first_name: 'Ada 🌱', role: 'staff', address: note },
  ]);
  const sent = submissions(['1A', 'WRONG_ANSWER', 100], ['1A', 'OK', 200], ['2B', 'OK', 300], ['9Z', 'OK', 400]);
  for (const member of ['ada', 'bob']) {
    await garden.import('codeforces-submissions', sent, { member });
    await garden.import(
      'plants',
      [1, 2, 3]
        .map((target) => ({ username: member, name: target < 3 ? 'Trees' : `of ${member}`, target }))
        .map((row, place) => ({ ...row, id: place + (member === 'ada' ? 7 : 70) })),
    );
    const memberId = await idOf(garden.store, member);
    await store.write(async (tx) => {
      await setStatus(tx, { memberId, problemIds: [5n, 1n, 2n], status: 'complete', how: 'hint' });
      const wrong = await setStatus(tx, { memberId, problemIds: [3n, 4n], status: 'ignored' });
      await setBookmarks(tx, memberId, [4n, 2n], true);
      await setNote(tx, memberId, 2n, note);
      await undo(tx, memberId, wrong.batch ?? 0n);
      await setStatus(tx, { memberId, problemIds: [2n], status: 'reading' });
      await setSwitch(tx, memberId, 'hidesTopics', false);
      const items = [5n, 1n].map((problem) => ({ problem, memo: problem === 1n ? note : null }));
      const content = [
        { name: 'First', items },
        { name: '', items: [{ problem: 2n }] },
      ];
      const list = { ownerId: memberId, name: `Camp of ${member}`, visibility: 'garden', content } as const;
      const id = await makeList(tx, list);
      const goal = { name: 'Camp', tag: null, list: { id, name: list.name }, target: 3n, by_date: null };
      const planted = await plant(tx, memberId, goal, new Date());
      const part = { source: 'codeforces', rating_min: 1400n, rating_max: null };
      await plant(tx, memberId, { ...goal, ...part, name: 'Up', list: undefined }, new Date());
      const version = goalVersion(goal);
      await changeGoal(
        tx,
        memberId,
        planted,
        { name: 'The camp', target: 4n, by_date: '2027-01-31', version },
        new Date(),
      );
      await saveView(tx, memberId, { name: `of ${member}`, query: '?status=tried&tag=dp' });
      await insertReviews(
        tx,
        (['hard', 'good', 'later'] as const).map((grade, n) => ({
          user_id: memberId,
          problem_id: BigInt(5 - 4 * (n % 2)),
          grade,
          made_at: `2027-0${n + 1}-01T12:00:00.000Z`,
          undone_at: n === 1 ? '2027-05-01T12:00:00.000Z' : null,
        })),
      );
      const code = Uint8Array.from({ length: 255 }, (_, place) => place + 1);
      const kept = { problem: 5n, file: 'é 🌱.cpp', about: 'by hand', submission: '77', code };
      await addSolution(tx, memberId, { ...kept, addedAt: '2026-11-20T12:00:00.000Z' });
      await derive(tx, memberId, [1n, 5n]);
      const [handle] = await listHandlesWithoutCounts(tx, memberId);
      await saveRatingHistory(tx, handle?.id ?? 0n, [
        { contest: '1459', title: 'Round 691 "🌱"', place: 120n, rating: 1588n, rated_at: '2026-11-14T18:00:00.000Z' },
        { contest: '1471', title: 'Round 694', place: null, rating: 1470n, rated_at: '2026-10-24T18:00:00.000Z' },
      ]);
      const at = (minute: number) => `2026-11-20T12:${minute}:00.000Z`;
      for (const [problem_id, outcome, grade] of [
        [2n, 'solved', 'hard'],
        [3n, 'unsolved', null],
        [4n, null, null],
      ] as const)
        await insertTimer(tx, {
          user_id: memberId,
          problem_id,
          started_at: at(10 + Number(problem_id)),
          outcome,
          grade,
          solved_at: null,
          change_id: null,
          pauses: JSON.stringify(outcome ? [at(15), at(20)] : [at(15)]),
          stopped_at: outcome && at(30),
          undone_at: outcome === 'unsolved' ? at(40) : null,
        });
    });
  }
  return garden;
}

/** A garden that has the problems, with other ids. */
export async function another(t: TestContext, more: readonly string[] = []): Promise<Garden> {
  const garden = await openGarden(t);
  const added = more.map((name) => ({ name, index: name.slice(1), contestId: Number(name.slice(0, 1)) }));
  await garden.import('codeforces-problems', codeforces(...[...added, ...problems].reverse()));
  await garden.import('records', [{ username: 'eve' }, { username: 'carl' }]);
  await garden.import('plants', [{ username: 'eve', name: 'Trees', target: 9 }]);
  return garden;
}
