/**
 * What a team did together, from submissions of its people; `docs/teams.md` has the rules. Nothing says who of a team wrote a
 * solution but the writer.
 */
import { ascending, descending } from 'd3-array';
import { judgeOf } from '../judges/judges.ts';
import {
  type ContestRow,
  findContestsByKeys,
  type GridProblem,
  listGridProblems,
} from '../store/contests.ts';
import type { GroupsTable } from '../store/groups.ts';
import { findProblemsByIds, type ProblemRow } from '../store/problems.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  countTriesUntil,
  deleteTeamAuthor,
  insertTeamAuthor,
  listTeamAuthors,
  listTeamMembers,
  listTeamSolves,
  type TeamAuthorsTable,
  type TeamMember,
  type TeamSolve,
  type TeamsTable,
} from '../store/teams.ts';
import { dayOf, daysOf } from './days.ts';
import { distinctPlaces } from './season-table.ts';
import { dayIn, isInTeamOn } from './teams.ts';

const contestsAtMost = 100;

/** The submissions of a team in one contest, each once, the earliest first. */
export interface JointContest {
  source: string;
  contest: string;
  isVirtual: boolean;
  beganAt: string;
  solves: readonly TeamSolve[];
}

type MemberDays = Pick<TeamMember, 'user_id' | 'first_day' | 'last_day'>;

const count = <T>(values: Iterable<T>) => new Set(values).size;

/** Two people with two handles: a handle that both of them linked is one sender. */
const isOfTwo = (solves: readonly TeamSolve[]) =>
  count(solves.map(({ user_id }) => user_id)) > 1 && count(solves.map(({ name_key }) => name_key)) > 1;

/** Whether two people solved one problem with submissions of their own, as rivals do. */
const isRace = (solves: readonly TeamSolve[]) =>
  Map.groupBy(
    solves.filter(({ verdict_class }) => verdict_class === 'solved'),
    ({ key }) => key,
  )
    .values()
    .some((some) => count(some.map(({ submission_id }) => submission_id)) > 1 && isOfTwo(some));

/** Contests of the team, the newest first: sent under one team of the judge, or by two people in one virtual contest. */
export function contestsTogether(
  solves: readonly TeamSolve[],
  members: readonly MemberDays[],
  group: Pick<GroupsTable, 'zone'>,
): JointContest[] {
  const teamOf = new Map(
    solves.flatMap(({ source, submission_id, judge_team }) =>
      judge_team === null ? [] : [[`${source} ${submission_id}`, judge_team] as const],
    ),
  );
  const judgeTeamOf = ({ source, submission_id }: TeamSolve) => teamOf.get(`${source} ${submission_id}`);
  const parties = Map.groupBy(
    solves.filter((one) => one.is_team === 1n || one.virtual_began_at !== null),
    (one) => {
      const team = one.is_team === 1n && `${judgeTeamOf(one) ?? ''}`;
      const isVirtual = one.participation === 'virtual';
      return JSON.stringify([one.source, one.contest, isVirtual, one.virtual_began_at, team]);
    },
  );
  const found = [...parties.values()].map((party) => {
    const [first] = party.toSorted((a, b) => ascending(a.submitted_at, b.submitted_at));
    const { source, contest, participation, is_team, virtual_began_at, submitted_at } = first as TeamSolve;
    const beganAt = virtual_began_at ?? submitted_at;
    const day = dayIn(group, beganAt);
    const present = new Set(members.flatMap((one) => (isInTeamOn(one, day) ? one.user_id : [])));
    const own = party.filter(({ user_id }) => present.has(user_id));
    const isJoint = isOfTwo(own) && (is_team === 1n || !isRace(own));
    const team = is_team === 1n && first && judgeTeamOf(first);
    return { source, contest, isVirtual: participation === 'virtual', beganAt, own, isJoint, team };
  });
  const known = new Set(
    found.flatMap(({ source, team, isJoint }) => (isJoint && team ? `${source} ${team}` : [])),
  );
  return found
    .filter(({ source, team, isJoint, own }) => isJoint || (own.length > 0 && known.has(`${source} ${team}`)))
    .map(({ own, source, contest, isVirtual, beganAt }) => {
      const inOrder = own.toSorted((a, b) => ascending(a.submitted_at, b.submitted_at));
      const distinct = new Map(inOrder.map((one) => [one.submission_id, one]));
      return { source, contest, isVirtual, beganAt, solves: [...distinct.values()] };
    })
    .toSorted((a, b) => descending(a.beganAt, b.beganAt));
}

export interface TeamProblem {
  source: string;
  key: string;
  position: string;
  /** Undefined for a problem that no catalogue here has. */
  problem: ProblemRow | undefined;
  /** When the team solved it in the contest. */
  solvedAt: string | undefined;
  /** Wrong submissions of the team in the contest, before it was solved. */
  tries: number;
  /** Somebody of the team has solved it before or after the contest. */
  isUpsolved: boolean;
  /** Wrong submissions that a person sent alone, by their id. */
  triesAlone: ReadonlyMap<bigint, number>;
  authors: readonly bigint[];
}

export interface TeamContest {
  contest: Pick<ContestRow, 'source' | 'key' | 'title'> & { is_gym: bigint };
  isVirtual: boolean;
  beganAt: string;
  /** Who was in the team then. */
  people: readonly bigint[];
  problems: readonly TeamProblem[];
}

export interface TeamHistory {
  /** Everybody who is or was in the team and agreed, a row for each time. */
  members: readonly TeamMember[];
  contests: readonly TeamContest[];
}

export async function readTeamHistory(
  db: Db,
  group: Pick<GroupsTable, 'id' | 'zone'>,
  team: Pick<TeamsTable, 'id'>,
): Promise<TeamHistory> {
  const all = await listTeamMembers(db, { groupId: group.id });
  const members = all.filter(({ team_id, has_agreed }) => team_id === team.id && has_agreed === 1n);
  const joint = contestsTogether(await listTeamSolves(db, { teamId: team.id }), members, group);
  const shown = joint.slice(0, contestsAtMost);
  const contests = new Map<string, ContestRow>();
  for (const [source, some] of Map.groupBy(shown, (one) => one.source))
    for (const row of await findContestsByKeys(db, source, [...new Set(some.map(({ contest }) => contest))]))
      contests.set(`${source} ${row.key}`, row);
  const grid = Map.groupBy(
    await listGridProblems(
      db,
      [...contests.values()].map(({ id }) => id),
    ),
    ({ contest_id }) => contest_id,
  );
  const placed = shown.map((one) => {
    const row = contests.get(`${one.source} ${one.contest}`);
    return { ...one, row, places: placesOf(one, row ? (grid.get(row.id) ?? []) : []) };
  });
  const ids = [...new Set(placed.flatMap(({ places }) => places.flatMap(({ id }) => id ?? [])))];
  const problems = new Map((await findProblemsByIds(db, ids)).map((row) => [row.id, row]));
  const alone = await readTries(db, group, members, ids);
  const authors = Map.groupBy(await listTeamAuthors(db, team.id), ({ source, key }) => `${source} ${key}`);
  const today = dayIn(group);
  return {
    members,
    contests: placed.map(({ source, contest: key, row, places, isVirtual, beganAt, solves }) => {
      const peopleOn = (day: string) =>
        members.filter((one) => isInTeamOn(one, day)).map(({ user_id }) => user_id);
      const people = peopleOn(dayIn(group, beganAt));
      const team = [...new Set([...people, ...peopleOn(today)])];
      const title = row?.title ?? judgeOf(source)?.gymTitle?.(key) ?? key;
      return {
        contest: { source, key, title, is_gym: row?.is_gym ?? 0n },
        isVirtual,
        beganAt,
        people,
        problems: places.map((place): TeamProblem => {
          const sent = solves.filter((one) =>
            place.id === null ? one.key === place.key : one.problem_id === place.id,
          );
          const solveAt = sent.findIndex(({ verdict_class }) => verdict_class === 'solved');
          const tries = solveAt < 0 ? sent.length : solveAt;
          const ofPeople = team.flatMap((id) => {
            const one = alone.get(`${id} ${place.id}`);
            return one ? [[id, one] as const] : [];
          });
          return {
            source,
            key: place.key,
            position: place.position,
            problem: problems.get(place.id ?? 0n),
            solvedAt: sent[solveAt]?.submitted_at,
            tries,
            isUpsolved: ofPeople.some(([, { isSolved }]) => isSolved),
            triesAlone: new Map(
              ofPeople.flatMap(([id, one]) => (one.tries > 0 ? [[id, one.tries] as const] : [])),
            ),
            authors: (authors.get(`${source} ${place.key}`) ?? [])
              .map(({ user_id }) => user_id)
              .filter((id) => people.includes(id)),
          };
        }),
      };
    }),
  };
}

type Place = Pick<GridProblem, 'id' | 'key' | 'position'>;

/** The judge's list of the contest, and what the team sent to problems that are not in it. */
function placesOf({ source, solves }: JointContest, grid: readonly GridProblem[]): Place[] {
  const places = distinctPlaces(grid);
  const isListed = ({ key, problem_id }: TeamSolve) =>
    places.some((one) => one.key === key || (problem_id !== null && one.id === problem_id));
  const others = new Map(solves.filter((one) => !isListed(one)).map((one) => [one.key, one.problem_id]));
  const positionOf = (key: string) => judgeOf(source)?.contestPositionOf?.(key)?.position ?? key;
  const more = [...others].map(([key, id]) => ({ id, key, position: positionOf(key) }));
  return [...places, ...more.toSorted((a, b) => ascending(a.position, b.position))];
}

/** By person and problem. Of somebody who left only what they sent until their last day. */
async function readTries(
  db: Db,
  { zone }: Pick<GroupsTable, 'zone'>,
  members: readonly TeamMember[],
  problemIds: readonly bigint[],
) {
  const days = daysOf({ zone, startHour: 0 });
  const endOf = ({ last_day }: TeamMember) =>
    last_day === null ? '9999' : new Date(days.start((dayOf(last_day) ?? 0) + 1)).toISOString();
  const alone = new Map<string, { isSolved: boolean; tries: number }>();
  for (const [userId, stints] of Map.groupBy(members, ({ user_id }) => user_id)) {
    const until = stints.map(endOf).reduce((a, b) => (a > b ? a : b));
    for (const row of await countTriesUntil(db, problemIds, { userId, until })) {
      const name = `${userId} ${row.problem_id}`;
      const { isSolved, tries } = alone.get(name) ?? { isSolved: false, tries: 0 };
      const isOwnTry = row.verdict_class === 'tried' && row.is_team === 0n;
      alone.set(name, {
        isSolved: isSolved || row.verdict_class === 'solved',
        tries: tries + (isOwnTry ? Number(row.count) : 0),
      });
    }
  }
  return alone;
}

/** Problems of the contests that nobody of the team has solved, each once, from the newest contest on. */
export function leftToUpsolve({ contests }: TeamHistory): (TeamProblem & Pick<TeamContest, 'contest'>)[] {
  const left = contests.flatMap(({ contest, problems }) => problems.map((one) => ({ ...one, contest })));
  const isSolved = new Set(
    left.flatMap((one) => (one.solvedAt !== undefined || one.isUpsolved ? identityOf(one) : [])),
  );
  const byIdentity = new Map(left.toReversed().map((one) => [identityOf(one), one]));
  return [...byIdentity.values()].toReversed().filter((one) => !isSolved.has(identityOf(one)));
}

const identityOf = ({ problem, source, key }: TeamProblem) => problem?.id ?? `${source} ${key}`;

/** Members say it only of themselves, and only of problems that the team solved while they were in it. Returns false for any other. */
export const setAuthor = inTransaction(
  async (
    tx: Db,
    group: Pick<GroupsTable, 'id' | 'zone'>,
    author: TeamAuthorsTable,
    isAuthor: boolean,
  ): Promise<boolean> => {
    const { contests } = await readTeamHistory(tx, group, { id: author.team_id });
    const isOwn = contests.some(
      ({ people, problems }) =>
        people.includes(author.user_id) &&
        problems.some(
          ({ source, key, solvedAt }) => source === author.source && key === author.key && solvedAt,
        ),
    );
    if (!isOwn) return false;
    if (isAuthor) await insertTeamAuthor(tx, author);
    else await deleteTeamAuthor(tx, author);
    return true;
  },
);
