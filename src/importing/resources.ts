/** The kinds of files that can be imported, by their names on the command line. */
import type { Format } from '../contract/rows.ts';
import type { AnyJudgeFile, Judge } from '../judges/judge.ts';
import { type JudgeImport, judges, readJudgeFile } from '../judges/judges.ts';
import { archiveImporter } from './archive.ts';
import { catalogueSink } from './catalogues.ts';
import { contestSink, placeSink } from './contests.ts';
import type { Importer } from './import.ts';
import { type OwnKind, ownKinds, type ResourceName, resourceNames } from './own-kinds.ts';
import { type GivenRow, rowReader } from './own-rows.ts';
import { submissionSink } from './submissions.ts';
import { textListImporter } from './text-lists.ts';
import { twinSink } from './twins.ts';

const judgeSinks = {
  catalogue: catalogueSink,
  twins: twinSink,
  submissions: submissionSink,
  contests: contestSink,
  places: placeSink,
};

export type ImportName = JudgeImport | ResourceName | 'archive';

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
      start: (applying) => judgeSinks[file.holds](applying, source),
    };
  }
  const { fields, ids, numbered, start }: OwnKind = ownKinds[name];
  const named = Object.entries(ids);
  const bareId = (row: GivenRow) =>
    named.find(
      ([id, [, ...keys]]) => row[id] !== undefined && keys.some((key) => row[key] === undefined),
    )?.[1][0];
  return { read: rowReader(fields, format), start, bareId, numbered } as Importer;
}
