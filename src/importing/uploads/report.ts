/** The report of a run, as it is kept with the upload. */
import type { Format } from '../../contract/rows.ts';
import type { UploadsTable } from '../../store/upload-tables.ts';
import type { ImportReport } from '../import.ts';
import type { ImportName } from '../resources.ts';

export interface Asked {
  what: ImportName;
  format: Format;
  /** The member who made the submissions. */
  member?: string | undefined;
  handle?: string | undefined;
  trustsIds?: boolean | undefined;
  skipsBad?: boolean | undefined;
}

/** Figures of a file that was read, or the sentence why it was not. */
export type RunReport =
  | { fault: string }
  | { figures: ImportReport; notes: string[]; badRows: string[]; hasWritten: boolean; seconds: number };

export function askedOf({ asked }: Pick<UploadsTable, 'asked'>): Asked {
  return JSON.parse(asked) as Asked;
}

export function reportOf({ report }: Pick<UploadsTable, 'report'>): RunReport | undefined {
  return report === null ? undefined : (JSON.parse(report) as RunReport);
}

/** The sentences of the importer name flags of the command line; a page has fields and buttons instead. */
const pageWords: readonly (readonly [RegExp, string])[] = [
  [/; name this member’s handle with --handle NAME/, '; enter it in the field “Handle”'],
  [/: import it with (\S+?)(?: --member NAME)?\./, ': choose that kind.'],
  [
    /import a file from garden export, which has names and keys as well as ids, or use --ids-of-this-garden if the file comes from this database/,
    'use a file from an export, which has names and keys as well as ids',
  ],
  [/, or use --ids-of-this-garden to [^.]+/, ''],
  [/; import the catalogue first/, '; import its catalogue first'],
];

export function inPageWords(sentence: string): string {
  return pageWords.reduce((text, [pattern, words]) => text.replace(pattern, words), sentence);
}
