/** The list of judges, and the reading of their files. A new judge is a file in this folder and a word in this list. */
import { type AppError, joinMessages, localizedError } from '../errors.ts';
import { type Entry, toEntries } from '../files/entries.ts';
import { readJson } from '../files/json.ts';
import { sites } from './address-book.ts';
import { aoj } from './aoj.ts';
import { atcoder } from './atcoder.ts';
import { codeforces } from './codeforces.ts';
import { cses } from './cses.ts';
import { dmoj } from './dmoj.ts';
import type { ContestKind, Judge, JudgeBranch, JudgeFile } from './judge.ts';
import { leetcode } from './leetcode.ts';
import { luogu } from './luogu.ts';
import { uva } from './uva.ts';
import { vjudge } from './vjudge.ts';
import { yukicoder } from './yukicoder.ts';

/** The judges by the name under which their problems are stored. */
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

/** Whether a problem is of private training, by its judge. */
export const isGym = ({ source, source_key }: { source: string; source_key: string }): boolean =>
  judgeOf(source)?.isGym?.(source_key) ?? false;

/** The judge of a problem of private training that has this key, as the key alone says. */
export function gymOf(key: string): { source: string; key: string } | undefined {
  const found = Object.entries<Judge>(judges).find(([, judge]) => judge.isGym?.(key));
  return found && { source: found[0], key };
}

/** The names of all, with commas between. */
export const judgeNames = Object.values(judges)
  .map(({ name }) => name)
  .join(', ');

type Judges = typeof judges;
/** The name of an import of a judge's file, such as `codeforces-problems`. */
export type JudgeImport = {
  [Source in keyof Judges]: `${Source}-${string & keyof Judges[Source]['files']}`;
}[keyof Judges];

/** The entries of a judge's file, which came from the site at this address. Throws badFile for a file that looks like another kind, and names its import. */
export async function* readJudgeFile<T>(
  file: JudgeFile<string, T>,
  bytes: AsyncIterable<Uint8Array>,
  site?: string,
): AsyncGenerator<Entry<T>[]> {
  const batches = readJson(bytes, file.target, (text) => refuseOtherKinds(file, text));
  for await (const batch of batches) yield toEntries(batch, (value) => file.entryOf(value, site));
}

/** Whether the start of a JSON text has all these keys. In a JSON string every quote is escaped, so `"key":` can only be a key. */
export function hasKeys(text: string, keys: readonly string[]): boolean {
  const start = text.slice(0, 4096);
  return keys.every((key) => new RegExp(`"${key}"\\s*:`).test(start));
}

function refuseOtherKinds(expected: Pick<JudgeFile, 'title' | 'keys'>, text: string): void {
  const isLike = (keys: readonly string[]) => keys.length > 0 && hasKeys(text, keys);
  if (isLike(expected.keys)) return;
  for (const [source, { site, files }] of Object.entries<Judge>(judges)) {
    for (const [name, { title, keys, holds }] of Object.entries(files)) {
      const member = holds === 'submissions' ? ' --member NAME' : '';
      if (isLike(keys))
        throw localizedError('badFile.otherKind', {
          found: joinMessages([site, title], ' '),
          expected: expected.title,
          kind: `${source}-${name}${member}`,
        });
    }
  }
}

/* The judges where people can sign in, by their names. */

type OpenIdJudge = Judge & Required<Pick<Judge, 'openId'>>;

export const openIdJudges: ReadonlyMap<string, OpenIdJudge> = new Map(
  Object.entries<Judge>(judges).flatMap(([source, judge]) =>
    judge.openId ? [[source, { ...judge, openId: judge.openId }] as const] : [],
  ),
);

/* The form of a handle at each judge. */

/** For a judge whose rule is not known. */
const anyHandle = { pattern: /^[^\s\p{C}]{1,100}$/u, form: 'spaces', most: 100 } as const;

/** The error for a handle of another form; undefined if it has the right one. */
export function handleFault({ name: judge, handle = anyHandle }: Judge, text: string): AppError | undefined {
  if (text === '') return localizedError('badSetting.handleMissing', { judge });
  const { pattern, form, most } = handle;
  return pattern.test(text) ? undefined : localizedError(`badSetting.handleForm.${form}`, { judge, most });
}

/** The handle in what somebody entered. Throws badSetting for one of another form. */
export function readHandle(judge: Judge, text: string): string {
  const name = judge.handle?.nameIn?.(text) ?? text;
  const fault = handleFault(judge, name);
  if (fault) throw fault;
  return name;
}

/** A site that is asked about handles: a judge's own, or its branch. */
export interface JudgeSite {
  source: string;
  /** As settings name it, such as `leetcode-cn`. */
  name: string;
  branch?: JudgeBranch;
}

export function sitesOf(source: string): JudgeSite[] {
  const branch = judgeOf(source)?.api?.branch;
  const own = { source, name: source };
  return branch ? [own, { source, name: `${source}-${branch.name}`, branch }] : [own];
}

/** The site of a handle. */
export const siteOf = (source: string, handle: string): JudgeSite =>
  sitesOf(source).findLast(({ branch }) => !branch || handle.startsWith(branch.start)) ?? {
    source,
    name: source,
  };

/** The judge of problems with this source; undefined for one that is not known here. */
export function judgeOf(source: string): Judge | undefined {
  return Object.hasOwn(judges, source) ? judges[source as keyof typeof judges] : undefined;
}

/** The further keys of a problem that people know; `aliases` is its list of keys as JSON text. */
export function knownAliases(source: string, aliases: string): string[] {
  const keys = aliases === '[]' ? [] : (JSON.parse(aliases) as string[]);
  const judge = judgeOf(source);
  return judge?.isInnerKey ? keys.filter((key) => !judge.isInnerKey?.(key)) : keys;
}
/** How the library makes lists of the problems of each judge of which it makes any. */
export const shelvings = new Map(
  Object.entries<Judge>(judges).flatMap(([source, { shelves, bands = [], isGym }]) =>
    shelves ? [[source, { ...shelves, bands, leavesOut: isGym }] as const] : [],
  ),
);
/** Whether the server asks the judge for what its handles solved. */
export const isSynced = ({ api }: Judge): boolean =>
  api?.submissions !== undefined || api?.solved !== undefined;

/** The ratings of the people whose rating a contest of this title changes, where its judge has a rule. */
export function ratedFor(source: string, title: string): ContestKind['rated'] {
  const name = title.toLowerCase();
  const kinds = judgeOf(source)?.contestKinds ?? [];
  return kinds.find(
    ({ has, lacks, rated }) => rated && name.includes(has) && !(lacks && name.includes(lacks)),
  )?.rated;
}

/** Whether this key is of a contest that the sample made up, which no judge knows. */
export const isMadeUp = (contest: string): boolean => contest.startsWith('sample-');

/**
 * The page of a contest at its judge; null where there is none, as for a contest that the sample made up. `places` are the other
 * addresses of judges.
 */
export function contestPageOf(
  { source, key }: { source: string; key: string },
  places: ReadonlyMap<string, { url: string }>,
): string | null {
  if (isMadeUp(key)) return null;
  return judgeOf(source)?.contestPage?.(key, places.get(source)?.url) ?? null;
}

/** Whether pages have a name and a few letters for this source. */
export const isKnownSite = (source: string): boolean => judgeOf(source) !== undefined || sites.has(source);

/** The names of the judge or site of problems with this source, as pages show it; the source where nobody named it. */
function namesOf(source: string): Pick<Judge, 'name' | 'short'> {
  return judgeOf(source) ?? sites.get(source) ?? { name: source, short: source };
}

export const judgeName = (source: string): string => namesOf(source).name;

/** The judge's name before the title of a contest says nothing beside the judge. */
export function shortTitle({ source, title }: { source: string; title: string }): string {
  const name = `${judgeOf(source)?.name} `;
  return title.startsWith(name) && title.length > name.length ? title.slice(name.length) : title;
}

/** The place of a rating among the bands of its judge, from 0; -1 where it is in none. */
export function bandPlace(source: string, rating: number): number {
  return (judgeOf(source)?.bands ?? []).findLastIndex(({ from }) => rating >= from);
}

/** The points of a problem where they go by bands: 1 in the lowest band of its judge, 2 in the next. */
export const bandPoints = (source: string, rating: bigint | null): number =>
  rating === null ? 1 : Math.max(1, bandPlace(source, Number(rating)) + 1);

/** A few letters. */
export const judgeShort = (source: string): string => namesOf(source).short;

/** The address of a problem's editorial, by the rule of its judge; null where there is no such rule. */
export function editorialAt(source: string, url: string | null): string | null {
  if (url === null || !judgeOf(source)?.hasEditorials) return null;
  const page = url.replace(/\/description\/?$/, '/');
  return page.endsWith('/') ? `${page}editorial/` : `${page}/editorial`;
}

/** The address of the editorial of the contest in which a problem at this address was set; null where its judge has none. */
export function contestEditorialAt(source: string, url: string | null): string | null {
  const { hasContestEditorials, contestAt, contestPage } = judgeOf(source) ?? {};
  const address = hasContestEditorials ? URL.parse(url ?? '') : null;
  const contest = address && contestAt?.(address);
  return contest && contestPage ? `${contestPage(contest)}/editorial` : null;
}
