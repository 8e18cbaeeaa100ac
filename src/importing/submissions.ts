/** Imports submissions, and derives judge statuses from all that are stored of their member. */
import { dayMs } from '../durations.ts';
import { joinMessages, localizedError, type Message, type MessageValue, message } from '../errors.ts';
import type { Located } from '../files/entries.ts';
import { handleIn } from '../judges/addresses.ts';
import { cutText, textOf } from '../judges/fields.ts';
import type { ProblemDetails, Submission } from '../judges/judge.ts';
import { isGym, judgeName, judgeOf, siteOf } from '../judges/judges.ts';
import { plainTitle } from '../practice/added-problems.ts';
import {
  type DatedStatus,
  mergeWith,
  type StatusReport,
  updateStatuses,
  verdictStatuses,
} from '../practice/derivation.ts';
import { addHandle } from '../practice/handles.ts';
import { fold } from '../store/case-folding.ts';
import { findContestsByKeys, insertContests } from '../store/contests.ts';
import {
  findHandleByName,
  findHandleWithFormerName,
  type HandlesTable,
  listHandlesAtJudge,
  saveBrowserSync,
} from '../store/handles.ts';
import { reserveIds } from '../store/ids.ts';
import { emptyProblem, insertProblems, type ProblemRow, updateProblem } from '../store/problems.ts';
import {
  countSolvesByKey,
  deleteSolves,
  findSolves,
  findSolvesAt,
  insertSolves,
  type SolvesTable,
  updateSolve,
} from '../store/solves.ts';
import type { Db } from '../store/tables.ts';
import { savePlacements } from './contests.ts';
import type { Figure, ImportContext, Sink } from './import.ts';
import { memberProblemKey } from './marks.ts';
import { findByNames, matchNewProblems, naturalKey } from './problems.ts';
import { type HandleReference, handleReferences } from './references.ts';
import { findForEach, upsertBatch, upsertSink } from './rows.ts';

/* A judge without a public list gets its problems from the submissions of members. */

const isNewMs = 30 * dayMs;

/** Problems of new contests that are here, by the titles in the rows; a catalogue has them later, and knows more. */
async function problemsOfNewContests(
  { tx, now }: ImportContext,
  source: string,
  submissions: readonly Submission[],
): Promise<(readonly [key: string, ProblemDetails])[]> {
  const from = new Date(Date.parse(now) - isNewMs).toISOString();
  const named = submissions.filter(({ title, submittedAt }) => title !== undefined && submittedAt >= from);
  const contestOf = ({ key }: Submission) => judgeOf(source)?.contestPositionOf?.(key)?.contest ?? '';
  const contests = await findContestsByKeys(tx, source, [...new Set(named.map(contestOf))]);
  const keys = new Set(contests.filter(({ starts_at }) => (starts_at ?? '') >= from).map(({ key }) => key));
  return named.flatMap((one) =>
    keys.has(contestOf(one)) ? [[one.key, { title: one.title ?? '' }] as const] : [],
  );
}

/**
 * Adds problems of submissions, and updates known ones. A file or browser of a member adds none, because everybody
 * would read texts that the member could forge.
 */
async function addNewProblems(
  context: ImportContext,
  source: string,
  submissions: readonly Submission[],
): Promise<void> {
  const { tx, now, owner } = context;
  const details = new Map(
    submissions.flatMap(({ key, problem }) => (problem ? [[key, problem] as const] : [])),
  );
  if (owner !== undefined) return;
  const named = new Map(await problemsOfNewContests(context, source, submissions));
  if (details.size + named.size === 0) return;
  const stored = new Map(
    (await findByNames(context, source, [...details.keys(), ...named.keys()])).map((row) => [row.key, row]),
  );
  for (const [key, problem] of details) {
    const row = stored.get(key);
    if (row?.source === source && row.source_key === key)
      await updateFromJudge(context, row, columnsOf(problem));
  }
  const hasNewGyms = await addGymContests(context, source, [...details.keys()]);
  const missing = [...details, ...named].filter(([key]) => !stored.has(key));
  if (missing.length === 0) {
    if (hasNewGyms) await savePlacements(context, source);
    return;
  }
  const ids = await reserveIds(tx, 'problems', missing.length);
  const rows = missing.map(([key, problem], at): ProblemRow => {
    const url = judgeOf(source)?.problemPage?.(key, undefined) ?? null;
    return {
      ...emptyProblem(ids[at] as bigint, now),
      source,
      source_key: key,
      title: key,
      url,
      ...columnsOf(problem),
    };
  });
  await insertProblems(tx, rows, isGym);
  context.bumpRevision('problems');
  context.markWritten();
  context.addNote(message('imported.newHere', { count: rows.length }));
  await matchNewProblems(context, [source]);
}

async function addGymContests(
  { tx, markWritten }: ImportContext,
  source: string,
  keys: readonly string[],
): Promise<boolean> {
  const { contestPositionOf, gymTitle } = judgeOf(source) ?? {};
  const contestKeys = new Set(keys.flatMap((key) => contestPositionOf?.(key)?.contest ?? []));
  const titles = new Map([...contestKeys].map((contest) => [contest, gymTitle?.(contest)]));
  const existing = new Set((await findContestsByKeys(tx, source, [...contestKeys])).map(({ key }) => key));
  const missing = [...titles].flatMap(([key, title]) => (title && !existing.has(key) ? { key, title } : []));
  const ids = await reserveIds(tx, 'contests', missing.length);
  const unknown = { starts_at: null, duration_s: 0n, phase: null, is_gym: 1n };
  await insertContests(
    tx,
    missing.map((contest, at) => ({ id: ids[at] as bigint, source, ...contest, ...unknown })),
  );
  if (missing.length > 0) markWritten();
  return missing.length > 0;
}

function columnsOf({ title, ...columns }: ProblemDetails): Partial<ProblemRow> {
  const line = plainTitle(title ?? '');
  return { ...columns, ...(line !== '' && { title: line }) };
}

async function updateFromJudge(
  { tx, now, bumpRevision, markWritten }: ImportContext,
  row: ProblemRow & { key: string; is_sample: bigint },
  columns: Partial<ProblemRow>,
): Promise<void> {
  const names = Object.keys(columns) as (keyof ProblemRow)[];
  if (names.every((name) => row[name] === columns[name])) return;
  await updateProblem(tx, row, { ...row, ...columns, updated_at: now }, isGym);
  bumpRevision('problems');
  markWritten();
}

function handleName(source: string, input: string, isOfBranch: boolean): string {
  const { branch } = judgeOf(source)?.api ?? {};
  const name = handleIn(source, input);
  return isOfBranch && branch && !name.startsWith(branch.handlePrefix) ? branch.handlePrefix + name : name;
}

/** Finds the handle that sent all submissions of a file, at the judge or at its branch. */
function handleFinder(
  { tx, userId, source }: { tx: Db; userId: bigint; source: string },
  expectedHandle: string | undefined,
  isOfBranch: boolean,
) {
  let handlesHere: Promise<HandlesTable[]> | undefined;
  const listHandles = () => {
    handlesHere ??= listHandlesAtJudge(tx, userId, source);
    return handlesHere;
  };
  const currentNames = new Map<string, string>();
  /** A file from before a rename has the former name. */
  const currentName = async (name: string): Promise<string> => {
    const handles = await listHandles();
    const isKnown = handles.length === 0 || handles.some(({ name_key }) => name_key === fold(name));
    const current =
      currentNames.get(name) ??
      (isKnown ? name : ((await findHandleWithFormerName(tx, userId, source, name))?.name ?? name));
    currentNames.set(name, current);
    return current;
  };
  const countsByName = new Map<string, { key: string; count: number }>();
  let submissionsWithHandle = 0;
  return {
    isHandleExpected: expectedHandle !== undefined,
    check: async (submission: Submission): Promise<Submission> => {
      const { handles } = submission;
      const expectedKey = fold(await currentName(expectedHandle ?? ''));
      if (handles.length === 0) return submission;
      for (const name of handles) if (fold(await currentName(name)) === expectedKey) return submission;
      throw localizedError('badRow.otherHandle', {
        handles: handles.join(', '),
        given: expectedHandle ?? '',
      });
    },
    countHandles: async ({ handles }: Submission): Promise<void> => {
      if (handles.length > 0) submissionsWithHandle++;
      for (const name of new Set(await Promise.all(handles.map(currentName)))) {
        const counter = countsByName.get(name);
        if (counter) counter.count++;
        else countsByName.set(name, { key: fold(name), count: 1 });
      }
    },
    /** Links the handle if it is not linked yet. Throws badFile if the file does not show which one it is. */
    findOrLink: async (): Promise<HandlesTable> => {
      const expected = expectedHandle === undefined ? undefined : await currentName(expectedHandle);
      const handles = (await listHandles()).filter(
        ({ name }) => (siteOf(source, name).branch !== undefined) === isOfBranch,
      );
      const commonNames = [...countsByName].filter(([, { count }]) => count === submissionsWithHandle);
      const isCandidate = ({ name_key }: HandlesTable) =>
        expected === undefined
          ? submissionsWithHandle === 0 || commonNames.some(([, { key }]) => key === name_key)
          : name_key === fold(expected);
      const [first, ...more] = handles.filter(isCandidate);
      if (first && more.length === 0) return first;
      const name = expected ?? (commonNames.length === 1 ? commonNames[0]?.[0] : undefined);
      if (name === undefined)
        throw submissionsWithHandle === 0
          ? localizedError('badFile.noHandle')
          : localizedError('badFile.manyHandles', { count: countsByName.size });
      return (await findHandleByName(tx, userId, source, name)) ?? addHandle(tx, userId, source, name);
    },
  };
}

const classesByFinality: readonly SolvesTable['verdict_class'][] = ['pending', 'void', 'tried', 'solved'];

const revokingVerdicts: readonly unknown[] = ['hacked', 'skipped', 'rejected'];

/** Merges a submission with its stored version. */
export type MergeRule = (stored: SolvesTable, incoming: SolvesTable) => SolvesTable;

/**
 * A file may be old: final verdicts only move forward, as judge statuses do, and those that revoke an accepted
 * submission come last. A missing contest or language changes nothing.
 */
function fileRule(source: string): MergeRule {
  const verdicts = judgeOf(source)?.verdicts ?? {};
  const rank = ({ verdict_class, verdict }: SolvesTable) =>
    revokingVerdicts.includes(verdicts[verdict ?? ''])
      ? classesByFinality.length
      : classesByFinality.indexOf(verdict_class);
  return (stored, incoming) => {
    const { verdict_class, verdict } = rank(incoming) >= rank(stored) ? incoming : stored;
    return {
      ...incoming,
      verdict_class,
      verdict,
      problem_id: incoming.problem_id ?? stored.problem_id,
      contest: incoming.contest ?? stored.contest,
      participation: incoming.participation ?? stored.participation,
      language: incoming.language ?? stored.language,
      is_team: incoming.is_team || stored.is_team,
      judge_team: incoming.judge_team ?? stored.judge_team,
      virtual_began_at: incoming.virtual_began_at ?? stored.virtual_began_at,
    };
  };
}

const submissionKey = ({ handle_id, submission_id }: SolvesTable) => `${handle_id} ${submission_id}`;

const submissionTable = {
  keysOf: (row: SolvesTable) => [submissionKey(row)],
  insert: insertSolves,
  update: updateSolve,
};

/**
 * A submission keeps its first origin until this server itself gets it from the judge.
 */
const mergeSubmission = (rule: MergeRule, stored: SolvesTable, incoming: SolvesTable): SolvesTable => ({
  ...rule(stored, incoming),
  origin: incoming.origin === 'server' ? incoming.origin : stored.origin,
});

/** Of one handle: whoever marks the problem waits until all of them are read. */
const submissionsOfProblemAtMost = 1_000;
/** With fewer to each problem, a sync is not compared with all submissions of the handle. */
const uncheckedAtMost = 20;

/** Solves come before others, and older submissions before newer ones. */
async function withinLimit(
  { tx, addNote, origin }: ImportContext,
  incoming: readonly SolvesTable[],
  stored: readonly SolvesTable[],
): Promise<readonly SolvesTable[]> {
  const byKey = Map.groupBy(incoming, ({ key }) => key).values();
  if (origin === 'server' && byKey.every(({ length }) => length <= uncheckedAtMost)) return incoming;
  const counts = await countSolvesByKey(tx, incoming[0]?.handle_id ?? 0n);
  // A file can give stored submissions to another problem.
  const nameOf = ({ key, submission_id }: SolvesTable) => `${submission_id} ${key}`;
  const names = new Set(stored.map(nameOf));
  const rank = ({ verdict_class, submitted_at }: SolvesTable) =>
    `${verdict_class === 'solved' ? 0 : 1}${submitted_at}`;
  for (const row of incoming.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    const count = counts.get(row.key) ?? 0;
    if (names.has(nameOf(row)) || count >= submissionsOfProblemAtMost) continue;
    counts.set(row.key, count + 1);
    names.add(nameOf(row));
  }
  const rows = incoming.filter((row) => names.has(nameOf(row)));
  if (rows.length < incoming.length)
    addNote(message('badRow.manySubmissions', { most: submissionsOfProblemAtMost }));
  return rows;
}

async function saveSolves(
  context: ImportContext,
  rule: MergeRule,
  incoming: readonly SolvesTable[],
  stored: readonly SolvesTable[],
): Promise<{ hasNew: boolean; changed: { row: SolvesTable; before: SolvesTable }[] }> {
  const { tx, now } = context;
  const changed: { row: SolvesTable; before: SolvesTable }[] = [];
  let hasNew = false;
  const count = (figure: Figure) => {
    hasNew ||= figure === 'new';
  };
  const batch = upsertBatch<SolvesTable>(
    { tx, now, count },
    {
      ...submissionTable,
      update: (_tx, row, before) => {
        changed.push({ row, before });
        return updateSolve(tx, row);
      },
    },
  );
  batch.addStored(stored);
  const describe = () => '';
  for (const row of await withinLimit(context, incoming, stored)) {
    const found = batch.find(submissionKey(row));
    if (found) await batch.change(found, mergeSubmission(rule, found.row, row), describe);
    else batch.add(row, describe);
  }
  await batch.finish();
  return { hasNew, changed };
}

/**
 * A judge whose submissions have no ids lists one under another key if it renamed the problem. Such a submission keeps its
 * id. Two others in one second are told apart by their keys.
 */
async function keepStoredIds(
  tx: Db,
  source: string,
  handleId: bigint,
  incoming: readonly Submission[],
): Promise<void> {
  if (!judgeOf(source)?.renamesProblems) return;
  const bySecond = Map.groupBy(incoming, ({ submittedAt }) => submittedAt);
  const stored = await findSolvesAt(tx, [...bySecond.keys()], { handleId });
  for (const [at, listed] of bySecond) {
    const rows = stored.filter(({ submitted_at }) => submitted_at === at);
    const unlisted = rows.filter((row) => !listed.some(({ id }) => id === row.submission_id));
    const unknown = listed.filter(({ id }) => !rows.some((row) => row.submission_id === id));
    const isOnlyOne = unlisted.length === 1 && unknown.length === 1;
    for (const one of unknown) {
      const row = unlisted.find(({ key }) => isOnlyOne || key === one.key);
      if (row) one.id = row.submission_id;
    }
  }
}

/**
 * A judge moves submissions of a renamed user to the new name, which the member may have linked beside the old one. Both
 * handles become one where the judge says who was renamed.
 */
async function deleteUnderOtherHandles(
  tx: Db,
  { user_id, source, id }: HandlesTable,
  incoming: readonly Submission[],
): Promise<void> {
  const handles = judgeOf(source)?.api?.renames ? [] : await listHandlesAtJudge(tx, user_id, source);
  for (const other of handles) {
    const isMoved = ({ handles }: Submission) =>
      handles.length > 0 && !handles.some((name) => fold(name) === other.name_key);
    const ids = incoming.filter(isMoved).map((one) => one.id);
    if (other.id !== id && ids.length > 0) await deleteSolves(tx, ids, { handleId: other.id });
  }
}

const revokedKeysListed = 10;

interface Attempts {
  isSolved: boolean;
  isGym: boolean;
  count: number;
}

const solveOf = (
  one: Submission,
  { handle_id, problem_id, origin }: Pick<SolvesTable, 'handle_id' | 'problem_id' | 'origin'>,
): SolvesTable => ({
  handle_id,
  submission_id: one.id,
  problem_id,
  key: one.key,
  verdict_class: one.verdictClass,
  verdict: one.verdict,
  submitted_at: one.submittedAt,
  contest: one.contest,
  participation: one.participation,
  is_team: one.isTeam ? 1n : 0n,
  judge_team: one.judgeTeam ?? null,
  virtual_began_at: one.virtualBeganAt ?? null,
  language: one.language,
  origin,
});

/** The figures count statuses; `unmatched` counts problems that are in no catalogue here, except gyms. */
export function submissionSink(context: ImportContext, source: string, isOfBranch = false): Sink<Submission> {
  const { tx, now, member, count } = context;
  if (!member) throw new Error('submissions belong to a member');
  const expectedHandle = context.handle && handleName(source, context.handle, isOfBranch);
  const handle = handleFinder({ tx, userId: member.id, source }, expectedHandle, isOfBranch);
  const byKey = new Map<string, Attempts>();
  const incoming: Submission[] = [];
  return {
    write: async (entries) => {
      for (const { value } of handle.isHandleExpected
        ? await context.forEachEntry(entries, handle.check)
        : entries) {
        const { key, verdictClass, isGym } = value;
        await handle.countHandles(value);
        addAttempts(byKey, key, { isSolved: verdictClass === 'solved', isGym, count: 1 });
        incoming.push(value);
      }
    },
    finish: async () => {
      await addNewProblems(context, source, incoming);
      const found = await findByNames(context, source, [...byKey.keys()]);
      const problems = new Map(found.map((row) => [row.key, row]));
      const byProblem = new Map<bigint, Attempts>();
      const unknown: Attempts[] = [];
      for (const [key, attempts] of byKey) {
        const problem = problems.get(key);
        if (problem) addAttempts(byProblem, problem.id, attempts);
        else unknown.push(attempts);
        const missing = `${source} ${key}: no such problem here; import the judge's catalogue and twins`;
        if (!problem && !attempts.isGym) count('unmatched', () => missing);
      }
      context.addNote(summaryNote([...byKey.values()], [...byProblem.values()], unknown));
      if (incoming.length === 0) return;
      const linkedHandle = await handle.findOrLink();
      const { id: handle_id } = linkedHandle;
      await keepStoredIds(tx, source, handle_id, incoming);
      const ids = [...new Set(incoming.map(({ id }) => id))];
      const stored = await findSolves(tx, ids, { handleId: handle_id });
      // A submission may have been stored as one to another problem, whose key was the same in earlier versions.
      const problemIds = [...byProblem.keys(), ...stored.flatMap(({ problem_id }) => problem_id ?? [])];
      const before = await verdictStatuses(tx, member.id, problemIds);
      const { origin, addsOnly } = context;
      if (origin === 'server' && !addsOnly) await deleteUnderOtherHandles(tx, linkedHandle, incoming);
      const isPending = ({ verdict_class }: SolvesTable) => verdict_class === 'pending';
      const final = new Set(stored.flatMap((row) => (addsOnly && !isPending(row) ? row.submission_id : [])));
      const rows = incoming
        .filter(({ id }) => !final.has(id))
        .map((one) => solveOf(one, { handle_id, problem_id: problems.get(one.key)?.id ?? null, origin }));
      const { hasNew, changed } = await saveSolves(
        context,
        origin === 'file' ? fileRule(source) : (_stored, incoming) => incoming,
        rows,
        stored,
      );
      const revoked = changed.filter(
        ({ row, before }) => row.verdict_class === 'tried' && before.verdict_class === 'solved',
      );
      if (origin === 'file' && revoked.length > 0) context.addNote(revokedNote(source, revoked));
      if (hasNew || changed.length > 0) {
        await saveBrowserSync(tx, handle_id, now);
        context.bumpRevision('solves', member.id);
        context.markWritten();
      }
      const titles = new Map(found.map((row) => [row.id, `${source} ${row.source_key} ${row.title}`]));
      const report: StatusReport = (id, old, status) => {
        if (!byProblem.has(id) || (!old && !status)) return;
        const figure = old === status ? 'kept' : old ? 'changed' : 'new';
        count(figure, () => `${titles.get(id)}: ${status?.judge_status ?? 'not tried yet'}`);
      };
      if (await updateStatuses(tx, member.id, problemIds, mergeWith(before), report))
        context.bumpRevision('statuses', member.id);
    },
  };
}

function addAttempts<K>(attemptsOf: Map<K, Attempts>, key: K, attempts: Attempts): void {
  const total = attemptsOf.get(key);
  if (!total) {
    attemptsOf.set(key, { ...attempts });
    return;
  }
  total.isSolved ||= attempts.isSolved;
  total.count += attempts.count;
}

function revokedNote(source: string, revoked: readonly { row: SolvesTable }[]): Message {
  const keys = [...new Set(revoked.map(({ row }) => row.key))];
  const more = keys.length - revokedKeysListed;
  const shown = keys.slice(0, revokedKeysListed).join(', ');
  const named = more > 0 ? message('imported.more', { shown, more }) : shown;
  return message('imported.revoked', { judge: judgeName(source), count: revoked.length, named });
}

function summaryNote(
  all: readonly Attempts[],
  known: readonly Attempts[],
  unknown: readonly Attempts[],
): Message {
  const countSubmissions = (some: readonly Attempts[]) =>
    some.reduce((sum, { count: sent }) => sum + sent, 0);
  const keys = all.length - unknown.length;
  const solved = known.filter(({ isSolved }) => isSolved).length;
  const here = { sent: countSubmissions(known), problems: known.length, solved };
  const [gym, others] = [unknown.filter(({ isGym }) => isGym), unknown.filter(({ isGym }) => !isGym)];
  const parts: MessageValue[] = [
    keys > known.length ? message('imported.knownKeys', { ...here, keys }) : message('imported.known', here),
  ];
  if (others.length > 0)
    parts.push(message('imported.unknown', { sent: countSubmissions(others), problems: others.length }));
  if (gym.length > 0)
    parts.push(message('imported.gym', { sent: countSubmissions(gym), problems: gym.length }));
  return message('imported.submissions', { count: countSubmissions(all), parts: joinMessages(parts, '; ') });
}

type InputSubmission = HandleReference & Partial<SolvesTable>;

/** No judge has longer texts. Some of them are in an index. */
const longestKey = 100;
const longestLanguage = 200;

export function ownSubmissionSink(context: ImportContext): Sink<never> {
  const { tx, now } = context;
  const handlesOf = handleReferences(context);
  const handles = new Map<bigint, { userId: bigint; rule: MergeRule }>();
  const problemsOf = problemReferences(context);
  const problemsByMember = new Map<bigint, Map<bigint, boolean>>();
  const before = new Map<bigint, Map<bigint, DatedStatus>>();
  const changedHandles = new Set<bigint>();
  const countsByHandle = new Map<bigint, Map<string, number>>();
  const memberOf = (handleId: bigint) => handles.get(handleId)?.userId ?? 0n;

  async function loadPreviousStatuses(userId: bigint, solves: readonly SolvesTable[]): Promise<void> {
    const problemIds = mapOfMember(problemsByMember, userId);
    const ids = solves.flatMap(({ problem_id }) => problem_id ?? []).filter((id) => !problemIds.has(id));
    for (const id of ids) problemIds.set(id, false);
    const statuses = mapOfMember(before, userId);
    for (const [id, status] of await verdictStatuses(tx, userId, [...new Set(ids)])) statuses.set(id, status);
  }

  const sink = upsertSink<SolvesTable, SolvesTable>(context, {
    ...submissionTable,
    onChange: ({ handle_id, problem_id }) => {
      changedHandles.add(handle_id);
      if (problem_id !== null) mapOfMember(problemsByMember, memberOf(handle_id)).set(problem_id, true);
    },
    resolveReferences: async (entries) => {
      const handleOf = await handlesOf(entries);
      const problemOf = await problemsOf(entries);
      return async (row: InputSubmission): Promise<SolvesTable> => {
        const { id, source, user_id: userId } = await handleOf(row);
        if (!handles.has(id)) handles.set(id, { userId, rule: fileRule(source) });
        const solve = submissionRow(row, id);
        solve.problem_id = problemOf(source, solve.key);
        return solve;
      };
    },
    find: (rows) =>
      findForEach(
        Map.groupBy(rows, ({ handle_id }) => handle_id),
        async ([id, solves]) => {
          await loadPreviousStatuses(memberOf(id), solves);
          return findSolves(tx, [...new Set(solves.map(({ submission_id }) => submission_id))], {
            handleId: id,
          });
        },
      ),
    naturalKeyOf: submissionKey,
    rowOf: async (incoming, stored) => {
      const { handle_id, key } = incoming;
      const rule = handles.get(handle_id)?.rule;
      const row = stored && rule ? mergeSubmission(rule, stored, incoming) : incoming;
      if (stored?.key === key) return row;
      const counts = countsByHandle.get(handle_id) ?? (await countSolvesByKey(tx, handle_id));
      countsByHandle.set(handle_id, counts);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > submissionsOfProblemAtMost)
        throw localizedError('badRow.manySubmissions', { most: submissionsOfProblemAtMost });
      return row;
    },
    describe: ({ submission_id, key }) => `submission ${submission_id} to ${key}`,
  });
  return {
    ...sink,
    finish: async () => {
      for (const id of changedHandles) await saveBrowserSync(tx, id, now);
      for (const [userId, problemIds] of problemsByMember) {
        const changedIds = [...problemIds].flatMap(([id, isChanged]) => (isChanged ? id : []));
        if (changedIds.length > 0) context.bumpRevision('solves', userId);
        const noteNew: StatusReport = (problem_id, stored) => {
          if (!stored) context.newStatuses?.add(memberProblemKey({ user_id: userId, problem_id }));
        };
        if (await updateStatuses(tx, userId, changedIds, mergeWith(mapOfMember(before, userId)), noteNew))
          context.bumpRevision('statuses', userId);
      }
    },
  };
}

function mapOfMember<V>(all: Map<bigint, Map<bigint, V>>, userId: bigint): Map<bigint, V> {
  const values = all.get(userId) ?? new Map<bigint, V>();
  all.set(userId, values);
  return values;
}

function problemReferences(context: ImportContext) {
  const problems = new Map<string, bigint | null>();
  return async (entries: readonly Located<{ source?: string; key?: string }>[]) => {
    for (const [source, some] of Map.groupBy(entries, ({ value }) => value.source ?? '')) {
      const keys = new Set(some.flatMap(({ value }) => value.key ?? []));
      const unknown = [...keys].filter((key) => !problems.has(naturalKey(source, key)));
      for (const key of unknown) problems.set(naturalKey(source, key), null);
      for (const row of await findByNames(context, source, unknown))
        problems.set(naturalKey(source, row.key), row.id);
    }
    return (source: string, key: string) => problems.get(naturalKey(source, key)) ?? null;
  };
}

function submissionRow(input: InputSubmission, handle_id: bigint): SolvesTable {
  const { verdict_class, submitted_at } = input;
  if (verdict_class === undefined || submitted_at === undefined)
    throw localizedError('badRow.needed', { names: 'verdict_class', last: 'submitted_at' });
  return {
    handle_id,
    submission_id: textOf(input.submission_id, 'submission_id', longestKey),
    problem_id: null,
    key: textOf(input.key, 'key', longestKey),
    verdict_class,
    verdict: cutText(input.verdict, longestKey),
    submitted_at,
    contest: cutText(input.contest, longestKey),
    participation: input.participation ?? null,
    is_team: input.is_team || input.participation === 'team' ? 1n : 0n,
    judge_team: cutText(input.judge_team, longestKey),
    virtual_began_at: input.virtual_began_at ?? null,
    language: cutText(input.language, longestLanguage),
    origin: input.origin ?? 'file',
  };
}
