/** Reads the round that an address names, and everything that its page shows. */
import { parseInt64 } from '../../../contract/common.ts';
import { dayMs, minuteMs } from '../../../durations.ts';
import { seenTogether } from '../../../jobs/live-feeds.ts';
import { unavailableUntil } from '../../../jobs/schedule.ts';
import { roundSeconds } from '../../../jobs/sync-intervals.ts';
import { isSynced, judgeOf } from '../../../judges/judges.ts';
import type { RoundRow } from '../../../practice/round-table.ts';
import { isSyncedOften, phaseOf, type RoundPhase, readRoundTable } from '../../../practice/rounds.ts';
import { listGroupPeople } from '../../../store/groups.ts';
import {
  findVisibleRound,
  listRoundHandles,
  listRoundPeople,
  listRoundProblems,
  type RoundHandle,
  type RoundPerson,
  type RoundProblem,
  type ShownRound,
} from '../../../store/rounds.ts';
import { type MemberVisit, pageNotFound } from '../../request/visits.ts';

/** A round that the member may not see answers 404 like one that does not exist. */
export async function getRound({ store, member, params, path }: MemberVisit): Promise<ShownRound> {
  const id = parseInt64(params['id'] ?? '');
  const round = id === undefined ? undefined : await findVisibleRound(store.reader, id, member.user_id);
  if (!round) throw pageNotFound(path);
  return round;
}

/** A round as a member may see it now. */
export interface RoundView {
  basePath: string;
  viewerId: bigint;
  round: ShownRound;
  /** Of a duel nobody is, so that both see its problems at the same time. */
  isMaker: boolean;
  now: number;
  phase: RoundPhase;
  problems: readonly RoundProblem[];
  people: readonly RoundPerson[];
  /** Of the round's group with their names, for a coach of it alone. */
  groupPeople: ReadonlyMap<bigint, Awaited<ReturnType<typeof listGroupPeople>>[number]> | undefined;
  /** Others who joined before the problems changed. At which judges they have handles is not shown. */
  idsWithNewProblems: ReadonlySet<bigint>;
  /** Empty before the start. */
  lines: readonly RoundRow[];
  /** The handles of the people at the judges of the problems. */
  handles: readonly RoundHandle[];
  /** The judges of the problems that this server syncs with. */
  sources: readonly string[];
  /** Whether one request for everybody brings what these people submit. */
  isTogether: boolean;
  /** The handles whose own list was read after the end. */
  checked: { count: number; all: number };
  /** Judges that do not respond while the round runs, with their last answer (RFC 3339) and the next request. */
  silent: readonly { source: string; since: string | undefined; nextAt: Date }[];
  /** The judges of the problems that are not synced: members import their submissions by hand. */
  unsynced: readonly string[];
}

export async function readRoundView({ store, member, site }: MemberVisit, round: ShownRound): Promise<RoundView> {
  const { reader } = store;
  const viewerId = member.user_id;
  const now = Date.now();
  const phase = phaseOf(round, now);
  const [problems, people] = [await listRoundProblems(reader, round.id), await listRoundPeople(reader, round.id)];
  const inGroup = round.role === 'coach' && (await listGroupPeople(reader, round.group_id ?? 0n));
  const judges = [...new Set(problems.map(({ source }) => source))];
  const hasSync = (source: string) => {
    const judge = judgeOf(source);
    return judge !== undefined && isSynced(judge) && judge.api?.submissions !== undefined;
  };
  const idsWithNewProblems = new Set(
    people
      .filter(({ user_id, has_same_problems }) => has_same_problems === 0n && user_id !== viewerId)
      .map(({ user_id }) => user_id),
  );
  const own = (await listRoundHandles(reader, round.id)).filter(
    ({ source, user_id }) => judges.includes(source) && !idsWithNewProblems.has(user_id),
  );
  const sources = judges.filter(hasSync);
  const together = new Map<string, string>();
  for (const source of sources) together.set(source, (await seenTogether(reader, source, now)) ?? '');
  const handles = own.map((one) => {
    const seenAt = together.get(one.source) ?? '';
    return { ...one, good_at: one.good_at !== null && one.good_at < seenAt ? seenAt : one.good_at };
  });
  const synced = own.filter(({ source }) => sources.includes(source));
  const checked = synced.filter(({ good_at }) => (good_at ?? '') >= round.ends_at).length;
  const silent: { source: string; since: string | undefined; nextAt: Date }[] = [];
  for (const source of (phase === 'running' || phase === 'frozen') && isSyncedOften(round) ? sources : []) {
    const ofSource = handles.filter((one) => one.source === source);
    const until = await unavailableUntil(reader, source, ofSource);
    const since = ofSource
      .flatMap(({ good_at }) => good_at ?? [])
      .toSorted()
      .at(-1);
    if (until !== undefined) silent.push({ source, since, nextAt: new Date(until) });
  }
  return {
    basePath: site.basePath,
    viewerId,
    round,
    isMaker: round.made_by === viewerId && round.duel_band === null,
    now,
    phase,
    problems,
    people,
    groupPeople: inGroup ? new Map(inGroup.map((one) => [one.user_id, one])) : undefined,
    idsWithNewProblems,
    lines: phase === 'before' ? [] : await readRoundTable(store.longReader, round, { viewerId, now, people, problems }),
    handles,
    sources,
    isTogether: sources.every((source) => together.get(source) !== ''),
    checked: { count: checked, all: synced.length },
    silent,
    unsynced: judges.filter((source) => !hasSync(source)),
  };
}

/** The synced judges at which a person has no handle. */
export function missingHandles({ sources, handles, idsWithNewProblems }: RoundView, userId: bigint): string[] {
  if (idsWithNewProblems.has(userId)) return [];
  return sources.filter((source) => !handles.some((one) => one.user_id === userId && one.source === source));
}

/** About how often a handle is synced. Requests to a judge follow one after another, so many handles take longer. */
export function syncIntervalSeconds({ sources, handles, isTogether }: RoundView): number {
  if (isTogether) return roundSeconds;
  const needed = sources.map((source) => {
    const count = handles.filter((one) => one.source === source).length;
    return (count * (judgeOf(source)?.api?.intervalMs ?? 0) * 1.2) / 1000;
  });
  return Math.max(roundSeconds, ...needed.map((seconds) => Math.ceil(seconds / 15) * 15));
}

/** A handle that was last synced longer ago than this is reported as late. */
const lateMs = (round: ShownRound) => (isSyncedOften(round) ? 3 * minuteMs : 2 * dayMs);

/** How current the standings are. Late handles are listed apart, so that they do not make all results look old. */
export function freshnessOf({ handles, sources, now, round }: RoundView) {
  const until = Math.min(now, Date.parse(round.ends_at));
  const synced = handles.filter(({ source }) => sources.includes(source));
  const isLate = ({ good_at }: RoundHandle) => good_at === null || Date.parse(good_at) < until - lateMs(round);
  const syncTimesOf = (some: readonly RoundHandle[]) => some.flatMap(({ good_at }) => good_at ?? []).toSorted();
  const [late, fresh] = [synced.filter(isLate), synced.filter((one) => !isLate(one))];
  return {
    /** All submissions before this time (RFC 3339) are in the table, except those of late handles. */
    asOf: syncTimesOf(fresh.length > 0 ? fresh : late)[0],
    late,
  };
}

export const isOwnLine = ({ viewerId }: RoundView, { members }: RoundRow) =>
  members.some(({ user_id }) => user_id === viewerId);
