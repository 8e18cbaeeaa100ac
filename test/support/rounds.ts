/** A round of the demo club: twelve people, six problems, and their submissions by the minute. */
import type { TestContext } from 'node:test';
import { loadSample } from '../../src/importing/sample.ts';
import { deriveStatuses, mergeWith } from '../../src/practice/derivation.ts';
import { createMember } from '../../src/practice/members.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { listHandlesAtJudge } from '../../src/store/handles.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { findProblemsByKeys } from '../../src/store/problems.ts';
import { type RoundRule, saveRoundPerson, updateRound } from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { withStore } from './garden.ts';
import { preparedDatabase } from './prepared.ts';
import { solve } from './seasons.ts';

const minuteMs = 60_000;
const at = (ms: number) => new Date(ms).toISOString();

/** Problems of a contest in the demo season, whose submissions to them are removed. */
export const keysOfRound: readonly string[] = ['2193A', '2193B', '2193C', '2193D', '2193E', '2193F'];
/** Problems that are in no demo season or list, for several rounds at the same time. */
export const otherKeysOfRound = {
  live: ['217A', '476B', '414B', '550A', '706C', '1550C'],
  teams: ['4A', '339A', '580C', '489B', '276C', '459B'],
  frozen: ['1594C', '508B', '1363B', '1516B', '510C', '1537D'],
  beside: ['266B', '580A', '363B', '433B', '489C', '520B'],
} as const;

/** By problem, the minutes of wrong submissions, and after a plus of the accepted one; after the end it is an upsolve. */
const sentBy: Readonly<Record<string, readonly string[]>> = {
  demo: ['+8', '15+19', '+31', '50,60+71', '100+3000', ''],
  ana: ['+6', '+14', '+27', '33+41', '80,85,90+93', '+1600'],
  ben: ['+9', '+17', '35+38', '+52', '95,99+106', ''],
  chloe: ['+10', '+25', '+49', '+84', '', ''],
  dmitri: ['+7', '+12', '30,40+44', '50,55+60', '70', ''],
  elif: ['+11', '+22', '30+35', '60,65,70,90+99', '', ''],
  farid: ['+13', '+28', '35,40,44,50+1700', '+58', '', ''],
  goran: ['+7', '20,25+30', '+46', '+1700', '', ''],
  hana: ['12+16', '+33', '60+76', '', '', ''],
  ines: ['+12', '+40', '100+112', '', '', ''],
  jonas: ['+21', '30,35,40+80', '', '', '', ''],
  kavya: ['30,40+66', '', '', '', '', ''],
};
const playersOfRound = Object.keys(sentBy);

/** The sample with an administrator, and somebody who is in no group. */
export const clubDatabase = (t: TestContext) =>
  preparedDatabase(t, 'club', (databaseUrl) =>
    withStore(databaseUrl, async (store) => {
      await loadSample(store);
      await store.write((tx) => createMember(tx, { username: 'staff', role: 'staff' }));
      await store.write((tx) => createMember(tx, { username: 'outsider', role: 'member' }));
    }),
  );

export interface RoundOfClub {
  maker?: string;
  groupId?: bigint | undefined;
  rule?: RoundRule;
  minutesIn: number;
  freezeMinutes?: number;
  points?: readonly number[];
  name?: string;
  players?: readonly string[];
  keys?: readonly string[];
  takesTeams?: boolean;
}

export async function clubRound(store: Store, asked: RoundOfClub): Promise<bigint> {
  const { maker = 'demo', groupId = 1n, rule = 'icpc', minutesIn, freezeMinutes = 30, points = [] } = asked;
  const { name = 'Saturday round 7', players = playersOfRound, keys = keysOfRound, takesTeams = false } = asked;
  const now = Date.now();
  const start = Math.floor(now / 1000) * 1000 - minutesIn * minuteMs;
  return store.write(async (tx) => {
    const { id: makerId = 0n } = (await findMemberByName(tx, maker)) ?? {};
    const found = new Map((await findProblemsByKeys(tx, 'codeforces', keys)).map((row) => [row.key, row.id]));
    const problems = keys.map((key) => found.get(key) as bigint);
    await tx
      .deleteFrom('solves')
      .where('problem_id', 'in', problems)
      .where('submission_id', 'not like', '9%')
      .execute();
    const plan = { name, rule, startsAt: at(now + minuteMs), minutes: 120, freezeMinutes, points };
    const limits = { perDay: 0, total: 0 };
    const id = await makeRound(tx, makerId, plan, {
      groupId: 'groupId' in asked ? asked.groupId : groupId,
      problems,
      limits,
      takesTeams,
    });
    await updateRound(tx, id, { starts_at: at(start), ends_at: at(start + 120 * minuteMs) });
    for (const username of players) {
      const member = await findMemberByName(tx, username);
      if (!member) throw new Error(username);
      await saveRoundPerson(tx, { round_id: id, user_id: member.id, joined_at: at(start) });
      const [handle] = await listHandlesAtJudge(tx, member.id, 'codeforces');
      if (!handle) continue;
      const rows = (sentBy[username] ?? []).flatMap((tries, place) => {
        const [wrong = '', right = ''] = tries.split('+');
        const sent = [...wrong.split(',').map((minute) => [minute, false] as const), [right, true] as const];
        return sent
          .filter(([minute]) => minute !== '')
          .map(([minute, isSolved], nth) =>
            solve({
              handle_id: handle.id,
              submission_id: `9${id}${place}${nth}`,
              problem_id: problems[place] as bigint,
              key: keys[place] as string,
              verdict_class: isSolved ? 'solved' : 'tried',
              verdict: isSolved ? 'OK' : 'WRONG_ANSWER',
              submitted_at: at(start + Number(minute) * minuteMs),
              contest: /^\d+/.exec(keys[place] ?? '')?.[0] ?? null,
            }),
          );
      });
      await insertSolves(
        tx,
        rows.filter(({ submitted_at }) => Date.parse(submitted_at) <= now),
      );
      await deriveStatuses(tx, member.id, problems, mergeWith(new Map()));
      const subject = { source: 'codeforces', task: 'submissions', handle_id: handle.id } as const;
      await saveSync(tx, { ...freshSync(subject), tried_at: at(now - 20_000), good_at: at(now - 20_000), due_at: 1n });
    }
    return id;
  });
}
