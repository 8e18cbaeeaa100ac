/** The kinds of files that can be imported or uploaded. */
import type { Format } from '../contract/rows.ts';
import { type AppError, localizedError, type Message, message } from '../errors.ts';
import { refusalInFile } from '../judges/codeforces.ts';
import type { AnyJudgeFile, Judge } from '../judges/judge.ts';
import { hasKeys, type JudgeImport, judgeName, judges, readJudgeFile } from '../judges/judges.ts';
import type { UploadScope } from '../store/uploads.ts';
import { archiveImporter } from './archive.ts';
import { catalogueSink, twinSink } from './catalogues.ts';
import { contestSink, placementSink } from './contests.ts';
import type { Importer } from './import.ts';
import { textListImporter } from './lists.ts';
import { type ResourceName, type RowKind, resourceNames, rowKinds } from './row-kinds.ts';
import { type ParsedRow, rowReader } from './row-reader.ts';
import { submissionSink } from './submissions.ts';

const judgeSinks = {
  catalogue: catalogueSink,
  ratings: catalogueSink,
  twins: twinSink,
  submissions: submissionSink,
  contests: contestSink,
  places: placementSink,
};

export type ImportName = JudgeImport | ResourceName | 'archive';

const judgeFiles = new Map<string, { source: string; file: AnyJudgeFile }>(
  Object.entries<Judge>(judges).flatMap(([source, { files }]) =>
    Object.entries(files).map(([name, file]) => [`${source}-${name}`, { source, file }] as const),
  ),
);
export const importNames = [...judgeFiles.keys(), ...resourceNames, 'archive'] as ImportName[];

/** Whether a file of this kind has rows of one member, who must be named. */
export function needsMember(name: ImportName): boolean {
  return judgeFiles.get(name)?.file.kind === 'submissions';
}

export function isResource(name: ImportName): name is ResourceName {
  return Object.hasOwn(rowKinds, name);
}

/**
 * `format` matters for our own rows alone, `site` is the address of the judge's site if it is not the judge's own,
 * and `textList` names a list that is made of a text with links.
 */
export function importerOf(name: ImportName, format: Format, site?: string, textList?: string): Importer {
  if (name === 'archive') return archiveImporter();
  if (textList !== undefined) return textListImporter(textList);
  if (!isResource(name)) {
    const { source, file } = judgeFiles.get(name) as { source: string; file: AnyJudgeFile };
    return {
      read: (bytes) => readJudgeFile<unknown>(file, bytes, site),
      lastImportName: needsMember(name) ? undefined : name,
      isByJudge: needsMember(name),
      createSink: (context) => judgeSinks[file.kind](context, source, file.isOfBranch),
    };
  }
  const { fields, ids = {}, formerNames, idTable, createSink }: RowKind = rowKinds[name];
  const idFields = Object.entries(ids);
  const bareId = (row: ParsedRow) =>
    idFields.find(
      ([id, [, ...keys]]) => row[id] !== undefined && keys.some((key) => row[key] === undefined),
    )?.[1][0];
  return {
    read: rowReader({ properties: fields }, format, formerNames),
    createSink,
    bareId,
    idTable,
  } as Importer;
}

export interface UploadKind {
  what: ImportName;
  file?: { judge: string; kind: AnyJudgeFile['kind']; title: string | Message };
  scopes: readonly UploadScope[];
  hasSubmissions: boolean;
  /** Fields that occur together at the start of such a file; a zip file has none. */
  keys: readonly string[];
  /** Keys that only another kind with these `keys` has. */
  absentKeys?: readonly string[];
}

const zipStart = 'PK\u0003\u0004';

export function looksLikeZip(start: string): boolean {
  return start.startsWith(zipStart);
}

const names = importNames.toSorted((a, b) => Number(b === 'archive') - Number(a === 'archive'));

export const uploadKinds: readonly UploadKind[] = names.map((what) => {
  const hasSubmissions = needsMember(what);
  const judgeFile = judgeFiles.get(what);
  const isForStaff = judgeFile ? !hasSubmissions : what === 'problems';
  const scopes = isForStaff ? (['staff'] as const) : (['staff', 'member'] as const);
  if (!judgeFile) return { what, hasSubmissions, scopes, ...ownKeys(what) };
  const { source, file } = judgeFile;
  return { what, hasSubmissions, scopes, keys: file.keys, file: { ...file, judge: judgeName(source) } };
});

function ownKeys(what: ImportName): Pick<UploadKind, 'keys' | 'absentKeys'> {
  if (!isResource(what)) return { keys: [] };
  const { keys, absentKeys = [] }: RowKind = rowKinds[what];
  return { keys, absentKeys };
}

export function kindsForScope(room: UploadScope): readonly UploadKind[] {
  return uploadKinds.filter(({ scopes }) => scopes.includes(room));
}

/** Every kind whose keys are in the file. */
export function likelyKinds(start: string): readonly UploadKind[] {
  const isCsv = guessFormat(start) === 'csv';
  const header = isCsv ? columnsOf(start) : [];
  const has = (keys: readonly string[]) =>
    isCsv ? keys.every((key) => header.includes(key)) : hasKeys(start, keys);
  const isLike = ({ what, keys, absentKeys = [] }: UploadKind) =>
    what !== 'archive' && keys.length > 0 && has(keys) && !absentKeys.some((key) => has([key]));
  return uploadKinds.filter(isLike);
}

export function guessKinds(start: string): readonly UploadKind[] {
  if (looksLikeZip(start)) return uploadKinds.filter(({ what }) => what === 'archive');
  const kinds = likelyKinds(start);
  // A judge's list may have field names of ours.
  const judgeKinds = kinds.filter(({ what }) => judgeFiles.has(what));
  if (judgeKinds.length > 0) return judgeKinds;
  // Rows of the history contain whole statuses and bookmarks.
  const history = kinds.filter(({ what }) => what === 'changes');
  return history.length > 0 ? history : kinds;
}

/** Why a file is of no kind, where its start says so. */
export function faultOfStart(start: string): AppError | undefined {
  if (/^\uFEFF?\s*<(?:!doctype|html)\b/i.test(start))
    return localizedError('badFile.json', { line: 1, column: 1, wrong: message('jsonText.webPage') });
  const isOwnWith = (sign: string) => likelyKinds(start.replaceAll(sign, ',')).length > 0;
  if (guessFormat(start) === 'csv' && isOwnWith(';'))
    return localizedError('badFile.csvSemicolons', { line: 1 });
  if (guessFormat(start) === 'csv' && isOwnWith('\t')) return localizedError('badFile.csvTabs', { line: 1 });
  return refusalInFile(start);
}

export function guessFormat(start: string): Format {
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
