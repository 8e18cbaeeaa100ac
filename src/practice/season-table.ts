/**
 * The table of a season: people and contests, with points by the rule of the season. It is computed when it is read, so
 * that a late sync, a moved contest or a changed rule corrects it.
 */
import { setImmediate } from 'node:timers/promises';
import { ascending, descending } from 'd3-array';
import { type GridProblem, listGridProblems } from '../store/contests.ts';
import {
  listRoundPeople,
  listRoundProblems,
  listRoundSolves,
  type RoundPerson,
  type RoundTimes,
} from '../store/rounds.ts';
import {
  countWithoutConsent,
  listContestSolves,
  listSeasonItems,
  listSeasonPeople,
  listSeasonPoints,
  listSeasonSolves,
  type SeasonItem,
  type SeasonPerson,
  type SeasonPointsTable,
  type SeasonSolve,
  type SeasonsTable,
} from '../store/seasons.ts';
import type { Db } from '../store/tables.ts';
import { type Days, dayOf, daysOf } from './days.ts';
import { firstSolvesIn } from './round-table.ts';
import { hiddenFrom, letterOf } from './rounds.ts';
import {
  bestSolve,
  isCancelled,
  participationIn,
  type RoundSolveSetting,
  type SolveSetting,
  solveSettingIn,
} from './solve-settings.ts';

export interface SeasonCell {
  participation: 'live' | 'virtual' | 'upsolved' | 'absent';
  solved: number;
  upsolved: number;
  /** Points are counted in halves. */
  halves: number;
  isTeam: boolean;
  counts: boolean;
  deadline: string;
  /** One for each problem of the column. */
  solves: readonly SeasonSolveCell[];
}

export interface SeasonSolveCell {
  setting: RoundSolveSetting | undefined;
  isCounted: boolean;
  at: string;
  isTried: boolean;
}

export interface SeasonColumn {
  contest: SeasonItem;
  /** RFC 3339. A round hides its results since then, and no column counts submissions to its problems. */
  hiddenFrom: string | undefined;
  /** It is the moment when the contest was added if the start is unknown. */
  startsAt: string;
  endsAt: string;
  /** Problems that are solved afterwards give points until then. */
  deadline: string;
  /** Only `held` counts; `outside` begins after the season. */
  phase: 'ahead' | 'held' | 'outside' | 'cancelled';
  /** Problems that no catalogue has yet have no id. */
  places: readonly GridProblem[];
  /** Whether its judge may have more problems than are known here. */
  isIncomplete: boolean;
  /** The points of a lockout by the id of the problem, which only the first to solve it gets. */
  lockoutPoints: ReadonlyMap<bigint | null, number> | undefined;
}

export interface SeasonRow {
  person: SeasonPerson;
  cells: readonly SeasonCell[];
  live: number;
  handPoints: readonly SeasonPointsTable[];
  handHalves: number;
  total: number;
  place: number | undefined;
}

export interface SeasonTable {
  season: SeasonsTable;
  columns: readonly SeasonColumn[];
  rows: readonly SeasonRow[];
  notAgreedCount: number;
  pastCount: number;
  contestCount: number;
}

export type PointsOf = (source: string, rating: bigint | null) => number;

interface TableOptions {
  /** In milliseconds since 1970. */
  now: number;
  isShown: (person: SeasonPerson) => boolean;
  pointsOf: PointsOf;
}

interface SeasonSpan {
  days: Days;
  from: string;
  until: string;
}

const textOf = (at: number) => new Date(at).toISOString();

export function spanOf({ first_day, last_day }: SeasonsTable, zone: string): SeasonSpan {
  const days = daysOf({ zone, startHour: 0 });
  const start = (day: number) => textOf(days.start(day));
  return { days, from: start(dayOf(first_day) as number), until: start((dayOf(last_day) as number) + 1) };
}

const placesAtMost = 3;

export async function readSeasonTable(
  db: Db,
  group: { id: bigint; zone: string },
  season: SeasonsTable,
  { now, isShown, pointsOf }: TableOptions,
): Promise<SeasonTable> {
  const span = spanOf(season, group.zone);
  const columns = await readColumns(db, season, span, now);
  const heldColumns = columns.filter(({ phase }) => phase === 'held');
  const people = (await listSeasonPeople(db, { groupId: group.id })).filter(isShown);
  const ids = people.map(({ user_id }) => user_id);
  const isVisible = visibleIn(columns);
  const cellsOfColumns: SeasonCell[][] = [];
  for (let start = 0; start < columns.length; start += columnsPerRead) {
    const some = columns.slice(start, start + columnsPerRead);
    const held = some.filter(({ phase }) => phase === 'held');
    const submissions = await readSubmissions(db, ids, held, { span, isVisible });
    for (const column of some) {
      const ofColumn = (id: bigint) => (column.phase === 'held' && submissions.get(id)) || noSubmissions;
      cellsOfColumns.push(ids.map((id) => cellOf(column, ofColumn(id), { season, span, pointsOf })));
      // A season of a hundred contests must not hold up other requests.
      await setImmediate();
    }
  }
  const handPointsByUser = Map.groupBy(await listSeasonPoints(db, season.id), ({ user_id }) => user_id);
  const rows = people.map((person, at): SeasonRow => {
    const { user_id } = person;
    const cells = countBest(
      cellsOfColumns.map((column) => column[at] as SeasonCell),
      season.best,
    );
    const handPoints = handPointsByUser.get(user_id) ?? [];
    const handHalves = handPoints.reduce((sum, { halves }) => sum + Number(halves), 0);
    const earned = cells.reduce((sum, { halves, counts }) => sum + (counts ? halves : 0), 0);
    const live = cells.filter(({ participation }) => participation === 'live').length;
    return {
      person,
      cells,
      live,
      handPoints,
      handHalves,
      total: earned + handHalves,
      place: undefined,
    };
  });
  const notAgreedCount = await countWithoutConsent(db, group.id);
  const contestCount = columns.filter(({ phase }) => phase !== 'cancelled').length;
  return {
    season,
    columns,
    rows: rankRows(rows),
    notAgreedCount,
    pastCount: heldColumns.length,
    contestCount,
  };
}

async function readColumns(
  db: Db,
  season: SeasonsTable,
  span: SeasonSpan,
  now: number,
): Promise<SeasonColumn[]> {
  const contests = await listSeasonItems(db, [season.id]);
  const idsOf = (itemKind: SeasonItem['kind']) =>
    contests.flatMap(({ kind, id }) => (kind === itemKind ? id : []));
  const roundProblems = await listRoundProblems(db, ...idsOf('round'));
  const roundPlaces = roundProblems.map((problem) => ({
    ...problem,
    contest_id: problem.round_id,
    key: problem.source_key,
    position: letterOf(problem),
  }));
  const places = {
    contest: Map.groupBy(await listGridProblems(db, idsOf('contest')), ({ contest_id }) => contest_id),
    round: Map.groupBy(roundPlaces, ({ contest_id }) => contest_id),
  };
  return contests.map((contest) => {
    const { kind, id } = contest;
    const isRound = kind === 'round';
    const startsAt = contest.starts_at ?? contest.added_at;
    const endsAt = isRound
      ? contest.ends_at
      : textOf(Date.parse(startsAt) + Number(contest.duration_s) * 1000);
    const isAhead = startsAt > textOf(now);
    const time = startsAt >= span.until ? 'outside' : isAhead ? 'ahead' : 'held';
    // The problems of a round are secret before it begins.
    const ownPlaces = isRound && isAhead ? [] : distinctPlaces(places[kind].get(id) ?? []);
    return {
      contest,
      startsAt,
      phase: !isRound && isCancelled(contest) ? 'cancelled' : time,
      hiddenFrom: isRound ? hiddenFrom(contest, now) : undefined,
      endsAt,
      deadline: upsolvedUntil(season, span.days, endsAt),
      lockoutPoints:
        isRound && contest.rule === 'lockout'
          ? new Map(
              roundProblems.flatMap((one) => (one.round_id === id ? [[one.id, Number(one.points)]] : [])),
            )
          : undefined,
      places: ownPlaces,
      isIncomplete:
        !isRound &&
        time === 'held' &&
        (ownPlaces.length === 0 || ownPlaces.some((one) => one.id === null) || isBefore(contest)),
    };
  });
}

/** The judge’s list has not had it since it began, so that rows of members may name some of its problems alone. */
const isBefore = ({ phase }: { phase: string | null }) => phase === 'BEFORE' || phase === 'CODING';

const naturalOrder = new Intl.Collator('en', { numeric: true });

/** Parts of a problem may have places of their own, and look-ups may bring a row twice. */
export function distinctPlaces(places: readonly GridProblem[]): GridProblem[] {
  const inOrder = places.toSorted(
    (a, b) => naturalOrder.compare(a.position, b.position) || naturalOrder.compare(a.key, b.key),
  );
  return [...new Map(inOrder.map((place) => [place.id ?? place.key, place])).values()];
}

/** Rounds hide the last submissions to their problems for a while, also in the columns of other contests. */
function visibleIn(columns: readonly SeasonColumn[]) {
  const hidden = new Map<bigint | null, string>();
  for (const { hiddenFrom, places } of columns)
    for (const { id } of places) {
      const earliest = hidden.get(id);
      if (hiddenFrom !== undefined && (earliest === undefined || hiddenFrom < earliest))
        hidden.set(id, hiddenFrom);
    }
  const isVisible = ({ problem_id, submitted_at }: Pick<SeasonSolve, 'problem_id' | 'submitted_at'>) => {
    const from = hidden.get(problem_id);
    return from === undefined || submitted_at < from;
  };
  const moments = (places: readonly GridProblem[]) =>
    new Set(places.flatMap(({ id }) => hidden.get(id) ?? []));
  return Object.assign(isVisible, { moments });
}

export type ItemIdentity =
  | { kind: 'round'; id: bigint }
  | { kind: 'contest' | 'coming'; source: string; key: string };

export const itemKey = (item: ItemIdentity): string =>
  item.kind === 'round' ? `round ${item.id}` : `contest ${item.source} ${item.key}`;

/** The moments of so many contests fold well. */
const columnsPerRead = 20;

type PersonSubmissions = ReadonlyMap<bigint | string, readonly SeasonSolve[]>;

const noSubmissions: PersonSubmissions = new Map();

async function readSubmissions(
  db: Db,
  userIds: readonly bigint[],
  columns: readonly SeasonColumn[],
  { span, isVisible }: { span: SeasonSpan; isVisible: ReturnType<typeof visibleIn> },
): Promise<ReadonlyMap<bigint, PersonSubmissions>> {
  const ofContests = columns.filter(({ contest }) => contest.kind === 'contest');
  const problemIds = [...new Set(ofContests.flatMap(({ places }) => places.flatMap(({ id }) => id ?? [])))];
  const submissions = new Map(userIds.map((id) => [id, new Map<bigint | string, SeasonSolve[]>()]));
  const add = (row: SeasonSolve, to: bigint | string) => {
    if (!isVisible(row)) return;
    const own = submissions.get(row.user_id);
    const rows = own?.get(to);
    if (rows) rows.push(row);
    else own?.set(to, [row]);
  };
  // What the table counts depends on these moments alone, so the database folds what was sent between two of them.
  const ofColumns = columns.flatMap(({ startsAt, endsAt, deadline }) => [startsAt, endsAt, deadline]);
  const moments = [
    ...new Set([
      ...ofColumns,
      span.from,
      span.until,
      ...isVisible.moments(columns.flatMap(({ places }) => places)),
    ]),
  ];
  const people = { userIds, moments };
  for (const row of await listSeasonSolves(db, problemIds, people)) add(row, row.problem_id ?? '');
  const items = columns.map(({ contest }) => contest);
  const contests = items.filter((one) => one.kind === 'contest');
  for (const [source, some] of Map.groupBy(contests, (one) => one.source)) {
    const keys = some.map(({ key }) => key);
    for (const row of await listContestSolves(db, source, keys, people))
      add(row, itemKey({ kind: 'contest', source, key: row.contest ?? '' }));
  }
  const roundIds = items.flatMap(({ kind, id }) => (kind === 'round' ? id : []));
  const roundSolves = Map.groupBy(
    await listRoundSolves(db, roundIds, { moments }),
    ({ round_id }) => round_id,
  );
  for (const item of items) {
    if (item.kind !== 'round') continue;
    const rows = roundSolves.get(item.id) ?? [];
    const firsts = item.rule === 'lockout' && firstSolvesIn(rows.filter(isVisible), item);
    const teamOf = item.teams_day === null ? undefined : teamsIn(await listRoundPeople(db, item.id));
    for (const row of rows) {
      const first = firsts && isDuring(item, row) ? firsts.get(row.problem_id) : undefined;
      const team = teamOf?.(row.user_id);
      const isBehind = first && first.user_id !== row.user_id && !team?.includes(first.user_id);
      const submission = {
        ...roundSubmission,
        ...row,
        contest: isBehind ? behind : null,
        last_at: row.submitted_at,
      };
      if (!team) add(submission, itemKey(item));
      else for (const user_id of team) add({ ...submission, user_id, is_team: 1n }, itemKey(item));
    }
  }
  return submissions;
}

/** The people who share a row with somebody; undefined for people alone. What one of them sent counts for each. */
function teamsIn(people: readonly RoundPerson[]) {
  const teams = Map.groupBy(people, ({ team_id }) => team_id);
  const byId = new Map(people.map((one) => [one.user_id, one.team_id]));
  return (userId: bigint) => {
    const team = byId.get(userId) ?? null;
    return team === null ? undefined : teams.get(team)?.map(({ user_id }) => user_id);
  };
}

/** Submissions in a round of the group count whatever contest they were sent in. */
const roundSubmission = { key: '', participation: null, source: '' };
/** In the place of a contest it marks what was sent in a lockout after somebody else solved the problem. */
const behind = 'behind';

interface PointsRule {
  season: SeasonsTable;
  span: SeasonSpan;
  pointsOf: PointsOf;
}

/** After the season only a contest counts that began before its end. */
const isInSeason = (item: SeasonItem, setting: SolveSetting, at: string, { from, until }: SeasonSpan) =>
  at >= from && (at < until || (setting === 'live' && item.starts_at !== null));

function participationOf(item: SeasonItem, own: readonly SeasonSolve[], span: SeasonSpan) {
  const ofPart = (part: 'live' | 'virtual') =>
    own.filter(
      (one) =>
        (one.verdict_class === 'tried' || one.verdict_class === 'solved') &&
        (item.kind === 'round' ? 'live' : participationIn(item, one)) === part &&
        isInSeason(item, part, one.submitted_at, span),
    );
  const [live, virtual] = [ofPart('live'), ofPart('virtual')];
  if (live.length > 0) return { part: 'live', rows: live } as const;
  return { part: virtual.length > 0 ? 'virtual' : 'absent', rows: virtual } as const;
}

const isDuring = ({ starts_at, ends_at }: RoundTimes, { submitted_at }: Pick<SeasonSolve, 'submitted_at'>) =>
  submitted_at >= starts_at && submitted_at < ends_at;

const settingInRound =
  (round: RoundTimes) =>
  (one: SeasonSolve): RoundSolveSetting =>
    isDuring(round, one)
      ? one.contest === behind
        ? 'behind'
        : 'live'
      : one.submitted_at < round.starts_at
        ? 'elsewhere'
        : 'later';

/** The end of a day by the clocks of the group; without such days, the end of the contest. */
function upsolvedUntil({ upsolve_days }: SeasonsTable, days: Days, endsAt: string): string {
  return upsolve_days === 0n
    ? endsAt
    : textOf(days.start(days.at(Date.parse(endsAt)) + Number(upsolve_days) + 1));
}

function solveCellOf(
  rows: readonly SeasonSolve[],
  settingOf: (one: SeasonSolve) => RoundSolveSetting,
  {
    item,
    part,
    end,
    deadline,
    span,
  }: {
    item: SeasonItem;
    part: SeasonCell['participation'];
    end: string;
    deadline: string;
    span: SeasonSpan;
  },
): SeasonSolveCell {
  const first = bestSolve(rows, settingOf)?.setting;
  if (!first)
    return {
      setting: first,
      isCounted: false,
      at: '',
      isTried: rows.some(({ verdict_class }) => verdict_class === 'tried'),
    };
  // A virtual contest after the live one is practice.
  const setting = first === 'virtual' && part === 'live' ? 'later' : first;
  const isInContest = setting === 'live' || setting === 'virtual';
  const at = rows
    .filter((row) => row.verdict_class === 'solved' && (!isInContest || settingOf(row) === setting))
    .reduce((first, row) => (first === '' || row.submitted_at < first ? row.submitted_at : first), '');
  const isCounted = isInContest
    ? isInSeason(item, setting, at, span)
    : setting === 'later' && at >= end && at >= span.from && at < deadline;
  const isBefore = setting === 'later' && at < end;
  return { setting: isBefore ? 'elsewhere' : setting, isCounted, at, isTried: true };
}

function submissionsOfColumn(
  { contest, places }: SeasonColumn,
  submissions: PersonSubmissions,
): readonly SeasonSolve[] {
  const own = submissions.get(itemKey(contest)) ?? [];
  if (contest.kind === 'round') return own;
  const all = places.flatMap(({ id }) => submissions.get(id ?? '') ?? []);
  return [...own, ...all.filter((row) => row.contest === null)];
}

function cellOf(
  column: SeasonColumn,
  submissions: PersonSubmissions,
  { season, span, pointsOf }: PointsRule,
): SeasonCell {
  const { contest, places } = column;
  const isRound = contest.kind === 'round';
  const all = submissionsOfColumn(column, submissions);
  const own = isRound ? all.filter((one) => isDuring(contest, one)) : all;
  const { part: participation, rows } = participationOf(contest, own, span);
  // The days after a virtual contest begin with its end.
  const isVirtual = participation === 'virtual';
  const last = isVirtual ? rows.reduce((at, { last_at }) => (last_at > at ? last_at : at), '') : '';
  const end = last > column.endsAt ? last : column.endsAt;
  const deadline = isVirtual ? upsolvedUntil(season, span.days, end) : column.deadline;
  const rule = { item: contest, part: participation, end, deadline, span };
  const submissionsTo = ({ id, key }: GridProblem) => {
    if (isRound) return all.filter((row) => row.problem_id === id);
    return id === null ? own.filter((row) => row.key === key) : (submissions.get(id) ?? []);
  };
  const settingOf = isRound ? settingInRound(contest) : solveSettingIn(contest);
  const solves = places.map((place) => solveCellOf(submissionsTo(place), settingOf, rule));
  let [solved, upsolved, halves] = [0, 0, 0];
  for (const [index, { setting, isCounted }] of solves.entries()) {
    if (!isCounted) continue;
    const { id, source, rating } = places[index] as GridProblem;
    const usual = season.points === 'band' ? pointsOf(source ?? '', rating) : 1;
    const points = column.lockoutPoints?.get(id) ?? usual;
    if (setting === 'later') upsolved += 1;
    else solved += 1;
    halves += setting === 'live' ? 2 * points : points;
  }
  const rest = { counts: true, deadline, solves };
  if (participation === 'absent' && upsolved === 0)
    return { participation, solved: 0, upsolved, halves: 0, isTeam: false, ...rest };
  const isTeam = rows.some(({ is_team }) => is_team === 1n);
  return {
    participation: participation === 'absent' ? 'upsolved' : participation,
    solved,
    upsolved,
    halves,
    isTeam,
    ...rest,
  };
}

/** Of equal contests the earlier ones count. */
function countBest(cells: readonly SeasonCell[], best: bigint | null): readonly SeasonCell[] {
  if (best === null) return cells;
  const counted = new Set(cells.toSorted((a, b) => b.halves - a.halves).slice(0, Number(best)));
  return cells.map((cell) => (counted.has(cell) || cell.halves === 0 ? cell : { ...cell, counts: false }));
}

const hasPart = ({ cells, handPoints }: SeasonRow) =>
  handPoints.length > 0 || cells.some(({ participation }) => participation !== 'absent');

/** Only the first three who took part have a place, and only if somebody is behind them. */
function rankRows(rows: readonly SeasonRow[]): SeasonRow[] {
  const least = Math.min(...rows.map(({ total }) => total));
  return rows
    .toSorted((a, b) => descending(a.total, b.total) || ascending(a.person.username, b.person.username))
    .map((row) => {
      const place = 1 + rows.filter(({ total }) => total > row.total).length;
      const hasPlace = place <= placesAtMost && row.total > least && hasPart(row);
      return { ...row, place: hasPlace ? place : undefined };
    });
}
