/**
 * The filters of the problem list that ask for a member's own history: days of the first solve by the member's own
 * clocks, days of the status that shows, and tries. The number above the list is that of its rows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setDayRule } from '../../src/practice/activity.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { openGarden, submissionsOf } from '../importing/support.ts';
import { attributesOf, totalIn } from '../support/elements.ts';
import { memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browsersOf, serveHere } from '../support/in-process.ts';
import { ponds } from '../support/ponds.ts';

const at = (text: string) => Date.parse(text) / 1000;
/** In Kolkata, which is 5:30 ahead, with days that begin at 04:00, a day begins at 22:30 UTC. */
const sent = submissionsOf(
  'ada_cf',
  ['1A', 'WRONG_ANSWER', at('2024-03-09T22:00:00Z')],
  ['1A', 'OK', at('2024-03-09T22:29:59Z')],
  ['1A', 'OK', at('2024-03-20T10:00:00Z')],
  ['2A', 'OK', at('2024-03-09T22:30:00Z')],
  ['3A', 'WRONG_ANSWER', at('2024-03-10T08:00:00Z')],
  ['3A', 'COMPILATION_ERROR', at('2024-03-10T08:01:00Z')],
  ['3A', 'WRONG_ANSWER', at('2024-03-10T08:02:00Z')],
  ['3A', 'TIME_LIMIT_EXCEEDED', at('2024-03-10T08:03:00Z')],
  ['3A', 'OK', at('2024-03-10T22:29:59Z')],
  ['4A', 'OK', at('2024-03-10T22:30:00Z')],
  ['5A', 'WRONG_ANSWER', at('2024-03-11T12:00:00Z')],
  ['5A', 'COMPILATION_ERROR', at('2024-03-11T12:01:00Z')],
  ['5A', 'WRONG_ANSWER', at('2024-03-11T12:02:00Z')],
  ['7A', 'OK', at('2024-03-10T12:00:00Z')],
);

const cases: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['solved_from=2024-03-10&solved_to=2024-03-10&first=true', [2, 3, 7]],
  ['solved_from=2024-03-10&solved_to=2024-03-10&status=complete&first=true', [2, 3]],
  ['solved_to=2024-03-09&first=true', [1]],
  ['solved_from=2024-03-11&first=true', [4, 6]],
  ['solved_from=2024-03-09&solved_to=9999-12-31&first=true', [1, 2, 3, 4, 6, 7]],
  ['solved_from=2024-03-12&solved_to=2024-03-10&first=true', []],
  ['solved_from=2024-03-10&solved_to=2024-03-10&status=unsolved&first=true', [7]],
  ['solved_from=2024-03-10&solved_to=2024-03-11&rating_min=900&rating_max=1100&tag=dp&first=true', [3]],
  ['status=attempted', [1, 2, 3, 4, 5, 6]],
  ['status=attempted&status_to=2024-03-11', [1, 2, 3, 4, 5]],
  ['status=tried&status_from=2024-03-11&status_to=2024-03-11', [5]],
  ['status=complete&tries_max=0', [6]],
  ['status=complete&tries_min=1&tries_max=1', [2, 4]],
  ['status=complete&tries_max=3', [1, 2, 4, 6]],
  ['status=complete&tries_min=4', [3]],
  ['tries_min=2&tries_max=2', [1, 5]],
  ['status=tried&tries_min=1', [5]],
  ['status=tried&tries_max=1', []],
  ['first_try=true', [2, 4]],
  ['first_try=true&status=unsolved', []],
  ['distance=0', []],
  ['distance=none', [1, 2, 3, 4, 5, 6]],
  ['distance=none&first_try=true&q=pond+2', [2]],
  ['distance=100&status=attempted', [1, 2, 3, 4, 5, 6]],
  ['unrated=true&status=attempted', [4]],
  ['solved_from=2024-03-11', [1, 4, 6]],
  ['status=attempted&solved_from=2024-02-30&solved_to=soon&tries_min=-1&first_try=1', [1, 2, 3, 4, 5, 6]],
];

test('the list is filtered by first solves, statuses and tries of a member', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'bob');
  const problems = ponds(9, (n) => ({
    rating: n === 3 ? null : 800 + 100 * n,
    tags: n % 2 ? [] : ['dp'],
  }));
  await importRows(databaseUrl, 'problems', problems);
  const garden = await openGarden(t, databaseUrl);
  await garden.import('codeforces-submissions', sent, { member: 'ada' });
  await garden.store.write(async (tx) => {
    await setDayRule(tx, ada, { zone: 'Asia/Kolkata', startHour: 4 });
    await setStatus(tx, { memberId: ada, problemIds: [6n], status: 'complete' });
    await setStatus(tx, { memberId: ada, problemIds: [7n], status: 'reading' });
  });
  const { url } = await serveHere(t, { databaseUrl });
  const { ada: own, bob: other } = await browsersOf(url, 'ada', 'bob');
  const idsOf = (page: Page) => attributesOf(page, 'tr[data-problem]', 'data-problem').map(Number);
  for (const [query, ids] of cases) {
    const page = await own.open(`/problem_list/?${query}`);
    assert.deepEqual(idsOf(page), ids, query);
    assert.equal(totalIn(page), ids.length, query);
    assert.equal(totalIn(await other.open(`/problem_list/?${query}`)), 0, query);
  }
  const page = await own.open('/problem_list/?solved_from=2024-03-10&solved_to=2024-03-10&first=true&tries_max=3');
  assert.match(
    textOf(page, '.chosen'),
    /First solved 10 Mar 2024.*3 or fewer tries|3 or fewer tries.*First solved 10 Mar 2024/,
  );
  const kept = await own.submit({ within: '.filters' }, { q: 'Pond' });
  assert.match(kept.path, /solved_from=2024-03-10&.*solved_to=2024-03-10/);
  assert.match(kept.path, /tries_max=3/);
  assert.deepEqual(idsOf(kept), [2, 7]);
});
