/** Dates from the year 0 to the last that there is, at each address that takes one, and in rows that bear them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setMemberSetting } from '../../src/store/settings.ts';
import { openGarden } from '../importing/support.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ownMs } from '../support/processes.ts';

const years = ['0000', '0001', '0050', '0099', '1582', '1969', '1970', '2026', '2100', '9998', '9999'];
const dates = [
  ...years.flatMap((year) => [`${year}-01-01`, `${year}-02-29`, `${year}-12-31`]),
  ...['10000-01-01', '+010000-01-01', '-000001-12-31', '+275760-09-13', '+275760-09-14', '99999-99-99'],
  ...['2026-13-01', '2026-02-30', '1e9', 'NaN', 'Infinity', '0', '-1', '∞', '２０２６-01-01'],
];
const pages = [
  ...['/dashboard/progress/?from=A&to=B', '/dashboard/progress/?from=A', '/dashboard/progress/?to=B'],
  ...['/dashboard/submissions/?from=A&to=B', '/dashboard/days/?from=A&to=B&before=B', '/dashboard/days/?before=A'],
  '/problem_list/?status=complete&status_from=A&status_to=B',
  '/problem_list/?status=complete&solved_from=A&solved_to=B&first=true',
];
const elsewhere = ['0000-01-01', '1970-01-01', '2026-12-31', '9999-12-31', '+275760-09-13'];
const largestPage = 400_000;

test('every date at every address is answered by a page of bearable size, also beside rows of such dates', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada', 'bob');
  await importRows(databaseUrl, 'problems', [
    { source: 'codeforces', source_key: '1A', title: 'Theatre Square', rating: 1000, tags: ['math'] },
    { source: 'codeforces', source_key: '1B', title: 'Spreadsheets', rating: 1600, tags: ['math'] },
  ]);
  await importRows(databaseUrl, 'handles', [{ username: 'ada', source: 'codeforces', name: 'ada_cf' }]);
  const sent = { username: 'ada', source: 'codeforces', handle: 'ada_cf', verdict_class: 'solved' };
  const ends = ['0000-01-01T00:00:00Z', '0050-12-31T12:00:00Z', '2026-01-01T12:00:00Z', '9999-12-31T23:59:59.999Z'];
  for (const time_zone of ['UTC', 'Pacific/Kiritimati', 'America/Adak']) {
    const garden = await openGarden(t, databaseUrl);
    await garden.store.write((tx) => setMemberSetting(tx, ada, 'time_zone', time_zone));
    await importRows(
      databaseUrl,
      'submissions',
      ends.map((submitted_at, at) => ({
        ...sent,
        submitted_at,
        key: at % 2 === 0 ? '1A' : '1B',
        submission_id: `${time_zone} ${at}`,
      })),
    );
    await importRows(databaseUrl, 'statuses', [
      { username: 'ada', source: 'codeforces', source_key: '1B', status: 'complete', updated_at: ends[3] },
    ]);
    const { url, stderr } = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '100000' } });
    const browser = await browserOf(url, 'ada');
    const addresses = [
      ...['/', '/dashboard/progress/', '/dashboard/progress/?span=year', '/dashboard/garden/'],
      ...['/dashboard/submissions/', '/dashboard/days/', '/dashboard/review/', '/problem_list/?status=complete'],
      ...pages.flatMap((page, nth) =>
        (time_zone === 'UTC' ? dates : elsewhere).flatMap((date, place) => {
          // Each address has a third of the dates.
          if (time_zone === 'UTC' && (place + nth) % 3 > 0) return [];
          const one = encodeURIComponent(date);
          const alone = page.replace('A', one).replaceAll('B', one);
          return Math.floor(place / 3) % 3 > 0
            ? [alone]
            : [alone, page.replace('A', '0000-01-01').replaceAll('B', one)];
        }),
      ),
    ];
    for (const address of addresses) {
      const ms = await ownMs(async () => {
        const page = await browser.open(address);
        assert([200, 404].includes(page.status), `${address} in ${time_zone}: ${page.status}`);
        assert(page.text.length < largestPage, `${address}: ${page.text.length} letters`);
      });
      assert(ms < 3_000, `${address}: ${ms} ms`);
    }
    assert.equal(stderr(), '');
  }
});
