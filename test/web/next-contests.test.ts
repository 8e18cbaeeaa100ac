/** The coach's pages of the next contest and of proposals for teams: who opens them, of whom they are, and one click to a round. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveGroup, makeGroup } from '../../src/practice/groups.ts';
import { addSeasonContests, makeSeason, setInSeason } from '../../src/practice/seasons.ts';
import { setContestPhase } from '../../src/store/contests.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { upsertRatings } from '../../src/store/ratings.ts';
import { findVisibleRound, listRoundProblems } from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { openGarden } from '../importing/support.ts';
import { type Page, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { addContest, addPerson, dayMs, iso, solve, usualSeason } from '../support/seasons.ts';

const listed = ({ document }: Page) =>
  document.querySelectorAll('[data-contest]').map((one) => one.querySelector('p bdi')?.text);

test('coaches choose among people who agreed, and one click makes a round of a contest to which none of them sent anything', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const { ada, eve } = await membersNamed(databaseUrl, 'ada', 'eve');
  const long = Date.now() - 20 * dayMs;
  const { group, ids } = await store.write(async (tx) => {
    const group = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
    const coach = { groupId: group, coachId: ada };
    const span = { first_day: iso(long - dayMs).slice(0, 10), last_day: iso(Date.now()).slice(0, 10) };
    await makeSeason(tx, coach, { ...usualSeason, ...span });
    const contests = [];
    for (const [nth, key] of ['1901', '1902', '1903'].entries())
      contests.push(await addContest(tx, { key, starts_at: iso(long + nth * dayMs) }));
    const gym = await addContest(tx, {
      key: '104001',
      title: 'Lake Cup',
      starts_at: iso(long),
      is_gym: 1n,
      difficulty: 3n,
    });
    await setContestPhase(tx, gym.id, 'COMPLETE');
    await addContest(tx, { key: '1999', starts_at: iso(Date.now() - 60_000) });
    await addSeasonContests(tx, coach, [{ kind: 'contest', item_id: contests[0]?.id ?? 0n }]);
    const ids: Record<string, bigint> = {};
    for (const [nth, name] of ['bob', 'cy', 'dan', 'mia'].entries()) {
      const { id, handle } = await addPerson(tx, group, name, { in_season: name === 'dan' ? null : 1n });
      ids[name] = id;
      const rated = { contest: '1', title: 'Round', place: null, rated_at: iso(long) };
      await upsertRatings(tx, [{ ...rated, handle_id: handle, rating: BigInt(1111 + 100 * nth) }]);
      const sent = {
        handle_id: handle,
        submitted_at: iso(long + nth * dayMs + 60_000),
        participation: 'contest' as const,
      };
      const contest = contests[nth];
      if (contest)
        await insertSolves(tx, [solve({ ...sent, contest: contest.key, problem_id: contest.problemIds[0] ?? null })]);
    }
    return { group, ids };
  });
  await store.write(async (tx) => {
    await setInSeason(tx, group, ada, true);
    const handle = { user_id: ada, source: 'codeforces', name: 'ada_cf', created_at: iso(long) };
    const { id: handle_id } = await insertHandle(tx, handle);
    await upsertRatings(tx, [{ handle_id, contest: '1', title: '', place: null, rating: 2999n, rated_at: iso(long) }]);
  });
  const { url } = await serveHere(t, { databaseUrl });
  const [coach, bob, outside] = [await browserOf(url, 'ada'), await browserOf(url, 'bob'), await browserOf(url, 'eve')];
  const path = `/dashboard/groups/${group}/people/`;
  for (const end of ['next/', 'teams/'])
    for (const one of [bob, outside]) assert.equal((await one.ask(path + end)).status, 404, `${end} ${eve}`);
  const people = await coach.open(path);
  assert.match(people.text, /people\/next\/.*people\/teams\//s);

  const open = (...names: string[]) =>
    coach.open(`${path}next/?date=2026-12-24&time=18:30&${names.map((name) => `person=${ids[name]}`).join('&')}`);
  const two = await open('bob', 'cy');
  assert.deepEqual(listed(two), ['Codeforces Round 1903', 'Lake Cup'], '1999 has not ended');
  assert.match(textOf(two, '[data-contest]'), /2 of 6 rated 911–1411/);
  assert.match(two.document.querySelectorAll('[data-contest]')[1]?.text ?? '', /difficulty 3 of 5/);
  assert.ok(!two.text.includes('dan'), 'who did not agree is not there');
  assert.deepEqual(listed(await open('mia')), [
    'Codeforces Round 1903',
    'Codeforces Round 1902',
    'Codeforces Round 1901',
    'Lake Cup',
  ]);
  for (const names of [[], ['dan']]) assert.equal(listed(await open(...names)).length, 0);
  assert.deepEqual(listed(await open('bob', 'cy', 'dan')), listed(two), 'and nothing of theirs counts');
  await coach.open(`${path}next/?person=x&date=1&time=y`);
  assert.equal(coach.page().status, 200);

  await open('bob', 'cy');
  const made = await coach.submit({ name: 'contest' });
  const id = BigInt(/rounds\/(\d+)\/\?done=made/.exec(made.path)?.[1] ?? 0);
  const round = await findVisibleRound(store.reader, id, ada);
  assert.equal(`${round?.name} ${round?.rule} ${round?.group}`, 'Codeforces Round 1903 icpc Club');
  assert.equal(`${round?.starts_at} ${round?.ends_at}`, '2026-12-24T18:30:00.000Z 2026-12-24T20:30:00.000Z');
  assert.equal((await listRoundProblems(store.reader, id)).length, 6);

  const proposals = await coach.open(`${path}teams/`);
  assert.equal(proposals.document.querySelectorAll('tbody tr').length, 1, 'a coach is in no team');
  assert.match(textOf(proposals, 'tbody tr'), /mia 1411.*cy 1211.*bob 1111.*3733/s);
  assert.match(textOf(proposals, 'main'), /teams of three from 3 people .* Nothing else is known/s);
  assert.ok(!proposals.text.includes('dan') && !proposals.text.includes('1311'));
  await archiveGroup(store, { groupId: group, coachId: ada }, true);
  assert.equal((await coach.open(`${path}next/`)).path, `/dashboard/groups/${group}/`);
});
