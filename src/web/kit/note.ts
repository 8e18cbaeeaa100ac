/** The note of a member, in Markdown: raw HTML in it is text, pictures are links, and links lead to the web alone. */
import { raw } from 'hono/html';
import { Marked, type Tokens } from 'marked';
import { type Html, html } from '../markup.ts';
import { webLink } from './marks.ts';

/** Headings of a note stand below that of its panel. */
const headingsBelow = 2;

const escaped = (text: string) => String(html`${text}`);
const linked = (href: string, inside: string) => String(webLink(href, raw(inside)) ?? inside);

const markdown = new Marked({
  breaks: true,
  renderer: {
    html: ({ text, block }: Tokens.HTML | Tokens.Tag) => (block ? `<p>${escaped(text)}</p>\n` : escaped(text)),
    image: ({ href, text }: Tokens.Image) => linked(href, escaped(text || href)),
    link({ href, tokens }: Tokens.Link) {
      return linked(href, this.parser.parseInline(tokens));
    },
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(depth + headingsBelow, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code) {
      const [language = ''] = lang.split(/\s/, 1);
      return String(html`<pre tabindex="0"><code class="language-${language}">${text}</code></pre>`);
    },
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  },
});

export const shownNote = (text: string): Html => html`<div class="prose note" dir="auto">${parsed(text)}</div>`;

/** The parser compares each mark of emphasis or code with all before it: 7,000 of them take a second, so many 25 ms. */
const marksAtMost = 1_000;
/** Quotations and lists in each other cost as much, and so do long runs of blanks and of other characters. */
const tooMuch = /^(?: {0,3}(?:>|[-+*] |\d{1,9}[.)] )){30}|\s{1000}|\S{3000}/m;
/** A row of a table gets a cell for each column, however short it is. */
const cellsAtMost = 20_000;

/** A note that would hold the server up is shown as it was written. */
function parsed(text: string): Html {
  const asWritten = html`<pre tabindex="0">${text}</pre>`;
  const lines = text.split('\n');
  const columns = Math.max(...lines.map((line) => line.split('|').length));
  const hasManyMarks = text.split(/[*_~`]/, marksAtMost + 2).length > marksAtMost + 1;
  if (hasManyMarks || tooMuch.test(text) || columns * lines.length > cellsAtMost) return asWritten;
  try {
    return raw(markdown.parse(text, { async: false }));
  } catch (error) {
    if (error instanceof RangeError) return asWritten;
    throw error;
  }
}
