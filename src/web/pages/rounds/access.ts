/** The round of an address, the phase that it is in, and everything that its page shows of it. */
import { parseInt64 } from '../../../contract/common.ts';
import { dayMs, minuteMs } from '../../../durations.ts';
import { silentUntil } from '../../../jobs/schedule.ts';
import { roundSeconds } from '../../../jobs/sync-intervals.ts';
import { isSynced, judgeOf } from '../../../judges/judges.ts';
import type { RoundLine } from '../../../practice/round-table.ts';
import { isFollowed, phaseOf, type RoundPhase, readRoundTable } from '../../../practice/rounds.ts';
import {
  findOpenRound,
  listRoundHandles,
  listRoundPeople,
  listRoundProblems,
  type RoundHandle,
  type RoundPerson,
  type RoundProblem,
  type ShownRound,
} from '../../../store/rounds.ts';
import { type MemberVisit, nothingHere } from '../../road/visits.ts';

/** The round of the address. Somebody who may not see it gets the same answer as for none. */
export async function roundOf({ store, member, params, path }: MemberVisit): Promise<ShownRound> {
  const id = parseInt64(params['id'] ?? '');
  const round = id === undefined ? undefined : await findOpenRound(store.reader, id, member.user_id);
  if (!round) throw nothingHere(path);
  return round;
}

/** A round as its page shows it now to a member. */
export interface OpenRound {
  basePath: string;
  viewerId: bigint;
  round: ShownRound;
  isMaker: boolean;
  now: number;
  phase: RoundPhase;
  problems: readonly RoundProblem[];
  people: readonly RoundPerson[];
  /** The table; before the start there is none. */
  lines: readonly RoundLine[];
  /** At the judges of its problems. */
  handles: readonly RoundHandle[];
  /** The judges of its problems that this garden asks for submissions. */
  sources: readonly string[];
  /** Those that give no answers while it runs, and when they are asked again. */
  silent: readonly { source: string; nextAt: Date }[];
  /** The judges of its problems whose submissions come only when their members bring them. */
  unasked: readonly string[];
}

export async function openRound({ store, member, site }: MemberVisit, round: ShownRound): Promise<OpenRound> {
  const { reader } = store;
  const viewerId = member.user_id;
  const now = Date.now();
  const phase = phaseOf(round, now);
  const [problems, people] = [await listRoundProblems(reader, round.id), await listRoundPeople(reader, round.id)];
  const judges = new Set(problems.map(({ source }) => source));
  const groups = Map.groupBy(judges, (source) => {
    const judge = judgeOf(source);
    return judge !== undefined && isSynced(judge) && judge.api?.submissions !== undefined ? 'asked' : 'unasked';
  });
  const handles = (await listRoundHandles(reader, round.id)).filter(({ source }) => judges.has(source));
  const sources = groups.get('asked') ?? [];
  const silent: OpenRound['silent'][number][] = [];
  for (const source of (phase === 'running' || phase === 'frozen') && isFollowed(round) ? sources : []) {
    const until = await silentUntil(
      reader,
      source,
      handles.filter((one) => one.source === source),
    );
    if (until !== undefined) silent.push({ source, nextAt: new Date(until) });
  }
  return {
    basePath: site.basePath,
    viewerId,
    round,
    isMaker: round.made_by === viewerId,
    now,
    phase,
    problems,
    people,
    lines: phase === 'before' ? [] : await readRoundTable(reader, round, { viewerId, now, people, problems }),
    handles,
    sources,
    silent,
    unasked: groups.get('unasked') ?? [],
  };
}

/** The judges at which somebody has no handle, of those that are asked. */
export function missingOf({ sources, handles }: OpenRound, userId: bigint): string[] {
  return sources.filter((source) => !handles.some((one) => one.user_id === userId && one.source === source));
}

/** About how often results are checked, in seconds: a judge answers one request after another. */
export function checkSeconds({ sources, handles }: OpenRound): number {
  const needed = sources.map((source) => {
    const count = handles.filter((one) => one.source === source).length;
    return (count * (judgeOf(source)?.api?.intervalMs ?? 0) * 1.2) / 1000;
  });
  return Math.max(roundSeconds, ...needed.map((seconds) => Math.ceil(seconds / 15) * 15));
}

/** Results that are so much older than the others are named: by two days where judges are asked at the usual pace. */
const lateMs = { followed: 3 * minuteMs, usual: 2 * dayMs };

/** How new the table is: as its oldest handle, where its judge answers. */
export function freshnessOf({ handles, sources, now, round }: OpenRound) {
  const until = Math.min(now, Date.parse(round.ends_at));
  const synced = handles.filter(({ source }) => sources.includes(source));
  const isLate = ({ good_at }: RoundHandle) =>
    good_at === null || Date.parse(good_at) < until - lateMs[isFollowed(round) ? 'followed' : 'usual'];
  const timesOf = (some: readonly RoundHandle[]) => some.flatMap(({ good_at }) => good_at ?? []).toSorted();
  const [late, fresh] = [synced.filter(isLate), synced.filter((one) => !isLate(one))];
  return {
    /** Everything that was sent before this moment is in the table, apart from that of those who are late; RFC 3339. */
    asOf: timesOf(fresh.length > 0 ? fresh : late)[0],
    /** Handles that were last checked earlier, or never. */
    late,
  };
}
