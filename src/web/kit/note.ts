/** Renders a note in Markdown. HTML in it is text, and pictures become links. */
import { hash } from 'node:crypto';
import { raw } from 'hono/html';
import { LRUCache } from 'lru-cache';
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
      // HTML has no link within a link, but a picture or an address in angle brackets makes one.
      return linkTo(href, this.parser.parseInline(tokens).replaceAll(/<\/?a\b[^>]*>/g, ''));
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

/** In characters. The longest note takes 30 ms, and each member of a group may open its page. */
const rendered = new LRUCache<string, Html>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (note) => String(note).length,
});

export function renderNote(text: string): Html {
  const digest = hash('sha256', text);
  const note = rendered.get(digest) ?? html`<div class="prose note" dir="auto">${renderMarkdown(text)}</div>`;
  rendered.set(digest, note);
  return note;
}

/** The parser compares each delimiter with all before it: 1,000 take 25 ms, 7,000 a second. */
const delimitersAtMost = 1_000;
/**
 * Nested lists, long runs of one kind of character and words of many exclamation marks are as slow. A run is searched
 * from its start alone, because a search from each of its characters is slow too.
 */
const slowPatterns =
  /^(?: {0,3}(?:>|[-+*] |\d{1,9}[.)] )){30}|(?<!\s)\s{1000}|(?<!\S)(?:\S{3000}|[^\s!]*(?:![^\s!]*){500})/m;
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
