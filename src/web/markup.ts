/**
 * Markup: `html` and `svg` escape every value, and send no white space that stands in a template for its reader alone.
 *
 * A line break with its indentation sends nothing between elements and values, one blank between two words, one blank
 * between two attributes. On one line every blank is sent as it is written. Values, `<pre>`, `<textarea>`, comments and
 * quoted attributes stay as they are. Where a blank may or may not be meant (a line break between a word and a value,
 * between a word and an element that begins, or between an element within a line and a word), the template throws when
 * it is first used: put both on one line, or write `${' '}`.
 */
import { html as hono } from 'hono/html';

export type Html = ReturnType<typeof hono>;

const trimmed = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  let parts = trimmed.get(strings);
  if (parts === undefined) {
    parts = withoutIndent(strings) as unknown as TemplateStringsArray;
    trimmed.set(strings, parts);
  }
  return hono(parts, ...values);
}

/** A drawing: numbers are written with at most two decimals, and everything else as in `html`. */
export function svg(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return html(strings, ...values.map(short));
}

const short = (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);

/** An attribute with the blank before it; nothing for undefined, null and false, and the bare name for true. */
export function attr(name: string, value: string | number | bigint | boolean | null | undefined): Html | '' {
  if (value === undefined || value === null || value === false) return '';
  return value === true ? hono` ${name}` : hono` ${name}="${String(value)}"`;
}

/** A name that somebody gave; letters that are written from right to left change nothing around it. */
export function bdi(name: string | null): Html {
  return hono`<bdi>${name}</bdi>`;
}

type Place = 'text' | 'tag' | 'quoted' | 'comment' | 'kept';

/** Ends of elements that stand within a line. */
const inLine = new Set([
  ...['/a', '/abbr', '/b', '/bdi', '/button', '/cite', '/code', '/em', '/i', '/kbd', '/label', '/mark', '/q', '/s'],
  ...['/samp', '/select', '/small', '/span', '/strong', '/sub', '/sup', '/svg', '/textarea', '/time', '/u'],
  ...['img', 'input'],
]);

/** The texts of a template without the white space that only its author sees. Runs once for each template. */
function withoutIndent(strings: readonly string[]): string[] {
  let place: Place = 'text';
  let closing = '';
  let tag = '';
  return strings.map((text, nth) => {
    let sent = '';
    // A hole stands before and after each part, except at the ends of the template.
    const [before, after] = [nth > 0 ? '$' : '', nth < strings.length - 1 ? '$' : ''];
    for (let at = 0; at < text.length; ) {
      const blank = place === 'text' || place === 'tag' ? (/^\s*\n\s*/.exec(text.slice(at))?.[0] ?? '') : '';
      if (blank !== '') {
        const end = sent.at(-1) ?? before;
        // A word after such an element is as unclear as one after a value.
        const last = end === '>' && inLine.has(tag) ? '$' : end;
        at += blank.length;
        const next = text.slice(at, at + 2) || after;
        sent += place === 'tag' ? (/^[>/$]/.test(next) ? '' : ' ') : between(last, next, text);
        continue;
      }
      const char = text[at] as string;
      if (place === 'text' && text.startsWith('<!--', at)) [place, closing] = ['comment', '-->'];
      else if (place === 'text' && /^<\/?[a-zA-Z]/.test(text.slice(at, at + 3))) {
        place = 'tag';
        tag = /^<(\/?[a-z]*)/.exec(text.slice(at))?.[1] ?? '';
        closing = /^<(pre|textarea|script|style)\b/i.exec(text.slice(at))?.[1] ?? '';
      } else if (place === 'tag' && char === '"') place = 'quoted';
      else if (place === 'quoted' && char === '"') place = 'tag';
      else if (place === 'tag' && char === '>') place = closing === '' ? 'text' : 'kept';
      else if (place === 'comment' && text.startsWith(closing, at)) place = 'text';
      else if (place === 'kept' && text.startsWith(`</${closing}`, at))
        [place, closing, tag] = ['tag', '', `/${closing}`];
      sent += char;
      at++;
    }
    return sent;
  });
}

/** Returns the text to send for a line break between two pieces of a template. */
function between(last: string, next: string, text: string): string {
  const isEdge = (piece: string) => piece === '' || piece === '$' || /^[<>]/.test(piece);
  if (!isEdge(last) && !isEdge(next)) return ' ';
  // The inside of an element begins after `>` and ends before `</`: a blank there is never meant.
  const isUnclear = (!isEdge(last) && (next === '$' || /^<[^/]/.test(next))) || (!isEdge(next) && last === '$');
  if (isUnclear) throw new Error(`A line break beside a word; write it on one line: ${text.trim().slice(0, 80)}`);
  return '';
}
