/** Renders a note in Markdown. HTML in it is text, and pictures become links. */
import { raw } from 'hono/html';
import { Marked, type Tokens } from 'marked';
import { type Html, html } from '../markup.ts';
import { formulas } from './formulas.ts';
import { webLink } from './marks.ts';

const headingLevelOffset = 2;

const escapeHtml = (text: string) => String(html`${text}`);
const linkTo = (href: string, content: string) => String(webLink(href, raw(content)) ?? content);

const markdown = new Marked(formulas, {
  breaks: true,
  renderer: {
    html: ({ text, block }: Tokens.HTML | Tokens.Tag) => (block ? `<p>${escapeHtml(text)}</p>\n` : escapeHtml(text)),
    image: ({ href, text }: Tokens.Image) => linkTo(href, escapeHtml(text || href)),
    link({ href, tokens }: Tokens.Link) {
      return linkTo(href, this.parser.parseInline(tokens));
    },
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(depth + headingLevelOffset, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code) {
      const [language = ''] = lang.split(/\s/, 1);
      return String(html`<pre tabindex="0"><code class="language-${language}">${text}</code></pre>`);
    },
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  },
});

export const renderNote = (text: string): Html =>
  html`<div class="prose note" dir="auto">${renderMarkdown(text)}</div>`;

/** The parser compares each delimiter with all before it: 1,000 take 25 ms, 7,000 a second. */
const delimitersAtMost = 1_000;
/** Nested lists and long runs of one kind of character are as slow. */
const slowPatterns = /^(?: {0,3}(?:>|[-+*] |\d{1,9}[.)] )){30}|\s{1000}|\S{3000}/m;
/** Every row of a table is padded to the number of its columns. */
const cellsAtMost = 20_000;

/** A note that would block the event loop is shown as plain text. */
function renderMarkdown(text: string): Html {
  const plainText = html`<pre tabindex="0">${text}</pre>`;
  const lines = text.split('\n');
  const columns = Math.max(...lines.map((line) => line.split('|').length));
  const hasManyDelimiters = text.split(/[*_~`$]/, delimitersAtMost + 2).length > delimitersAtMost + 1;
  if (hasManyDelimiters || slowPatterns.test(text) || columns * lines.length > cellsAtMost) return plainText;
  try {
    return raw(markdown.parse(text, { async: false }));
  } catch (error) {
    if (error instanceof RangeError) return plainText;
    throw error;
  }
}
