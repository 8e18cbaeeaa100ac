/**
 * A contest of DMOJ or LeetCode is put into a season before it begins. Its judge is asked for the problems once it is over, until it
 * shows them, and then the table counts what people sent.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { judgeHealth } from '../../src/jobs/sync-health.ts';
import { listCatalogueTasks, syncCatalogue } from '../../src/jobs/sync-runs.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { readSeasonTable } from '../../src/practice/season-table.ts';
import { addSeasonContests, makeSeason } from '../../src/practice/seasons.ts';
import { countGridContests, listParticipations } from '../../src/store/contests.ts';
import { findSeason, type SeasonsTable } from '../../src/store/seasons.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { openGarden } from '../importing/support.ts';
import { type DmojRows, replayDmoj } from '../replay/dmoj.ts';
import { replayLeetCode } from '../replay/leetcode.ts';
import type { Fault } from '../replay/replay.ts';
import { memberWithPassword } from '../support/forms.ts';
import { addContest, addPerson, dayMs, hourMs, iso, solve, usualSeason } from '../support/seasons.ts';
import { askReplay, replayOf } from './support.ts';

/** A full second. */
const now = Math.floor(Date.now() / 1000) * 1000;
const start = now - 4 * hourMs;
const end = start + 2 * hourMs;
type Source = 'dmoj' | 'leetcode';

/** Contests of a season at one judge, which began four hours ago and lasted two unless something else is said. */
async function world(t: TestContext, source: Source, contests: readonly { key: string; starts_at?: string }[]) {
  const shown: NonNullable<DmojRows['shown']> = {};
  const infos: Record<string, object> = {};
  const replay = await replayOf(t, {
    [source]: source === 'dmoj' ? replayDmoj({ submissions: [], shown }) : replayLeetCode({}, infos),
  });
  const { databaseUrl, store } = await openGarden(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
    const coached = { groupId: group, coachId: ada };
    const days = { first_day: iso(now - 60 * dayMs).slice(0, 10), last_day: iso(now + dayMs).slice(0, 10) };
    await makeSeason(tx, coached, { ...usualSeason, ...days });
    for (const { key, starts_at = iso(start) } of contests) {
      const { id } = await addContest(tx, { source, key, title: `Contest ${key}`, starts_at, problems: 0 });
      await addSeasonContests(tx, coached, [{ kind: 'contest', item_id: id }]);
    }
    return { group, bob: await addPerson(tx, group, 'bob', { source }) };
  });
  const ask = askReplay(store, source, replay);
  const sync = async (options = {}) => {
    replay.log.length = 0;
    const { report, notes } = await syncCatalogue(store, source, 'contests', ask, options);
    const asked = replay.log.map(({ path }) => path.replace(/\/$/, '').replace(/^.*\//, ''));
    return { report, asked, notes: notes.map(({ message }) => message) };
  };
  const faultOf = async () =>
    (await store.reader.selectFrom('syncs').select('fault').where('task', '=', 'contests').executeTakeFirst())?.fault;
  const cells = async () => {
    const season = (await findSeason(store.reader, made.group)) as SeasonsTable;
    const group = { id: made.group, zone: 'UTC' };
    const table = await readSeasonTable(store.reader, group, season, {
      now,
      isShown: () => true,
      pointsOf: () => 1,
    });
    return table.columns.map((column, at) => {
      const { participation, solved, upsolved, halves } = table.rows[0]?.cells[at] ?? {};
      return `${column.contest.kind === 'contest' && column.contest.key} ${column.places.map(({ position, key }) => `${position}=${key}`)} ${participation} ${solved}+${upsolved} = ${halves}`;
    });
  };
  const problems = () =>
    store.reader.selectFrom('problems').select(['id', 'source_key', 'title', 'url']).orderBy('id').execute();
  return { ...made, store, replay, shown, infos, sync, faultOf, cells, problems };
}

const dmojContest = (key: string, codes: readonly string[]) => ({
  key,
  name: `Contest ${key}`,
  start_time: iso(start),
  end_time: iso(end),
  time_limit: null,
  rankings: [],
  problems: codes.map((code, at) => ({ code, name: `The ${code}`, label: 'ABCDEF'[at], points: 5, partial: true })),
});

test('the problems of a contest of DMOJ come once it is over and shown, each once; the others are asked again', async (t) => {
  const ahead = iso(now + hourMs);
  const keys = [{ key: 'spring' }, { key: 'secret' }, { key: 'later', starts_at: ahead }];
  const old = { key: 'old', starts_at: iso(now - 40 * dayMs) };
  const madeUp = { key: 'sample-dmoj-1' };
  const { sync, shown, replay, cells, problems, store, bob, faultOf } = await world(t, 'dmoj', [...keys, old, madeUp]);
  assert.deepEqual(await listCatalogueTasks(store.reader, 'dmoj'), ['problems', 'contests']);
  assert.deepEqual(await listCatalogueTasks(store.reader, 'leetcode'), [], 'no season waits for one');
  shown['spring'] = dmojContest('spring', []);
  const hidden = await sync();
  assert.deepEqual(
    hidden.asked.toSorted(),
    ['secret', 'spring'],
    'not one that is still to come, one of long ago, nor one of the sample',
  );
  assert.deepEqual(hidden.report, { read: 2, new: 0, changed: 0, kept: 1, unmatched: 1, bad: 0 });
  const said = /^DMOJ does not show contest secret to everybody, or it does not exist\./;
  assert.match(hidden.notes.join(), said);
  const [health] = (await judgeHealth(store.reader, new Date())).filter(({ source }) => source === 'dmoj');
  assert.match(health?.skipped.map(({ message }) => message).join() ?? '', said, 'staff read it');
  assert.equal(await faultOf(), null);
  shown['spring'] = dmojContest('spring', ['pond1', 'pond2']);
  await sync({ isDryRun: true });
  assert.deepEqual(await problems(), []);
  assert.equal((await sync()).report.changed, 1);
  assert.deepEqual(
    (await problems()).map(({ source_key, title, url }) => [source_key, title, url]),
    ['pond1', 'pond2'].map((code) => [code, `The ${code}`, `${replay.url}/dmoj/problem/${code}`]),
  );
  const ids = (await problems()).map(({ id }) => id);
  await store.write((tx) =>
    insertSolves(
      tx,
      ids.map((problem_id, at) =>
        solve({
          handle_id: bob.handle,
          problem_id,
          key: `pond${at + 1}`,
          contest: at === 0 ? 'spring' : null,
          participation: at === 0 ? 'contest' : 'practice',
          submitted_at: iso(at === 0 ? start + 1 : end + 1),
        }),
      ),
    ),
  );
  assert.deepEqual(
    (await cells()).filter((cell) => /^(?:spring|secret)/.test(cell)),
    ['spring A=pond1,B=pond2 live 1+1 = 3', 'secret  absent 0+0 = 0'],
  );
  assert.deepEqual((await sync()).asked, ['secret'], 'what is here is not asked for again');
});

test('a judge that does not answer, or answers what nobody understands, changes nothing and loses nothing', async (t) => {
  const { sync, shown, replay, problems, store, faultOf } = await world(t, 'dmoj', [
    { key: 'spring' },
    { key: 'summer' },
  ]);
  shown['spring'] = dmojContest('spring', ['pond1']);
  shown['summer'] = dmojContest('summer', ['pond1', 'pond2']);
  replay.fail('dmoj', { kind: 'page', status: 403 });
  await assert.rejects(sync(), /DMOJ/);
  assert.deepEqual(
    [replay.log.length, await faultOf()],
    [1, 'refused'],
    'a judge that refuses this server is left alone',
  );
  assert.deepEqual(await problems(), []);
  // The newest is asked first, and of equal ones the one that was added last.
  replay.fail('dmoj', { kind: 'status', status: 500 });
  await assert.rejects(sync(), /DMOJ/);
  assert.deepEqual((await problems()).length, 1, 'the second one is not kept waiting');
  await store.write((tx) => tx.deleteFrom('contest_problems').execute());
  replay.fail('dmoj', { kind: 'truncated' });
  const odd = await sync();
  assert.deepEqual([odd.report.bad, odd.report.changed], [1, 1]);
  const many = Array.from({ length: 101 }, (_, at) => `many${at}`);
  shown['spring'] = dmojContest('spring', many);
  await store.write((tx) => tx.deleteFrom('contest_problems').execute());
  assert.match((await sync()).notes.join(), /100/);
  assert.deepEqual(
    (await problems()).map(({ source_key }) => source_key),
    ['pond1', 'pond2'],
  );
  const { problems: twice, ...rest } = dmojContest('spring', ['pond1', 'pond1']);
  shown['spring'] = { ...rest, end_time: iso(end + hourMs), problems: twice.map((one) => ({ ...one, label: '' })) };
  assert.equal((await sync()).report.changed, 1);
  assert.equal((await problems()).length, 2, 'a problem of two contests, or twice in one, is one');
  const [spring] = await store.reader.selectFrom('contests').selectAll().where('key', '=', 'spring').execute();
  assert.equal(spring?.duration_s, 10_800n, 'the judge’s times are kept with it');
});

test('a silent judge is left alone after three contests, and a turn asks for twenty at most', async (t) => {
  const contests = Array.from({ length: 25 }, (_, at) => ({ key: `contest${at}` }));
  const { sync, shown, replay, faultOf } = await world(t, 'dmoj', contests);
  for (const { key } of contests) shown[key] = dmojContest(key, [`pond_${key}`]);
  replay.fail('dmoj', ...Array.from({ length: 3 }, (): Fault => ({ kind: 'status', status: 503 })));
  await assert.rejects(sync(), /DMOJ/);
  assert.deepEqual([replay.log.length, await faultOf()], [3, 'down']);
  assert.deepEqual([(await sync()).report.changed, (await sync()).report.changed], [20, 5]);
});

test('LeetCode names no contest of a submission, so what was sent in its time was sent to it', async (t) => {
  const { sync, infos, store, bob, cells, problems } = await world(t, 'leetcode', [{ key: 'weekly-contest-408' }]);
  assert.equal((await sync()).report.unmatched, 1, 'it is not shown yet');
  const slugs = ['too-early', 'in-time', 'just-late', 'untouched'];
  infos['weekly-contest-408'] = {
    contest: {
      title: 'Weekly Contest 408',
      title_slug: 'weekly-contest-408',
      start_time: start / 1000,
      duration: 7200,
    },
    questions: slugs.map((title_slug) => ({ title_slug, title: `The ${title_slug}`, credit: 3 })),
  };
  assert.equal((await sync()).report.changed, 1);
  const rows = await problems();
  assert.deepEqual(rows[1]?.url, 'https://leetcode.com/problems/in-time/');
  assert.deepEqual(await cells(), [
    `weekly-contest-408 ${slugs.map((slug, at) => `Q${at + 1}=${slug}`)} absent 0+0 = 0`,
  ]);
  const moments = [start - 1, start, end];
  await store.write((tx) =>
    insertSolves(
      tx,
      moments.map((at, place) =>
        solve({
          handle_id: bob.handle,
          problem_id: rows[place]?.id ?? null,
          key: slugs[place] as string,
          submitted_at: iso(at),
          participation: null,
        }),
      ),
    ),
  );
  assert.match((await cells())[0] ?? '', / live 1\+1 = 3$/, 'what was solved before gives nothing');
  const [contest] = await store.reader.selectFrom('contests').select('id').execute();
  const at = { memberId: bob.id, source: 'leetcode' };
  assert.deepEqual(
    await listParticipations(store.reader, at),
    new Map([[contest?.id, { how: 'live', isTeam: false }]]),
  );
  assert.equal(await countGridContests(store.reader, { ...at, show: 'taken' }), 1, 'the grid says the same');
});
