/** The documents that are served as Markdown and as pages: every file of docs/, and the reference. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { brand, currentAttribute, page } from '../../kit/frame.ts';
import { linkButton, segmentedLinks } from '../../kit/links.ts';
import { prose } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { programsReferencePath, referencePath } from '../../paths.ts';
import type { Site } from '../../request/site.ts';
import type { StaticRoute } from '../../request/static-routes.ts';
import { words } from '../../words/words.ts';
import { type InterfaceName, referenceMarkdown, tryForm } from './reference.ts';

const docsFolder = join(import.meta.dirname, '..', '..', '..', '..', 'docs');

interface Document {
  /** The path below docs/, such as `decisions/0002-ids.md`. */
  file: string;
  pagePath: string;
  markdownPath: string;
  /** Reads the Markdown, with this server's address in its samples. */
  read(): Promise<string>;
}

export function listDocuments(baseUrl: string, hasPrograms = true): Document[] {
  const names = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.md')).map((name) => name.replaceAll('\\', '/'));
  const references = [
    document('reference.md', async () => referenceMarkdown(baseUrl, 'api')),
    ...(hasPrograms ? [document('reference-programs.md', async () => referenceMarkdown(baseUrl, 'programs'))] : []),
  ];
  return [...files.toSorted().map((file) => document(file, () => readWithAddress(file, baseUrl))), ...references];
}

const schemas = readdirSync(join(docsFolder, 'schemas')).map((name) => `/docs/schemas/${name}`);

/** The pictures and schemas of documents. */
export function listDocumentFiles(): StaticRoute[] {
  const pages = readdirSync(docsFolder).filter((name) => name.endsWith('.md'));
  const texts = pages.map((name) => readFileSync(join(docsFolder, name), 'utf8'));
  const files = new Set(texts.flatMap((text) => text.match(/(?<=\]\()pictures\/[\w-]+\.png(?=\))/g) ?? []));
  const pictures = [...files].map((file) => [`/docs/${file}`, 'image/png'] as const);
  const all = [...pictures, ...schemas.map((path) => [path, 'application/schema+json'] as const)];
  return all.map(([path, type]) => [path, { type, read: () => readFile(join(docsFolder, '..', path)) }]);
}

function document(file: string, read: Document['read']): Document {
  const pagePath = `/docs/${file.replace(/\.md$/, '').replace(/\/README$/, '')}/`;
  return { file, pagePath, markdownPath: `/docs/${file}`, read };
}

async function readWithAddress(file: string, baseUrl: string): Promise<string> {
  const markdown = await readFile(join(docsFolder, file), 'utf8');
  // Samples have the address in single quotes, which an apostrophe would end.
  return markdown.replaceAll('http://localhost:8080/', () => `${baseUrl.replaceAll("'", '%27')}/`);
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? 'Untitled';
}

export function firstSentenceOf(markdown: string): string {
  const blocks = markdown.replaceAll(/^```.*?^```$/gms, '').split(/\n{2,}/);
  const paragraph = blocks.find((block) => /^[^#>|\-\s]/.test(block)) ?? '';
  const plain = paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '');
  return /^.+?\.(?= |$)/.exec(plain)?.[0] ?? plain;
}

/** The path of a link's target; undefined for files of the source code, which are not served. */
export function targetOf(from: Document, href: string, documents: readonly Document[]): string | undefined {
  const { origin, pathname, hash } = new URL(href, `http://docs${from.markdownPath}`);
  if (origin !== 'http://docs') return undefined;
  const other = documents.find(
    ({ markdownPath, pagePath }) => markdownPath === pathname || pagePath === `${pathname}/`,
  );
  if (other) return other.pagePath + hash;
  return /^(?:\/practice)?\/openapi\.json$/.test(pathname) || schemas.includes(pathname) ? pathname : undefined;
}

/** A list of the documents for language models (the llms.txt proposal). */
export async function llmsText({ baseUrl }: Site, documents: readonly Document[]): Promise<string> {
  const listOf = async (part: readonly Document[]) => {
    const entries = part.map(async ({ markdownPath, read }) => {
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
  const ofPrograms =
    `- [practice/openapi.json](${baseUrl}/practice/openapi.json): the document of the interface with which programs ` +
    'read and mark what a member practises, by tokens that begin with pgw; ' +
    `by MCP the same is at ${baseUrl}/practice/mcp\n`;
  return `# Practice Garden

> ${summary}

${rules}

## Interface

- [openapi.json](${baseUrl}/openapi.json): ${document}
- [openapi.yaml](${baseUrl}/openapi.yaml): the same document as YAML
${documents.some(({ pagePath }) => pagePath === programsReferencePath) ? ofPrograms : ''}
## Docs

${await listOf(documents.filter((document) => !isOptional(document)))}

## Optional

${await listOf(documents.filter(isOptional))}
`;
}

/* The frame of documents is the same for every visitor, signed in or not. */

const navigation = [
  [referencePath, 'docs.reference'],
  ['/docs/api/', 'docs.guide'],
  ['/docs/errors/', 'docs.errors'],
  ['/docs/cli/', 'docs.commands'],
  ['/docs/config/', 'docs.settings'],
  ['/docs/members/', 'docs.members'],
  ['/docs/coaches/', 'docs.coaches'],
] as const;

const footerOf = (paths: readonly string[]) => paths.map((path) => [path, path.slice(1)] as const);
const footers: Readonly<Record<InterfaceName, ReturnType<typeof footerOf>>> = {
  api: footerOf(['/openapi.json', '/openapi.yaml', '/llms.txt', '/docs/api.md']),
  programs: footerOf(['/practice/openapi.json', '/practice/openapi.yaml', '/llms.txt', '/docs/programs.md']),
};

/** Undefined for a page that is no reference. */
export const interfaceOf = (pagePath: string): InterfaceName | undefined =>
  pagePath === referencePath ? 'api' : pagePath === programsReferencePath ? 'programs' : undefined;

function docsPage(site: Site, { title, path }: { title: string; path: string }, content: Html): Html {
  const { basePath } = site;
  const shown = interfaceOf(path);
  const header = html`
    <header class="top">
      <div class="top-in">
        ${brand(basePath)}
        <nav class="top-nav" aria-label="${words('docs.documents')}">
          ${navigation.map(
            ([target, name]) =>
              html`<a href="${basePath}${target}"${currentAttribute(target, path)}>${words(name)}</a>`,
          )}
        </nav>
        ${linkButton(`${basePath}/`, words('docs.openGarden'))}
      </div>
    </header>`;
  return page(
    site,
    {
      title,
      kind: 'p-docs',
      header,
      footer: footers[shown ?? 'api'],
      styles: ['prose.css'],
      scripts: shown ? ['try.js'] : [],
    },
    html`${content}${shown && tryForm(shown, basePath)}`,
  );
}

const escapeHtml = (text: string) => String(html`${text}`);

/** Shows raw HTML as text, and links to files that are not served as plain text. */
export function documentPage(site: Site, document: Document, documents: readonly Document[], markdown: string): Html {
  const { basePath } = site;
  const headings: { id: string; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = anchorOf(text);
        if (depth === 2) headings.push({ id, text: text.replaceAll('`', '') });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      code({ text, lang = '' }: Tokens.Code) {
        const block = `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
        const label = lang.replace(/^\S* ?/, '');
        return label ? `<details><summary>${escapeHtml(label)}</summary>\n${block}</details>\n` : block;
      },
      table(token: Tokens.Table) {
        // Narrow screens show a row as a block, which would remove its role for screen readers.
        const row = (cells: Tokens.TableCell[], cell: (content: string, column: number) => string) =>
          '<tr role="row">' +
          `${cells.map(({ tokens }, column) => cell(this.parser.parseInline(tokens), column)).join('')}</tr>`;
        const columns = token.header.map(({ text }) => escapeHtml(text.replaceAll('`', '')));
        const head = row(token.header, (content) => `<th role="columnheader" scope="col">${content}</th>`);
        const cell = (content: string, column: number) =>
          `<td role="cell" data-column="${columns[column] ?? ''}">${content}</td>`;
        const body = token.rows.map((cells) => row(cells, cell));
        return (
          `<div class="scroll" tabindex="0"><table role="table"><thead role="rowgroup">${head}</thead><tbody ` +
          `role="rowgroup">${body.join('\n')}</tbody></table></div>\n`
        );
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
        const target = href.startsWith('#') ? href : targetOf(document, href, documents);
        if (target === undefined) return text;
        return `<a href="${escapeHtml(target.startsWith('#') ? target : basePath + target)}">${text}</a>`;
      },
      // The Content-Security-Policy of the page allows no pictures of other sites.
      image({ href, text }: Tokens.Image) {
        const isOwn = /^pictures\/[\w-]+\.png$/.test(href);
        const source = escapeHtml(`${basePath}/docs/${href}`);
        return isOwn ? `<img src="${source}" alt="${escapeHtml(text)}" loading="lazy">` : escapeHtml(text);
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  const contents = html`
    <ul>
      ${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
      <li><a href="${basePath}${document.markdownPath}">${words('docs.asMarkdown')}</a></li>
    </ul>`;
  // Narrow screens show the folded list of sections, wide ones the other.
  return docsPage(
    site,
    { title: titleOf(markdown), path: document.pagePath },
    html`
      <div class="with-toc">
        <details class="toc-menu"><summary>${words('docs.onThisPage')}</summary>${contents}</details>
        <nav class="toc" aria-label="${words('docs.onThisPage')}">${contents}</nav>
        <div>${interfaceSwitch(site, document.pagePath, documents)}${prose(body)}</div>
      </div>`,
  );
}

/** Leads from the reference of one interface to that of the other. */
function interfaceSwitch({ basePath }: Site, here: string, documents: readonly Document[]): Html | false {
  const choices = [
    [referencePath, words('docs.reference')],
    [programsReferencePath, words('connections.programs')],
  ] as const;
  const isShown = interfaceOf(here) && documents.some(({ pagePath }) => pagePath === programsReferencePath);
  return (
    isShown === true &&
    segmentedLinks(
      words('docs.reference'),
      choices.map(([path, text]) => [basePath + path, text, path === here]),
    )
  );
}

/** The same anchor as on GitHub, so that links between documents work on both. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
