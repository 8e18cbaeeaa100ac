/** A team of the demo club with two contests: a virtual one under one team of the judge, and one with accounts of their own. */
import { setAuthor } from '../../src/practice/team-contests.ts';
import { addToTeam, agreeToTeam, makeTeam } from '../../src/practice/teams.ts';
import { listHandlesAtJudge } from '../../src/store/handles.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { findProblemsByKeys } from '../../src/store/problems.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import { dayMs, iso, solve } from './seasons.ts';

export async function clubTeam(store: Store, coachId: bigint, name: string): Promise<bigint> {
  const { reader } = store;
  const idOf = async (username: string) => (await findMemberByName(reader, username))?.id ?? 0n;
  const ids = { demo: await idOf('demo'), ana: await idOf('ana'), ben: await idOf('ben'), chloe: await idOf('chloe') };
  const coach = { groupId: 1n, coachId };
  const firstDay = iso(Date.now() - 60 * dayMs).slice(0, 10);
  const team = await makeTeam(store, coach, { name, firstDay, userIds: [ids.demo, ids.ana] });
  await addToTeam(store, coach, team, { userIds: [ids.ben], firstDay: iso(Date.now()).slice(0, 10) });
  for (const user_id of [ids.demo, ids.ana]) await agreeToTeam(store, { group_id: 1n, team_id: team, user_id });
  const handleOf = async (id: bigint) => (await listHandlesAtJudge(reader, id, 'codeforces'))[0]?.id ?? 0n;
  const handles = [await handleOf(ids.demo), await handleOf(ids.ana)];
  const contests = [
    { key: '2185', ago: 40, judge_team: '77' },
    { key: '2200', ago: 20, judge_team: null },
  ];
  for (const { key, ago, judge_team } of contests) {
    const began = Math.floor(Date.now() / 1000) * 1000 - ago * dayMs;
    const keys = ['A', 'B', 'C', 'D'].map((letter) => key + letter);
    const problems = new Map((await findProblemsByKeys(reader, 'codeforces', keys)).map((row) => [row.key, row.id]));
    const rows = [...problems].flatMap(([problemKey, problem_id], at) =>
      handles
        .filter((_, nth) => judge_team !== null || nth === at % 2)
        .map((handle_id) =>
          solve({
            handle_id,
            problem_id,
            key: problemKey,
            contest: key,
            submission_id: `77${key}${at}`,
            verdict_class: at === 2 ? 'tried' : 'solved',
            submitted_at: iso(began + (at + 1) * 600_000),
            participation: 'virtual',
            virtual_began_at: iso(began),
            is_team: judge_team === null ? 0n : 1n,
            judge_team,
          }),
        ),
    );
    await store.write((tx) => insertSolves(tx, rows));
  }
  await setAuthor(
    store,
    { id: 1n, zone: 'UTC' },
    { team_id: team, group_id: 1n, user_id: ids.demo, source: 'codeforces', key: '2185A' },
    true,
  );
  return team;
}
