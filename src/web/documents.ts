/** The documents of docs/, as Markdown and as pages. Every file there is served; no list has to be kept. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from './layout.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs');

export interface Document {
  /** Below docs/, as in `api.md` or `decisions/0002-ids.md`. */
  file: string;
  /** Where its page is, below the base path. */
  pagePath: string;
  /** Where its Markdown is, below the base path. */
  markdownPath: string;
}

/** What readers look for first; the others follow by name. */
const first = ['api.md', 'errors.md', 'config.md', 'cli.md'];

/** Every Markdown file of docs/ and one folder deeper. */
export function listDocuments(): Document[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return files.map((file) => ({
    file,
    pagePath: `/docs/${file.replace(/\.md$/, '').replace(/\/README$/, '')}/`,
    markdownPath: `/docs/${file}`,
  }));
}

function rank(file: string): number {
  const place = first.indexOf(file);
  if (place >= 0) return place;
  return first.length + file.split('/').length;
}

/** The Markdown, with the address of this garden in its samples in place of the one that the file has. */
export async function readDocument({ file }: Document, { baseUrl }: Site): Promise<string> {
  const markdown = await readFile(join(folder, file), 'utf8');
  // As in the samples of the OpenAPI document, an apostrophe would end the quoted address.
  return markdown.replaceAll('http://localhost:8080/', () => `${baseUrl.replaceAll("'", '%27')}/`);
}

/** The heading of the first level. */
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

/**
 * Where a link of a document leads on this site, below the base path: to the page of another document, or to what is
 * served elsewhere. Undefined where it leads into the source, which is not served.
 */
export function targetOf(
  document: Document,
  href: string,
  documents: readonly Document[],
): string | undefined {
  const { origin, pathname, hash } = new URL(href, `http://docs${document.markdownPath}`);
  if (origin !== 'http://docs') return undefined;
  const other = documents.find(({ markdownPath }) => markdownPath === pathname);
  if (other) return other.pagePath + hash;
  const asFolder = documents.find(({ pagePath }) => pagePath === `${pathname}/`);
  if (asFolder) return asFolder.pagePath + hash;
  return pathname === '/openapi.json' ? pathname : undefined;
}

/** The whole site as a list for language models and other hurried readers (the llms.txt proposal). */
export async function llmsText(site: Site, documents: readonly Document[]): Promise<string> {
  const { baseUrl } = site;
  const entries = await Promise.all(
    documents.map(async (document) => {
      const markdown = await readDocument(document, site);
      const entry = `- [${titleOf(markdown)}](${baseUrl}${document.markdownPath}): ${firstSentenceOf(markdown)}`;
      return { entry, isOptional: document.file.includes('/') };
    }),
  );
  const of = (wanted: boolean) =>
    entries.filter(({ isOptional }) => isOptional === wanted).map(({ entry }) => entry);
  return `# Practice Garden

> A self-hosted practice tracker for competitive programmers. Programs read problems, the statuses on them, bookmarks and user records through nine HTTP operations, and delete plants, which are practice goals.

Every request needs a token in its header: \`Authorization: Bearer pgt_…\`. The base address of this garden is ${baseUrl}. Ids are 64-bit integers and may exceed what a double holds. Refusals have the body \`{"error": number, "message": text}\`.

## Interface

- [openapi.json](${baseUrl}/openapi.json): the nine operations as an OpenAPI 3.1 document, with an example of every answer and code samples in curl, JavaScript and Python
- [openapi.yaml](${baseUrl}/openapi.yaml): the same document as YAML
- [Reference](${baseUrl}/docs/reference/): the same as a page that needs no JavaScript

## Docs

${of(false).join('\n')}

## Optional

${of(true).join('\n')}
`;
}
