/** Codeforces: catalogue, twins and submissions in the shapes of its API (codeforces.com/apiHelp). */
import type { JsonTarget } from '../files/json.ts';
import { codeforcesApi, newestRows } from './codeforces-api.ts';
import { contestKinds } from './codeforces-contest-kinds.ts';
import { classOf, verdicts } from './codeforces-verdicts.ts';
import {
  badField,
  integerOf,
  listOf,
  matchOf,
  objectOf,
  optionalText,
  solvedBy,
  textOf,
  textsOf,
  timeOf,
} from './fields.ts';
import type { Judge } from './judge.ts';
import type { ContestPlace, JudgeContest, ListedProblem, Submission, TwinKeys } from './judge-files.ts';

const site = 'https://codeforces.com';
const contestIdMax = 2_147_483_647;
// By the API's rule, contests from this id on are gyms: private training that the catalogue does not list.
const firstGym = 100_000;
/** An old archive that the API lists beside the contests. Its problems have no contestId. */
const archive = 'acmsguru';

export const codeforces = {
  name: 'Codeforces',
  site: 'Codeforces',
  short: 'CF',
  rating: 'Codeforces rating',
  // The colours of titles (codeforces.com/blog/entry/68288).
  bands: [
    { from: 0, colour: 'grey' },
    { from: 1200, colour: 'green' },
    { from: 1400, colour: 'cyan' },
    { from: 1600, colour: 'blue' },
    { from: 1900, colour: 'violet' },
    { from: 2100, colour: 'orange' },
    { from: 2400, colour: 'red' },
  ],
  handle: {
    // Older handles have dots too, and are shorter than the three characters that the judge asks for today.
    pattern: /^[A-Za-z0-9_.-]{1,24}$/,
    words: 'up to 24 letters, digits, dots, _ and -',
    pageOf: (handle) => `${site}/profile/${encodeURIComponent(handle)}`,
  },
  verdicts,
  submissionPage: ({ id, key, contest }) => {
    if (key.startsWith(`${archive}-`)) return `${site}/problemsets/${archive}/submission/99999/${id}`;
    return contest === null ? undefined : `${site}/${folderOf(contest)}/${contest}/submission/${id}`;
  },
  problemPage: (key) => {
    const { contest, position } = placeOf(key) ?? {};
    if (contest === undefined) return undefined;
    const isOpen = Number(contest) < firstGym;
    return `${site}/${isOpen ? `problemset/problem/${contest}` : `gym/${contest}/problem`}/${position}`;
  },
  contestKinds,
  contestPage: (contest) => `${site}/${folderOf(contest)}/${contest}`,
  isGym: (key) => Number(placeOf(key)?.contest) >= firstGym,
  keyAt: ({ hostname, pathname }) => {
    if (!/^(?:(?:www|m\d?|mirror)\.)?codeforces\.(?:com|ml|es)$/.test(hostname)) return undefined;
    const [, number] = /^\/problemsets\/acmsguru\/problem\/99999\/(\d{1,6})\/?$/.exec(pathname) ?? [];
    if (number !== undefined) return `${archive}-${number}`;
    const [, contest, index] =
      /^\/(?:problemset\/problem\/(?=\d)|(?:contest|gym|group\/\w+\/contest)\/(?=\d+\/problem\/))(\d{1,9})\/(?:problem\/)?([A-Za-z]\d{0,2})\/?$/.exec(
        pathname,
      ) ?? [];
    return contest === undefined ? undefined : `${contest}${index?.toUpperCase()}`;
  },
  files: {
    problems: {
      holds: 'catalogue',
      title: 'problemset.problems',
      from: 'https://codeforces.com/api/problemset.problems',
      keys: ['problems', 'contestId', 'tags'],
      target: { ...answerAt('result', 'problems'), complete: addSolvedCounts },
      entryOf: problemOf,
    },
    /** A list of problems, each with the others that have the same statement. */
    twins: {
      holds: 'twins',
      title: 'shared problems',
      keys: ['shared', 'contestId'],
      target: answerAt('result'),
      entryOf: twinKeysOf,
    },
    submissions: {
      holds: 'submissions',
      title: 'user.status',
      from: 'https://codeforces.com/api/user.status?handle=HANDLE',
      keys: ['creationTimeSeconds', 'problem'],
      target: answerAt('result'),
      entryOf: submissionOf,
    },
    contests: {
      holds: 'contests',
      title: 'contest.list',
      from: 'https://codeforces.com/api/contest.list',
      keys: ['durationSeconds', 'phase'],
      target: answerAt('result'),
      entryOf: contestOf,
    },
  },
  api: codeforcesApi,
  proof: {
    words: 'a program that does not compile, such as the word “mine” as C++',
    newest: async (ask, handle) => (await newestRows(ask, handle)).map(submissionOf),
    fits: ({ verdict }) => verdict === 'COMPILATION_ERROR',
  },
  // codeforces.com/blog/entry/145566 and its document at /.well-known/openid-configuration.
  openId: { issuer: site, registration: `${site}/settings/api`, claim: 'handle' },
  placeOf,
} satisfies Judge;

function placeOf(key: string): ContestPlace | undefined {
  const [, contest, position] = /^(\d+)([A-Za-z][A-Za-z0-9]*)$/.exec(key) ?? [];
  return contest === undefined || position === undefined ? undefined : { contest, position };
}

function folderOf(contest: string): 'contest' | 'gym' {
  return Number(contest) >= firstGym ? 'gym' : 'contest';
}

/** An answer of the API says whether it succeeded; a failed one has a comment instead of a result. */
function answerAt(...path: string[]): JsonTarget {
  return {
    path,
    decimals: ['points'],
    refuse: ({ status, comment = 'no comment' }) => {
      if (status === undefined || status === 'OK') return undefined;
      const answer = `Codeforces answered ${JSON.stringify(status)}: ${JSON.stringify(comment)}`;
      return `${answer}, so the file has no data; correct the request and download it again.`;
    },
  };
}

/** How many people solved which problem stands in a list beside that of the problems. */
function addSolvedCounts({ result }: Readonly<Record<string, unknown>>): void {
  const { problems, problemStatistics: figures } = (result ?? {}) as Record<string, unknown>;
  if (!Array.isArray(problems) || !Array.isArray(figures)) return;
  const nameOf = (entry: Record<string, unknown> | null) =>
    JSON.stringify([entry?.['contestId'], entry?.['index']]);
  let byName: ReadonlyMap<string, Record<string, unknown>> | undefined;
  for (const [at, problem] of problems.entries()) {
    // Both lists have the same order, unless somebody changed them.
    const beside = figures[at];
    const isBeside = beside?.contestId === problem?.contestId && beside?.index === problem?.index;
    if (!isBeside) byName ??= new Map(figures.map((figure) => [nameOf(figure), figure]));
    const figure = isBeside ? beside : byName?.get(nameOf(problem));
    if (figure?.solvedCount !== undefined && Object.isExtensible(problem))
      problem.solvedCount = figure.solvedCount;
  }
}

function problemOf(value: unknown): ListedProblem {
  const problem = objectOf(value);
  const { contestId, index, key } = identityOf(problem, '');
  const { rating } = problem;
  const page =
    contestId === undefined ? `problemsets/${archive}/problem/99999` : `problemset/problem/${contestId}`;
  const tags = textsOf(problem['tags'], 'tags', 100);
  const columns = {
    source_key: key,
    title: textOf(problem['name'], 'name', 500),
    url: `${site}/${page}/${index}`,
    // A problem of a recent contest has no rating yet.
    rating: (rating ?? null) === null ? null : BigInt(integerOf(rating, 'rating', 0, 10_000)),
    tags: JSON.stringify([...new Set(tags)]),
  };
  return { columns, solvedBy: solvedBy(problem, 'solvedCount') };
}

function twinKeysOf(value: unknown): TwinKeys {
  const problem = objectOf(value);
  const shared = listOf(problem['shared'], 'shared');
  if (shared.length === 0) throw badField('shared', shared, 'a list of at least one problem');
  const others = shared.map(
    (other, at) => identityOf(objectOf(other, `shared[${at}]`), `shared[${at}].`).key,
  );
  return [identityOf(problem, '').key, ...others];
}

function submissionOf(value: unknown): Submission {
  const submission = objectOf(value);
  const problem = objectOf(submission['problem'], 'problem');
  const { contestId, key } = identityOf(problem, 'problem.', submission['contestId']);
  // The API leaves the verdict out until the submission has been judged.
  const verdict = optionalText(submission['verdict'], 'verdict', 100);
  return {
    id: String(integerOf(submission['id'], 'id', 0, Number.MAX_SAFE_INTEGER)),
    key,
    ...authorsOf(submission['author']),
    submittedAt: timeOf(submission['creationTimeSeconds'], 'creationTimeSeconds'),
    contest: contestId === undefined ? null : String(contestId),
    verdictClass: classOf(verdict, submission['testset']),
    verdict,
    language: optionalText(submission['programmingLanguage'], 'programmingLanguage', 200),
    isGym: contestId !== undefined && contestId >= firstGym,
  };
}

const participations: Readonly<Record<string, Submission['participation']>> = {
  CONTESTANT: 'contest',
  OUT_OF_COMPETITION: 'contest',
  VIRTUAL: 'virtual',
  PRACTICE: 'practice',
};

function authorsOf(value: unknown): Pick<Submission, 'handles' | 'participation'> {
  if (value === undefined) return { handles: [], participation: null };
  const author = objectOf(value, 'author');
  const handles = listOf(author['members'], 'author.members').map((one, at) => {
    const name = `author.members[${at}]`;
    return textOf(objectOf(one, name)['handle'], `${name}.handle`, 100);
  });
  const type = optionalText(author['participantType'], 'author.participantType', 100);
  const how = type === null ? null : (participations[type] ?? null);
  return { handles, participation: handles.length > 1 && how === 'contest' ? 'team' : how };
}

function contestOf(value: unknown): JudgeContest {
  const contest = objectOf(value);
  const start = contest['startTimeSeconds'];
  return {
    key: String(integerOf(contest['id'], 'id', 1, contestIdMax)),
    title: textOf(contest['name'], 'name', 500),
    starts_at: (start ?? null) === null ? null : timeOf(start, 'startTimeSeconds'),
    duration_s: BigInt(integerOf(contest['durationSeconds'], 'durationSeconds', 0, contestIdMax)),
    phase: optionalText(contest['phase'], 'phase', 100),
  };
}

const indexPattern = /^[A-Za-z0-9]{1,8}$/;

/** A problem's key is its contest and index, such as 1874F, or in the archive its name and index, such as acmsguru-100. */
function identityOf(
  problem: Record<string, unknown>,
  prefix: string,
  contestOfSubmission?: unknown,
): { contestId?: number; index: string; key: string } {
  const index = matchOf(problem['index'], `${prefix}index`, indexPattern, '1 to 8 letters and digits');
  if (problem['contestId'] === undefined && problem['problemsetName'] === archive)
    return { index, key: `${archive}-${index}` };
  const named = problem['contestId'] ?? contestOfSubmission;
  const contestId = integerOf(named, `${prefix}contestId`, 1, contestIdMax);
  return { contestId, index, key: `${contestId}${index}` };
}
