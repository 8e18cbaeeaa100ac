/** What is served as Markdown and as a page: every file of docs/, and the reference. */

import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Publication } from '../../road/publish.ts';
import type { Site } from '../../road/site.ts';
import { referenceMarkdown } from './reference.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'docs');

export interface Document {
  /** Below docs/, as in `decisions/0002-ids.md`. */
  file: string;
  /** Both paths are below the base path. */
  pagePath: string;
  markdownPath: string;
  /** Its Markdown, whose samples go to this garden. */
  read(): Promise<string>;
}

export function listDocuments(baseUrl: string): Document[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.md')).map((name) => name.replaceAll('\\', '/'));
  const reference = document('reference.md', async () => referenceMarkdown(baseUrl));
  return [...files.toSorted().map((file) => document(file, () => readWithAddress(file, baseUrl))), reference];
}

/** The pictures of docs/pictures that documents show. */
export function listPictures(): Publication[] {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const texts = pages.map((name) => readFileSync(join(folder, name), 'utf8'));
  const files = new Set(texts.flatMap((text) => text.match(/(?<=\]\()pictures\/[\w-]+\.png(?=\))/g) ?? []));
  return [...files].map((file) => [`/docs/${file}`, { type: 'image/png', read: () => readFile(join(folder, file)) }]);
}

function document(file: string, read: Document['read']): Document {
  const pagePath = `/docs/${file.replace(/\.md$/, '').replace(/\/README$/, '')}/`;
  return { file, pagePath, markdownPath: `/docs/${file}`, read };
}

/** A file of docs/ with requests to this garden, in place of the address that the files have. */
async function readWithAddress(file: string, baseUrl: string): Promise<string> {
  const markdown = await readFile(join(folder, file), 'utf8');
  // As in the samples of the OpenAPI document, an apostrophe would end the quoted address.
  return markdown.replaceAll('http://localhost:8080/', () => `${baseUrl.replaceAll("'", '%27')}/`);
}

export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? 'Untitled';
}

/** The first sentence of the first paragraph, without marks of links and code. */
export function firstSentenceOf(markdown: string): string {
  const blocks = markdown.replaceAll(/^```.*?^```$/gms, '').split(/\n{2,}/);
  const paragraph = blocks.find((block) => /^[^#>|\-\s]/.test(block)) ?? '';
  const plain = paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '');
  return /^.+?\.(?= |$)/.exec(plain)?.[0] ?? plain;
}

/** Where a link of a document leads, below the base path; undefined if into the source, which is not served. */
export function targetOf(from: Document, href: string, documents: readonly Document[]): string | undefined {
  const { origin, pathname, hash } = new URL(href, `http://docs${from.markdownPath}`);
  if (origin !== 'http://docs') return undefined;
  const other = documents.find(
    ({ markdownPath, pagePath }) => markdownPath === pathname || pagePath === `${pathname}/`,
  );
  if (other) return other.pagePath + hash;
  return ['/openapi.json', '/docs/'].includes(pathname) ? pathname : undefined;
}

/** The whole site as a list for language models (the llms.txt proposal). */
export async function llmsText({ baseUrl }: Site, documents: readonly Document[]): Promise<string> {
  const listOf = async (some: readonly Document[]) => {
    const entries = some.map(async ({ markdownPath, read }) => {
      const markdown = await read();
      return `- [${titleOf(markdown)}](${baseUrl}${markdownPath}): ${firstSentenceOf(markdown)}`;
    });
    return (await Promise.all(entries)).join('\n');
  };
  const isOptional = ({ file }: Document) => file.includes('/');
  const summary = [
    'A self-hosted practice tracker for competitive programmers. Programs read problems, the statuses on them,',
    'bookmarks and user records through nine HTTP operations, and delete plants, which are practice goals.',
  ].join(' ');
  const rules = [
    'Every request needs a token in its header: `Authorization: Bearer pgt_…`. The base address of this garden is',
    `${baseUrl}. Ids are 64-bit integers and may exceed what a double holds. Refusals have the body`,
    '`{"error": number, "message": text}`.',
  ].join(' ');
  const document =
    'the nine operations as an OpenAPI 3.1 document, with an example of every answer and code samples in curl, ' +
    'JavaScript and Python';
  return `# Practice Garden

> ${summary}

${rules}

## Interface

- [openapi.json](${baseUrl}/openapi.json): ${document}
- [openapi.yaml](${baseUrl}/openapi.yaml): the same document as YAML

## Docs

${await listOf(documents.filter((document) => !isOptional(document)))}

## Optional

${await listOf(documents.filter(isOptional))}
`;
}
