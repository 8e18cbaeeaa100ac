/**
 * Every page and download of a garden at its largest, with as many rows as its doors let in. It prints how long each holds the event
 * loop: on a quiet machine at most 50 ms.
 */
import { test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '../../src/store/open.ts';
import { crawl } from '../../test/support/crawl.ts';
import { temporaryDatabase } from '../../test/support/garden.ts';
import { browserOf, serveHere } from '../../test/support/in-process.ts';
import { giveHistory } from '../../test/support/long-history.ts';
import { membersNamed } from '../../test/support/members.ts';
import { longestHold } from '../../test/support/processes.ts';
import { fillSeason, iso } from '../../test/support/seasons.ts';

const now = Date.now();
const at = (minutes: number) => iso(now + minutes * 60_000);
const note = `${'word'.repeat(700)} `.repeat(23);
const ada = sql`(SELECT id FROM members WHERE username = 'ada')`;
const numbers = (count: number) =>
  sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${sql.lit(count)})`;

const fill = [
  sql`UPDATE members SET role = 'staff' WHERE username = 'ada'`,
  sql`UPDATE group_members SET on_board = 1, in_season = 1`,
  sql`INSERT INTO rounds (id, made_by, group_id, name, rule, starts_at, ends_at, freeze_minutes, is_shown, updated_at)
    SELECT 1, ${ada}, min(id), 'Round', 'icpc', ${at(-600)}, ${at(60)}, 0, 1, ${at(0)} FROM groups`,
  sql`INSERT INTO round_problems (round_id, position, problem_id, points)
    SELECT 1, id, id, 1 FROM problems ORDER BY id LIMIT 26`,
  sql`INSERT INTO round_people (round_id, user_id, joined_at) SELECT 1, id, ${at(0)} FROM members ORDER BY id LIMIT 100`,
  sql`INSERT INTO statuses (user_id, problem_id, self_status, self_at)
    SELECT id, 1, 'complete', ${at(0)} FROM members WHERE id <> ${ada}`,
  sql`INSERT INTO bookmarks (user_id, problem_id, note, created_at, updated_at, is_starred)
    SELECT members.id, problems.id, ${note}, ${at(0)}, ${at(0)}, 1 FROM members CROSS JOIN problems
    WHERE problems.id = 1 OR (username = 'ada' AND problems.id < 500)`,
  sql`INSERT INTO shared_notes (problem_id, user_id, group_id, shared_at)
    SELECT 1, user_id, group_id, ${at(0)} FROM group_members`,
  sql`INSERT INTO upcoming_contests (id, source, key, title, starts_at, duration_s, told_by, sequence, changed_at)
    ${numbers(2000)} SELECT n, 'codeforces', 'u' || n, 'Upcoming', ${at(60)}, 72000, 'codeforces', 0, ${at(0)} FROM number`,
];

test('every page and download at its largest', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada: memberId } = await membersNamed(databaseUrl, 'ada');
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 5_000 });
  await fillSeason(store, memberId, { people: 199, contests: 98 });
  const problems = await store.reader.selectFrom('problems').select(['id', 'source_key']).execute();
  await giveHistory(store, { memberId, problems, submissions: 250_000, daysAYear: 300, now });
  for (const statement of fill) await store.write(async (tx) => void (await statement.execute(tx)));
  await store.close();
  const { url } = await serveHere(t, { databaseUrl, env: { SYNC: 'off' } });
  const browser = await browserOf(url, 'ada');
  const holds: [ms: number, path: string][] = [];
  const ask = async (path: string) => {
    const tries: number[] = [];
    for (;;) {
      const held = longestHold();
      const reply = await browser.ask(path);
      tries.push(held());
      const least = Math.min(...tries);
      if (tries.length < 3 && least > 20) continue;
      holds.push([least, `${reply.status} ${path}, ${reply.bytes.length} bytes`]);
      return reply;
    }
  };
  await crawl({ ...browser, ask }, { withIdAtMost: 2 });
  holds.sort(([one], [other]) => other - one);
  for (const [ms, path] of holds.slice(0, 30)) t.diagnostic(`${ms.toFixed(0)} ms: ${path}`);
  t.diagnostic(`${holds.length} pages`);
});
