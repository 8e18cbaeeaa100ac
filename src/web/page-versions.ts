/**
 * What a page is made of, without making it: the versions of the rows that it shows, the member, the address, and the program
 * itself. A page with the same version has the same content, in every process and after a restart.
 */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Days } from '../practice/days.ts';
import { versionOfPlants } from '../store/plants.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { SignedInRow } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import { localYear } from './clock.ts';

/** The revisions of all rows that a page shows to a member. */
export type Shows = (memberId: bigint) => readonly RevisionScope[];

/** Of pages of problems with the member's marks, submissions, history and settings, and of lists. */
export const problemsAndMarks: Shows = (memberId) => [
  'problems',
  `statuses:${memberId}`,
  `bookmarks:${memberId}`,
  'pages',
  `pages:${memberId}`,
  'lists',
];

/** Of pages of plants as well, by the day of the member. */
export const plantsAndMarks: Shows = (memberId) => [
  ...problemsAndMarks(memberId),
  `plants:${memberId}`,
  `records:${memberId}`,
];

/** Of pages that show a group to somebody in it: its people and its lists. */
export const groups: Shows = (memberId) => ['lists', 'records', `pages:${memberId}`];

/** Of those that show what its people did. */
export const groupsAndMarks: Shows = (memberId) => [
  ...groups(memberId),
  ...problemsAndMarks(memberId),
  'statuses',
  'days',
];

/** For pages that say how long ago something was: another one each day of the member. */
export const byDay = async ({ days }: { days: Pick<Days, 'at'> }) => String(days.at(Date.now()));

/** For pages that show the days of several members: all begin at a full quarter of an hour, whatever their zones. */
export const byQuarter = async () => String(Math.floor(Date.now() / 900_000));

/** For pages that are right to the minute. */
export const byMinute = async () => String(Math.floor(Date.now() / 60_000));

/** Another one each time that rows of these scopes change. */
export async function versionOfRows(store: Store, shows: Shows, memberId: bigint): Promise<string[]> {
  const plants = `plants:${memberId}` as const;
  const scopes = shows(memberId);
  const versions = (await store.revisions(scopes.filter((scope) => scope !== plants))).map(String);
  return scopes.includes(plants) ? [...versions, await versionOfPlants(store.reader, memberId)] : versions;
}

interface Asked {
  member: SignedInRow | undefined;
  path: string;
  query: URLSearchParams;
  isLocal: boolean;
}

const source = join(import.meta.dirname, '..');

/** Answers undefined for a page that does not say what it shows. */
export function pageVersions(store: Store) {
  return async (
    { member, path, query, isLocal }: Asked,
    /** What its forms are signed with. */
    secret: string,
    shows: Shows | undefined,
    /** What it depends on besides rows. */
    changesWith?: () => Promise<string>,
  ): Promise<string | undefined> => {
    if (!member || !shows) return undefined;
    const { user_id, username, first_name, role, is_sample, own_group, coached_group } = member;
    program ??= digestOfProgram();
    const year = localYear(Date.now());
    const rows = await versionOfRows(store, shows, user_id);
    const groups = [own_group, coached_group];
    const visitor = [secret, user_id, username, first_name, role, is_sample, ...groups, isLocal];
    // As JSON no two lists of parts look alike.
    return JSON.stringify([
      store.instance,
      await programDigest(),
      year,
      path,
      `${query}`,
      visitor.map(String),
      rows,
      await changesWith?.(),
    ]);
  };
}

let program: Promise<string> | undefined;

/** Changes with any line of the program, so that no browser keeps a page of an older release. */
export function programDigest(): Promise<string> {
  program ??= digestOfProgram();
  return program;
}

async function digestOfProgram(): Promise<string> {
  const files = (await readdir(source, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  const digests: string[] = [];
  for (const path of paths) digests.push(hash('sha256', await readFile(path)));
  return hash('sha256', digests.join());
}
