/**
 * `html` and `svg` escape every value and drop the white space that only indents a template. They throw where a
 * line break beside a word may stand for a space: put both on one line, or write `${' '}`.
 */
import { setImmediate } from 'node:timers/promises';
import { html as hono } from 'hono/html';

export type Html = ReturnType<typeof hono>;

const templates = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  let parts = templates.get(strings);
  if (parts === undefined) {
    parts = removeIndent(strings) as unknown as TemplateStringsArray;
    templates.set(strings, parts);
  }
  return hono(parts, ...values);
}

const turnMs = 10;

/** Other requests are answered between the rows of a long table. */
export async function inTurns<T, R>(rows: Iterable<T>, render: (row: T) => R): Promise<R[]> {
  const rendered: R[] = [];
  let began = performance.now();
  for (const row of rows) {
    rendered.push(render(row));
    if (performance.now() - began < turnMs) continue;
    await setImmediate();
    began = performance.now();
  }
  return rendered;
}

export function svg(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return html(strings, ...values.map(roundNumber));
}

const roundNumber = (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);

export function attr(name: string, value: string | number | bigint | boolean | null | undefined): Html | '' {
  if (value === undefined || value === null || value === false) return '';
  return value === true ? hono` ${name}` : hono` ${name}="${String(value)}"`;
}

/** `bdi` keeps a name in a right-to-left script from reordering the text around it. */
export function bdi(name: string | null): Html {
  return hono`<bdi>${name}</bdi>`;
}

type ScanState = 'text' | 'tag' | 'quoted' | 'comment' | 'verbatim';

const inlineTags = new Set([
  ...['/a', '/abbr', '/b', '/bdi', '/button', '/cite', '/code', '/em', '/i', '/kbd', '/label', '/mark', '/q', '/s'],
  ...['/samp', '/select', '/small', '/span', '/strong', '/sub', '/sup', '/svg', '/textarea', '/time', '/u'],
  ...['img', 'input'],
]);

function removeIndent(strings: readonly string[]): string[] {
  let state: ScanState = 'text';
  let closing = '';
  let tag = '';
  return strings.map((text, index) => {
    let output = '';
    // `$` stands for the value before or after this part.
    const [before, after] = [index > 0 ? '$' : '', index < strings.length - 1 ? '$' : ''];
    for (let at = 0; at < text.length; ) {
      const blank = state === 'text' || state === 'tag' ? (/^\s*\n\s*/.exec(text.slice(at))?.[0] ?? '') : '';
      if (blank !== '') {
        const end = output.at(-1) ?? before;
        const last = end === '>' && inlineTags.has(tag) ? '$' : end;
        at += blank.length;
        const next = text.slice(at, at + 2) || after;
        output += state === 'tag' ? (/^[>/$]/.test(next) ? '' : ' ') : lineBreakBetween(last, next, text);
        continue;
      }
      const char = text[at] as string;
      if (state === 'text' && text.startsWith('<!--', at)) [state, closing] = ['comment', '-->'];
      else if (state === 'text' && /^<\/?[a-zA-Z]/.test(text.slice(at, at + 3))) {
        state = 'tag';
        tag = /^<(\/?[a-z]*)/.exec(text.slice(at))?.[1] ?? '';
        closing = /^<(pre|textarea|script|style)\b/i.exec(text.slice(at))?.[1] ?? '';
      } else if (state === 'tag' && char === '"') state = 'quoted';
      else if (state === 'quoted' && char === '"') state = 'tag';
      else if (state === 'tag' && char === '>') state = closing === '' ? 'text' : 'verbatim';
      else if (state === 'comment' && text.startsWith(closing, at)) state = 'text';
      else if (state === 'verbatim' && text.startsWith(`</${closing}`, at))
        [state, closing, tag] = ['tag', '', `/${closing}`];
      output += char;
      at++;
    }
    return output;
  });
}

function lineBreakBetween(last: string, next: string, text: string): string {
  const isEdge = (piece: string) => piece === '' || piece === '$' || /^[<>]/.test(piece);
  if (!isEdge(last) && !isEdge(next)) return ' ';
  // A blank is never meant after the `>` that opens an element or before `</`.
  const isUnclear = (!isEdge(last) && (next === '$' || /^<[^/]/.test(next))) || (!isEdge(next) && last === '$');
  if (isUnclear) throw new Error(`A line break beside a word; write it on one line: ${text.trim().slice(0, 80)}`);
  return '';
}
