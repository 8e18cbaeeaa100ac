/**
 * The file of a list, `practice-list/1`, as JSON and as Markdown: how both are written. They are read in list-text.ts, beside any
 * other text with links.
 */
import { problemAt } from '../judges/addresses.ts';
import type { JudgePlaces } from '../practice/judge-places.ts';
import { findListExtras, type ListedProblem, listSections, type ShownList } from '../store/lists.ts';
import { listOf } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { listFormat, markdownMark } from './list-text.ts';

export const listFileTypes = {
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
} as const;

export type ListFileForm = keyof typeof listFileTypes;

/** The text of a list's file. `places` are the other addresses of judges. */
export async function listFile(
  db: Db,
  list: Pick<ShownList, 'id' | 'name' | 'owner' | 'updated_at'>,
  form: ListFileForm,
  places: JudgePlaces,
): Promise<string> {
  const sections = (await listSections(db, list.id)).map(({ name, problems, extras }) => ({
    name,
    ...extrasIn(extras),
    problems: problems.map((one) => writtenProblem(one, places)),
  }));
  const whole = {
    format: listFormat,
    ...extrasIn(await findListExtras(db, list.id)),
    title: list.name,
    by: list.owner,
    updated: list.updated_at.slice(0, 10),
    sections: sections.filter(({ problems }) => problems.length > 0),
  };
  return form === 'json' ? `${JSON.stringify(whole, null, 1)}\n` : markdownOf(whole);
}

/** The members that the garden does not know; each of its own has another name. */
const extrasIn = (extras: string | null): object => (extras === null ? {} : JSON.parse(extras));

type WrittenProblem = ReturnType<typeof writtenProblem>;

interface WrittenList {
  title: string;
  by: string;
  /** A day. */
  updated: string;
  sections: { name: string; problems: WrittenProblem[] }[];
}

function writtenProblem(
  { source, source_key, url, title, memo, rating, tags, extras }: ListedProblem,
  places: JudgePlaces,
) {
  const named = url === null ? undefined : problemAt(url, places);
  const isFound = named?.source === source && named.key === source_key;
  return {
    url: url !== null && /^https?:\/\//i.test(url) ? url : undefined,
    title,
    memo: memo ?? undefined,
    rating: rating === null ? undefined : Number(rating),
    tags: tags === '[]' ? undefined : listOf(tags),
    // Given where the address is missing, or would lead to another problem.
    source: isFound ? undefined : source,
    key: isFound ? undefined : source_key,
    ...extrasIn(extras),
  };
}

/* The same as Markdown. */

const escaped = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#&~|]/g, (sign) => `\\${sign}`);

const escapedAddress = (url: string) =>
  url.replaceAll(/[\s<>()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

function markdownOf({ title, by, updated, sections }: WrittenList): string {
  const line = ({ url, title, memo, source = '', key = '' }: WrittenProblem) => {
    const name = escaped(title);
    const parts = [
      url === undefined ? name : `[${name}](${escapedAddress(url)})`,
      key !== '' && `\`${encodeURIComponent(source)}/${encodeURIComponent(key)}\``,
      memo !== undefined && `— ${escaped(memo)}`,
    ];
    return `- ${parts.filter(Boolean).join(' ')}\n`;
  };
  const parts = sections.map(({ name, problems }, at) => {
    const heading = name === '' && at === 0 ? '' : `## ${escaped(name)}`.trimEnd();
    return `${heading && `${heading}\n\n`}${problems.map(line).join('')}`;
  });
  return [markdownMark, `# ${escaped(title)}`, `${escaped(by)}, ${updated}`, ...parts].join('\n\n');
}
