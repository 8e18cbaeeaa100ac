/** The kinds of files that can be uploaded: who may upload each, and how its first bytes show the kind. */

import type { Format } from '../contract/rows.ts';
import type { Said } from '../errors.ts';
import type { ImportReport } from '../importing/import.ts';
import type { ResourceName } from '../importing/own-kinds.ts';
import { type ImportName, importNames, needsMember } from '../importing/resources.ts';
import type { AnyJudgeFile, Judge } from '../judges/judge.ts';
import { hasKeys, judges } from '../judges/judges.ts';
import type { Room, UploadsTable } from '../store/uploads.ts';

/** One kind of file. */
export interface UploadKind {
  what: ImportName;
  /** The judge's file; undefined for our own rows. */
  file?: { judge: string; holds: AnyJudgeFile['holds']; title: string | Said };
  /** The pages that take it. An upload of a member changes only the rows of this member. */
  rooms: readonly Room[];
  /** Whether it has submissions of one member, sent under a handle. */
  hasSubmissions: boolean;
  /** Fields that occur together at the start of such a file; a zip file has none. */
  keys: readonly string[];
  /** Keys that another kind has besides those. */
  lacks?: readonly string[];
}

/** How a zip file starts, as it stands in a text. */
const zipStart = 'PK\u0003\u0004';

export function isZip(start: string): boolean {
  return start.startsWith(zipStart);
}

const own: Readonly<Record<ResourceName | 'archive', Pick<UploadKind, 'keys' | 'lacks'>>> = {
  archive: { keys: [] },
  problems: { keys: ['title', 'source_key'] },
  records: { keys: ['username', 'role'] },
  bookmarks: { keys: ['source_key', 'note'] },
  statuses: { keys: ['source_key', 'status'] },
  plants: { keys: ['name', 'target'] },
  handles: { keys: ['username', 'source', 'name'], lacks: ['content', 'target'] },
  submissions: { keys: ['submission_id', 'verdict_class'] },
  changes: { keys: ['batch', 'before', 'after'] },
  ratings: { keys: ['contest', 'rated_at'] },
  reviews: { keys: ['grade', 'made_at'] },
  timers: { keys: ['started_at', 'pauses'] },
  lists: { keys: ['username', 'visibility', 'content'] },
  preferences: { keys: ['username', 'value'] },
};

const judgeFiles = new Map<string, Pick<UploadKind, 'file' | 'keys'>>(
  Object.entries<Judge>(judges).flatMap(([source, { name: judge, files }]) =>
    Object.entries(files).map(
      ([end, { holds, title, keys }]) =>
        [`${source}-${end}`, { file: { judge, holds, title }, keys }] as const,
    ),
  ),
);

/** The archive first: it is what most people have. */
const names = importNames.toSorted((a, b) => Number(b === 'archive') - Number(a === 'archive'));

export const uploadKinds: readonly UploadKind[] = names.map((what) => {
  const hasSubmissions = needsMember(what);
  const ofJudge = judgeFiles.get(what);
  const isOfNobody = ofJudge ? !hasSubmissions : what === 'problems';
  return {
    ...{ what, hasSubmissions, rooms: isOfNobody ? ['staff'] : ['staff', 'member'] },
    ...(ofJudge ?? own[what as ResourceName | 'archive']),
  };
});

export function kindsFor(room: Room): readonly UploadKind[] {
  return uploadKinds.filter(({ rooms }) => rooms.includes(room));
}

/** The kinds that a file may be, by how its text starts: none, one, or several that look alike. */
export function kindsLike(start: string): readonly UploadKind[] {
  if (isZip(start)) return uploadKinds.filter(({ what }) => what === 'archive');
  const isCsv = formatLike(start) === 'csv';
  const header = isCsv ? columnsOf(start) : [];
  const has = (keys: readonly string[]) =>
    isCsv ? keys.every((key) => header.includes(key)) : hasKeys(start, keys);
  const isLike = ({ what, keys, lacks = [] }: UploadKind) =>
    what !== 'archive' && keys.length > 0 && has(keys) && !lacks.some((key) => has([key]));
  const found = uploadKinds.filter(isLike);
  // A judge's list may have fields of the same names as ours.
  const ofJudges = found.filter(({ what }) => judgeFiles.has(what));
  if (ofJudges.length > 0) return ofJudges;
  // A row of the history has whole statuses and bookmarks in it.
  const history = found.filter(({ what }) => what === 'changes');
  return history.length > 0 ? history : found;
}

/** The format of our own rows, by the first character. */
export function formatLike(start: string): Format {
  const [, first] = /^\uFEFF?\s*(?:export const \w+ =\s*)?(\S)/.exec(start) ?? [];
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

function columnsOf(start: string): string[] {
  const [line = ''] = start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  return line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1'));
}

export interface Asked {
  what: ImportName;
  format: Format;
  /** The member who made the submissions. */
  member?: string | undefined;
  handle?: string | undefined;
  trustsIds?: boolean | undefined;
  skipsBad?: boolean | undefined;
}

/** Figures of a file that was read, or the sentence why it was not. All sentences are as `keptSentence` writes them. */
export type RunReport =
  | { fault: string }
  | { figures: ImportReport; notes: string[]; badRows: string[]; hasWritten: boolean; seconds: number };

export function askedOf({ asked }: Pick<UploadsTable, 'asked'>): Asked {
  return JSON.parse(asked) as Asked;
}

export function reportOf({ report }: Pick<UploadsTable, 'report'>): RunReport | undefined {
  return report === null ? undefined : (JSON.parse(report) as RunReport);
}
