/** A report says in one sentence what an import did: each figure that is not 0, with its word. */
import { counted } from '../store/counted.ts';
import type { ImportReport } from './import.ts';

/** The noun for the rows of a file, by the end of the name of its kind. */
const nouns: readonly (readonly [end: string, noun: string])[] = [
  ['contest-problems', 'contest problem'],
  ['problems', 'problem'],
  ['contests', 'contest'],
  ['-submissions', 'submission'],
];

/** Such as "1,504 problems: 1,500 added and 4 unchanged". Submissions are read, but what they change are statuses. */
export function reportInWords(what: string, report: ImportReport): string {
  const [, noun = 'row'] = nouns.find(([end]) => what.endsWith(end)) ?? [];
  const read = counted(report.read, noun);
  return `${noun === 'submission' ? `${read}, statuses` : read}: ${figuresInWords(report)}`;
}

/** The same without what was read. */
export function figuresInWords(figures: Partial<ImportReport>): string {
  const said = words.flatMap(([name, word]) => {
    const count = figures[name];
    return count ? `${count.toLocaleString('en')} ${word}` : [];
  });
  return said.length === 0 ? 'nothing to import' : new Intl.ListFormat('en-GB').format(said);
}

const words = [
  ['new', 'added'],
  ['changed', 'changed'],
  ['kept', 'unchanged'],
  ['unmatched', 'not known here'],
  ['bad', 'not valid and skipped'],
] as const;
