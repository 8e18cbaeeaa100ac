/** The kinds of files that can be imported, by their names on the command line. */
import type { Format } from '../contract/rows.ts';
import type { Message } from '../errors.ts';
import type { AnyJudgeFile, Judge } from '../judges/judge.ts';
import { hasKeys, type JudgeImport, judgeName, judges, readJudgeFile } from '../judges/judges.ts';
import type { UploadScope } from '../store/uploads.ts';
import { archiveImporter } from './archive.ts';
import { catalogueSink, twinSink } from './catalogues.ts';
import { contestSink, placeSink } from './contests.ts';
import type { Importer } from './import.ts';
import { textListImporter } from './lists.ts';
import { type OwnKind, ownKinds, type ResourceName, resourceNames } from './own-kinds.ts';
import { type ParsedRow, rowReader } from './own-rows.ts';
import { submissionSink } from './submissions.ts';

const judgeSinks = {
  catalogue: catalogueSink,
  twins: twinSink,
  submissions: submissionSink,
  contests: contestSink,
  places: placeSink,
};

export type ImportName = JudgeImport | ResourceName | 'archive';

/** The files of judges by the names of their imports. */
const judgeFiles = new Map<string, { source: string; file: AnyJudgeFile }>(
  Object.entries<Judge>(judges).flatMap(([source, { files }]) =>
    Object.entries(files).map(([name, file]) => [`${source}-${name}`, { source, file }] as const),
  ),
);
export const importNames = [...judgeFiles.keys(), ...resourceNames, 'archive'] as ImportName[];

/** Whether an import of this kind is for one member, who must be named. */
export function needsMember(name: ImportName): boolean {
  return judgeFiles.get(name)?.file.holds === 'submissions';
}

export function isResource(name: ImportName): name is ResourceName {
  return Object.hasOwn(ownKinds, name);
}

/**
 * How a file of this kind is read and applied. The format matters for our own resources alone; `site` is the address of the site
 * that a judge's file came from, where it is not the judge's own. `textList` is the name of a text with links for one member.
 */
export function importerOf(name: ImportName, format: Format, site?: string, textList?: string): Importer {
  if (name === 'archive') return archiveImporter();
  if (textList !== undefined) return textListImporter(textList);
  if (!isResource(name)) {
    const { source, file } = judgeFiles.get(name) as { source: string; file: AnyJudgeFile };
    return {
      read: (bytes) => readJudgeFile<unknown>(file, bytes, site),
      notedAs: needsMember(name) ? undefined : name,
      start: (context) => judgeSinks[file.holds](context, source, file.isOfBranch),
    };
  }
  const { fields, ids = {}, numbered, start }: OwnKind = ownKinds[name];
  const idFields = Object.entries(ids);
  const bareId = (row: ParsedRow) =>
    idFields.find(
      ([id, [, ...keys]]) => row[id] !== undefined && keys.some((key) => row[key] === undefined),
    )?.[1][0];
  return { read: rowReader({ properties: fields }, format), start, bareId, numbered } as Importer;
}

/* The kinds of files that can be uploaded: who may upload each, and how its first bytes show the kind. */

export interface UploadKind {
  what: ImportName;
  /** The judge's file; undefined for our own rows. */
  file?: { judge: string; holds: AnyJudgeFile['holds']; title: string | Message };
  /** The pages that take it. An upload of a member changes only the rows of this member. */
  rooms: readonly UploadScope[];
  /** Whether it has submissions of one member, sent under a handle. */
  hasSubmissions: boolean;
  /** Fields that occur together at the start of such a file; a zip file has none. */
  keys: readonly string[];
  /** Keys that another kind has besides those. */
  lacks?: readonly string[];
}

/** How a zip file starts, as it stands in a text. */
const zipStart = 'PK\u0003\u0004';

export function looksLikeZip(start: string): boolean {
  return start.startsWith(zipStart);
}

/** The archive first: it is what most people have. */
const names = importNames.toSorted((a, b) => Number(b === 'archive') - Number(a === 'archive'));

export const uploadKinds: readonly UploadKind[] = names.map((what) => {
  const hasSubmissions = needsMember(what);
  const judgeFile = judgeFiles.get(what);
  const isOfNobody = judgeFile ? !hasSubmissions : what === 'problems';
  const rooms = isOfNobody ? (['staff'] as const) : (['staff', 'member'] as const);
  if (!judgeFile) return { what, hasSubmissions, rooms, ...ownKeys(what) };
  const { source, file } = judgeFile;
  return { what, hasSubmissions, rooms, keys: file.keys, file: { ...file, judge: judgeName(source) } };
});

function ownKeys(what: ImportName): Pick<UploadKind, 'keys' | 'lacks'> {
  if (!isResource(what)) return { keys: [] };
  const { keys, lacks = [] }: OwnKind = ownKinds[what];
  return { keys, lacks };
}

export function kindsFor(room: UploadScope): readonly UploadKind[] {
  return uploadKinds.filter(({ rooms }) => rooms.includes(room));
}

/** The kinds that a file may be, by how its text starts: none, one, or several that look alike. */
export function kindsLike(start: string): readonly UploadKind[] {
  if (looksLikeZip(start)) return uploadKinds.filter(({ what }) => what === 'archive');
  const isCsv = formatLike(start) === 'csv';
  const header = isCsv ? columnsOf(start) : [];
  const has = (keys: readonly string[]) =>
    isCsv ? keys.every((key) => header.includes(key)) : hasKeys(start, keys);
  const isLike = ({ what, keys, lacks = [] }: UploadKind) =>
    what !== 'archive' && keys.length > 0 && has(keys) && !lacks.some((key) => has([key]));
  const kinds = uploadKinds.filter(isLike);
  // A judge's list may have fields of the same names as ours.
  const ofJudges = kinds.filter(({ what }) => judgeFiles.has(what));
  if (ofJudges.length > 0) return ofJudges;
  // A row of the history has whole statuses and bookmarks in it.
  const history = kinds.filter(({ what }) => what === 'changes');
  return history.length > 0 ? history : kinds;
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
