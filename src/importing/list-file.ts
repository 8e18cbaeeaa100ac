/** Writes lists as files of the forms practice-list/1 and practice-course/1, and in Markdown, which list-text.ts reads. */
import { problemAt } from '../judges/addresses.ts';
import { moduleOf } from '../practice/courses.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import { findListExtras, listSections, type ProblemInList, type ShownList } from '../store/lists.ts';
import { listFromJson } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { courseFormat } from './course-files.ts';
import { listFormat, markdownSignature } from './list-text.ts';

export type ListFileFormat = 'json' | 'md';

export async function renderListFile(
  db: Db,
  list: ListInFile,
  format: ListFileFormat,
  judgeAddresses: JudgeAddresses,
): Promise<string> {
  return writeList(await listFileOf(db, list, judgeAddresses), format);
}

export const writeList = (file: FileList, format: ListFileFormat): string =>
  format === 'json' ? `${JSON.stringify(courseForm(file), null, 1)}\n` : markdownOf(file);

/** A list with a module has the form practice-course/1, in which each section is a module. */
function courseForm({ sections, ...list }: FileList): object {
  if (!sections.some((section) => 'id' in section)) return { ...list, sections };
  const modules = sections.map(({ name: title, problems, ...members }) => ({ title, ...members, problems }));
  return { ...list, format: courseFormat, modules };
}

type ListInFile = Pick<ShownList, 'id' | 'name' | 'owner' | 'updated_at'>;

export async function listFileOf(db: Db, list: ListInFile, judgeAddresses: JudgeAddresses) {
  const sections = (await listSections(db, list.id))
    .filter(({ problems, extras }) => problems.length > 0 || moduleOf(extras))
    .map(({ name, problems, extras }) => ({
      name,
      ...parseExtras(extras),
      problems: problems.map((one) => fileProblem(one, judgeAddresses)),
    }));
  return {
    format: listFormat,
    ...parseExtras(await findListExtras(db, list.id)),
    title: list.name,
    by: list.owner,
    updated: list.updated_at.slice(0, 10),
    sections,
  };
}

/** Parses members of an imported list that this server does not know. None has the name of a known one. */
const parseExtras = (extras: string | null): object => (extras === null ? {} : JSON.parse(extras));

type FileProblem = Partial<ReturnType<typeof fileProblem>> & { title: string };

interface FileList {
  title: string;
  by: string;
  /** A date such as 2026-12-31. */
  updated: string;
  sections: { name: string; problems: FileProblem[] }[];
}

function fileProblem(
  { source, source_key, url, title, memo, rating, tags, extras }: ProblemInList,
  judgeAddresses: JudgeAddresses,
) {
  const linkedProblem = url === null ? undefined : problemAt(url, judgeAddresses);
  const isFound = linkedProblem?.source === source && linkedProblem.key === source_key;
  return {
    url: url !== null && /^https?:\/\//i.test(url) ? url : undefined,
    title,
    memo: memo ?? undefined,
    rating: rating === null ? undefined : Number(rating),
    tags: tags === '[]' ? undefined : listFromJson(tags),
    // Written only if the address does not lead to this problem.
    source: isFound ? undefined : source,
    key: isFound ? undefined : source_key,
    ...parseExtras(extras),
  };
}

const escapeText = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#&~|]/g, (sign) => `\\${sign}`);

const escapeAddress = (url: string) =>
  url.replaceAll(/[\s<>()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

function markdownOf({ title, by, updated, sections }: FileList): string {
  const line = ({ url, title, memo, source = '', key = '' }: FileProblem) => {
    const name = escapeText(title);
    const parts = [
      url === undefined ? name : `[${name}](${escapeAddress(url)})`,
      key !== '' && `\`${encodeURIComponent(source)}/${encodeURIComponent(key)}\``,
      memo !== undefined && `— ${escapeText(memo)}`,
    ];
    return `- ${parts.filter(Boolean).join(' ')}\n`;
  };
  const parts = sections.map(({ name, problems }, at) => {
    const heading = name === '' && at === 0 ? '' : `## ${escapeText(name)}`.trimEnd();
    return `${heading && `${heading}\n\n`}${problems.map(line).join('')}`;
  });
  return [markdownSignature, `# ${escapeText(title)}`, `${escapeText(by)}, ${updated}`, ...parts].join(
    '\n\n',
  );
}
