/** Codeforces (codeforces.com/apiHelp). */

import { hash, randomBytes } from 'node:crypto';
import { dayMs, hourMs } from '../durations.ts';
import { localizedError, message } from '../errors.ts';
import type { JsonLayout } from '../files/json.ts';
import { listSplitter } from '../files/list-splitter.ts';
import { contestListing, startedFrom } from './contest-listings.ts';
import {
  accessDenied,
  badRowAsOddAnswer,
  busy,
  down,
  entriesIn,
  judgeFault,
  oddAnswer,
  parseAnswer,
  readAnswerRows,
  rowsIn,
  unknownHandle,
} from './faults.ts';
import {
  badField,
  contestPlaceOf,
  cutText,
  integerOf,
  listOf,
  matchOf,
  objectOf,
  optionalText,
  personRatingOf,
  readRows,
  solverCountIn,
  textOf,
  textsOf,
  timeOf,
  verdictClassOf,
} from './fields.ts';
import type {
  ApiKey,
  CatalogueEntry,
  ContestKind,
  ContestListing,
  ContestPosition,
  ContestWithProblems,
  FeedAnswer,
  FeedUser,
  FetchedFile,
  Judge,
  JudgeAnswer,
  JudgeApi,
  JudgeClient,
  JudgeContest,
  RatedContest,
  ReadRows,
  Submission,
  SyncState,
  TwinKeys,
} from './judge.ts';
import { fullSyncEveryMs, longestContestTitle, overlapMs } from './judge.ts';
import {
  type FieldCell,
  type FieldRow,
  fieldSampler,
  type RealField,
  usualWrongMinutes,
} from './real-field.ts';

const siteName = 'Codeforces';
const pageSize = 1000;
/** Enough for what is new in almost every run; more rows are read while none is known. */
const newsSize = 50;
/** New submissions shift the rows, so pages overlap. */
const overlapRows = 50;
const proofRows = 30;
const handlesPerCall = 300;

/** Submissions until `through` are stored. Times are seconds since 1970. */
interface Cursor {
  through?: number;
  /** When a run last read the whole list. */
  wholeAt?: number;
  /** When a run last read the days of the overlap. */
  overlapAt?: number | undefined;
  /** The oldest submission of the last run that had no final verdict yet. */
  pendingAt?: number | undefined;
  /** The id of the oldest submission, if the list is shorter than the overlap. */
  end?: number | undefined;
  /** How many rows an interrupted run had read, and the id of the newest. */
  stopped?: { rows: number; newest: number; through: number };
}

interface Row {
  id: number;
  creationTimeSeconds: number;
  author?: unknown;
  verdict?: string;
}

/** The most rows in an answer of each site, which may have a limit below what is requested. */
const rowsAnswered = new Map<string, number>();
const overlapEveryMs = 20 * hourMs;

const codeforcesApi: JudgeApi = {
  baseUrl: 'https://codeforces.com/api',
  // "API may be requested at most 1 time per two seconds".
  intervalMs: 2000,
  submissions,
  async *problems(ask) {
    yield* fetchFile(ask, 'problems', '/problemset.problems?lang=en');
    yield* fetchFile(ask, 'problems', `/problemset.problems?problemsetName=${acmsguru}&lang=en`);
  },
  contests: (ask) => fetchFile(ask, 'contests', '/contest.list?gym=false&lang=en'),
  gyms: (ask) => fetchFile(ask, 'contests', '/contest.list?gym=true&lang=en'),
  parseUpcoming: upcomingIn,
  contest,
  realField,
  results,
  renames,
  ratings: { history },
  feed: {
    rowsAtMost: 1000,
    intervalMs: 45_000,
    ownListMs: { active: dayMs, others: 7 * dayMs },
    newest: (ask, count) => feedAnswer(ask, `/problemset.recentStatus?count=${count}&lang=en`),
    ofContest: (ask, contest, count) =>
      feedAnswer(ask, `/contest.status?contestId=${contest}&from=1&count=${count}&lang=en`),
    users: usersOf,
  },
};

async function feedAnswer(ask: JudgeClient, path: string): Promise<FeedAnswer> {
  const rows = rowsIn(await ask(path, (answer) => answerOf(answer).result), siteName, 'author') as Row[];
  rowsAnswered.set(ask.site, Math.max(rows.length, rowsAnswered.get(ask.site) ?? 0));
  return {
    rows: rows.map((value) => ({
      id: value.id,
      at: 1000 * value.creationTimeSeconds,
      handles: authorsOf(value.author).handles,
      value,
    })),
  };
}

/** Reads back to what earlier runs stored, or continues an interrupted one. */
async function* submissions(ask: JudgeClient, handle: string, state: SyncState): AsyncGenerator<FetchedFile> {
  const now = state.now.getTime() / 1000;
  let { through, stopped, end, wholeAt = now, overlapAt = 0, pendingAt } = (state.cursor ?? {}) as Cursor;
  if (!stopped && now - wholeAt >= fullSyncEveryMs / 1000)
    [through, end, wholeAt] = [undefined, undefined, now];
  const isOverlapDue = now - overlapAt >= overlapEveryMs / 1000;
  const known = Math.min(through ?? 0, pendingAt ?? Number.POSITIVE_INFINITY);
  const readBackTo = isOverlapDue ? (through ?? 0) - overlapMs / 1000 : known;
  if (isOverlapDue) overlapAt = now;
  pendingAt = undefined;
  let from = 1;
  let newest: Row | undefined;
  let lastId: number | undefined;
  let isResuming = stopped !== undefined;
  const ids = new Set<number>();
  for (let size = through === undefined ? pageSize : newsSize; ; size = pageSize) {
    const path = `/user.status?handle=${encodeURIComponent(handle)}&from=${from}&count=${size}&lang=en`;
    const { text, result } = await ask(path, (answer) => answerOf(answer, handle));
    const rows = rowsIn(result, siteName, 'creationTimeSeconds') as Row[];
    if (!newest && (await isRenamed(ask, handle, rows))) throw unknownHandle(siteName, handle);
    newest ??= rows[0];
    const last = rows.at(-1);
    lastId = last?.id ?? lastId;
    for (const { creationTimeSeconds: at, verdict } of rows)
      if (verdictClassOf(verdicts, verdict ?? null) === 'pending') pendingAt = Math.min(at, pendingAt ?? at);
    // A site may answer fewer rows than requested, or hide some, so only a much shorter page than its longest is the end.
    const isRepeated = rows.every(({ id }) => ids.has(id));
    const longest = Math.min(size, rowsAnswered.get(ask.site) ?? 0);
    const isShort = through === undefined && rows.length + overlapRows < longest;
    rowsAnswered.set(ask.site, Math.max(rows.length, rowsAnswered.get(ask.site) ?? 0));
    for (const { id } of rows) ids.add(id);
    const isEnd = !last || isRepeated || isShort || last.creationTimeSeconds < readBackTo || last.id === end;
    const finished: Cursor = {
      wholeAt,
      overlapAt,
      ...(pendingAt !== undefined && { pendingAt }),
      through: newest?.creationTimeSeconds ?? through ?? 0,
    };
    const oldest = isOverlapDue ? lastId : end;
    if (oldest !== undefined) finished.end = oldest;
    const resumeIndex = isResuming ? rows.findIndex(({ id }) => id === stopped?.newest) : -1;
    let rowsRead = from - 1 + rows.length;
    let overlap = rows.length < size ? 0 : overlapRows;
    if (stopped && resumeIndex >= 0) {
      isResuming = false;
      rowsRead = from - 1 + resumeIndex + stopped.rows;
      overlap = overlapRows;
    }
    // The same page once more would be the end.
    from = Math.max(from + 1, rowsRead + 1 - overlap);
    const interrupted: Cursor = {
      wholeAt,
      // A run that goes on reads back as far as this one would have.
      ...(!isOverlapDue && { overlapAt, end, pendingAt: known }),
      ...(through !== undefined && { through }),
      stopped: { rows: rowsRead, newest: newest?.id ?? 0, through: finished.through ?? 0 },
    };
    yield { file: 'submissions', text, cursor: isEnd ? finished : interrupted };
    if (isEnd) return;
  }
}

/** A former handle is answered with the submissions of the present one. */
async function isRenamed(ask: JudgeClient, handle: string, rows: readonly Row[]): Promise<boolean> {
  const authors = rows.map(({ author }) => authorsOf(author).handles).filter(({ length }) => length > 0);
  const isSame = (name: string) => name.toLowerCase() === handle.toLowerCase();
  if (authors.length === 0 || authors.some((names) => names.some(isSame))) return false;
  return (await renames(ask, [handle])).has(handle);
}

async function newestRows(ask: JudgeClient, handle: string): Promise<unknown[]> {
  const path = `/user.status?handle=${encodeURIComponent(handle)}&from=1&count=${proofRows}&lang=en`;
  return ask(path, (answer) => answerOf(answer, handle).result);
}

async function* fetchFile(ask: JudgeClient, file: string, path: string): AsyncGenerator<FetchedFile> {
  const { text } = await ask(path, (answer) => answerOf(answer));
  yield { file, text };
}

function upcomingIn(text: string): ContestListing {
  const { result } = JSON.parse(text) as { result: unknown[] };
  const from = startedFrom(Date.now());
  const isRecent = (row: unknown) =>
    Object(row).phase === 'BEFORE' || 1000 * Object(row).startTimeSeconds > Date.parse(from);
  const listing = contestListing(result.filter(isRecent), (value) => {
    const { key, title, starts_at, duration_s } = contestOf(value);
    if (starts_at === null) return undefined;
    return { source: 'codeforces', key, title, starts_at, duration_s, url: `${site}/contests/${key}` };
  });
  return { ...listing, startsAfter: from };
}

const standings = 'contest.standings';

/** A round may be requested only without a key and without other parameters, and some gyms only with a key. */
function standingsPath(id: string, key: ApiKey | undefined): string {
  const parameters = { contestId: id, lang: 'en' };
  return key && pathSegmentOf(id) === 'gym'
    ? freshlySigned(parameters, key)
    : `/${standings}?${queryOf(parameters)}`;
}

async function contest(ask: JudgeClient, id: string, key?: ApiKey): Promise<ContestWithProblems | undefined> {
  const path = standingsPath(id, key);
  const found = await ask(path, (answer) => standingsOf(answer, id), { isEnough: isBeforeRows });
  if (!key || pathSegmentOf(id) !== 'gym') return found;
  // Only the judge's list of gyms says which of them are public.
  if (found) return { ...found, phase: null };
  throw hiddenFromKey(id);
}

const freshlySigned = (parameters: Readonly<Record<string, string>>, key: ApiKey) =>
  signedPath(standings, parameters, key, new Date(), randomBytes(3).toString('hex'));

const cellsAtMost = 100;

/** Of the rows, which name people, only figures are read, each as it comes. Throws judgeFailed. */
async function realField(ask: JudgeClient, id: string, key?: ApiKey): Promise<RealField> {
  let sampler = fieldSampler();
  let wrongMinutes: number | undefined;
  const takeRow = (text: string) => {
    const { party, penalty, problemResults } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (Object(party).participantType !== 'CONTESTANT') return;
    const row = (Array.isArray(problemResults) ? problemResults : []).slice(0, cellsAtMost).map(fieldCellOf);
    sampler.add(row);
    wrongMinutes ??= wrongMinutesOf(row, Number(penalty));
  };
  const reader = () => {
    [sampler, wrongMinutes] = [fieldSampler(), undefined];
    const takePiece = listSplitter(/"rows"\s*:\s*\[/, takeRow);
    return (piece: string) => {
      try {
        return takePiece(piece);
      } catch {
        // What is wrong with a row would quote it, with names.
        throw judgeFault(
          'odd answer',
          localizedError('judgeFailed.notJson', { judge: siteName, status: 200 }),
        );
      }
    };
  };
  const read = (answer: JudgeAnswer): Pick<RealField, 'positions' | 'worth' | 'seconds'> => {
    const hidden = localizedError('judgeFailed.hiddenContest', { judge: siteName, contest: id });
    const refusal = key ? hiddenFromKey(id) : judgeFault('refused', hidden);
    if (isHidden(answer)) throw refusal;
    const { contest, problems } = objectOf(answerOf(answer).result);
    const { type, phase, durationSeconds } = objectOf(contest, 'contest');
    // Points of other rules cannot be computed from the time of a solve.
    if (type !== 'CF' && type !== 'ICPC') throw refusal;
    // A round beside a live contest ends before the system tests do: it is asked for again.
    if (phase !== 'FINISHED') throw judgeFault('busy', hidden);
    const all = listOf(problems, 'problems').map((one) => objectOf(one, 'problem'));
    return {
      seconds: integerOf(durationSeconds, 'durationSeconds', 1, contestIdMax),
      positions: all.map((one) => identityOf(one, '', Number(id)).index),
      worth: type === 'CF' ? all.map((one) => Number(one['points']) || 0) : [],
    };
  };
  const ofContest = await ask(
    standingsPath(id, key),
    (answer) => badRowAsOddAnswer(siteName, () => read(answer)),
    {
      reader,
    },
  );
  return { ...ofContest, ...sampler.sample(), wrongMinutes: wrongMinutes ?? usualWrongMinutes };
}

function fieldCellOf(value: unknown): FieldCell {
  const {
    points,
    rejectedAttemptCount,
    bestSubmissionTimeSeconds: second,
  } = Object(value) as Record<string, unknown>;
  const tries = Number.isSafeInteger(rejectedAttemptCount) ? Math.max(0, Number(rejectedAttemptCount)) : 0;
  return Number(points) > 0 && Number.isSafeInteger(second) ? [Number(second), tries, Number(points)] : tries;
}

/** The penalty of a row tells what a refused try adds: 10 minutes in some contests, 20 in others. */
function wrongMinutesOf(row: FieldRow, penalty: number): number | undefined {
  const solved = row.filter((cell) => typeof cell === 'object');
  const tries = solved.reduce((sum, [, count]) => sum + count, 0);
  const minutes = solved.reduce((sum, [second]) => sum + Math.floor(second / 60), 0);
  const each = (penalty - minutes) / tries;
  // Without refused tries the quotient is no integer.
  return Number.isInteger(each) && each >= 0 && each <= 60 ? each : undefined;
}

const resultHandlesPerCall = 100;

/** What people solved in a gym. Practice has no times in the standings. */
async function results(
  ask: JudgeClient,
  id: string,
  key: ApiKey,
  handles: readonly string[],
): Promise<Submission[]> {
  const submissions: Submission[] = [];
  const rest = handles.map((name) => name.toLowerCase());
  while (rest.length > 0) {
    const some = rest.slice(0, resultHandlesPerCall);
    const parameters = { contestId: id, handles: some.join(';'), showUnofficial: 'true', lang: 'en' };
    const found = await ask(freshlySigned(parameters, key), (answer) => {
      if (isHidden(answer)) throw hiddenFromKey(id);
      return unknownHandleIn(answer)?.toLowerCase() ?? answerOf(answer).result;
    });
    // One unknown handle fails the whole call.
    const isUnknown = typeof found === 'string' && some.includes(found);
    if (isUnknown) rest.splice(rest.indexOf(found), 1);
    else {
      submissions.push(...badRowAsOddAnswer(siteName, () => solvesIn(found, id)));
      rest.splice(0, resultHandlesPerCall);
    }
  }
  return submissions;
}

const hiddenFromKey = (contest: string) =>
  judgeFault('refused', localizedError('judgeFailed.contestOfKey', { judge: siteName, contest }));

const isHidden = (answer: JudgeAnswer): boolean =>
  /contest with id \d+ not found|you have to be authenticated/i.test(commentIn(answer));

function solvesIn(result: unknown, id: string): Submission[] {
  const { contest, problems, rows } = objectOf(result);
  const { type, startTimeSeconds } = objectOf(contest, 'contest');
  const identities = listOf(problems, 'problems').map((value) => {
    const problem = objectOf(value, 'problem');
    const fullScore = type === 'IOI' ? Number(problem['points']) : 0;
    return { ...identityOf(problem, '', Number(id)), title: cutText(problem['name'], 500), fullScore };
  });
  return listOf(rows, 'rows').flatMap((row) => {
    const { party, problemResults } = Object(row) as Record<string, unknown>;
    const begin = Number(Object(party).startTimeSeconds ?? startTimeSeconds);
    return (Array.isArray(problemResults) ? problemResults : []).flatMap((value, at): Submission[] => {
      const problem = identities[at];
      const {
        points,
        type: state,
        bestSubmissionTimeSeconds: after,
      } = Object(value) as Record<string, unknown>;
      const second = typeof after === 'number' ? begin + after : Number.NaN;
      const isTimed = Number.isSafeInteger(second) && second <= Date.now() / 1000;
      const score = state === 'PRELIMINARY' ? 0 : Number(points);
      if (!problem || !isTimed || !(score > 0 && score >= problem.fullScore)) return [];
      return [
        {
          id: `${standings} ${id}${problem.index}`,
          key: problem.key,
          ...authorsOf(party),
          submittedAt: timeOf(second, 'bestSubmissionTimeSeconds'),
          contest: id,
          verdictClass: 'solved',
          verdict: 'OK',
          language: null,
          isGym: true,
          problem: problem.title === null ? {} : { title: problem.title },
        },
      ];
    });
  });
}

const queryOf = (parameters: Readonly<Record<string, string>>) => String(new URLSearchParams(parameters));

/** codeforces.com/apiHelp describes the signature under "Authorization"; `prefix` is random. */
export function signedPath(
  method: string,
  parameters: Readonly<Record<string, string>>,
  { key, secret }: ApiKey,
  now: Date,
  prefix: string,
): string {
  const time = String(Math.floor(now.getTime() / 1000));
  const all = Object.entries({ ...parameters, apiKey: key, time });
  const sorted = all.toSorted(([one], [other]) => (one < other ? -1 : 1));
  // What is signed is not percent-encoded.
  const signed = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  const signature = hash('sha512', `${prefix}/${method}?${signed}#${secret}`);
  return `/${method}?${queryOf(Object.fromEntries(sorted))}&apiSig=${prefix}${signature}`;
}

function commentIn(answer: JudgeAnswer): string {
  const { comment } = bodyOf(answer);
  return typeof comment === 'string' ? comment.slice(0, 200) : '';
}

const rowsKey = /,?\s*"rows"\s*:/;

/** The rows of a round are up to 15 MB and come last. */
function isBeforeRows(text: string): boolean {
  const before = text.slice(0, Math.max(0, text.search(rowsKey)));
  return ['"status"', '"contest"', '"problems"'].every((name) => before.includes(name));
}

/** Undefined for a contest that is hidden. Throws judgeFailed. */
function standingsOf({ status, text }: JudgeAnswer, id: string): ContestWithProblems | undefined {
  const answer = { status, text: isBeforeRows(text) ? `${text.slice(0, text.search(rowsKey))}}}` : text };
  if (isHidden(answer)) return undefined;
  if (/has not started/i.test(commentIn(answer)))
    throw judgeFault('refused', localizedError('judgeFailed.notBegun', { judge: siteName, contest: id }));
  const { contest, problems } = answerOf(answer).result as { contest?: unknown; problems?: unknown };
  return badRowAsOddAnswer(siteName, () => {
    const { key, title, ...times } = contestOf({ durationSeconds: 0, ...objectOf(contest, 'contest') });
    return {
      title: pathSegmentOf(key) === 'gym' ? `Gym ${key} ${title}` : title,
      ...times,
      problems: listOf(problems, 'problems').map((value) => {
        const problem = objectOf(value, 'problem');
        const identity = identityOf(problem, '', Number(key));
        return {
          key: identity.key,
          title: cutText(problem['name'], 500) ?? identity.key,
          url: codeforces.problemPage(identity.key) ?? codeforces.contestPage(key),
          position: identity.index,
        };
      }),
    };
  });
}

async function history(ask: JudgeClient, handle: string): Promise<ReadRows<RatedContest>> {
  const { result } = await ask(`/user.rating?handle=${encodeURIComponent(handle)}&lang=en`, (answer) =>
    answerOf(answer, handle),
  );
  return readAnswerRows(siteName, entriesIn(result, siteName, 'newRating'), (value) => {
    const row = objectOf(value);
    const contest = String(integerOf(row['contestId'], 'contestId', 1, contestIdMax));
    return {
      contest,
      title: cutText(row['contestName'], longestContestTitle) ?? contest,
      place: contestPlaceOf(row['rank']),
      rating: personRatingOf(row['newRating'], 'newRating'),
      rated_at: timeOf(row['ratingUpdateTimeSeconds'], 'ratingUpdateTimeSeconds'),
    };
  });
}

async function renames(ask: JudgeClient, handles: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = [...(await usersOf(ask, handles))].map(([before, { name }]) => [before, name] as const);
  return new Map(users.filter(([before, name]) => name.toLowerCase() !== before.toLowerCase()));
}

async function usersOf(ask: JudgeClient, handles: readonly string[]): Promise<ReadonlyMap<string, FeedUser>> {
  const users = new Map<string, FeedUser>();
  for (let start = 0; start < handles.length; start += handlesPerCall)
    for (const [before, user] of await someUsersOf(ask, handles.slice(start, start + handlesPerCall)))
      users.set(before, user);
  return users;
}

/** One unknown or malformed handle fails the whole call, so it is removed. */
async function someUsersOf(
  ask: JudgeClient,
  handles: readonly string[],
): Promise<[before: string, user: FeedUser][]> {
  if (handles.length === 0) return [];
  const path = `/user.info?handles=${handles.map(encodeURIComponent).join(';')}&checkHistoricHandles=true&lang=en`;
  const found = await ask(path, (answer) => {
    const isMalformed = /^handles: Field /.test(commentIn(answer));
    return unknownHandleIn(answer) ?? (isMalformed ? null : answerOf(answer).result);
  });
  if (found === null && handles.length === 1) return [];
  if (typeof found === 'string') {
    const rest = handles.filter((one) => one.toLowerCase() !== found.toLowerCase());
    if (rest.length === handles.length) throw oddAnswer(siteName, message('odd.notAsked', { found }));
    return someUsersOf(ask, rest);
  }
  const users = (rowsIn(found ?? [], siteName, 'handle') as UserRow[]).map(
    ({ handle: name, lastOnlineTimeSeconds: second = 0 }) => ({ name, onlineAt: 1000 * second }),
  );
  if (users.length === handles.length)
    return handles.map((before, at) => [before, users[at] ?? { name: before, onlineAt: 0 }]);
  // The order tells which name is whose, so an incomplete answer is split.
  if (handles.length === 1) throw oddAnswer(siteName, message('odd.users', { count: users.length }));
  const half = handles.length >> 1;
  return [
    ...(await someUsersOf(ask, handles.slice(0, half))),
    ...(await someUsersOf(ask, handles.slice(half))),
  ];
}

interface UserRow {
  handle: string;
  lastOnlineTimeSeconds?: number;
}

/** Throws judgeFailed. */
function bodyOf(answer: JudgeAnswer): { status?: unknown; comment?: unknown; result?: unknown } {
  // Requests beyond the limit get plain text of no fixed wording.
  const isText = answer.status === 403 && /^\s*[^\s<{]/.test(answer.text);
  if (isText && !/block|denied|forbid|banned/i.test(answer.text)) throw busy(siteName);
  return Object(parseAnswer(answer, siteName));
}

/** A failed call may have any status, so the body decides. */
function answerOf(answer: JudgeAnswer, handle?: string): { text: string; result: unknown[] } {
  const { status, result } = bodyOf(answer);
  if (status === 'OK') {
    if (typeof result !== 'object' || result === null)
      throw oddAnswer(siteName, message('odd.lacks', { field: 'result' }));
    return { text: answer.text, result: result as unknown[] };
  }
  const comment = commentIn(answer);
  if (/call limit exceeded/i.test(comment)) throw busy(siteName);
  if (/^(?:apiKey|apiSig|time): /.test(comment))
    throw judgeFault('refused', localizedError('judgeFailed.apiKey', { judge: siteName }));
  if (handle !== undefined && (unknownHandleIn(answer) !== undefined || /^handle: /.test(comment)))
    throw unknownHandle(siteName, handle);
  if (answer.status === 401 || answer.status === 403) throw accessDenied(siteName, answer.status, comment);
  if (answer.status === 429) throw busy(siteName);
  if (answer.status >= 500) throw down(siteName, answer.status);
  if (/internal (?:server )?error|unavailable/i.test(comment)) throw down(siteName, comment);
  throw oddAnswer(
    siteName,
    comment === ''
      ? message('odd.status', { status: String(status) })
      : message('odd.says', { said: comment }),
  );
}

function unknownHandleIn({ text }: JudgeAnswer): string | undefined {
  return /"handles?: User with handle (\S+) not found"/.exec(text.slice(0, 1000))?.[1];
}

const contestKinds: readonly ContestKind[] = [
  { name: 'div1-2', title: 'Div. 1 + Div. 2', has: 'div. 1 + div. 2', ratedRange: {} },
  { name: 'div1', title: 'Div. 1', has: 'div. 1', lacks: 'div. 1 + div. 2', ratedRange: { from: 1900 } },
  { name: 'div2', title: 'Div. 2', has: 'div. 2', lacks: 'div. 1 + div. 2', ratedRange: { below: 2100 } },
  { name: 'div3', title: 'Div. 3', has: 'div. 3', ratedRange: { below: 1600 } },
  { name: 'div4', title: 'Div. 4', has: 'div. 4', ratedRange: { below: 1400 } },
  { name: 'educational', title: 'Educational', has: 'educational' },
  { name: 'global', title: 'Global', has: 'global round' },
  { name: 'icpc', title: 'ICPC', has: 'icpc' },
  { name: 'kotlin', title: 'Kotlin Heroes', has: 'kotlin heroes' },
];

const verdicts = {
  OK: 'accepted',
  PARTIAL: 'partial',
  WRONG_ANSWER: 'wrongAnswer',
  PRESENTATION_ERROR: 'presentationError',
  COMPILATION_ERROR: 'compileError',
  RUNTIME_ERROR: 'runtimeError',
  TIME_LIMIT_EXCEEDED: 'timeLimit',
  MEMORY_LIMIT_EXCEEDED: 'memoryLimit',
  IDLENESS_LIMIT_EXCEEDED: 'idlenessLimit',
  SECURITY_VIOLATED: 'securityViolated',
  CRASHED: 'crashed',
  INPUT_PREPARATION_CRASHED: 'inputCrashed',
  FAILED: 'failed',
  REJECTED: 'rejected',
  SKIPPED: 'skipped',
  CHALLENGED: 'hacked',
  TESTING: 'waiting',
  SUBMITTED: 'waiting',
} as const satisfies Judge['verdicts'];

const site = 'https://codeforces.com';
const contestIdMax = 2_147_483_647;
// Gyms are private training, which no catalogue has. Their ids start here (codeforces.com/apiHelp).
const firstGymId = 100_000;
const mirrorHosts = /^(?:[a-z0-9-]+\.)?codeforces\.com$/;
const problemPath =
  /^\/(?:problemset\/(?:problem|gymProblem)\/(?=\d)|(?:contests?|gym|group\/\w+\/contest|edu\/course\/\d+\/lesson\/\d+\/\d+\/practice\/contest)\/(?=\d+\/problem\/))(\d{1,9})\/(?:problem\/)?([A-Za-z]\d{0,2}|\d[A-Za-z\d]{0,7})\/?$/;

const contestPath = /^\/(?:contest|gym|group\/\w+\/contest)\/(\d{1,9})(?:\/|$)/;

/** Problems of this archive have no contestId; addresses and submissions may give it this one. */
const acmsguru = 'acmsguru';
const acmsguruContest = 99_999;

/** Problems of one division and letter are about equally hard, unless the round is for several divisions. */
function ladderOf(contest: string, position: string): string | undefined {
  const [, division] = /\((?:(?!Div)[^()]*, )?Div\. ([1-4])(?! ?\+|, Div)/.exec(contest) ?? [];
  const [letter] = /^[A-F]/.exec(position) ?? [];
  return division && letter && `Div. ${division} ${letter}`;
}

export const codeforces = {
  name: 'Codeforces',
  site: 'Codeforces',
  short: 'CF',
  ratingName: 'Codeforces rating',
  // Colours and titles: codeforces.com/blog/entry/68288.
  bands: [
    { from: 0, colour: 'grey' },
    { from: 1200, colour: 'green' },
    { from: 1400, colour: 'cyan' },
    { from: 1600, colour: 'blue' },
    { from: 1900, colour: 'violet' },
    { from: 2100, colour: 'orange' },
    { from: 2400, colour: 'red' },
  ],
  ranks: [
    { from: 0, colour: 'grey', name: 'newbie' },
    { from: 1200, colour: 'green', name: 'pupil' },
    { from: 1400, colour: 'cyan', name: 'specialist' },
    { from: 1600, colour: 'blue', name: 'expert' },
    { from: 1900, colour: 'violet', name: 'candidate master' },
    { from: 2100, colour: 'yellow', name: 'master' },
    { from: 2300, colour: 'orange', name: 'international master' },
    { from: 2400, colour: 'red', name: 'grandmaster' },
    { from: 2600, colour: 'red', name: 'international grandmaster' },
    { from: 3000, colour: 'red', name: 'legendary grandmaster' },
  ],
  libraryRules: { by: 'hundred', order: 'solved', most: 100, ladderOf },
  // Fitted to the rounds of carrot's tests.
  chanceModel: {
    spread: 350,
    shift: 50,
    usualStrength: 1400,
    scaledRating: (rating) => rating,
    storedRating: (scaled) => scaled,
    strengthOf: (rating) => rating,
  },
  handle: {
    // Old handles have dots, and fewer than three characters.
    pattern: /^[A-Za-z0-9_.-]{1,24}$/,
    form: 'dots',
    most: 24,
    pageOf: (handle) => `${site}/profile/${encodeURIComponent(handle)}`,
  },
  verdicts,
  submissionPage: ({ id, key, contest }) => {
    if (!/^\d+$/.test(id)) return undefined;
    if (key.startsWith(`${acmsguru}-`)) return `${site}/problemsets/${acmsguru}/submission/99999/${id}`;
    return contest === null ? undefined : `${site}/${pathSegmentOf(contest)}/${contest}/submission/${id}`;
  },
  problemPage: (key) => {
    const [, number] = key.split(`${acmsguru}-`);
    if (number !== undefined) return `${site}/problemsets/${acmsguru}/problem/99999/${number}`;
    const { contest, position } = placeOf(key) ?? {};
    if (contest === undefined) return undefined;
    const isPublic = Number(contest) < firstGymId;
    return `${site}/${isPublic ? `problemset/problem/${contest}` : `gym/${contest}/problem`}/${position}`;
  },
  contestKinds,
  contestKeyAt: ({ hostname, pathname }) =>
    mirrorHosts.test(hostname) ? contestPath.exec(pathname)?.[1] : undefined,
  contestPage: (contest) => `${site}/${pathSegmentOf(contest)}/${contest}`,
  isGym,
  gymTitle: (contest) => (pathSegmentOf(contest) === 'gym' ? `Gym ${contest}` : undefined),
  problemKeyAt: ({ hostname, pathname }, _site, title = '') => {
    if (!mirrorHosts.test(hostname)) return undefined;
    const [, number] = /^\/problemsets\/acmsguru\/problem\/99999\/(\d{1,6})\/?$/.exec(pathname) ?? [];
    if (number !== undefined) return `${acmsguru}-${number}`;
    const [, contest, indexInPath] = problemPath.exec(pathname) ?? [];
    // When a round begins, everybody is sent to /problem/0, which is the first problem, and only the title has its letter.
    const [, letter] = /^([A-Z]\d?)[.)] /.exec(title) ?? [];
    const index = indexInPath === '0' ? letter : indexInPath?.toUpperCase();
    return contest === undefined || index === undefined ? undefined : keyOf(contest, index);
  },
  files: {
    problems: {
      kind: 'catalogue',
      title: 'problemset.problems',
      sourceUrl: 'https://codeforces.com/api/problemset.problems',
      keys: ['problems', 'contestId', 'tags'],
      layout: { ...answerAt('result', 'problems'), preprocess: addSolvedCounts },
      entryOf: problemOf,
    },
    /** cftracker maintains this list of problems with equal statements. */
    twins: {
      kind: 'twins',
      title: message('file.shared'),
      sourceUrl: 'https://raw.githubusercontent.com/mbashem/cftracker/HEAD/src/data/jsons/related.ts',
      keys: ['shared', 'contestId'],
      layout: { ...answerAt('result'), mayBeModule: true },
      entryOf: twinKeysOf,
    },
    submissions: {
      kind: 'submissions',
      title: 'user.status',
      sourceUrl: 'https://codeforces.com/api/user.status?handle=HANDLE',
      keys: ['creationTimeSeconds', 'problem'],
      layout: answerAt('result'),
      entryOf: submissionOf,
    },
    contests: {
      kind: 'contests',
      title: 'contest.list',
      sourceUrl: 'https://codeforces.com/api/contest.list',
      keys: ['durationSeconds', 'phase'],
      layout: answerAt('result'),
      entryOf: contestOf,
    },
  },
  api: codeforcesApi,
  hasPrivateContests: true,
  proof: {
    instructions: message('proof.compileError'),
    newest: async (ask, handle) => readRows(await newestRows(ask, handle), submissionOf).values,
    matches: ({ verdict }) => verdict === 'COMPILATION_ERROR',
  },
  // codeforces.com/blog/entry/145566 and its document at /.well-known/openid-configuration.
  openId: { issuer: site, registrationUrl: `${site}/settings/api`, claim: 'handle' },
  browserSync: {
    baseUrl: codeforcesApi.baseUrl,
    pathOf: (handle) => `/user.status?handle=${encodeURIComponent(handle)}&lang=en&count=250&from=`,
    pageSize: 250,
    overlapRows: 10,
    intervalMs: 2000,
    file: 'submissions',
  },
  contestPositionOf: placeOf,
} satisfies Judge;

/**
 * Without the separator, the problem 1A of the contest 10 would have the key of the problem A of the contest 101. An
 * index of two digits has none, as in 92101, because no letter follows.
 */
function keyOf(contest: number | string, index: string): string {
  return `${contest}${/^\d(?!\d$)/.test(index) ? '-' : ''}${index}`;
}

function placeOf(key: string): ContestPosition | undefined {
  const [, contest, , position] = /^(\d+)(-(?=\d)|(?=[A-Za-z]|\d\d$))([A-Za-z\d]+)$/.exec(key) ?? [];
  return contest === undefined || position === undefined ? undefined : { contest, position };
}

function isGym(key: string): boolean {
  return Number(placeOf(key)?.contest) >= firstGymId;
}

function pathSegmentOf(contest: string): 'contest' | 'gym' {
  return Number(contest) >= firstGymId ? 'gym' : 'contest';
}

function answerAt(...path: string[]): JsonLayout {
  return {
    path,
    decimals: ['points'],
    errorOf: ({ status, comment = 'no comment' }) => {
      if (status === undefined || status === 'OK') return undefined;
      return savedRefusal(status, comment);
    },
  };
}

const savedRefusal = (status: unknown, comment: unknown) =>
  localizedError('badFile.codeforces', { status: JSON.stringify(status), comment: JSON.stringify(comment) });

/** Matches a saved refusal up to its comment, which is a string of JSON (RFC 8259 §7). */
const refusal =
  /^\s*\{"status":"FAILED","comment":("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){0,1000}")/u;

/** The error for a file that has only the reason why Codeforces refused a request. */
export function refusalInFile(start: string) {
  const [, comment] = refusal.exec(start) ?? [];
  return comment === undefined ? undefined : savedRefusal('FAILED', JSON.parse(comment));
}

function addSolvedCounts({ result }: Readonly<Record<string, unknown>>): void {
  const { problems, problemStatistics: statistics } = (result ?? {}) as Record<string, unknown>;
  if (!Array.isArray(problems) || !Array.isArray(statistics)) return;
  const problemIdOf = (entry: Record<string, unknown> | null) =>
    JSON.stringify([entry?.['contestId'], entry?.['index']]);
  let byProblemId: ReadonlyMap<string, Record<string, unknown>> | undefined;
  for (const [at, problem] of problems.entries()) {
    const sameRow = statistics[at];
    const isSame = sameRow?.contestId === problem?.contestId && sameRow?.index === problem?.index;
    if (!isSame) byProblemId ??= new Map(statistics.map((row) => [problemIdOf(row), row]));
    const row = isSame ? sameRow : byProblemId?.get(problemIdOf(problem));
    if (row?.solvedCount !== undefined && Object.isExtensible(problem)) problem.solvedCount = row.solvedCount;
  }
}

function problemOf(value: unknown): CatalogueEntry {
  const problem = objectOf(value);
  const { key } = identityOf(problem, '');
  const { rating } = problem;
  const tags = textsOf(problem['tags'], 'tags', 100);
  const columns = {
    source_key: key,
    title: textOf(problem['name'], 'name', 500),
    url: codeforces.problemPage(key) ?? site,
    rating: (rating ?? null) === null ? null : BigInt(integerOf(rating, 'rating', 0, 10_000)),
    tags: JSON.stringify([...new Set(tags)]),
  };
  return { columns, solverCount: solverCountIn(problem, 'solvedCount') };
}

function twinKeysOf(value: unknown): TwinKeys {
  const problem = objectOf(value);
  const shared = listOf(problem['shared'], 'shared');
  if (shared.length === 0) throw badField('shared', shared, message('expected.problems'));
  const others = shared.map(
    (other, at) => identityOf(objectOf(other, `shared[${at}]`), `shared[${at}].`).key,
  );
  return [identityOf(problem, '').key, ...others];
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const problem = objectOf(submission['problem'], 'problem');
  const { contestId, key } = identityOf(problem, 'problem.', submission['contestId']);
  const verdict = cutText(submission['verdict'], 100);
  // Pretests are run during the round, the other tests afterwards.
  const isPretestsOnly = verdict === 'OK' && submission['testset'] === 'PRETESTS';
  const title = cutText(problem['name'], 500);
  return {
    id: String(integerOf(submission['id'], 'id')),
    key,
    ...authorsOf(submission['author']),
    submittedAt: timeOf(submission['creationTimeSeconds'], 'creationTimeSeconds'),
    contest: contestId === undefined ? null : String(contestId),
    verdictClass: isPretestsOnly ? 'pending' : verdictClassOf(verdicts, verdict),
    verdict,
    language: cutText(submission['programmingLanguage'], 200),
    isGym: contestId !== undefined && contestId >= firstGymId,
    ...(isGym(key) ? { problem: title === null ? {} : { title } } : title !== null && { title }),
  };
}

const participations: ReadonlyMap<unknown, Submission['participation']> = new Map([
  ['CONTESTANT', 'contest'],
  ['OUT_OF_COMPETITION', 'contest'],
  ['VIRTUAL', 'virtual'],
  ['PRACTICE', 'practice'],
]);

function authorsOf(
  value: unknown,
): Pick<Submission, 'handles' | 'participation' | 'isTeam' | 'judgeTeam' | 'virtualBeganAt'> {
  const {
    members,
    participantType,
    teamId,
    teamName,
    startTimeSeconds: start,
  } = Object(value) as Record<string, unknown>;
  const names = (Array.isArray(members) ? members : []).map((one) => cutText(Object(one).handle, 100));
  const handles = names.filter((name) => name !== null);
  const mode = participations.get(participantType) ?? null;
  // A team of one member has a name too.
  const isTeam = handles.length > 1 || (teamName ?? null) !== null;
  const participation = handles.length > 1 && mode === 'contest' ? 'team' : mode;
  const isDated = mode === 'virtual' && (start ?? null) !== null;
  return {
    handles,
    participation,
    ...(isTeam && { isTeam }),
    ...(isTeam && Number.isSafeInteger(teamId) && { judgeTeam: String(teamId) }),
    ...(isDated && { virtualBeganAt: timeOf(start, 'startTimeSeconds') }),
  };
}

const difficulties: readonly bigint[] = [1n, 2n, 3n, 4n, 5n];

function contestOf(value: unknown): JudgeContest {
  const contest = objectOf(value);
  const start = contest['startTimeSeconds'];
  return {
    key: String(integerOf(contest['id'], 'id', 1, contestIdMax)),
    title: textOf(contest['name'], 'name', 500),
    starts_at: (start ?? null) === null ? null : timeOf(start, 'startTimeSeconds'),
    duration_s: BigInt(integerOf(contest['durationSeconds'], 'durationSeconds', 0, contestIdMax)),
    phase: optionalText(contest['phase'], 'phase', 100),
    difficulty: difficulties.find((one) => Number(one) === contest['difficulty']) ?? null,
  };
}

const indexPattern = /^[A-Za-z0-9]{1,8}$/;

function identityOf(
  problem: Record<string, unknown>,
  prefix: string,
  contestOfSubmission?: unknown,
): { contestId?: number; index: string; key: string } {
  const index = matchOf(problem['index'], `${prefix}index`, indexPattern, message('expected.index'));
  const value = problem['contestId'] ?? contestOfSubmission;
  const isOfArchive =
    (problem['contestId'] ?? null) === null && /^acmsguru$/i.test(String(problem['problemsetName']));
  if (isOfArchive || value === acmsguruContest) return { index, key: `${acmsguru}-${index}` };
  const contestId = integerOf(value, `${prefix}contestId`, 1, contestIdMax);
  return { contestId, index, key: keyOf(contestId, index) };
}
