/**
 * A document of docs/ as a page. Raw HTML in it is shown as text; links into the source, which is not served, become
 * plain text.
 */

import { Marked, type Tokens } from 'marked';
import { prose } from '../../kit/prose.ts';
import { type Html, html } from '../../markup.ts';
import type { Site } from '../../road/site.ts';
import { words } from '../../words/words.ts';
import { type Document, targetOf, titleOf } from './documents.ts';
import { docsPage } from './frame.ts';

const escapeHtml = (text: string) => String(html`${text}`);

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
        // Narrow screens show a row as a block: the roles say that it is a row all the same.
        const row = (cells: Tokens.TableCell[], cell: (content: string, place: number) => string) =>
          '<tr role="row">' +
          `${cells.map(({ tokens }, place) => cell(this.parser.parseInline(tokens), place)).join('')}</tr>`;
        const columns = token.header.map(({ text }) => escapeHtml(text.replaceAll('`', '')));
        const head = row(token.header, (content) => `<th role="columnheader" scope="col">${content}</th>`);
        const cell = (content: string, place: number) =>
          `<td role="cell" data-column="${columns[place] ?? ''}">${content}</td>`;
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
      // The page's policy allows pictures of our own only.
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
  // Narrow screens show the list of sections closed; only one of the two is ever shown.
  return docsPage(
    site,
    { title: titleOf(markdown), path: document.pagePath },
    html`
      <div class="with-toc">
        <details class="toc-menu"><summary>${words('docs.onThisPage')}</summary>${contents}</details>
        <nav class="toc" aria-label="${words('docs.onThisPage')}">${contents}</nav>
        ${prose(body)}
      </div>`,
  );
}

/** The anchor of a heading, formed as GitHub forms it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
