/** The year as a picture for others: whole, the same each time, light and dark, and without a word on zones. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { ActivityRow } from '../../src/practice/activity.ts';
import { Days, dayOf } from '../../src/practice/days.ts';
import { lastFinishedDay, sharedYear, sharedYearRange } from '../../src/web/drawing/charts/shared-year.ts';

const now = Date.parse('2024-03-03T12:00:00Z');
const row = (day: number, first_solves: bigint, more: Partial<ActivityRow> = {}): ActivityRow => ({
  day: BigInt(day),
  submissions: 9n,
  solved: 9n,
  first_solves,
  reviews: 0n,
  hardest: '{"codeforces":1900}',
  ...more,
});

test('a day of UTC is over once it is over for every member, wherever they are', () => {
  for (const zone of ['Etc/GMT+12', 'Pacific/Pago_Pago', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati'])
    for (const startHour of [0, 4, 23])
      for (let at = now; at < now + 2 * 86_400_000; at += 1_800_000)
        assert.ok(new Days({ zone, startHour }, at).at(at) > lastFinishedDay(at), `${zone} ${startHour} ${at}`);
  assert.equal(lastFinishedDay(Date.parse('2024-03-03T11:00:00Z')), dayOf('2024-03-01'));
  assert.equal(lastFinishedDay(Date.parse('2024-03-03T10:59:59Z')), dayOf('2024-02-29'));
});

test('each day of the year is one square of the step of its first solves, and nothing else is told', () => {
  const range = sharedYearRange(now);
  const [from, until] = range;
  const counts = [1n, 2n, 3n, 5n, 6n, 400n];
  const rows = counts.map((count, n) => row(from + 10 * n, count));
  const picture = sharedYear({ owner: 'Ada & <Bob> \u202e"x"', range, rows: [...rows, row(until, 0n)] });
  const squares = [...picture.matchAll(/<use href="#d" class="h(\d)"/g)].map(([, step]) => Number(step));
  assert.equal(squares.length, until - from + 1);
  assert.deepEqual(
    counts.map((_, n) => squares[10 * n]),
    [1, 2, 2, 3, 4, 4],
  );
  assert.equal(squares.at(-1), 0, 'submissions alone are not shown');
  assert.match(picture, /Ada &amp; &lt;Bob&gt; &quot;x&quot;’s year/);
  assert.match(picture, />417 new problems on 6 days</);
  assert.match(picture, />27 February 2023 to 1 March 2024</);
  const body = picture.replace(/<style>.*?<\/style>/s, '');
  assert.doesNotMatch(body, /style=|<style|<script|<a |<title|NaN|undefined|[\0\u202e]/);
  assert.equal(picture, sharedYear({ owner: 'Ada & <Bob> \u202e"x"', range, rows }), 'the same each time');
  assert.equal(hash('sha256', picture).slice(0, 16), '45d2febe94696bea');
  assert.match(sharedYear({ owner: undefined, range, rows: [] }), />A year of practice<.*>0 new problems on 0 days</s);
});
