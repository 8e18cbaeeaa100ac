/**
 * The bundled sample: real problems and contests, and people who practise. All are marked, so that one command
 * removes them.
 */

import { readFile } from 'node:fs/promises';
import { dayMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { verdictClassOf } from '../judges/fields.ts';
import { isGym, judgeOf } from '../judges/judges.ts';
import { dateOf } from '../practice/days.ts';
import {
  collectDerivations,
  linkStoredSubmissions,
  type PendingDerivations,
} from '../practice/derivation.ts';
import { createMember } from '../practice/members.ts';
import { sampleFeed, saveListing } from '../practice/upcoming.ts';
import { putGroupList } from '../store/assignments.ts';
import type { ContestRow } from '../store/contests.ts';
import { deleteEmptyContests, findContestsByKeys, insertContests } from '../store/contests.ts';
import { insertGroup, insertGroupMember } from '../store/groups.ts';
import { insertHandle, saveBrowserSync, saveProof } from '../store/handles.ts';
import { reserveIds } from '../store/ids.ts';
import { findOwnListNamed } from '../store/inbox.ts';
import { countBelongings, deleteMember, findMemberByName, listMembers } from '../store/members.ts';
import {
  deleteProblem,
  emptyProblem,
  findProblemsByKeys,
  insertProblems,
  listUnusedSampleProblems,
  type ProblemRow,
  upsertSolvedCounts,
} from '../store/problems.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import { insertRound, type RoundRule, saveRoundPerson, writeRoundProblems } from '../store/rounds.ts';
import { findSeason, insertSeason, insertSeasonContest, insertSeasonPoints } from '../store/seasons.ts';
import { deleteSetting, getSetting, setSetting } from '../store/settings.ts';
import type { Participation } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { deleteFeedListings } from '../store/upcoming.ts';
import { savePlacements } from './contests.ts';
import { type ImportContext, type Sink, unlimitedAdding } from './import.ts';
import { allKeys, naturalKey } from './problems.ts';
import { type ResourceName, rowKinds } from './row-kinds.ts';

/**
 * All submissions to one problem. `at` is the time of the last one: days before today, or a time of its own in a
 * contest. Each letter stands for a verdict.
 */
type Attempts = readonly [
  key: string,
  at: number | string,
  verdicts: string,
  participation?: Participation | undefined,
];

const verdicts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  A: { codeforces: 'OK', atcoder: 'AC' },
  W: { codeforces: 'WRONG_ANSWER', atcoder: 'WA' },
  T: { codeforces: 'TIME_LIMIT_EXCEEDED', atcoder: 'TLE' },
  R: { codeforces: 'RUNTIME_ERROR', atcoder: 'RE' },
};

type Ids = ReadonlyMap<string, bigint>;
type StoredProblems = ReadonlyMap<string, Pick<ProblemRow, 'id' | 'source_key'>>;
type TimeOf = (event: { days_ago: number }) => string;

interface SampleLoad {
  context: ImportContext;
  now: number;
  timeOf: TimeOf;
  keyOf(source: string, key: string): string;
}

async function addSubmissions(
  load: SampleLoad,
  user_id: bigint,
  {
    username,
    source,
    all,
    isProved,
  }: { username: string; source: string; all: readonly Attempts[]; isProved: boolean },
): Promise<void> {
  const { context, now, keyOf } = load;
  const linked_at = new Date(now - dayMs).toISOString();
  const handle = `${username}~sample`;
  const { id } = await insertHandle(context.tx, { user_id, source, name: handle, created_at: linked_at });
  if (isProved)
    await saveProof(context.tx, { handle_id: id, method: 'submission', subject: null, proved_at: linked_at });
  const judge = judgeOf(source);
  const counts = new Map<string, number>();
  const rows = all.flatMap(([key, at, letters, participation]) => {
    const first = counts.get(key) ?? 0;
    counts.set(key, first + letters.length);
    const last = typeof at === 'string' ? Date.parse(at) : now - at * dayMs;
    const contest = judge?.contestPositionOf?.(key)?.contest ?? null;
    const defaultParticipation = contest === null ? null : 'practice';
    return [...letters].map((letter, index) => {
      const verdict = verdicts[letter]?.[source] ?? null;
      return {
        username,
        source,
        handle,
        submission_id: `${key}-${first + index}`,
        key: keyOf(source, key),
        verdict,
        verdict_class: verdictClassOf(judge?.verdicts ?? {}, verdict),
        submitted_at: new Date(last - (letters.length - 1 - index) * 4 * minuteMs).toISOString(),
        contest,
        participation: participation ?? defaultParticipation,
        language: 'C++20',
      };
    });
  });
  // A slow clock may put a contest of the sample into the future.
  const pastRows = rows.filter(({ submitted_at }) => Date.parse(submitted_at) <= now);
  await importRows(load, 'submissions', pastRows);
  await saveBrowserSync(context.tx, id, linked_at);
}

interface SampleList {
  owner: string;
  name: string;
  visibility: 'private' | 'garden';
  days_ago: number;
  sections: { name: string; items: [source: string, key: string, memo?: string][] }[];
}

interface SampleGroup {
  name: string;
  coach: string;
  members: string[];
  on_board: string[];
  days_ago: number;
  lists: { list: string; days_ago: number; due_in: number }[];
  season?: SampleSeason;
}

/** People in `unasked` have not been asked to join the season, which does not show them yet. */
interface SampleSeason {
  name: string;
  first_day: string;
  last_day: string;
  best: number;
  contests: [source: string, key: string][];
  unasked: string[];
  points: { username: string; halves: number; reason: string; days_ago: number }[];
}

async function addSeason(
  tx: Db,
  group_id: bigint,
  season: SampleSeason,
  { at, memberIds, timeOf }: { at: string; memberIds: Ids; timeOf: TimeOf },
): Promise<void> {
  const { name, first_day, last_day, best, contests, points } = season;
  const season_id = await insertSeason(tx, {
    group_id,
    name,
    first_day,
    last_day,
    upsolve_days: 7n,
    points: 'problem',
    best: BigInt(best),
    rule_since: null,
    created_at: at,
  });
  for (const [source, key] of contests)
    for (const { id } of await findContestsByKeys(tx, source, [key]))
      await insertSeasonContest(tx, { season_id, kind: 'contest', item_id: id, added_at: at });
  for (const { username, halves, reason, ...age } of points) {
    const user_id = memberIds.get(username);
    const row = { season_id, group_id, halves: BigInt(halves), reason, made_at: timeOf(age) };
    if (user_id !== undefined) await insertSeasonPoints(tx, { ...row, user_id });
  }
}

async function addGroups(
  tx: Db,
  groups: readonly SampleGroup[],
  { memberIds, listIds, timeOf, now }: { memberIds: Ids; listIds: Ids; timeOf: TimeOf; now: number },
): Promise<Ids> {
  const groupIds = new Map<string, bigint>();
  for (const { name, coach, members, on_board, lists, season, ...age } of groups) {
    if (!memberIds.has(coach)) continue;
    const at = timeOf(age);
    const has_board = on_board.length > 0 ? 1n : 0n;
    const group_id = await insertGroup(tx, {
      name,
      zone: 'UTC',
      language: null,
      has_board,
      created_at: at,
      archived_at: null,
    });
    groupIds.set(name, group_id);
    for (const person of [coach, ...members]) {
      const user_id = memberIds.get(person);
      if (user_id === undefined) continue;
      const role = person === coach ? 'coach' : 'member';
      const revisions = { joined_at: at, on_board: on_board.includes(person) ? 1n : 0n } as const;
      const in_season = season && !season.unasked.includes(person) ? 1n : null;
      await insertGroupMember(tx, { group_id, user_id, role, ...revisions, in_season });
    }
    if (season) await addSeason(tx, group_id, season, { at, memberIds, timeOf });
    for (const { list, due_in, ...assignedAgo } of lists) {
      const due = (Math.floor(now / dayMs) + due_in + 1) * dayMs - minuteMs;
      await putGroupList(tx, {
        group_id,
        list_id: listIds.get(list) ?? 0n,
        due_at: new Date(due).toISOString(),
        given_at: timeOf(assignedAgo),
      });
    }
  }
  return groupIds;
}

interface SampleRound {
  name: string;
  group: string;
  maker: string;
  rule: RoundRule;
  /** Negative for a round to come. All rounds begin at 17:00 UTC. */
  days_ago: number;
  minutes: number;
  freeze: number;
  points?: number[];
  in_season?: boolean;
  problems: [source: string, key: string][];
  /** The minute of the last submission and the verdicts, by person and problem. */
  sent: Readonly<Record<string, readonly (readonly [minute: number, verdicts: string])[]>>;
}

const roundStart = ({ days_ago }: SampleRound, now: number) =>
  (Math.floor(now / dayMs) - days_ago) * dayMs + 17 * 60 * minuteMs;

function attemptsInRounds(
  rounds: readonly SampleRound[],
  { username, source, now }: { username: string; source: string; now: number },
): Attempts[] {
  return rounds.flatMap((round) =>
    (round.sent[username] ?? []).flatMap(([minute, letters], at): Attempts[] => {
      const [judge, key = ''] = round.problems[at] ?? [];
      const sentAt = new Date(roundStart(round, now) + minute * minuteMs).toISOString();
      return judge === source ? [[key, sentAt, letters]] : [];
    }),
  );
}

async function addRounds(
  tx: Db,
  rounds: readonly SampleRound[],
  {
    memberIds,
    groupIds,
    storedProblems,
    now,
  }: { memberIds: Ids; groupIds: Ids; storedProblems: StoredProblems; now: number },
): Promise<void> {
  for (const round of rounds) {
    const [made_by, group_id] = [memberIds.get(round.maker), groupIds.get(round.group)];
    if (made_by === undefined || group_id === undefined) continue;
    const start = roundStart(round, now);
    const at = (ms: number) => new Date(ms).toISOString();
    const id = await insertRound(tx, {
      made_by,
      group_id,
      secret: null,
      name: round.name,
      rule: round.rule,
      starts_at: at(start),
      ends_at: at(start + round.minutes * minuteMs),
      freeze_minutes: BigInt(round.freeze),
      is_shown: 0n,
      updated_at: at(now),
    });
    const problems = round.problems.flatMap(([source, key], index) => {
      const problem_id = storedProblems.get(naturalKey(source, key))?.id;
      return problem_id === undefined ? [] : { problem_id, points: BigInt(round.points?.[index] ?? 1) };
    });
    await writeRoundProblems(tx, id, problems);
    const season = round.in_season && (await findSeason(tx, group_id));
    if (season)
      await insertSeasonContest(tx, { season_id: season.id, kind: 'round', item_id: id, added_at: at(now) });
    for (const username of Object.keys(round.sent)) {
      const user_id = memberIds.get(username);
      if (user_id !== undefined) await saveRoundPerson(tx, { round_id: id, user_id, joined_at: at(now) });
    }
  }
}

interface SampleUpcoming {
  source: string;
  title: string;
  /** Monday is 0; `every` is in weeks. */
  days: number[];
  every: number;
  time: string;
  minutes: number;
  url: string;
  /** The number in the title of the first contest, in the first week of 2026. */
  number: number;
}

const sampleWeeks = 9;
/** 5 January 2026, in days since 1970. */
const firstMonday = 20_458;

async function addUpcoming(tx: Db, all: readonly SampleUpcoming[], now: number): Promise<void> {
  const week = Math.floor((Math.floor(now / dayMs) - firstMonday) / 7);
  const contests = all.flatMap(({ source, title, days, every, time, minutes, url, number }) =>
    Array.from({ length: sampleWeeks }, (_, n) => week + n)
      .filter((one) => one % every === 0)
      .flatMap((one) =>
        days.map((day, index) => {
          const date = dateOf(firstMonday + one * 7 + day);
          const nth = number + (one / every) * days.length + index;
          return {
            source,
            key: `sample-${date}-${time}`,
            title: title.replace('#', String(nth)),
            url,
            starts_at: `${date}T${time}:00.000Z`,
            duration_s: BigInt(minutes * 60),
          };
        }),
      ),
  );
  await saveListing(tx, sampleFeed, { contests, isComplete: false }, now);
}

export const sampleUsername = 'demo';
type SampleProblem = Omit<ProblemRow, 'id' | 'created_at' | 'updated_at'> & { solved_by?: bigint };
type SampleContest = Omit<ContestRow, 'id' | 'is_gym'>;

interface SampleMember {
  username: string;
  first_name: string;
  last_name: string;
  days_ago: number;
  proved?: string[];
  sent: Readonly<Record<string, readonly Attempts[]>>;
}

/*
 * Marks of the demo member and ratings of others are imported like rows of an archive. Their times are days before
 * today.
 */

interface SampleEvent extends Readonly<Record<string, unknown>> {
  days_ago: number;
  username?: string;
  minutes?: number;
}

type EventKind = 'statuses' | 'bookmarks' | 'plants' | 'ratings' | 'reviews' | 'timers';

const timeColumns: Readonly<Record<EventKind, (at: string, startedAt: string, username: string) => object>> =
  {
    statuses: (at) => ({ updated_at: at }),
    bookmarks: (at) => ({ created_at: at, updated_at: at }),
    plants: (at) => ({ planted_at: at }),
    ratings: (at, _startedAt, username) => ({ rated_at: at, handle: `${username}~sample` }),
    reviews: (at) => ({ made_at: at }),
    timers: (at, startedAt) => ({ started_at: startedAt, stopped_at: at }),
  };

function sampleContext(tx: Db, now: string, stale: PendingDerivations): ImportContext {
  const doNothing = () => {};
  return {
    tx,
    stale,
    now,
    member: undefined,
    handle: undefined,
    origin: 'file',
    trustsIds: false,
    hasLimits: false,
    adding: unlimitedAdding,
    isSample: true,
    forEachEntry: async (entries, work) => {
      const results = [];
      for (const { place, value } of entries) results.push({ place, value: await work(value) });
      return results;
    },
    count: doNothing,
    bumpRevision: doNothing,
    markWritten: doNothing,
    addNote: doNothing,
  };
}

async function importRows(
  { context, keyOf }: SampleLoad,
  kind: ResourceName,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const sink = rowKinds[kind].createSink(context) as Sink<object>;
  const entries = rows.map(({ source_key: key, ...row }) => ({
    place: () => ({ line: 1, column: 1 }),
    value: { ...row, ...(key !== undefined && { source_key: keyOf(String(row['source']), String(key)) }) },
  }));
  await sink.write(entries);
  await sink.finish?.();
}

async function importEvents(
  load: SampleLoad,
  kind: EventKind,
  events: readonly SampleEvent[],
): Promise<void> {
  const { timeOf } = load;
  const rows = events.map(({ days_ago, minutes = 0, username = sampleUsername, ...row }) => {
    const startedAt = timeOf({ days_ago: days_ago + (minutes * minuteMs) / dayMs });
    const columns = Object.entries(row).map(([name, value]) => [name, toColumn(name, value)]);
    return {
      ...Object.fromEntries(columns),
      username,
      ...timeColumns[kind](timeOf({ days_ago }), startedAt, username),
    };
  });
  await importRows(load, kind, rows);
}

const emptyStatus = JSON.stringify({ status: null, at: null, how: null, judge: null });

function changeRow(
  { source, source_key, status, how = null, ...age }: SampleEvent,
  index: number,
  timeOf: TimeOf,
) {
  const at = timeOf(age);
  return {
    username: sampleUsername,
    batch: BigInt(index),
    source,
    source_key,
    kind: 'status',
    made_at: at,
    before: emptyStatus,
    after: JSON.stringify({ status, at, how }),
  };
}

function listRow({ owner, name, visibility, sections, days_ago }: SampleList, { timeOf, keyOf }: SampleLoad) {
  const at = timeOf({ days_ago });
  const content = sections.map((section) => ({
    name: section.name,
    problems: section.items.map(([source, key, memo]) => {
      return { source, source_key: keyOf(source, key), memo, added_at: at };
    }),
  }));
  const times = { created_at: at, updated_at: at };
  return { username: owner, name, visibility, ...times, content: JSON.stringify({ sections: content }) };
}

/** Stored rows stay as they are. All times but those of contests count from `now`. */
export function loadSample(store: Store, now = Date.now()) {
  return store.write((tx) => addSample(tx, now));
}

async function addSample(tx: Db, now: number) {
  await deleteSetting(tx, removedSetting);
  const problems = await readRows<SampleProblem>('problems', toColumn);
  const contests = await readRows<SampleContest>('contests', toColumn);
  const members = await readRows<SampleMember>('members');
  const timeOf = (event: { days_ago: number }) => new Date(now - event.days_ago * dayMs).toISOString();
  const added = await addProblems(tx, problems, new Date(now).toISOString());
  await addContests(tx, contests);
  await addUpcoming(tx, await readRows<SampleUpcoming>('upcoming'), now);
  if (added > 0) await linkStoredSubmissions(tx);
  const nothingAdded = {
    problems: added,
    members: 0,
    statuses: 0,
    bookmarks: 0,
    plants: 0,
    member: sampleUsername,
  };
  if (await findMemberByName(tx, sampleUsername)) {
    if (added > 0) await bumpRevisions(tx, ['problems']);
    return nothingAdded;
  }
  const storedProblems = await findStoredProblems(tx, problems);

  const memberIds = new Map<string, bigint>();
  for (const { days_ago, sent: _, proved: __, ...names } of members) {
    if (await findMemberByName(tx, names.username)) continue;
    const at = timeOf({ days_ago });
    const { id } = await createMember(tx, { ...names, is_sample: 1n, created_at: at, updated_at: at });
    memberIds.set(names.username, id);
  }
  const stale = collectDerivations();
  const load: SampleLoad = {
    context: sampleContext(tx, timeOf({ days_ago: 0 }), stale),
    now,
    timeOf,
    keyOf: (source, key) => storedProblems.get(naturalKey(source, key))?.source_key ?? key,
  };
  const rounds = await readRows<SampleRound>('rounds');
  for (const { username, sent, proved = [] } of members) {
    const id = memberIds.get(username);
    for (const [source, all] of id === undefined ? [] : Object.entries(sent))
      await addSubmissions(load, id as bigint, {
        username,
        source,
        all: [...all, ...attemptsInRounds(rounds, { username, source, now })],
        isProved: proved.includes(source),
      });
  }
  const statuses = await readRows<SampleEvent>('statuses');
  await importRows(
    load,
    'changes',
    statuses.map((event, index) => changeRow(event, index, timeOf)),
  );
  for (const kind of Object.keys(timeColumns) as EventKind[])
    await importEvents(
      load,
      kind,
      (await readRows<SampleEvent>(kind)).filter(({ username = sampleUsername }) => memberIds.has(username)),
    );
  const lists = (await readRows<SampleList>('lists')).filter(({ owner }) => memberIds.has(owner));
  await importRows(
    load,
    'lists',
    lists.map((list) => listRow(list, load)),
  );
  await stale.derive(tx);
  const listIds = await listIdsOf(tx, lists, memberIds);
  const groups = await readRows<SampleGroup>('groups');
  const groupIds = await addGroups(tx, groups, { memberIds, listIds, timeOf, now });
  await addRounds(tx, rounds, { memberIds, groupIds, storedProblems, now });
  await bumpRevisions(tx, [...memberIds.values()].flatMap(scopesOf));
  const counts = await countBelongings(tx, memberIds.get(sampleUsername) ?? 0n);
  const [marked, starred, planted] = [counts.statuses, counts.bookmarks, counts.plants].map(Number);
  return { ...nothingAdded, members: memberIds.size, statuses: marked, bookmarks: starred, plants: planted };
}

async function listIdsOf(tx: Db, lists: readonly SampleList[], memberIds: ReadonlyMap<string, bigint>) {
  const ids = new Map<string, bigint>();
  for (const { owner, name } of lists) {
    const list = await findOwnListNamed(tx, memberIds.get(owner) ?? 0n, name);
    if (list) ids.set(name, list.id);
  }
  return ids;
}

/** Problems and contests of the sample stay if another member has anything on them. */
export async function removeSample(tx: Db) {
  const members = (await listMembers(tx)).filter((member) => member.is_sample === 1n);
  for (const member of members) await deleteMember(tx, member.id);
  const unused = await listUnusedSampleProblems(tx);
  for (const problem of unused) await deleteProblem(tx, problem);
  await deleteFeedListings(tx, sampleFeed);
  const contests = await readRows<SampleContest>('contests', toColumn);
  for (const [source, some] of Map.groupBy(contests, (contest) => contest.source))
    await deleteEmptyContests(
      tx,
      source,
      some.map(({ key }) => key),
    );
  await setSetting(tx, removedSetting, new Date().toISOString());
  await bumpRevisions(tx, ['problems', ...members.flatMap((member) => scopesOf(member.id))]);
  return { members: members.length, problems: unused.length };
}

const removedSetting = 'sample_removed_at';

export async function sampleRemovedAt(db: Db): Promise<string | undefined> {
  const at = await getSetting(db, removedSetting);
  return at !== undefined && Date.parse(at) > Date.now() - dayMs ? at : undefined;
}

/** Throws unknownItem unless the sample was removed within a day. */
export async function restoreSample(tx: Db): Promise<void> {
  if ((await sampleRemovedAt(tx)) === undefined) throw localizedError('unknownItem.sample');
  await addSample(tx, Date.now());
}

function scopesOf(memberId: bigint): RevisionScope[] {
  const own = [`records:${memberId}`, `statuses:${memberId}`, `bookmarks:${memberId}`] as const;
  return ['problems', 'records', 'statuses', 'bookmarks', ...own];
}

async function readRows<R>(
  name: string,
  storeValue?: (name: string, value: unknown) => unknown,
): Promise<R[]> {
  const text = await readFile(new URL(`./sample/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, storeValue) as R);
}

function toColumn(_name: string, value: unknown): unknown {
  if (Array.isArray(value)) return JSON.stringify(value);
  return Number.isInteger(value) ? BigInt(value as number) : value;
}

async function addContests(tx: Db, contests: readonly SampleContest[]): Promise<void> {
  for (const [source, some] of Map.groupBy(contests, (contest) => contest.source)) {
    const keys = some.map(({ key }) => key);
    const existing = new Set((await findContestsByKeys(tx, source, keys)).map(({ key }) => key));
    const missing = some.filter(({ key }) => !existing.has(key));
    const ids = await reserveIds(tx, 'contests', missing.length);
    await insertContests(
      tx,
      missing.map((contest, at) => ({ id: ids[at] ?? 0n, is_gym: 0n, ...contest })),
    );
    await savePlacements({ tx, markWritten: () => {} }, source);
  }
}

async function addProblems(tx: Db, problems: readonly SampleProblem[], now: string): Promise<number> {
  const existing = await findStoredProblems(tx, problems);
  const missing = problems.filter(({ source, source_key }) => !existing.has(naturalKey(source, source_key)));
  const ids = await reserveIds(tx, 'problems', missing.length);
  const rows = missing.map(({ solved_by: _, ...row }, at) => ({
    ...emptyProblem(ids[at] ?? 0n, now),
    ...row,
  }));
  await insertProblems(tx, rows, isGym, true);
  const counts = missing.flatMap(({ solved_by }, at) =>
    solved_by === undefined ? [] : [{ problem_id: ids[at] as bigint, solved_by }],
  );
  await upsertSolvedCounts(tx, counts);
  return rows.length;
}

async function findStoredProblems(tx: Db, problems: readonly SampleProblem[]): Promise<StoredProblems> {
  const storedProblems = new Map<string, Pick<ProblemRow, 'id' | 'source_key'>>();
  for (const [source, some] of Map.groupBy(problems, (problem) => problem.source)) {
    const found = await findProblemsByKeys(tx, source, some.flatMap(allKeys));
    const byKey = new Map(found.map((row) => [row.key, row]));
    for (const problem of some) {
      const row = byKey.get(allKeys(problem).find((key) => byKey.has(key)) ?? '');
      if (row) storedProblems.set(naturalKey(source, problem.source_key), row);
    }
  }
  return storedProblems;
}
