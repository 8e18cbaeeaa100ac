/** The list of judges. A new judge is a file in this folder and a word in this list. */
import { type AppError, joinMessages, localizedError, type Message, message } from '../errors.ts';
import { type Entry, toEntries } from '../files/entries.ts';
import { readJson } from '../files/json.ts';
import { sites } from './address-book.ts';
import { aoj } from './aoj.ts';
import { atcoder } from './atcoder.ts';
import { codeforces } from './codeforces.ts';
import { cses } from './cses.ts';
import { dmoj } from './dmoj.ts';
import type { ChanceModel, ContestKind, Judge, JudgeBranch, JudgeFile } from './judge.ts';
import { leetcode } from './leetcode.ts';
import { luogu } from './luogu.ts';
import { uva } from './uva.ts';
import { vjudge } from './vjudge.ts';
import { yukicoder } from './yukicoder.ts';

export const judges = {
  codeforces,
  atcoder,
  cses,
  dmoj,
  uva,
  aoj,
  yukicoder,
  leetcode,
  vjudge,
  luogu,
} satisfies Record<string, Judge>;

export const isGym = ({ source, source_key }: { source: string; source_key: string }): boolean =>
  judgeOf(source)?.isGym?.(source_key) ?? false;

export function findGymProblem(key: string): { source: string; key: string } | undefined {
  const match = Object.entries<Judge>(judges).find(([, judge]) => judge.isGym?.(key));
  return match && { source: match[0], key };
}

export const judgeNames = Object.values(judges).map(({ name }) => name);

type Judges = typeof judges;
export type JudgeImport = {
  [Source in keyof Judges]: `${Source}-${string & keyof Judges[Source]['files']}`;
}[keyof Judges];

/** Throws badFile, with the right import's name if the file looks like another kind. */
export async function* readJudgeFile<T>(
  file: JudgeFile<string, T>,
  bytes: AsyncIterable<Uint8Array>,
  site?: string,
): AsyncGenerator<Entry<T>[]> {
  const batches = readJson(bytes, file.layout, (text) => refuseOtherKinds(file, text));
  for await (const batch of batches) yield toEntries(batch, (value) => file.entryOf(value, site));
}

/** Quotes inside JSON strings are escaped, so `"key":` can only be a key. */
export function hasKeys(text: string, keys: readonly string[]): boolean {
  const start = text.slice(0, 4096);
  return keys.every((key) => new RegExp(`"${key}"\\s*:`).test(start));
}

function refuseOtherKinds(expected: JudgeFile, text: string): void {
  const isLike = (keys: readonly string[]) => keys.length > 0 && hasKeys(text, keys);
  if (isLike(expected.keys)) return;
  const all = Object.entries<Judge>(judges);
  const own = all.find(([, { files }]) => Object.values<object>(files).includes(expected));
  for (const [source, { name: judge, files }] of all) {
    for (const [name, { title, keys, kind }] of Object.entries(files)) {
      const member = kind === 'submissions' ? ' --member NAME' : '';
      if (isLike(keys))
        throw localizedError('badFile.otherKind', {
          found: joinMessages([judge, title], ' '),
          expected: joinMessages([own?.[1].name ?? '', expected.title], ' '),
          kind: `${source}-${name}${member}`,
        });
    }
  }
}

type OpenIdJudge = Judge & Required<Pick<Judge, 'openId'>>;

export const openIdJudges: ReadonlyMap<string, OpenIdJudge> = new Map(
  Object.entries<Judge>(judges).flatMap(([source, judge]) =>
    judge.openId ? [[source, { ...judge, openId: judge.openId }] as const] : [],
  ),
);

const longestShownHandle = 40;
const anyHandle = { pattern: /^[^\s\p{C}]{1,100}$/u, form: 'spaces', most: 100 } as const;

export function handleFault(judge: Judge, text: string): AppError | undefined {
  if (text === '') return localizedError('invalidValue.handleMissing', { judge: judge.name });
  const { pattern } = judge.handle ?? anyHandle;
  return pattern.test(text) ? undefined : handleError(judge, faultIn(text, pattern));
}

function faultIn(text: string, pattern: RegExp): Message {
  if (/\p{C}/u.test(text)) return message('handleFault.invisible');
  const characters = [...text];
  const character = characters.find((one) => !pattern.test(one));
  const handle = characters.slice(0, longestShownHandle).join('');
  if (character === undefined) return message('handleFault.length', { length: characters.length });
  return /\s/.test(character)
    ? message('handleFault.space', { handle })
    : message('handleFault.character', { handle, character });
}

/** Says what is wrong with a handle, and how one looks. */
export const handleError = ({ name: judge, handle = anyHandle }: Judge, fault: Message): AppError =>
  localizedError(`invalidValue.handleForm.${handle.form}`, { fault, judge, most: handle.most });

export interface JudgeSite {
  source: string;
  name: string;
  branch?: JudgeBranch;
}

export function sitesOf(source: string): JudgeSite[] {
  const branch = judgeOf(source)?.api?.branch;
  const mainSite = { source, name: source };
  return branch ? [mainSite, { source, name: `${source}-${branch.suffix}`, branch }] : [mainSite];
}

export const siteOf = (source: string, handle: string): JudgeSite =>
  sitesOf(source).findLast(({ branch }) => !branch || handle.startsWith(branch.handlePrefix)) ?? {
    source,
    name: source,
  };

export function judgeOf(source: string): Judge | undefined {
  return Object.hasOwn(judges, source) ? judges[source as keyof typeof judges] : undefined;
}

export function publicAliases(source: string, aliases: string): string[] {
  const keys = aliases === '[]' ? [] : (JSON.parse(aliases) as string[]);
  const judge = judgeOf(source);
  return judge?.isInternalKey ? keys.filter((key) => !judge.isInternalKey?.(key)) : keys;
}
export const chanceModels: ReadonlyMap<string, ChanceModel> = new Map(
  Object.entries<Judge>(judges).flatMap(([source, { chanceModel }]) =>
    chanceModel ? [[source, chanceModel]] : [],
  ),
);
export const libraryRules = new Map(
  Object.entries<Judge>(judges).flatMap(([source, { libraryRules: shelves, bands = [], isGym }]) =>
    shelves ? [[source, { ...shelves, bands, leavesOut: isGym }] as const] : [],
  ),
);
export const sourcesOfRenamedProblems: readonly string[] = Object.entries<Judge>(judges).flatMap(
  ([source, { renamesProblems }]) => (renamesProblems ? [source] : []),
);
export const isSynced = ({ api }: Judge): boolean =>
  api?.submissions !== undefined || api?.solved !== undefined;

/** A sync gets this many of the newest submissions under a handle again, and none where the judge has no sync. */
export function newestAtMost(source: string, handle: string): number {
  const { submissions, memberToken, recentLimit } = judgeOf(source)?.api ?? {};
  if (!submissions && !memberToken) return 0;
  if (!recentLimit) return Number.POSITIVE_INFINITY;
  // The limit of a branch is unknown.
  return siteOf(source, handle).branch ? 0 : recentLimit.submissionsAtMost;
}

export function ratedRangeFor(source: string, title: string): ContestKind['ratedRange'] {
  const name = title.toLowerCase();
  const kinds = judgeOf(source)?.contestKinds ?? [];
  return kinds.find(({ has, ratedRange }) => ratedRange && name.includes(has))?.ratedRange;
}

const hiddenKinds = Object.entries<Judge>(judges).flatMap(([source, { contestKinds = [] }]) =>
  contestKinds.flatMap(({ has, isHiddenByDefault }) => (isHiddenByDefault ? { source, has } : [])),
);

/** Words in the titles of contests that the grid shows only if a filter selects them. */
export const hiddenContestWords: readonly string[] = hiddenKinds.map(({ has }) => has);

export const isHiddenContest = (contest: { source: string; title: string }): boolean =>
  hiddenKinds.some(
    ({ source, has }) => source === contest.source && contest.title.toLowerCase().includes(has),
  );

export const isSampleContest = (contest: string): boolean => contest.startsWith('sample-');

/** `configuredSites` replace judges' own sites. */
export function contestPageOf(
  { source, key }: { source: string; key: string },
  configuredSites: ReadonlyMap<string, { url: string }>,
): string | null {
  if (isSampleContest(key)) return null;
  return judgeOf(source)?.contestPage?.(key, configuredSites.get(source)?.url) ?? null;
}

export const isKnownSite = (source: string): boolean => judgeOf(source) !== undefined || sites.has(source);

function namesOf(source: string): Pick<Judge, 'name' | 'short'> {
  return judgeOf(source) ?? sites.get(source) ?? { name: source, short: source };
}

export const judgeName = (source: string): string => namesOf(source).name;

export function shortTitle({ source, title }: { source: string; title: string }): string {
  const name = `${judgeOf(source)?.name} `;
  return title.startsWith(name) && title.length > name.length ? title.slice(name.length) : title;
}

export function bandIndex(source: string, rating: number): number {
  return (judgeOf(source)?.bands ?? []).findLastIndex(({ from }) => rating >= from);
}

export const bandPoints = (source: string, rating: bigint | null): number =>
  rating === null ? 1 : Math.max(1, bandIndex(source, Number(rating)) + 1);

export const judgeShort = (source: string): string => namesOf(source).short;

export function editorialAt(source: string, url: string | null): string | null {
  if (url === null || !judgeOf(source)?.hasEditorials) return null;
  const page = url.replace(/\/description\/?$/, '/');
  return page.endsWith('/') ? `${page}editorial/` : `${page}/editorial`;
}

export function contestEditorialAt(source: string, url: string | null): string | null {
  const { hasContestEditorials, contestKeyAt, contestPage } = judgeOf(source) ?? {};
  const address = hasContestEditorials ? URL.parse(url ?? '') : null;
  const contest = address && contestKeyAt?.(address);
  return contest && contestPage ? `${contestPage(contest)}/editorial` : null;
}
