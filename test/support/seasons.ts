/** A club with a season: contests once a week, and people who take part live or virtually, upsolve, or do not come. */
import type { TestContext } from 'node:test';
import { seeded } from '../../bench/catalogue.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { createMember } from '../../src/practice/members.ts';
import { readSeasonTable, type SeasonTable } from '../../src/practice/season-table.ts';
import { addSeasonContests, makeSeason, type SeasonSettings } from '../../src/practice/seasons.ts';
import { type ContestRow, insertContestProblems, insertContests } from '../../src/store/contests.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { reserveIds } from '../../src/store/ids.ts';
import { emptyProblem, insertProblems } from '../../src/store/problems.ts';
import { insertRound, type RoundsTable, writeRoundProblems } from '../../src/store/rounds.ts';
import { findSeason, type SeasonsTable } from '../../src/store/seasons.ts';
import { insertSolves, type SolvesTable } from '../../src/store/solves.ts';
import type { Store } from '../../src/store/store.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const iso = (at: number) => new Date(at).toISOString();

export const usualSeason: SeasonSettings = {
  name: 'Autumn season',
  first_day: '2026-09-01',
  last_day: '2026-12-15',
  upsolve_days: 7n,
  points: 'problem',
  best: null,
};

/** A garden with a group that ada coaches. */
export async function openClub(t: Pick<TestContext, 'after'>, zone: string) {
  const { store } = await openGarden(t);
  const { id: ada } = await store.write((tx) => createMember(tx, { username: 'ada' }));
  const group = await makeGroup(store, ada, { name: 'Club', zone });
  return { store, ada, group, coach: { groupId: group, coachId: ada } };
}

/** The table of the season of a group, as its coaches see it. */
export async function seasonTable(
  db: Db,
  group: { id: bigint; zone: string },
  now: number,
  pointsOf: (source: string, rating: bigint | null) => number = () => 1,
): Promise<SeasonTable> {
  const season = (await findSeason(db, group.id)) as SeasonsTable;
  return readSeasonTable(db, group, season, { now, isShown: () => true, pointsOf });
}

/** A round of two hours, by default without a freeze. */
export async function addRound(
  tx: Db,
  { at, problems, ...row }: Partial<RoundsTable> & Pick<RoundsTable, 'made_by' | 'group_id'> & NewRound,
): Promise<bigint> {
  const times = { starts_at: iso(at), ends_at: iso(at + 2 * hourMs), updated_at: iso(at) };
  const usual = { secret: null, name: 'Round', rule: 'icpc', freeze_minutes: 0n, is_shown: 0n } as const;
  const id = await insertRound(tx, { ...usual, ...times, ...row });
  await writeRoundProblems(tx, id, problems);
  return id;
}

interface NewRound {
  at: number;
  problems: Parameters<typeof writeRoundProblems>[2];
}

export async function addContest(
  tx: Db,
  { key, problems = 6, ...row }: Partial<ContestRow> & { key: string; problems?: number },
): Promise<{ id: bigint; key: string; problemIds: bigint[] }> {
  const source = row.source ?? 'codeforces';
  const [id = 0n] = await reserveIds(tx, 'contests', 1);
  const usual = { title: `Codeforces Round ${key}`, starts_at: null, duration_s: 7200n, phase: null, is_gym: 0n };
  await insertContests(tx, [{ ...usual, ...row, id, source, key }]);
  const problemIds = await reserveIds(tx, 'problems', problems);
  const letters = [...'ABCDEFGHIJ'];
  await insertProblems(
    tx,
    problemIds.map((problem, at) => ({
      ...emptyProblem(problem, '2026-01-01T00:00:00.000Z'),
      source,
      source_key: `${key}${letters[at]}`,
      title: `Pond ${key}${letters[at]}`,
      rating: BigInt(800 + 300 * at),
    })),
    () => false,
  );
  await insertContestProblems(
    tx,
    problemIds.map((problem_id, at) => ({
      contest_id: id,
      key: `${key}${letters[at]}`,
      position: letters[at] as string,
      problem_id,
    })),
  );
  return { id, key, problemIds };
}

let sent = 0;

export const solve = (row: Partial<SolvesTable> & Pick<SolvesTable, 'handle_id' | 'submitted_at'>): SolvesTable => {
  sent += 1;
  return {
    submission_id: String(sent),
    problem_id: null,
    key: `x${sent}`,
    verdict_class: 'solved',
    verdict: 'OK',
    contest: null,
    participation: 'practice',
    is_team: 0n,
    judge_team: null,
    virtual_began_at: null,
    language: null,
    origin: 'server',
    ...row,
  };
};

export async function addPerson(
  tx: Db,
  group_id: bigint,
  username: string,
  {
    in_season = 1n,
    on_board = 0n,
    source = 'codeforces',
    names = {},
  }: {
    in_season?: bigint | null;
    on_board?: bigint;
    source?: string;
    names?: { first_name?: string; last_name?: string };
  } = {},
): Promise<{ id: bigint; handle: bigint }> {
  const { id } = await createMember(tx, { username, ...names });
  const joined_at = '2026-08-01T00:00:00.000Z';
  await insertGroupMember(tx, { group_id, user_id: id, role: 'member', joined_at, on_board, in_season });
  const { id: handle } = await insertHandle(tx, { user_id: id, source, name: `${username}_cf`, created_at: joined_at });
  return { id, handle };
}

const firstNames = 'Linh Oleksandr Priya Amara Zofia Mateo Kenji Aisha Diego Jonas Noor Ibrahim Thandiwe Sofia'.split(
  ' ',
);
const lastNames = 'Tran Bondar Nair Okafor Kowalska Quispe Watanabe Rahman Fuentes Lindqvist Haddad Yilmaz'.split(' ');

export async function fillSeason(
  store: Store,
  coachId: bigint,
  {
    people,
    contests,
    ahead = 0,
    wishes = {},
    now = Date.now(),
    zone = 'Europe/Berlin',
    firstKey = 2300,
  }: {
    people: number;
    contests: number;
    ahead?: number;
    wishes?: Partial<SeasonSettings>;
    now?: number;
    zone?: string;
    firstKey?: number;
  },
): Promise<{ group: bigint; ids: bigint[] }> {
  const below = seeded(11);
  return store.write(async (tx) => {
    const group = await makeGroup(tx, coachId, { name: 'Wednesday club', zone });
    const coached = { groupId: group, coachId };
    const first = now - (contests * 7 - 3) * dayMs;
    const days = { first_day: iso(first - 4 * dayMs).slice(0, 10), last_day: iso(now + 20 * dayMs).slice(0, 10) };
    await makeSeason(tx, coached, { ...usualSeason, ...days, ...wishes });
    const held: { key: string; start: number; problemIds: bigint[] }[] = [];
    for (let nth = 0; nth < contests + ahead; nth++) {
      const start = first + nth * 7 * dayMs;
      const key = String(firstKey + nth);
      const title =
        nth % 3 === 0 ? `Educational Codeforces Round ${nth + 180} (Rated for Div. 2)` : `Round ${key} (Div. 2)`;
      const { id, problemIds } = await addContest(tx, {
        key,
        title,
        starts_at: iso(start),
        problems: nth < contests ? 5 + below(4) : 0,
      });
      await addSeasonContests(tx, coached, [{ kind: 'contest', item_id: id }]);
      if (nth < contests) held.push({ key, start, problemIds });
    }
    const ids: bigint[] = [];
    const rows: SolvesTable[] = [];
    for (let nth = 0; nth < people; nth++) {
      const names = {
        first_name: firstNames[nth % firstNames.length] as string,
        last_name: lastNames[(nth * 5) % lastNames.length] as string,
      };
      const { id, handle } = await addPerson(tx, group, `member-${firstKey}-${nth}`, {
        on_board: BigInt(nth % 2),
        names,
      });
      ids.push(id);
      for (const { key, start, problemIds } of held) {
        const how = below(10);
        if (how < 2) continue;
        const participation = how < 8 ? 'contest' : how < 9 ? 'virtual' : 'practice';
        const from = participation === 'contest' ? start : start + 30 * hourMs;
        const most = participation === 'practice' ? 2 : Math.max(1, problemIds.length - Math.floor(nth / 6) - below(3));
        for (const [place, problem_id] of problemIds.entries()) {
          const own = { handle_id: handle, problem_id, key: `${key}x${place}`, contest: key };
          const at = from + (5 + 14 * place) * 60_000;
          if (place < most) {
            if (below(3) === 0)
              rows.push(solve({ ...own, submitted_at: iso(at - 120_000), participation, verdict_class: 'tried' }));
            rows.push(solve({ ...own, submitted_at: iso(at), participation }));
          } else if (below(3) === 0 && place < most + 2)
            rows.push(solve({ ...own, submitted_at: iso(start + (2 + below(7)) * dayMs) }));
        }
      }
    }
    await insertSolves(
      tx,
      rows.filter(({ submitted_at }) => submitted_at < iso(now)),
    );
    return { group, ids };
  });
}
