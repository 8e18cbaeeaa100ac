/**
 * The table of a season: people and contests, with points by the rule of the season. It is counted from submissions when
 * it is read, so a late sync, a moved contest or a changed rule corrects it.
 */
import { type GridPlace, listGridPlaces } from '../store/contests.ts';
import {
  countNotAgreed,
  listRoundParts,
  listRoundPlaces,
  listSeasonContests,
  listSeasonParts,
  listSeasonPeople,
  listSeasonPoints,
  listSeasonRounds,
  listSeasonSolves,
  type SeasonContest,
  type SeasonContestsTable,
  type SeasonPerson,
  type SeasonPointsTable,
  type SeasonRound,
  type SeasonSolve,
  type SeasonsTable,
} from '../store/seasons.ts';
import type { Db } from '../store/tables.ts';
import { type Days, dayOf, daysOf } from './days.ts';
import { frozenFrom, phaseOf } from './rounds.ts';
import { isLive, type Took, tookOf } from './taking-part.ts';

/** How a person took part in a contest; upsolved is only what was solved afterwards. */
type Part = 'live' | 'virtual' | 'upsolved' | 'absent';

export interface SeasonCell {
  part: Part;
  /** Solved in the contest itself. */
  solved: number;
  /** Solved afterwards, in time for points. */
  upsolved: number;
  /** Points are counted in halves. */
  halves: number;
  /** Whether something was sent as a team. */
  isTeam: boolean;
  /** Whether its points count: it is among the best contests of the person. */
  counts: boolean;
}

/** Whether a contest is still to come, counts, or begins after the season. */
type SeasonPhase = 'ahead' | 'held' | 'outside';

export interface SeasonColumn {
  kind: SeasonContestsTable['kind'];
  /** A round of the group is written like a contest of no judge. */
  contest: SeasonContest;
  /** While a round hides its last results: since when. What was sent from then on is left out. */
  hiddenFrom: string | undefined;
  /** When it begins; the moment when it was added where nobody knows. */
  startsAt: string;
  endsAt: string;
  /** The moment until which problems that are solved afterwards give points. */
  deadline: string;
  phase: SeasonPhase;
  /** Problems at their places; those of the contest that no catalogue has yet have no id. */
  places: readonly GridPlace[];
}

export interface SeasonLine {
  person: SeasonPerson;
  /** In the order of the columns. */
  cells: readonly SeasonCell[];
  live: number;
  /** Half points by hand. */
  byHand: number;
  total: number;
  place: number | undefined;
}

export interface SeasonTable {
  season: SeasonsTable;
  columns: readonly SeasonColumn[];
  /** By points, then by name. */
  lines: readonly SeasonLine[];
  /** How many members have not agreed to be shown. */
  notAgreed: number;
  held: number;
}

interface SeasonGroup {
  id: bigint;
  zone: string;
}

/** Which people stand in the table that this visitor sees, of those who agreed. */
type IsShown = (person: SeasonPerson) => boolean;

/** How many points a problem gives that is solved live, in a season whose points go by difficulty. */
export type PointsOf = (source: string, rating: bigint | null) => number;

/** The bounds of a season by the clocks of the group, as moments are written: those of one form compare as texts. */
interface Span {
  days: Days;
  from: string;
  until: string;
}

const textOf = (at: number) => new Date(at).toISOString();

export function spanOf({ first_day, last_day }: SeasonsTable, zone: string): Span {
  const days = daysOf({ zone, startHour: 0 });
  const start = (day: number) => textOf(days.start(day));
  return { days, from: start(dayOf(first_day) ?? 0), until: start((dayOf(last_day) ?? 0) + 1) };
}

const placesAtMost = 3;

/** Reads the table. `now` in milliseconds since 1970. */
export async function readSeasonTable(
  db: Db,
  group: SeasonGroup,
  season: SeasonsTable,
  { now, isShown, pointsOf }: { now: number; isShown: IsShown; pointsOf: PointsOf },
): Promise<SeasonTable> {
  const span = spanOf(season, group.zone);
  const columns = await readColumns(db, season, span, textOf(now));
  const people = (await listSeasonPeople(db, group.id)).filter(isShown);
  const ids = people.map(({ user_id }) => user_id);
  const held = columns.filter(({ phase }) => phase === 'held');
  const sent = await readSent(db, ids, held);
  const hand = Map.groupBy(await listSeasonPoints(db, season.id), ({ user_id }) => user_id);
  const rule = { season, span, pointsOf };
  const lines = people.map((person) => {
    const own = sent.get(person.user_id);
    const cells = columns.map((column) =>
      own && column.phase === 'held' ? cellOf(column, own, rule) : absent,
    );
    return lineOf(person, countBest(cells, season.best), hand.get(person.user_id) ?? []);
  });
  return {
    season,
    columns,
    lines: inOrder(lines),
    notAgreed: await countNotAgreed(db, group.id),
    held: held.length,
  };
}

/** In the order of time. */
async function readColumns(db: Db, season: SeasonsTable, span: Span, now: string): Promise<SeasonColumn[]> {
  const contests = await listSeasonContests(db, season.id);
  const ids = contests.map(({ id }) => id);
  const places = Map.groupBy(
    ids.length === 0 ? [] : await listGridPlaces(db, ids),
    ({ contest_id }) => contest_id,
  );
  const columnOf = (
    contest: SeasonContest,
    rest: Pick<SeasonColumn, 'kind' | 'places' | 'hiddenFrom'>,
  ): SeasonColumn => {
    const startsAt = contest.starts_at ?? contest.added_at;
    const phase = startsAt >= span.until ? 'outside' : startsAt > now ? 'ahead' : 'held';
    const endsAt = textOf(Date.parse(startsAt) + Number(contest.duration_s) * 1000);
    const deadline = upsolvedUntil(season, span.days, endsAt);
    return { contest, startsAt, endsAt, deadline, phase, ...rest };
  };
  const columns = contests.map((contest) =>
    columnOf(contest, {
      ...{ kind: 'contest', hiddenFrom: undefined },
      places: once(places.get(contest.id) ?? []),
    }),
  );
  const rounds = await listSeasonRounds(db, season.id);
  const ofRounds = Map.groupBy(
    await listRoundPlaces(
      db,
      rounds.map(({ id }) => id),
    ),
    ({ round_id }) => round_id,
  );
  const held = rounds.map((round) => {
    const at = Date.parse(now);
    const own = ofRounds.get(round.id) ?? [];
    const column = columnOf(contestOfRound(round), {
      kind: 'round',
      hiddenFrom: ['frozen', 'held'].includes(phaseOf(round, at))
        ? textOf(frozenFrom(round) ?? at)
        : undefined,
      places: own.map(({ round_id, position, ...place }) => ({
        ...place,
        ...{ contest_id: round_id, position: letterOf(position) },
      })),
    });
    // Nobody is told the problems of a round before it begins.
    return column.phase === 'held' ? column : { ...column, places: [] };
  });
  if (held.length === 0) return columns;
  return [...columns, ...held].toSorted((a, b) =>
    a.startsAt < b.startsAt ? -1 : a.startsAt > b.startsAt ? 1 : 0,
  );
}

/** The letter of a problem in a round, from position 1. */
const letterOf = (position: bigint) => String.fromCharCode(64 + Number(position));

/** The key is none that any judge has. */
const contestOfRound = ({ id, name, starts_at, ends_at, added_at }: SeasonRound): SeasonContest => ({
  ...{ id, source: '', key: `round ${id}`, title: name, starts_at, added_at, phase: null },
  duration_s: BigInt((Date.parse(ends_at) - Date.parse(starts_at)) / 1000),
});

const order = new Intl.Collator('en', { numeric: true });

/** Each problem once, in the order of their places. Parts of a problem may have places of their own; look-ups may bring a row twice. */
function once(places: readonly GridPlace[]): GridPlace[] {
  const inOrder = places.toSorted(
    (a, b) => order.compare(a.position, b.position) || order.compare(a.key, b.key),
  );
  return [...new Map(inOrder.map((place) => [place.id ?? place.key, place])).values()];
}

/** The submissions of a person: by problem, and those by which they took part in a contest, by its column. */
interface Sent {
  byProblem: ReadonlyMap<bigint, readonly SeasonSolve[]>;
  byColumn: ReadonlyMap<SeasonColumn, readonly SeasonSolve[]>;
}

/** Whether a column may say that this was sent: a round hides its last results for a while. */
const isOpenIn =
  ({ hiddenFrom }: SeasonColumn) =>
  ({ submitted_at }: SeasonSolve) =>
    hiddenFrom === undefined || submitted_at < hiddenFrom;

async function readSent(
  db: Db,
  userIds: readonly bigint[],
  columns: readonly SeasonColumn[],
  hasTries = false,
): Promise<Map<bigint, Sent>> {
  const problemIds = [...new Set(columns.flatMap(({ places }) => places.flatMap(({ id }) => id ?? [])))];
  const solves = await listSeasonSolves(db, userIds, problemIds, hasTries);
  const parts: (SeasonSolve & { column: SeasonColumn })[] = [];
  const [contests, rounds] = [
    columns.filter(({ kind }) => kind === 'contest'),
    new Map(
      columns.flatMap((column) => (column.kind === 'round' ? [[column.contest.id, column] as const] : [])),
    ),
  ];
  for (const [source, some] of Map.groupBy(contests, ({ contest }) => contest.source)) {
    const byKey = new Map(some.map((column) => [column.contest.key, column]));
    for (const row of await listSeasonParts(db, userIds, source, [...byKey.keys()]))
      parts.push({ ...row, column: byKey.get(row.contest ?? '') as SeasonColumn });
  }
  for (const row of await listRoundParts(db, userIds, [...rounds.keys()])) {
    const column = rounds.get(row.round_id) as SeasonColumn;
    if (isOpenIn(column)(row))
      parts.push({ ...row, column, contest: column.contest.key, participation: 'contest' });
  }
  const solvesOf = Map.groupBy(solves, (row) => row.user_id);
  const partsOf = Map.groupBy(parts, (row) => row.user_id);
  return new Map(
    userIds.map((id) => [
      id,
      {
        byProblem: Map.groupBy(solvesOf.get(id) ?? [], (row) => row.problem_id as bigint),
        byColumn: Map.groupBy(partsOf.get(id) ?? [], (row) => row.column),
      },
    ]),
  );
}

/* The rule: points for one person in one contest. */

interface Rule {
  season: SeasonsTable;
  span: Span;
  pointsOf: PointsOf;
}

const absent: SeasonCell = { part: 'absent', solved: 0, upsolved: 0, halves: 0, isTeam: false, counts: true };

/** How a person took part in a contest, and until when what they solve afterwards gives points. */
interface Taken {
  part: Exclude<Part, 'upsolved'>;
  rows: readonly SeasonSolve[];
  deadline: string;
}

/** Nothing counts that was sent before the season, or after it but in a contest that began before its end. */
function takenOf(column: SeasonColumn, sent: Sent, { season, span }: Rule): Taken {
  const { contest, endsAt, deadline } = column;
  const isHeld = ({ participation }: SeasonSolve) =>
    participation !== 'virtual' && contest.starts_at !== null;
  const all = (sent.byColumn.get(column) ?? []).filter(
    (one) => one.submitted_at >= span.from && (one.submitted_at < span.until || isHeld(one)),
  );
  const live = all.filter((one) => isLive(contest, one));
  if (live.length > 0) return { part: 'live', rows: live, deadline };
  const virtual = all.filter(({ participation }) => participation === 'virtual');
  if (virtual.length === 0) return { part: 'absent', rows: [], deadline };
  const last = virtual.reduce((at, { submitted_at }) => (submitted_at > at ? submitted_at : at), endsAt);
  return { part: 'virtual', rows: virtual, deadline: upsolvedUntil(season, span.days, last) };
}

/** The end of a day by the clocks of the group; the end of the contest where nothing counts afterwards. */
function upsolvedUntil({ upsolve_days }: SeasonsTable, days: Days, endsAt: string): string {
  return upsolve_days === 0n
    ? endsAt
    : textOf(days.start(days.at(Date.parse(endsAt)) + Number(upsolve_days) + 1));
}

export interface Reached {
  took: Took | undefined;
  /** Whether it gives points. */
  isCounted: boolean;
  /** The first solve that says how; empty where it was not solved. */
  at: string;
  isTried: boolean;
}

function reachedOf(
  column: SeasonColumn,
  place: GridPlace,
  sent: Sent,
  { span }: Rule,
  taken: Taken,
): Reached {
  const { contest } = column;
  const own = sent.byColumn.get(column) ?? [];
  const inPart = own.filter((row) =>
    place.id === null ? row.key === place.key : row.problem_id === place.id,
  );
  const sentTo = place.id === null ? inPart : (sent.byProblem.get(place.id) ?? []);
  const rows = column.kind === 'round' ? [...inPart, ...sentTo.filter(isOpenIn(column))] : sentTo;
  const said = rows.length === 0 ? undefined : tookOf(contest, rows)?.took;
  if (!said) return { took: said, isCounted: false, at: '', isTried: rows.length > 0 };
  // A virtual contest after the live one is practice.
  const took = said === 'virtual' && taken.part === 'live' ? 'later' : said;
  const solves = rows.filter(({ verdict_class }) => verdict_class === 'solved');
  const first = (some: readonly SeasonSolve[]) =>
    some.reduce((at, row) => (at === '' || row.submitted_at < at ? row.submitted_at : at), '');
  const here = solves.filter((row) => row.contest === contest.key);
  const ofPart = (row: SeasonSolve) =>
    took === 'virtual'
      ? row.participation === took
      : !['virtual', 'practice'].includes(row.participation ?? '');
  const at = first(took === 'live' || took === 'virtual' ? here.filter(ofPart) : solves);
  const isCounted =
    at >= span.from &&
    (took === 'live' || (took === 'virtual' && at < span.until) || (took === 'later' && at < taken.deadline));
  return { took, isCounted, at, isTried: true };
}

function cellOf(column: SeasonColumn, sent: Sent, rule: Rule): SeasonCell {
  const taken = takenOf(column, sent, rule);
  const { part, rows } = taken;
  let [solved, upsolved, halves] = [0, 0, 0];
  const count = (reached: Reached, points: number) => {
    if (!reached.isCounted) return;
    if (reached.took === 'later') upsolved += 1;
    else solved += 1;
    halves += reached.took === 'live' ? 2 * points : points;
  };
  for (const place of column.places) {
    const points = rule.season.points === 'band' ? rule.pointsOf(place.source ?? '', place.rating) : 1;
    count(reachedOf(column, place, sent, rule, taken), points);
  }
  if (part === 'absent' && upsolved === 0) return absent;
  const isTeam = rows.some(({ is_team }) => is_team === 1n);
  return { part: part === 'absent' ? 'upsolved' : part, solved, upsolved, halves, isTeam, counts: true };
}

/** Leaves the points of all but a person's best contests out; of equal ones the earlier counts. */
function countBest(cells: readonly SeasonCell[], best: bigint | null): readonly SeasonCell[] {
  const withPoints = cells.filter(({ halves }) => halves > 0).length;
  if (best === null || withPoints <= Number(best)) return cells;
  const order = cells
    .map((_, at) => at)
    .toSorted((a, b) => (cells[b]?.halves ?? 0) - (cells[a]?.halves ?? 0) || a - b);
  const counted = new Set(order.slice(0, Number(best)));
  return cells.map((cell, at) => (counted.has(at) || cell.halves === 0 ? cell : { ...cell, counts: false }));
}

function lineOf(
  person: SeasonPerson,
  cells: readonly SeasonCell[],
  hand: readonly SeasonPointsTable[],
): SeasonLine {
  const byHand = hand.reduce((sum, { halves }) => sum + Number(halves), 0);
  const earned = cells.reduce((sum, { halves, counts }) => sum + (counts ? halves : 0), 0);
  const live = cells.filter(({ part }) => part === 'live').length;
  return { person, cells, live, byHand, total: earned + byHand, place: undefined };
}

/** Places are for the first three alone, and only where somebody is behind. */
function inOrder(lines: readonly SeasonLine[]): SeasonLine[] {
  const least = Math.min(...lines.map(({ total }) => total));
  return lines
    .toSorted((a, b) => b.total - a.total || (a.person.username < b.person.username ? -1 : 1))
    .map((line) => {
      const place = 1 + lines.filter(({ total }) => total > line.total).length;
      return { ...line, place: place <= placesAtMost && line.total > least ? place : undefined };
    });
}

/* One person's season: every problem of every contest. */

export interface PersonContest {
  column: SeasonColumn;
  cell: SeasonCell;
  /** The moment until which its problems give points to this person. */
  deadline: string;
  problems: readonly { place: GridPlace; reached: Reached }[];
}

/** The contests of a person of the season, with what they did on each problem. */
export async function readSeasonOf(
  db: Db,
  { season, columns }: SeasonTable,
  group: SeasonGroup,
  { person: { user_id }, cells }: SeasonLine,
  pointsOf: PointsOf,
): Promise<PersonContest[]> {
  const rule = { season, span: spanOf(season, group.zone), pointsOf };
  const held = columns.filter(({ phase }) => phase === 'held');
  const sent = (await readSent(db, [user_id], held, true)).get(user_id) as Sent;
  return columns.map((column, at) => {
    const taken = takenOf(column, sent, rule);
    return {
      ...{ column, cell: cells[at] ?? absent, deadline: taken.deadline },
      problems: column.places.map((place) => ({
        place,
        reached: reachedOf(column, place, sent, rule, taken),
      })),
    };
  });
}
