/** A garden whose contests ada can take: what she sends becomes contests taken. */
import type { TestContext } from 'node:test';
import { dayMs } from '../../src/durations.ts';
import { codeforces, identity, openGarden } from '../importing/support.ts';
import { temporaryDatabase } from './garden.ts';
import { membersNamed } from './members.ts';

export const ratings = [800, 1200, 1600, 1900, 2200, 2500];

export type Sent = [key: string, verdict: string, at: number, type?: string, more?: Record<string, unknown>];

const dayS = dayMs / 1000;

/** Contests 1 to 9 begin a day after each other, have six problems, and last two hours. */
export async function contestGarden(t: TestContext, start: number) {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob', 'cleo', 'dora', 'emil', 'finn', 'gwen');
  const garden = await openGarden(t, databaseUrl);
  const contests = Array.from({ length: 9 }, (_, at) => at + 1);
  const problems = contests.flatMap((contest) =>
    ratings.map((rating, at) => ({
      ...identity(`${contest}${'ABCDEF'[at]}`),
      name: `${contest} ${at}`,
      tags: [at % 2 === 0 ? 'dp' : 'graphs'],
      ...(contest !== 7 || at < 2 ? { rating } : {}),
    })),
  );
  await garden.import('codeforces-problems', codeforces(...problems));
  await garden.import('codeforces-contests', {
    status: 'OK',
    result: contests.map((id) => ({
      id,
      name: `Round ${id}`,
      phase: 'FINISHED',
      durationSeconds: 7200,
      startTimeSeconds: start + id * dayS,
    })),
  });
  const send = (handle: string, ...sent: Sent[]) => sendAs('ada', handle, ...sent);
  const sendAs = (member: string, handle: string, ...sent: Sent[]) =>
    garden.import(
      'codeforces-submissions',
      {
        status: 'OK',
        result: sent.map(([key, verdict, at, participantType = 'CONTESTANT', more], place) => ({
          id: at * 100 + place,
          contestId: identity(key).contestId,
          creationTimeSeconds: at,
          problem: { ...identity(key), name: key, tags: [] },
          author: { members: [{ handle }], participantType, ghost: false, ...more },
          programmingLanguage: 'C++',
          verdict,
        })),
      },
      { member, handle },
    );
  return { garden, send, sendAs };
}

export const duringContest =
  (start: number) =>
  (contest: number, seconds = 600): number =>
    start + contest * dayS + seconds;
